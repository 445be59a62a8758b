package cli

import (
	"io"
	"os"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// A meter shows how far long work is: a bar on a terminal, nothing elsewhere.
type meter struct {
	on    bool
	to    io.Writer
	what  string
	began time.Time
	bars  *mpb.Progress
	bar   *mpb.Bar
}

// patience is how long work may take before it gets a bar.
const patience = 400 * time.Millisecond

func newMeter(stderr io.Writer, what string, quiet bool) *meter {
	f, ok := stderr.(*os.File)
	return &meter{on: ok && !quiet && term.IsTerminal(int(f.Fd())), to: stderr, what: what, began: time.Now()}
}

// tell is called by the work, one call at a time.
func (m *meter) tell(done, total int) {
	if !m.on || m.bar == nil && time.Since(m.began) < patience {
		return
	}
	if m.bar == nil {
		m.bars = mpb.New(mpb.WithOutput(m.to), mpb.WithWidth(48))
		m.bar = m.bars.AddBar(int64(total), mpb.BarRemoveOnComplete(),
			mpb.PrependDecorators(decor.Name(m.what+" ")),
			mpb.AppendDecorators(decor.CountersNoUnit("%d of %d parts"), decor.Name("  "), decor.AverageETA(decor.ET_STYLE_GO)))
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
