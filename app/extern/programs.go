package extern

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"lamella/lazy"
)

// ErrNotAllowed is why a program is not run: nobody has said that it may be.
var ErrNotAllowed = errors.New("the program has not been allowed to run")

// Options say how programs are run.
type Options struct {
	Most int // of one program at a time; 0 is one a processor

	// Said is told each line that a program writes to standard error; nil lets it pass. Calls come from many
	// goroutines.
	Said func(command, line string)
}

// Programs runs programs. Its methods may be called from many goroutines.
//
// It holds locks, as the engine does, since processes are shared by whoever computes a block; none is held while a
// program works.
type Programs struct {
	options Options

	mu      sync.Mutex
	allowed map[string]bool
	pools   map[string]*pool // by command
	closed  bool
}

// New runs nothing yet.
func New(o Options) *Programs {
	if o.Most <= 0 {
		o.Most = runtime.GOMAXPROCS(0)
	}
	return &Programs{options: o, allowed: map[string]bool{}, pools: map[string]*pool{}}
}

// Allow says that the user wants this command to be run.
func (p *Programs) Allow(command string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.allowed[command] = true
}

// Allowed reports whether a command may be run.
func (p *Programs) Allowed(command string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.allowed[command]
}

// Close ends all programs.
func (p *Programs) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, of := range p.pools {
		of.close()
	}
}

// A Program says what is run and what it is to know.
type Program struct {
	Command string
	Halo    lazy.Halo
	Edge    lazy.Border
	Out     lazy.DType
	Limit   time.Duration // for a block
	Scale   [lazy.Rank]float64
	Unit    [lazy.Rank]string
}

// Op is the program as an op: what it makes of an array is of the same shape.
func (p *Programs) Op(of Program) (lazy.Op, error) {
	words, err := split(of.Command)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.allowed[of.Command] {
		return nil, fmt.Errorf("%w: %s", ErrNotAllowed, of.Command)
	}
	all := p.pools[of.Command]
	if all == nil {
		all = newPool(of.Command, words, p.options)
		if p.closed {
			all.close()
		}
		p.pools[of.Command] = all
	}
	return program{of, all, identity(words)}, nil
}

// identity tells of the files that the words of a command name how they are now, so that what an edited script
// computes is not taken for what it computed before.
func identity(words []string) string {
	var s strings.Builder
	for _, w := range words {
		if at, err := os.Stat(w); err == nil && at.Mode().IsRegular() {
			fmt.Fprintf(&s, "|%s %d %d", w, at.Size(), at.ModTime().UnixNano())
		}
	}
	return s.String()
}

// split cuts a command at blanks, but for those within single quotes.
func split(command string) ([]string, error) {
	var words []string
	var w strings.Builder
	inside, open := false, false
	for _, r := range command {
		switch {
		case r == '\'':
			inside, open = !inside, true
		case !inside && (r == ' ' || r == '\t' || r == '\n'):
			if open {
				words = append(words, w.String())
			}
			w.Reset()
			open = false
		default:
			w.WriteRune(r)
			open = true
		}
	}
	if inside {
		return nil, fmt.Errorf("the command %q ends within quotes", command)
	}
	if open {
		words = append(words, w.String())
	}
	if len(words) == 0 || words[0] == "" {
		return nil, errors.New("no program is named")
	}
	return words, nil
}
