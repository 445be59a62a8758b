package cli

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"lamella/app/export"
)

// A meter shows how far long work is, how fast it goes and how long it may yet take: a bar on a terminal, elsewhere,
// as in the log of a cluster, a line now and then.
type meter struct {
	quiet bool
	to    io.Writer
	what  string
	bytes int // of all the voxels

	began time.Time
	pace  export.Pace
	bars  *mpb.Progress // nil if there is no bar
	bar   *mpb.Bar
	said  atomic.Pointer[string] // drawn by a goroutine of the bar
	next  time.Time              // of a line

	more func() string // what a line says beside that; nil for nothing
}

// patience is how long work may take before it gets a bar, and news how long before it gets a line, and then the
// next. They are variables for tests.
var (
	patience = 400 * time.Millisecond
	news     = 30 * time.Second
)

func newMeter(stderr io.Writer, what string, quiet bool, bytes int) *meter {
	now := time.Now()
	m := &meter{quiet: quiet, to: stderr, what: what, bytes: bytes, began: now, next: now.Add(news)}
	if f, ok := stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		m.next = time.Time{}
	}
	return m
}

// tell is called by the work, one call at a time. What is done at the first call was done before.
func (m *meter) tell(done, total int) {
	now := time.Now()
	words := m.words(done, total, now)
	switch {
	case m.quiet:
	case m.next.IsZero():
		m.draw(done, total, words, now)
	case !now.Before(m.next) && done < total:
		m.next = now.Add(news)
		if m.more != nil {
			words += m.more()
		}
		fmt.Fprintf(m.to, "lamella: %s: %d of %d parts%s\n", m.what, done, total, words)
	}
}

func (m *meter) draw(done, total int, words string, now time.Time) {
	m.said.Store(&words)
	if m.bar == nil {
		if now.Sub(m.began) < patience {
			return
		}
		m.bars = mpb.New(mpb.WithOutput(m.to), mpb.WithWidth(48))
		m.bar = m.bars.AddBar(int64(total), mpb.BarRemoveOnComplete(),
			mpb.PrependDecorators(decor.Name(m.what+" ")),
			mpb.AppendDecorators(decor.CountersNoUnit("%d of %d parts"), decor.Any(func(decor.Statistics) string { return *m.said.Load() })))
	}
	m.bar.SetCurrent(int64(done))
}

// note tells a line, above the bar if there is one.
func (m *meter) note(line string) {
	switch {
	case m.quiet:
	case m.bars != nil:
		fmt.Fprintf(m.bars, "lamella: %s\n", line)
	default:
		fmt.Fprintf(m.to, "lamella: %s\n", line)
	}
}

// end takes the bar away.
func (m *meter) end() {
	if m.bar != nil {
		m.bar.Abort(true)
		m.bars.Wait()
	}
}

// words are the rate and the time left, "" as long as they are not known.
func (m *meter) words(done, total int, now time.Time) string {
	left, known := m.pace.Left(done, total, now)
	if !known {
		return ""
	}
	rate := m.pace.Rate() * float64(m.bytes) / float64(total)
	return fmt.Sprintf(", %s/s, %v left", humanize.Bytes(uint64(rate)), left)
}
