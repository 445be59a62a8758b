package ui

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strconv"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"

	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/viewer"
)

// ramps is a volume of two time points, nine planes and two channels, each a ramp of its own.
type volume struct{ fail error }

func (volume) Meta() lazy.Meta {
	m := lazy.Meta{Shape: lazy.Shape{2, 9, 2, 48, 64}, Chunk: lazy.Shape{1, 3, 1, 16, 64}, DType: lazy.U16}
	m.Scale = [lazy.Rank]float64{2, 0.5, 0, 0.1, 0.1}
	m.Unit = [lazy.Rank]string{"s", "um", "", "um", "um"}
	return m
}

func (v volume) ID() string { return "ui test volume" }

func (v volume) Read(_ context.Context, dst *lazy.Block) (int64, error) {
	if v.fail != nil {
		return 0, v.fail
	}
	out := lazy.View[uint16](dst)
	n := 0
	for at := range dst.Region.Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		i := at.Min
		if i[lazy.C] == 0 {
			out[n] = uint16(100 + 30*i[lazy.X] + 10*i[lazy.Z])
		} else {
			out[n] = uint16(500 + 20*i[lazy.Y] + 100*i[lazy.T])
		}
		n++
	}
	return int64(2 * n), nil
}

func dataset(v volume) *lazy.Dataset {
	return &lazy.Dataset{Source: "test", Images: []lazy.Image{{
		Name:     "test",
		Levels:   []lazy.Level{{Array: lazy.FromSource(v)}},
		Channels: []lazy.Channel{{Name: "DAPI", Color: "#4060ff"}, {Name: "GFP", Color: "#40ff60"}},
	}}}
}

// A stage is a view on the software driver, whose toolkit goroutine is the test's own.
type stage struct {
	*testing.T
	*View
	win    fyne.Window
	posts  chan func()
	opened [][]string
	asked  []string

	previews []func(image.Image, error)
	imported []RawFile
}

func newStage(t *testing.T) *stage {
	t.Helper()
	a := test.NewTempApp(t)
	a.Settings().SetTheme(Theme{Look: Dark})
	s := &stage{T: t, posts: make(chan func(), 256)}
	s.win = test.NewTempWindow(t, nil)
	ask := func(what string) func() { return func() { s.asked = append(s.asked, what) } }
	s.View = build(s.win, Asks{
		OpenFile: ask("file"), OpenFolder: ask("folder"), Open: func(p []string) { s.opened = append(s.opened, p) },
		ExportData: ask("data"), ExportPicture: ask("picture"), ExportAll: ask("all"), Quit: ask("quit"), ClearRecent: ask("clear"), About: ask("about"),
		SetLook: func(l Look) { s.asked = append(s.asked, string(l)) }, Stop: func() bool { return false },
		SetDevice: func(d Device) { s.asked = append(s.asked, "device "+string(d)) },
		Reload:    ask("reload"), Convert: ask("convert"), ImportRaw: ask("import"),
		Follow:     func(on bool) { s.asked = append(s.asked, "follow "+strconv.FormatBool(on)) },
		AxesShape:  plainShape,
		Reopen:     func(axes string) { s.asked = append(s.asked, "reopen "+axes) },
		PreviewRaw: func(_ RawFile, give func(image.Image, error)) { s.previews = append(s.previews, give) },
		OpenRaw:    func(f RawFile) { s.imported = append(s.imported, f) },
		Samples:    []Recent{{Source: "sample:cells", Name: "sample.cells"}},
	}, func(f func()) { s.posts <- f })
	s.asks.ExportResults = ask("results")
	s.tips.after = func(_ time.Duration, f func()) *time.Timer { f(); return time.NewTimer(0) }
	s.win.Resize(fyne.NewSize(960, 640))
	return s
}

// withVolume is a stage that shows the volume.
func withVolume(t *testing.T) *stage {
	t.Helper()
	s := newStage(t)
	s.open(dataset(volume{}))
	s.settle()
	return s
}

func (s *stage) open(set *lazy.Dataset) {
	s.Helper()
	e := engine.New(engine.Options{Memory: 32 << 20, Workers: 2})
	o := s.Options()
	o.Engine = e
	session, err := viewer.Open(set, o)
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() {
		s.View.Close()
		<-session.Closed()
		e.Close()
	})
	s.Show(session)
	s.win.Canvas().Capture() // painting tells the session the size of the picture
}

// until runs the toolkit's goroutine until something is so.
func (s *stage) until(what string, ok func() bool) {
	s.Helper()
	late := time.After(2 * time.Minute) // on a machine that does much else
	for !ok() {
		select {
		case f := <-s.posts:
			f()
		case <-late:
			s.Fatalf("never came: %s", what)
		}
	}
}

// settle waits for the finished picture of what is on view.
func (s *stage) settle() {
	s.Helper()
	s.until("a finished picture", func() bool {
		f, now := s.session.Frame(), s.session.State()
		if f == nil || f.Stale || f.Partial || s.report.Busy || s.report.Frame < f.Number || f.State.At != now.At || f.State.Size != now.Size || f.State.Zoom != now.Zoom {
			return false
		}
		for _, c := range now.Shown() {
			if now.Channels[c].Rule.Pending || f.State.Channels[c] != now.Channels[c] {
				return false
			}
		}
		return true
	})
}

// english skips a test that compares texts where the window speaks another language.
func english(t *testing.T) {
	t.Helper()
	if l := lang.SystemLocale().LanguageString(); len(l) >= 2 && l[:2] != "en" && l[:2] != "C" {
		t.Skipf("not run: the texts are compared in English, and LANG asks for %s", l)
	}
}

var errBroken = errors.New("tiff: reading embryo.tif: plane 5: the strip ends early")

// plainShape stands for the loaders: it knows letters, and that a split does not come out.
func plainShape(axes string, lengths []int64) (lazy.Shape, error) {
	shape := lazy.Shape{1, 1, 1, 1, 1}
	if len(axes) != len(lengths) {
		return shape, fmt.Errorf("axes %q do not come out even: not supported", axes)
	}
	for i, l := range []byte(axes) {
		shape[axisOf(l)] = int(lengths[i])
	}
	return shape, nil
}
