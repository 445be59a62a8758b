package npy_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
	"lamella/loaders/npy"
)

var (
	ctx      = context.Background()
	registry = loaders.Registry{npy.Driver{}}
)

// file is a .npy file with a header text as it stands and some voxels.
func file(header string, voxels ...byte) []byte {
	p := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), byte(len(header)>>8))
	return append(append(p, header...), voxels...)
}

func header(descr string, fortran bool, shape string) string {
	order := map[bool]string{true: "True", false: "False"}[fortran]
	return fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }\n", descr, order, shape)
}

// count is n voxels of two bytes each with the values 0, 1, 2, ...
func count(n int, order binary.AppendByteOrder) []byte {
	var p []byte
	for i := range n {
		p = order.AppendUint16(p, uint16(i))
	}
	return p
}

func save(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestEveryLawOfTheDoor(t *testing.T) {
	var npz bytes.Buffer
	z := zip.NewWriter(&npz)
	for i, method := range []uint16{zip.Store, zip.Deflate} {
		m, _ := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("array %d.npy", i), Method: method})
		m.Write(file(header("<u2", false, "4, 5, 6"), count(120, binary.LittleEndian)...))
	}
	z.Close()
	for name, content := range map[string][]byte{
		"c.npy":       file(header("<u2", false, "2, 3, 1, 40, 7"), count(1680, binary.LittleEndian)...),
		"fortran.npy": file(header(">i2", true, "5, 12, 14"), count(840, binary.BigEndian)...),
		"half.npy":    file(header("<f2", false, "3, 20, 14"), count(840, binary.LittleEndian)...),
		"two.npz":     npz.Bytes(),
	} {
		t.Run(name, func(t *testing.T) {
			loadertest.Run(t, loadertest.Case{Registry: registry, Path: save(t, name, content)})
		})
	}
}

func TestSharedFiles(t *testing.T) { loadertest.Manifest(t, registry, "npy", nil) }

func TestVoxelsLieWhereNumPyPutsThem(t *testing.T) {
	for _, c := range []struct {
		name, header, axes string
		order              binary.AppendByteOrder
		shape              lazy.Shape
		at                 lazy.Index
		want               float64
	}{
		{"two dimensions are y, x", header("<u2", false, "3, 4"), "", binary.LittleEndian, lazy.Shape{1, 1, 1, 3, 4}, lazy.Index{0, 0, 0, 2, 1}, 9},
		{"one dimension is x", header("<u2", false, "12,"), "", binary.LittleEndian, lazy.Shape{1, 1, 1, 1, 12}, lazy.Index{0, 0, 0, 0, 7}, 7},
		{"three are z, y, x", header(">u2", false, "2, 2, 3"), "", binary.BigEndian, lazy.Shape{1, 2, 1, 2, 3}, lazy.Index{0, 1, 0, 0, 2}, 8},
		{"four are t, z, y, x", header("<u2", false, "2, 1, 2, 3"), "", binary.LittleEndian, lazy.Shape{2, 1, 1, 2, 3}, lazy.Index{1, 0, 0, 0, 2}, 8},
		{"five are t, z, c, y, x", header("<u2", false, "1, 2, 3, 1, 2"), "", binary.LittleEndian, lazy.Shape{1, 2, 3, 1, 2}, lazy.Index{0, 1, 2, 0, 1}, 11},
		{"Fortran's first dimension is contiguous", header("<u2", true, "2, 2, 3"), "", binary.LittleEndian, lazy.Shape{1, 2, 1, 2, 3}, lazy.Index{0, 1, 0, 0, 2}, 9},
		{"the user's axes win", header("<u2", false, "2, 2, 3"), "xyc", binary.LittleEndian, lazy.Shape{1, 1, 3, 2, 2}, lazy.Index{0, 0, 2, 0, 1}, 8},
		{"Python 2 wrote an L", header("<u2", false, "3L, 4L"), "", binary.LittleEndian, lazy.Shape{1, 1, 1, 3, 4}, lazy.Index{0, 0, 0, 2, 1}, 9},
	} {
		set, err := registry.Open(ctx, save(t, "a.npy", file(c.header, count(12, c.order)...)), loaders.Options{Axes: c.axes})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		a := set.Images[0].Levels[0].Array
		if a.Meta().Shape != c.shape || a.Meta().DType != lazy.U16 {
			t.Errorf("%s: %v %v, want %v", c.name, a.Meta().Shape, a.Meta().DType, c.shape)
			continue
		}
		b, err := loadertest.Read(ctx, a, a.Meta().Shape.Whole())
		if err != nil || b.Value(c.at) != c.want {
			t.Errorf("%s: %v at %v, %v; want %v", c.name, b.Value(c.at), c.at, err, c.want)
		}
		if (set.Images[0].Assumed != "") != (c.axes == "") {
			t.Errorf("%s: assumed %q", c.name, set.Images[0].Assumed)
		}
	}
}

func TestRowsAreReadAloneFromAFileInStorageOrder(t *testing.T) {
	path := save(t, "a.npy", file(header("<u2", false, "3, 100, 70"), count(21000, binary.LittleEndian)...))
	set, err := registry.Open(ctx, path, loaders.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := set.Images[0].Levels[0].Array.Node().Source
	r := lazy.Region{Min: lazy.Index{0, 1, 0, 40, 9}, Max: lazy.Index{1, 2, 1, 42, 11}}
	g := s.(lazy.Grainer).Grain(r)
	if want := r.With(lazy.X, 0, 70); g != want {
		t.Errorf("the grain of %v is %v, want %v", r, g, want)
	}
	n, err := s.Read(ctx, lazy.NewBlock(g, lazy.U16))
	if err != nil || n != 2*70*2 {
		t.Errorf("two rows took %d bytes, %v", n, err)
	}
}

func TestWhatCannotBeShownIsRefusedWithItsReason(t *testing.T) {
	for _, c := range []struct{ name, header, want string }{
		{"objects", header("|O", false, "2, 2"), "Python objects"},
		{"complex numbers", header("<c8", false, "2, 2"), "complex numbers"},
		{"texts", header("<U5", false, "2, 2"), "texts"},
		{"records", "{'descr': [('a', '<u2')], 'fortran_order': False, 'shape': (2,), }", "records"},
		{"dates", header("<M8[ns]", false, "2, 2"), "dates"},
		{"no dimension", header("<u2", false, ""), "0 dimensions"},
		{"six dimensions", header("<u2", false, "1, 1, 1, 1, 1, 1"), "6 dimensions"},
		{"no voxels", header("<u2", false, "0, 2"), "no voxels"},
		{"2^80 voxels", header("<u2", false, "1099511627776, 1099511627776"), "more voxels than any storage"},
		{"2^62 voxels of 8 bytes", header("<f8", false, "4611686018427387904, 1"), "more voxels than any storage"},
		{"more voxels than bytes", header("<u2", false, "3, 5"), "need more than the file's"},
		{"a negative length", header("<u2", false, "-3, 5"), "a length"},
		{"a length beyond 64 bits", header("<u2", false, "99999999999999999999, 5"), "a length"},
		{"a program", "{'descr': __import__('os'), 'fortran_order': False, 'shape': (2,), }", "a name"},
		{"a key missing", "{'descr': '<u2', 'shape': (2,), }", "2 of 3 keys"},
		{"a key twice", "{'descr': '<u2', 'descr': '<u2', 'fortran_order': False, 'shape': (2,), }", "a second"},
		{"another key", "{'descr': '<u2', 'fortran_order': False, 'shape': (2,), 'x': 1}", `the key "x"`},
		{"rubbish behind", header("<u2", false, "2, 2") + "x", "at the end"},
		{"no header", "", `expected "{"`},
		{"an open name", "{'descr", "name"},
		{"no byte order", header("=u2", false, "2, 2"), "byte order"},
		{"a float of one byte", header("<f1", false, "2, 2"), "float8"},
		{"a long double", header("<f16", false, "2, 2"), "float128"},
	} {
		_, err := registry.Open(ctx, save(t, "bad.npy", file(c.header, count(12, binary.LittleEndian)...)), loaders.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "bad.npy") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	long := file(header("<u2", false, "2, 2"))
	long[6] = 9
	if _, err := registry.Open(ctx, save(t, "v9.npy", long), loaders.Options{}); !errors.Is(err, loaders.ErrUnsupported) {
		t.Errorf("version 9: %v", err)
	}
}

// write makes a file of the block in the cells that the writer wants.
func write(w loaders.Writer, b *lazy.Block) error {
	for cell := range b.Region.Tiles(w.Grid()) {
		cell = cell.Intersect(b.Region)
		part := lazy.NewBlock(cell, b.DType)
		lazy.CopyRegion(part, b, cell)
		if err := w.Write(ctx, part); err != nil {
			w.Abort()
			return err
		}
	}
	return w.Close()
}

func ramp(s lazy.Shape, d lazy.DType) *lazy.Block {
	b := lazy.NewBlock(s.Whole(), d)
	for i := range b.Bytes() {
		b.Bytes()[i] = byte(i * 7 >> 2)
	}
	return b
}

func TestBR023WhatIsWrittenUnderAnyNameReadsBackAsItWas(t *testing.T) {
	for _, d := range lazy.DTypes() {
		b := ramp(lazy.Shape{2, 3, 2, 5, 7}, d)
		path := filepath.Join(t.TempDir(), "100%25 #1.npy")
		w, err := npy.Driver{}.Create(path, loaders.Description{Meta: lazy.Meta{Shape: b.Region.Shape(), DType: d}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("the file is there before it is whole")
		}
		if err := write(w, b); err != nil {
			t.Fatal(err)
		}
		set, err := registry.Open(ctx, path, loaders.Options{})
		if err != nil {
			t.Fatal(err)
		}
		a := set.Images[0].Levels[0].Array
		got, err := loadertest.Read(ctx, a, a.Meta().Shape.Whole())
		if err != nil || got.DType != d || got.Region != b.Region || !bytes.Equal(got.Bytes(), b.Bytes()) {
			t.Errorf("%v: %v %v, %v", d, got.DType, got.Region, err)
		}
		set.Close()

		var stream bytes.Buffer
		w, err = npy.Stream(&stream, loaders.Description{Meta: lazy.Meta{Shape: b.Region.Shape(), DType: d}})
		if err != nil {
			t.Fatal(err)
		}
		if err := write(w, b); err != nil {
			t.Fatal(err)
		}
		if onDisk, _ := os.ReadFile(path); !bytes.Equal(onDisk, stream.Bytes()) {
			t.Errorf("%v: the stream differs from the file", d)
		}
		if stream.Len()%64 != b.Len()*d.Size()%64 {
			t.Errorf("%v: the voxels do not begin at a multiple of 64 bytes", d)
		}
		if _, err := (npy.Driver{}).Create(path, loaders.Description{Meta: lazy.Meta{Shape: b.Region.Shape(), DType: d}}); !errors.Is(err, loaders.ErrExists) {
			t.Errorf("writing over a file: %v, want ErrExists", err)
		}
	}
}

func TestAFlatFileLeavesOutWhatAPlaneDoesNotNeed(t *testing.T) {
	for _, c := range []struct {
		shape  lazy.Shape
		normal lazy.Axis
		want   string
	}{
		{lazy.Shape{1, 1, 1, 5, 7}, lazy.Z, "(5, 7)"},
		{lazy.Shape{1, 1, 3, 5, 7}, lazy.Z, "(3, 5, 7)"},
		{lazy.Shape{1, 4, 1, 1, 7}, lazy.Y, "(4, 7)"},
		{lazy.Shape{1, 4, 2, 1, 7}, lazy.Y, "(4, 2, 7)"},
		{lazy.Shape{1, 4, 1, 5, 1}, lazy.X, "(4, 5)"},
		{lazy.Shape{1, 1, 1, 1, 1}, lazy.X, "(1, 1)"},
		{lazy.Shape{1, 1, 1, 1, 7}, lazy.Y, "(1, 7)"},
	} {
		var out bytes.Buffer
		_, err := npy.Stream(&out, loaders.Description{Meta: lazy.Meta{Shape: c.shape, DType: lazy.U8}, Flat: true, Normal: c.normal})
		if want := "'shape': " + c.want; err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%v normal to %v: %q, %v; want %s", c.shape, c.normal, out.String(), err, want)
		}
	}
	_, err := npy.Stream(&bytes.Buffer{}, loaders.Description{Meta: lazy.Meta{Shape: lazy.Shape{1, 2, 1, 5, 7}, DType: lazy.U8}, Flat: true, Normal: lazy.Z})
	if err == nil {
		t.Error("two planes were taken for one")
	}
}

func TestAWriterRefusesWhatDoesNotFollow(t *testing.T) {
	d := loaders.Description{Meta: lazy.Meta{Shape: lazy.Shape{1, 2, 1, 3, 4}, DType: lazy.U8}}
	for name, blocks := range map[string][]*lazy.Block{
		"the second plane first": {lazy.NewBlock(lazy.Region{Min: lazy.Index{0, 1}, Max: lazy.Index{1, 2, 1, 3, 4}}, lazy.U8)},
		"another type":           {lazy.NewBlock(d.Meta.Shape.Whole(), lazy.U16)},
		"half a row":             {lazy.NewBlock(lazy.Region{Max: lazy.Index{1, 1, 1, 3, 2}}, lazy.U8)},
		"beyond the shape":       {lazy.NewBlock(lazy.Region{Max: lazy.Index{1, 3, 1, 3, 4}}, lazy.U8)},
		"too little":             {lazy.NewBlock(lazy.Region{Max: lazy.Index{1, 1, 1, 3, 4}}, lazy.U8)},
	} {
		dir := t.TempDir()
		w, err := npy.Driver{}.Create(filepath.Join(dir, "a.npy"), d)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range blocks {
			err = errors.Join(err, w.Write(ctx, b))
		}
		if closing := w.Close(); err == nil && closing == nil {
			t.Errorf("%s gave no error", name)
		}
		w.Abort()
		if l, _ := os.ReadDir(dir); len(l) > 0 {
			t.Errorf("%s left %v", name, l)
		}
	}
}

// TestNumPyReadsWhatIsWritten hands a file to numpy.load.
func TestNumPyReadsWhatIsWritten(t *testing.T) {
	const python = "/usr/bin/python3"
	if exec.Command(python, "-c", "import numpy").Run() != nil {
		t.Skip("NumPy did not read our files: there is no python3-numpy")
	}
	dir := t.TempDir()
	for _, d := range lazy.DTypes() {
		b := ramp(lazy.Shape{2, 3, 2, 5, 7}, d)
		w, err := npy.Driver{}.Create(filepath.Join(dir, d.String()), loaders.Description{Meta: lazy.Meta{Shape: b.Region.Shape(), DType: d}})
		if err != nil {
			t.Fatal(err)
		}
		if err := write(w, b); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command(python, "-c", `
import glob, os, sys, numpy as np
for p in glob.glob(sys.argv[1] + "/*"):
    a = np.load(p)
    want = (np.arange(a.size * a.itemsize) * 7 >> 2).astype("u1").tobytes()
    if a.dtype.name != os.path.basename(p) or a.shape != (2, 3, 2, 5, 7) or a.tobytes() != want:
        print("differs:", p, a.dtype, a.shape)
`, dir).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v: %s", err, out)
	}
}

func FuzzOpenNeverPanics(f *testing.F) {
	f.Add(file(header("<u2", false, "3, 4"), count(12, binary.LittleEndian)...))
	f.Add(file(header(">f2", true, "2, 3, 2"), count(12, binary.LittleEndian)...))
	f.Fuzz(func(t *testing.T, p []byte) {
		path := filepath.Join(t.TempDir(), "f.npy")
		os.WriteFile(path, p, 0o666)
		set, err := registry.Open(ctx, path, loaders.Options{})
		if err != nil {
			return
		}
		defer set.Close()
		a := set.Images[0].Levels[0].Array
		if a.Meta().Shape.Voxels() > len(p) {
			t.Fatalf("%v voxels in %d bytes", a.Meta().Shape, len(p))
		}
		if _, err := loadertest.Read(ctx, a, a.Meta().Shape.Whole()); err != nil {
			t.Error(err)
		}
	})
}
