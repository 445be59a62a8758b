package extern

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"lamella/lazy"
)

// errGone is that a process took no question, or gave not a byte of an answer.
var errGone = errors.New("it ended without an answer")

// errLate is that a block took longer than its limit.
var errLate = errors.New("it took longer")

// A process is one run of a program.
type process struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader // of pipe
	pipe io.Reader

	ended atomic.Bool    // and waited for: its number may be another's
	heard sync.WaitGroup // of standard error
	mu    sync.Mutex
	last  []string // lines of it
}

// told is how many lines of standard error an error message repeats.
const told = 3

// start runs a program. said is told each line that it writes to standard error.
func start(words []string, said func(line string)) (*process, error) {
	p := &process{cmd: exec.Command(words[0], words[1:]...)}
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := launch(p.cmd); err != nil {
		return nil, err
	}
	for _, f := range []any{in, out} {
		if f, ok := f.(*os.File); ok {
			widen(f)
		}
	}
	p.in, p.pipe, p.out = in, out, bufio.NewReaderSize(out, 64<<10)
	p.heard.Go(func() {
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			p.hear(lines.Text())
			said(lines.Text())
		}
		io.Copy(io.Discard, stderr) // lines too long to tell
	})
	return p, nil
}

func (p *process) hear(line string) {
	if strings.TrimSpace(line) == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last = append(p.last, strings.TrimSpace(line)); len(p.last) > told {
		p.last = p.last[1:]
	}
}

// surplus is what a process has written beyond its answers: the next one would be taken for another block's.
func (p *process) surplus() error {
	more, _ := p.out.Peek(min(p.out.Buffered(), 8))
	if len(more) == 0 {
		more = waiting(p.pipe)
	}
	if len(more) == 0 {
		return nil
	}
	return fmt.Errorf("it wrote more than one answer to a block, from %q on: nothing else may be printed to standard output", more)
}

// exchange writes a question and reads the voxels of the answer. After an error the process is of no more use.
func (p *process) exchange(question, answer []byte, shape [3]int, d lazy.DType, limit time.Duration) error {
	if err := p.surplus(); err != nil {
		return err
	}
	late := time.AfterFunc(limit, p.kill)
	// The answer may begin before the question has been read.
	asked := make(chan error, 1)
	go func() {
		_, err := p.in.Write(question)
		asked <- err
	}()
	_, err := p.out.Peek(1)
	if err != nil {
		err = errGone
	} else {
		err = readNPY(p.out, answer, shape, d)
	}
	if err == nil {
		err = p.surplus()
	}
	if !late.Stop() && err != nil {
		err = fmt.Errorf("%w than the %v that a block may take (limit=)", errLate, limit)
	}
	if err != nil {
		p.in.Close() // so that the writer ends
	}
	if e := <-asked; err == nil && e != nil {
		err = errGone
	}
	return err
}

// kill ends the process and what it has started.
func (p *process) kill() {
	if !p.ended.Load() {
		killAll(p.cmd)
	}
}

// end gets rid of a process after an error, and gives that with what the process itself had to say. clean is that it
// had ended well.
func (p *process) end(err error) (why error, clean bool) {
	p.in.Close()
	gone, cut := errors.Is(err, errGone), errors.Is(err, errCut)
	if !gone && !cut {
		p.kill()
	}
	stop := time.AfterFunc(time.Second, p.kill) // one that closed its output and goes on
	p.heard.Wait()
	how := p.cmd.Wait()
	p.ended.Store(true)
	stop.Stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	var exit *exec.ExitError
	switch {
	case !errors.As(how, &exit):
	case gone:
		err = fmt.Errorf("it ended with %v", how)
	case cut:
		err = fmt.Errorf("%w; it ended with %v", err, how)
	}
	if len(p.last) > 0 {
		err = fmt.Errorf("%w; it said: %s", err, strings.Join(p.last, " / "))
	}
	return err, how == nil
}
