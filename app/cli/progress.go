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
)

// A meter shows how far long work is, how fast it goes and how long it may yet take: a bar on a terminal, elsewhere,
// as in the log of a cluster, a line now and then.
type meter struct {
	quiet bool
	to    io.Writer
	what  string
	bytes int // of all the voxels

	began time.Time
	pace
	bars *mpb.Progress // nil if there is no bar
	bar  *mpb.Bar
	said atomic.Pointer[string] // drawn by a goroutine of the bar
	next time.Time              // of a line
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
	m.pace.tell(done, total, now)
	switch {
	case m.quiet:
	case m.next.IsZero():
		m.draw(done, total, now)
	case !now.Before(m.next) && done < total:
		m.next = now.Add(news)
		fmt.Fprintf(m.to, "lamella: %s: %d of %d parts%s\n", m.what, done, total, m.pace.words(m.bytes, now))
	}
}

func (m *meter) draw(done, total int, now time.Time) {
	words := m.pace.words(m.bytes, now)
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

// end takes the bar away.
func (m *meter) end() {
	if m.bar != nil {
		m.bar.Abort(true)
		m.bars.Wait()
	}
}

// A pace is how fast parts get done, counted from the first that was told.
type pace struct {
	first, done, total int
	began              time.Time
}

func (p *pace) tell(done, total int, now time.Time) {
	if p.began.IsZero() || done < p.done { // another stage begins
		*p = pace{first: done, began: now}
	}
	p.done, p.total = done, total
}

// words are the rate and the time left, "" as long as they are not known. bytes are those of all parts.
func (p *pace) words(bytes int, now time.Time) string {
	passed, made := now.Sub(p.began), p.done-p.first
	if made < 1 || passed <= 0 {
		return ""
	}
	rate := float64(bytes) / float64(p.total) * float64(made) / passed.Seconds()
	left := time.Duration(float64(passed) / float64(made) * float64(p.total-p.done))
	return fmt.Sprintf(", %s/s, %v left", humanize.Bytes(uint64(rate)), left.Round(time.Second))
}
