// Package loadertest is the conformance suite that every driver runs, and the door to the shared
// files with known contents.
//
//	func TestConformance(t *testing.T) {
//		loadertest.Run(t, loadertest.Case{Registry: loaders.Registry{npy.Driver{}}, Path: "testdata/a.npy"})
//	}
//
//	func TestManifest(t *testing.T) {
//		loadertest.Manifest(t, loaders.Registry{npy.Driver{}}, "npy", nil)
//	}
package loadertest

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lamella/lazy"
	"lamella/loaders"
)

// A Case is one small source on disk, of at most some megabytes, since it is read many times over.
type Case struct {
	Registry loaders.Registry // the driver alone, or with those that it opens its parts by
	Path     string           // a file or a folder
	Options  loaders.Options
}

// Run holds a driver against the laws of the door: metadata that make sense, the same voxels whatever
// is asked for, from many goroutines, prompt ends, and no voxel made up where a file was cut.
func Run(t *testing.T, c Case) {
	t.Run("metadata make sense", c.metadata)
	t.Run("every region has the voxels of the whole", c.regions)
	t.Run("BR-019 eight readers see the same voxels", c.parallel)
	t.Run("a context that has ended ends everything", c.cancelled)
	t.Run("BR-019 closing ends reads with an error", c.closing)
	t.Run("a cut file gives no wrong voxels", c.cut)
}

func (c Case) open(t *testing.T) lazy.Dataset {
	t.Helper()
	set, err := c.Registry.Open(context.Background(), c.Path, c.Options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { set.Close() })
	return set
}

// levels visits every array of a dataset.
func levels(set lazy.Dataset, visit func(name string, image lazy.Image, l lazy.Level)) {
	for i, image := range set.Images {
		for n, l := range image.Levels {
			visit(fmt.Sprintf("image %d level %d", i, n), image, l)
		}
	}
}

func (c Case) metadata(t *testing.T) {
	set := c.open(t)
	if set.Format == "" || set.Source != c.Path || len(set.Images) == 0 {
		t.Errorf("format %q, source %q, %d images", set.Format, set.Source, len(set.Images))
	}
	if !slices.Contains([]string{"chunk", "strip", "plane", "whole"}, set.Lazy.By) {
		t.Errorf("lazy by %q", set.Lazy.By)
	}
	for _, w := range set.Warnings {
		if w == "" || strings.Contains(w, "\n") {
			t.Errorf("the warning %q is not one sentence", w)
		}
	}
	ids := map[string]string{}
	levels(set, func(name string, image lazy.Image, l lazy.Level) {
		m := l.Array.Meta()
		for a := range lazy.Rank {
			if m.Shape[a] < 1 || m.Chunk[a] < 1 {
				t.Errorf("%s: shape %v, chunk %v", name, m.Shape, m.Chunk)
			}
			if s := m.Scale[a]; s < 0 || math.IsNaN(s) || math.IsInf(s, 0) || math.IsNaN(m.Origin[a]) {
				t.Errorf("%s: scale %v, origin %v", name, m.Scale, m.Origin)
			}
			if u := m.Unit[a]; u != "" && u != "um" && u != "s" && m.Scale[a] != 0 {
				t.Logf("%s: unit %q of %v", name, u, lazy.Axis(a))
			}
		}
		if !m.DType.Valid() || l.Codec == "" {
			t.Errorf("%s: type %v, codec %q", name, m.DType, l.Codec)
		}
		if n := len(image.Channels); n != 0 && n != m.Shape[lazy.C] {
			t.Errorf("%s: %d channels for %d voxels along C", name, n, m.Shape[lazy.C])
		}
		if s := l.Array.Node().Source; s != nil {
			if other, taken := ids[s.ID()]; taken || s.ID() == "" {
				t.Errorf("BR-010: %s has the ID of %s: %q", name, other, s.ID())
			}
			ids[s.ID()] = name
		}
	})
	again := c.open(t)
	levels(again, func(name string, _ lazy.Image, l lazy.Level) {
		if s := l.Array.Node().Source; s != nil && ids[s.ID()] != name {
			t.Errorf("%s has another ID when it is opened again", name)
		}
	})
}

func (c Case) regions(t *testing.T) {
	ctx := context.Background()
	levels(c.open(t), func(name string, _ lazy.Image, l lazy.Level) {
		m := l.Array.Meta()
		whole, err := Read(ctx, l.Array, m.Shape.Whole())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		s := l.Array.Node().Source
		for range 60 {
			r := within(m.Shape.Whole())
			b, err := Read(ctx, l.Array, r)
			if err != nil {
				t.Fatalf("%s: %v: %v", name, r, err)
			}
			want := lazy.NewBlock(r, m.DType)
			lazy.CopyRegion(want, whole, r)
			if string(want.Bytes()) != string(b.Bytes()) {
				t.Fatalf("%s: %v differs from that part of the whole", name, r)
			}
			if s == nil {
				continue
			}
			cell := lazy.Cell(r.Min, m.Chunk).Intersect(m.Shape.Whole())
			r = r.Intersect(cell)
			g := grain(s, r)
			if !g.Contains(r) || !cell.Contains(g) {
				t.Fatalf("%s: the grain of %v is %v in the chunk %v", name, r, g, cell)
			}
			if grain(s, g) != g {
				t.Errorf("%s: the grain of the grain %v is %v", name, g, grain(s, g))
			}
			stored, err := s.Read(ctx, lazy.NewBlock(g, m.DType))
			if z, ok := s.(lazy.Sizer); ok && err == nil && z.Stored(g) != stored {
				t.Errorf("%s: %v took %d bytes, %d were announced", name, g, stored, z.Stored(g))
			}
		}
	})
}

// within is a random box that lies in r.
func within(r lazy.Region) lazy.Region {
	for a := range lazy.Rank {
		i, j := r.Min[a]+rand.N(r.Len(lazy.Axis(a))), r.Min[a]+rand.N(r.Len(lazy.Axis(a)))
		r.Min[a], r.Max[a] = min(i, j), max(i, j)+1
	}
	return r
}

func (c Case) parallel(t *testing.T) {
	set := c.open(t)
	a := set.Images[0].Levels[0].Array
	seed := maphash.MakeSeed()
	sum := func() (uint64, error) {
		b, err := Read(context.Background(), a, a.Meta().Shape.Whole())
		if err != nil {
			return 0, err
		}
		return maphash.Bytes(seed, b.Bytes()), nil
	}
	want, err := sum()
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for round := range 25 {
				if got, err := sum(); got != want || err != nil {
					t.Errorf("round %d: other voxels, or %v", round, err)
					return
				}
			}
		})
	}
	group.Wait()
}

func (c Case) cancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.Registry.Open(ctx, c.Path, c.Options); !errors.Is(err, context.Canceled) {
		t.Errorf("opening: %v, want context.Canceled", err)
	}
	a := c.open(t).Images[0].Levels[0].Array
	if _, err := Read(ctx, a, a.Meta().Shape.Whole()); !errors.Is(err, context.Canceled) {
		t.Errorf("reading: %v, want context.Canceled", err)
	}
}

func (c Case) closing(t *testing.T) {
	set := c.open(t)
	a := set.Images[0].Levels[0].Array
	ends := make(chan error, 4)
	for range cap(ends) {
		go func() {
			for {
				if _, err := Read(context.Background(), a, a.Meta().Shape.Whole()); err != nil {
					ends <- err
					return
				}
			}
		}()
	}
	time.Sleep(2 * time.Millisecond)
	if err := set.Close(); err != nil {
		t.Errorf("closing: %v", err)
	}
	late := time.After(20 * time.Second)
	for range cap(ends) {
		select {
		case err := <-ends:
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("not one line: %q", err)
			}
		case <-late:
			t.Fatal("a closed dataset is still read")
		}
	}
}

// maxCut is about how many files of a folder are cut, each at several places.
const maxCut = 12

func (c Case) cut(t *testing.T) {
	want := c.everything(t, c.Path)
	copied, files := c.copied(t)
	for i, file := range files {
		if i%(1+len(files)/maxCut) != 0 {
			continue
		}
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n := len(whole)
		for _, keep := range []int{0, 1, n / 3, n / 2, n - 20, n - 3, n - 1} {
			if keep < 0 || keep >= n {
				continue
			}
			if err := os.WriteFile(file, whole[:keep], 0o666); err != nil {
				t.Fatal(err)
			}
			got := c.everything(t, copied)
			for key, sum := range got {
				if w, ok := want[key]; sum != 0 && (!ok || w != sum) && got["warned"] == 0 {
					t.Errorf("%s cut to %d of %d bytes: %s has other voxels and nothing is said", filepath.Base(file), keep, n, key)
				}
			}
		}
		if err := os.WriteFile(file, whole, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// copied is a copy of the source, named like it, and its files.
func (c Case) copied(t *testing.T) (top string, files []string) {
	t.Helper()
	top = filepath.Join(t.TempDir(), filepath.Base(c.Path))
	err := filepath.WalkDir(c.Path, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(c.Path, path)
		if err != nil {
			return err
		}
		to := filepath.Join(top, rel)
		if d.IsDir() {
			return os.MkdirAll(to, 0o777)
		}
		p, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files = append(files, to)
		return os.WriteFile(to, p, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
	return top, files
}

// everything is a digest of each level that can be read, 0 of those that cannot. "warned" is not 0
// when the driver had more to say than of the whole file.
func (c Case) everything(t *testing.T, path string) map[string]uint64 {
	t.Helper()
	sums := map[string]uint64{}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	set, err := c.Registry.Open(ctx, path, c.Options)
	if err != nil {
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("not one line: %q", err)
		}
		return sums
	}
	defer set.Close()
	levels(set, func(name string, _ lazy.Image, l lazy.Level) {
		b, err := Read(ctx, l.Array, l.Array.Meta().Shape.Whole())
		if ctx.Err() != nil {
			t.Fatalf("%s: reading does not end", name)
		}
		if err == nil {
			sums[fmt.Sprint(name, l.Array.Meta().Shape)] = maphash.Bytes(digest, b.Bytes()) | 1
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("not one line: %q", err)
		}
	})
	if path != c.Path {
		sums["warned"] = uint64(len(set.Warnings))
	}
	return sums
}

var digest = maphash.MakeSeed()
