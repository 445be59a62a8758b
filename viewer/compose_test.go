package viewer

import (
	"bytes"
	"encoding/binary"
	"flag"
	"image"
	idraw "image/draw"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lamella/lazy"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden pictures anew; look at them before you commit them")

// golden compares a picture with testdata/NAME.png, pixel by pixel.
func golden(t *testing.T, name string, got *image.RGBA) {
	t.Helper()
	path := filepath.Join("testdata", strings.ReplaceAll(strings.ReplaceAll(name, ",", ""), " ", "-")+".png")
	if *update {
		var b bytes.Buffer
		if err := png.Encode(&b, got); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
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
	want := image.NewRGBA(p.Bounds())
	idraw.Draw(want, want.Rect, p, image.Point{}, idraw.Src)
	if want.Rect != got.Rect {
		t.Fatalf("%s is %v, want %v", name, got.Rect, want.Rect)
	}
	for i := range want.Pix {
		if want.Pix[i] != got.Pix[i] {
			t.Fatalf("%s: pixel %d, %d is %v, want %v", name, i/4%want.Rect.Dx(), i/4/want.Rect.Dx(),
				got.Pix[i/4*4:i/4*4+4], want.Pix[i/4*4:i/4*4+4])
		}
	}
}

// cells are three channels: spots of two sizes and a slope.
func cells() *lazy.Dataset {
	f := formula{name: "cells", meta: lazy.Meta{Shape: lazy.Shape{1, 9, 3, 48, 64}, Chunk: lazy.Shape{1, 3, 1, 16, 16}, DType: lazy.U16}}
	f = microns(f, 1, 0.5, 0.5)
	spot := func(i lazy.Index, y, x, r float64) float64 {
		d := math.Hypot(float64(i[lazy.Y])-y, float64(i[lazy.X])-x)
		return 3000 * math.Exp(-d*d/(2*r*r))
	}
	f.value = func(i lazy.Index) float64 {
		switch i[lazy.C] {
		case 0:
			return 200 + spot(i, 16, 20, 5) + spot(i, 30, 44, 6)
		case 1:
			return 150 + spot(i, 18, 24, 7)
		}
		return float64(i[lazy.X] * 20)
	}
	return dataset(f)
}

func TestPictures(t *testing.T) {
	rgb := dataset(formula{name: "rgb", meta: lazy.Meta{Shape: lazy.Shape{1, 1, 3, 8, 8}, Chunk: lazy.Shape{1, 1, 3, 8, 8}, DType: lazy.U8},
		value: func(i lazy.Index) float64 { return float64([...]int{i[lazy.X] * 36, i[lazy.Y] * 36, 128}[i[lazy.C]]) }})
	rgb.Images[0].RGB = true
	labels := zyx("labels", lazy.U16, shape(8, 8), func(_, y, x int) float64 { return float64(x/2 + 4*(y/2)) })
	labels.meta.Labels = true
	gaps := zyx("gaps", lazy.F32, shape(8, 8), func(_, y, x int) float64 {
		if y > 2 && y < 5 && x > 2 && x < 6 {
			return nan
		}
		return float64(x) + float64(y)/10
	})
	limits := SetLimits
	for _, c := range []struct {
		name string
		set  *lazy.Dataset
		do   []Action
	}{
		{"three channels add up", cells(), []Action{limits(0, Limits{200, 3200}), limits(1, Limits{150, 3150}), limits(2, Limits{0, 1280})}},
		{"one channel alone in its own colours", cells(), []Action{limits(0, Limits{200, 3200}), Solo(0), SetLUT(0, "Fire")}},
		{"gamma lifts the dark", cells(), []Action{limits(0, Limits{200, 3200}), Solo(0), SetLUT(0, "Grays"), SetGamma(0, 0.4)}},
		{"no channel is black", cells(), []Action{SetVisible(0, false), SetVisible(1, false), SetVisible(2, false)}},
		{"voxels as boxes", cells(), []Action{limits(0, Limits{200, 3200}), Solo(0), ZoomAt(75, 62, 6)}},
		{"voxels blended", cells(), []Action{limits(0, Limits{200, 3200}), Solo(0), ZoomAt(75, 62, 6), SetSampling(Linear)}},
		{"a side view", cells(), []Action{limits(2, Limits{0, 1280}), Solo(2), Turn(XZ)}},
		{"colours as they are", rgb, nil},
		{"labels differ from their neighbours", dataset(labels), nil},
		{"what is no number is hatched", dataset(gaps), []Action{limits(0, Limits{0, 7})}},
		{"what is no number is hatched, blended", dataset(gaps), []Action{limits(0, Limits{0, 7}), SetSampling(Linear)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc, s := scene(t, c.set, 240, 180)
			golden(t, c.name, drawn(t, sc, act(sc, s, c.do...)))
		})
	}
}

func TestColourPicturesKeepEveryValue(t *testing.T) {
	f := formula{name: "rgb", meta: lazy.Meta{Shape: lazy.Shape{1, 1, 3, 1, 256}, Chunk: lazy.Shape{1, 1, 3, 1, 256}, DType: lazy.U8},
		value: func(i lazy.Index) float64 { return float64((i[lazy.X] * [...]int{1, 3, 7}[i[lazy.C]]) % 256) }}
	set := dataset(f)
	set.Images[0].RGB = true
	sc, s := scene(t, set, 256, 1)
	p := drawn(t, sc, s)
	for x := range 256 {
		if c := p.RGBAAt(x, 0); int(c.R) != x || int(c.G) != 3*x%256 || int(c.B) != 7*x%256 || c.A != 255 {
			t.Fatalf("voxel %d is %v", x, c)
		}
	}
}

func TestTheSumOfColoursIsByPartAndEndsAt255(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Uint32().Draw(t, "a"), rapid.Uint32().Draw(t, "b")
		got := add(a, b)
		for k := range 4 {
			want := min(255, a>>(8*k)&255+b>>(8*k)&255)
			if got>>(8*k)&255 != want {
				t.Fatalf("%08x + %08x = %08x", a, b, got)
			}
		}
	})
}

// A row of any length gets the colours that its pixels get one by one, and nothing beyond it changes.
func TestARowIsAddedAsItsPixelsAre(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 70 {
		row, colors := make([]byte, 4*n+8), make([]uint32, n)
		for i := range row {
			row[i] = byte(r.Uint32())
		}
		want := slices.Clone(row)
		for i := range colors {
			colors[i] = r.Uint32()
			binary.LittleEndian.PutUint32(want[4*i:], add(binary.LittleEndian.Uint32(want[4*i:]), colors[i]))
		}
		addRow(row, colors)
		if !bytes.Equal(row, want) {
			t.Fatalf("%d pixels: %v, want %v", n, row, want)
		}
	}
}

// Every type is drawn by the same law: a linear ramp between the limits, held at both ends.
func TestEveryTypeIsDrawnAlike(t *testing.T) {
	for _, d := range []lazy.DType{lazy.U8, lazy.I8, lazy.U16, lazy.I16, lazy.U32, lazy.F32, lazy.F64} {
		f := zyx("ramp", d, shape(1, 100), func(_, _, x int) float64 { return float64(x) })
		sc, s := scene(t, dataset(f), 100, 1)
		p := drawn(t, sc, act(sc, s, SetLimits(0, Limits{20, 80})))
		for x := range 100 {
			want := math.Round(255 * max(0, min(1, (float64(x)-20)/60)))
			if got := float64(p.RGBAAt(x, 0).R); math.Abs(got-want) > 1 || (x <= 20 && got != 0) || (x >= 80 && got != 255) {
				t.Errorf("%v: value %d is %v, want %v", d, x, got, want)
			}
		}
	}
}

func TestDrawingAllocatesNothing(t *testing.T) {
	sc, s := scene(t, cells(), 300, 200)
	l, v := prepared(t, sc, s)
	dst := image.NewRGBA(image.Rectangle{Max: s.Size})
	p := picture{geometry: sc.Geometry(s), layers: l.layers(0, v), clip: dst.Rect}
	once := func() { l.composer.compose(dst, p) }
	if n := testing.AllocsPerRun(20, once); n > 0 {
		t.Errorf("%v allocations a picture", n)
	}
}

func BenchmarkCompose(b *testing.B) {
	f := formula{name: "big", meta: lazy.Meta{Shape: lazy.Shape{1, 1, 3, 1024, 1024}, Chunk: lazy.Shape{1, 1, 1, 1024, 1024}, DType: lazy.U16},
		value: func(i lazy.Index) float64 { return float64(i[lazy.X] ^ i[lazy.Y]) }}
	sc, s := scene(b, dataset(f), 1600, 1000)
	l, v := prepared(b, sc, s)
	dst := image.NewRGBA(image.Rectangle{Max: s.Size})
	for b.Loop() {
		l.composer.compose(dst, picture{geometry: sc.Geometry(s), layers: l.layers(0, v), clip: dst.Rect})
	}
}
