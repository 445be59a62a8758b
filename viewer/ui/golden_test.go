package ui

import (
	"flag"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"lamella/lazy"
	"lamella/viewer"
)

var update = flag.Bool("update", false, "write the golden pictures anew; look at them before you commit them")

// golden compares what the window shows with testdata/NAME.png. Edges of letters differ a little between
// machines, so one pixel in a hundred may.
func golden(t *testing.T, name string, got image.Image) {
	t.Helper()
	path := filepath.Join("testdata", name+".png")
	if *update {
		save(t, path, got)
		return
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	a, b := flat(p), flat(got)
	if a.Rect != b.Rect {
		t.Fatalf("%s is %v, want %v", name, b.Rect, a.Rect)
	}
	differ := 0
	for i := 0; i < len(a.Pix); i += 4 {
		for k := range 3 {
			if d := int(a.Pix[i+k]) - int(b.Pix[i+k]); d > 24 || d < -24 {
				differ++
				break
			}
		}
	}
	if differ > len(a.Pix)/4/100 {
		failed := filepath.Join(t.TempDir(), name+".png")
		if dir := os.Getenv("LAMELLA_FAILED"); dir != "" {
			failed = filepath.Join(dir, name+".png")
		}
		save(t, failed, got)
		t.Errorf("%d pixels of %s differ; what was drawn is in %s (set LAMELLA_FAILED to keep it)", differ, name, failed)
	}
}

func flat(p image.Image) *image.RGBA {
	f := image.NewRGBA(p.Bounds())
	draw.Draw(f, f.Rect, p, p.Bounds().Min, draw.Src)
	return f
}

func save(t *testing.T, path string, p image.Image) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, p); err != nil {
		t.Fatal(err)
	}
}

// still tells of times, memory and readiness that are the same in every run.
func (s *stage) still() {
	r := s.report
	r.Cost.Seconds, r.Used, r.Budget = 0.018, 312<<20, 2<<30
	const y, n = viewer.Ready, viewer.Unready
	r.Ready = [lazy.Rank][]viewer.Readiness{lazy.Z: {n, viewer.Stale, viewer.Stale, y, y, y, viewer.Underway, n, n}, lazy.T: {y, n}}
	r.Stages = nil
	if s.session.Scene().Filtered() {
		r.Stages = []viewer.Stage{
			{Step: viewer.Reading, Tasks: []viewer.TaskState{viewer.Held, viewer.Held, viewer.Held, viewer.Running}, Voxels: 18432},
			{Step: 0, Tasks: []viewer.TaskState{viewer.Held, viewer.Waiting, viewer.Absent}, Voxels: 9216},
		}
	}
	s.newest.Store(&r)
	s.tell()
}

// painted waits for the picture of the size that it has now, which the session learns from painting.
func (s *stage) painted() {
	s.Helper()
	s.win.Canvas().Capture()
	s.settle()
}

func TestTheWindowLooksAsItShould(t *testing.T) {
	english(t)
	for _, look := range []Look{Dark, Light} {
		t.Run(string(look), func(t *testing.T) {
			s := withVolume(t)
			test.ApplyTheme(t, Theme{Look: look})
			s.SetLook(look)
			s.act(viewer.AddFilter("gaussian"))
			s.act(viewer.AddFilter("sobel"))
			s.painted()
			s.act(viewer.SetParam(1, "norm", "l7"))
			s.until("the greyed picture", func() bool { f := s.session.Frame(); return f != nil && f.Stale && s.report.Frame >= f.Number })
			s.still()
			s.Fail(errBroken)
			s.frame()
			golden(t, "window-"+string(look), s.win.Canvas().Capture())
		})
	}
}

func TestTheEmptyWindowLooksAsItShould(t *testing.T) {
	english(t)
	s := newStage(t)
	s.SetRecent([]Recent{
		{Source: "/data/embryo.ome.zarr", Name: "embryo.ome.zarr", About: "128 × 1024 × 1024  uint16"},
		{Source: "sample:cells", Name: "sample:cells", About: "64 × 3 × 512 × 512  uint16"},
	})
	golden(t, "empty", s.win.Canvas().Capture())
}

func TestTheSheetOfKeysLooksAsItShould(t *testing.T) {
	english(t)
	s := newStage(t)
	s.win.Resize(fyne.NewSize(960, 640))
	s.Keys()
	golden(t, "keys", s.win.Canvas().Capture())
}

func TestTheEditorLooksAsItShould(t *testing.T) {
	english(t)
	for _, look := range []Look{Dark, Light} {
		t.Run(string(look), func(t *testing.T) {
			s, box := writing(t)
			test.ApplyTheme(t, Theme{Look: look})
			s.SetLook(look)
			box.do.preset(viewer.Presets()[2])
			s.painted()
			s.drag(viewer.WriteStencil("@param k = 0.5 0..2\nm = (x[-1,0] + x[0,-1] + x[0,1] + x[1,0]) / 4\nx + k * (x - n)"))
			s.SetDevice(Automatic, "CPU", "")
			s.still()
			s.frame()
			s.win.Canvas().Unfocus() // the cursor blinks
			golden(t, "editor-"+string(look), s.win.Canvas().Capture())
		})
	}
}

func TestTheSheetOnNotationLooksAsItShould(t *testing.T) {
	english(t)
	s := newStage(t)
	s.Notation()
	golden(t, "notation", s.win.Canvas().Capture())
}

func TestTheSheetOfPropertiesLooksAsItShould(t *testing.T) {
	english(t)
	s := withSilent(t)
	test.ApplyTheme(t, Theme{Look: Dark})
	s.Properties()
	s.enter(s.properties.sizes[0].field, "250 nm")
	s.enter(s.properties.sizes[1].field, "wide")
	s.win.Canvas().Focus(s.properties.search)
	golden(t, "properties", s.win.Canvas().Capture())
}

func TestTheDialogForRawFilesLooksAsItShould(t *testing.T) {
	english(t)
	s := newStage(t)
	s.ImportRaw(RawFile{Path: "/data/stack.raw", Bytes: 12000, Width: 30, Height: 20, Depth: 9, Channels: 1, Times: 1, DType: "uint16"})
	img := image.NewGray(image.Rect(0, 0, 30, 20))
	for i := range img.Pix {
		img.Pix[i] = uint8(i / 3)
	}
	s.previews[0](img, nil)
	golden(t, "raw", s.win.Canvas().Capture())
}
