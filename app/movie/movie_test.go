package movie

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// frame is a picture of more than 256 colours that differs from frame to frame.
func frame(n int) *image.RGBA {
	p := image.NewRGBA(image.Rect(0, 0, 64, 48))
	for y := range 48 {
		for x := range 64 {
			p.SetRGBA(x, y, color.RGBA{uint8(4 * x), uint8(5 * y), uint8(60 * n), 255})
		}
	}
	return p
}

func written(t *testing.T, ending string, frames int, perSecond float64) []byte {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "movie"+ending))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := New(t.Context(), ending, f, image.Pt(64, 48), perSecond)
	if err != nil {
		t.Fatal(err)
	}
	for i := range frames {
		if err := m.Add(frame(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAGIFHasItsFramesInColoursCloseToTheirOwn(t *testing.T) {
	g, err := gif.DecodeAll(bytes.NewReader(written(t, ".gif", 3, 8)))
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Image) != 3 || g.Delay[0] != 13 || g.LoopCount != 0 {
		t.Fatalf("%d frames of %v hundredths, loop %d", len(g.Image), g.Delay, g.LoopCount)
	}
	for n, p := range g.Image {
		want := frame(n)
		for y := range 48 {
			for x := range 64 {
				r, gr, b, _ := p.At(x, y).RGBA()
				w := want.RGBAAt(x, y)
				for k, d := range [3]int{int(r>>8) - int(w.R), int(gr>>8) - int(w.G), int(b>>8) - int(w.B)} {
					if d > 24 || d < -24 {
						t.Fatalf("frame %d at %d, %d: part %d is off by %d", n, x, y, k, d)
					}
				}
			}
		}
	}
}

func TestFewColoursAreKept(t *testing.T) {
	p := image.NewRGBA(image.Rect(0, 0, 16, 16))
	for i := range 256 {
		p.SetRGBA(i%16, i/16, color.RGBA{uint8(i), uint8(i), uint8(i), 255})
	}
	colors, pixels := quantized(p)
	for i, k := range pixels {
		if colors[k] != [3]byte{byte(i), byte(i), byte(i)} {
			t.Fatalf("grey %d became %v", i, colors[k])
		}
	}
}

func TestAnAnimatedPNGIsAPictureToo(t *testing.T) {
	b := written(t, ".apng", 3, 25)
	p, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if p.At(10, 10) != (color.RGBA{40, 50, 0, 255}) {
		t.Errorf("the first frame is %v there", p.At(10, 10))
	}
	if n := bytes.Count(b, []byte("fcTL")); n != 3 || !bytes.Contains(b, []byte("acTL\x00\x00\x00\x03\x00\x00\x00\x00")) {
		t.Errorf("%d frames are told of", n)
	}
}

func TestWhatNoMovieHolds(t *testing.T) {
	for _, c := range []struct {
		ending string
		size   image.Point
		rate   float64
	}{{".mkv", image.Pt(8, 8), 25}, {".gif", image.Pt(0, 8), 25}, {".gif", image.Pt(8, 70000), 25}, {".avi", image.Pt(8, 8), 0}} {
		if _, err := New(t.Context(), c.ending, nil, c.size, c.rate); err == nil {
			t.Errorf("%+v was begun", c)
		}
	}
	m := newGIF(&bytes.Buffer{}, image.Pt(8, 8), 25)
	if err := m.Add(frame(0)); err == nil {
		t.Error("a frame of another size was taken")
	}
}

// The layout of an AVI is looked at as a player does: lists, header, frames by their index.
func TestAnAVIIsFoundByItsIndex(t *testing.T) {
	b := written(t, ".avi", 3, 12.5)
	long := func(at int) int { return int(b[at]) | int(b[at+1])<<8 | int(b[at+2])<<16 | int(b[at+3])<<24 }
	if string(b[:4]) != "RIFF" || long(4) != len(b)-8 || string(b[aviMovi:aviMovi+4]) != "movi" {
		t.Fatalf("the header is %q of %d, the list %q", b[:4], long(4), b[aviMovi:aviMovi+4])
	}
	index := aviMovi + long(aviMovi-4)
	if string(b[index:index+4]) != "idx1" || long(index+4) != 3*16 {
		t.Fatalf("no index at %d: %q", index, b[index:index+8])
	}
	for i := range 3 {
		line := index + 8 + 16*i
		at, n := aviMovi+long(line+8), long(line+12)
		if string(b[at:at+4]) != "00dc" || long(at+4) != n || b[at+8] != 0xff || b[at+9] != 0xd8 {
			t.Errorf("frame %d is not at %d", i, at)
		}
	}
	if long(48) != 3 || long(64) != 64 || long(68) != 48 {
		t.Errorf("%d frames of %d × %d", long(48), long(64), long(68))
	}
}

func TestAnMP4HasItsFrames(t *testing.T) {
	if !HasFFmpeg() {
		t.Skip("ffmpeg is not installed")
	}
	b := written(t, ".mp4", 7, 12.5)
	if len(b) < 12 || string(b[4:8]) != "ftyp" {
		t.Fatalf("%d bytes, which are no MP4", len(b))
	}
	at := filepath.Join(t.TempDir(), "a.mp4")
	if err := os.WriteFile(at, b, 0o600); err != nil {
		t.Fatal(err)
	}
	// ffmpeg's own reading of it: as many frames, in colours close to theirs.
	pixels, err := exec.Command("ffmpeg", "-loglevel", "error", "-i", at, "-f", "rawvideo", "-pix_fmt", "rgba", "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	if size := 4 * 64 * 48; len(pixels) != 7*size {
		t.Fatalf("%d bytes of frames, want %d", len(pixels), 7*size)
	}
	want := frame(3)
	got := pixels[3*4*64*48:]
	for k := range 3 {
		i := want.PixOffset(32, 24) + k
		if d := int(got[i]) - int(want.Pix[i]); d > 12 || d < -12 {
			t.Errorf("part %d is %d, want %d", k, got[i], want.Pix[i])
		}
	}
}

func TestWithoutFFmpegItSaysHowToGetIt(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := New(t.Context(), ".mp4", nil, image.Pt(64, 48), 10)
	if !errors.Is(err, ErrNoFFmpeg) || !strings.Contains(err.Error(), "apt install ffmpeg") {
		t.Errorf("it says %v", err)
	}
}

// A movie that is stopped leaves no file of ffmpeg's behind.
func TestAnMP4ThatIsStoppedLeavesNothing(t *testing.T) {
	if !HasFFmpeg() {
		t.Skip("ffmpeg is not installed")
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	ctx, stop := context.WithCancel(t.Context())
	m, err := New(ctx, ".mp4", nil, image.Pt(64, 48), 10)
	if err != nil {
		t.Fatal(err)
	}
	m.Add(frame(0))
	stop()
	if err := m.Close(); err == nil {
		t.Error("what was stopped is whole")
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}
