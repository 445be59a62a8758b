package zarr_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/zarr"
)

// goOn does what a run has to do, but ends like a program that is killed before it puts cell number stop; below 0 it
// goes to the end. It counts how often each cell was put.
func goOn(path string, b *lazy.Block, d loaders.Description, stop int, put map[lazy.Region]int) (err error) {
	w, err := zarr.Driver{}.Create(path, d)
	if err != nil {
		return err
	}
	p := w.(loaders.Part)
	defer func() {
		if err != nil {
			p.Abort()
		}
	}()
	for _, c := range p.Recalls() {
		again, err := p.Recall(ctx, c)
		if err == nil {
			err = p.Put(ctx, again)
		}
		if err != nil {
			return err
		}
	}
	cells, _ := p.Missing()
	for cell := range cells {
		if stop--; stop == -1 {
			return nil
		}
		part := lazy.NewBlock(cell, b.DType)
		lazy.CopyRegion(part, b, cell)
		if err := p.Write(ctx, part); err != nil {
			return err
		}
		put[cell]++
	}
	if err := p.Verify(ctx, nil); err != nil {
		return err
	}
	return p.Close()
}

func sameTree(t interface{ Errorf(string, ...any) }, got, want map[string]string) {
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s differs", name)
		}
		delete(got, name)
	}
	for name := range got {
		t.Errorf("%s is too much", name)
	}
}

// layouts are those whose files hold one chunk and those whose files hold many.
func layouts(t *rapid.T) loaders.Layout {
	l := loaders.Layout{Version: rapid.SampledFrom([]string{"0.4", "0.5"}).Draw(t, "version"), Compression: "none"}
	if l.Version == "0.5" && rapid.Bool().Draw(t, "shards") {
		l.Shard = rapid.SampledFrom([]lazy.Shape{{0, 32, 0, 512, 512}, {0, 16, 0, 512, 256}, {0, 0, 0, 0, 768}}).Draw(t, "shard")
	}
	return l
}

func TestAnImageThatWasStoppedAndResumedIsThatOfOneRun(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := lazy.Shape{1, rapid.IntRange(1, 34).Draw(r, "z"), 1, rapid.IntRange(1, 260).Draw(r, "y"), rapid.IntRange(200, 520).Draw(r, "x")}
		b := ramp(s, lazy.U8)
		d := description(b)
		d.Channels, d.Layout = nil, layouts(r)
		dir := t.TempDir()
		one, many := filepath.Join(dir, "one.zarr"), filepath.Join(dir, "many.zarr")
		save(t, one, b, d)
		want := tree(t, one)

		d.Run.Way = loaders.Resume
		put := map[lazy.Region]int{}
		stops := rapid.SliceOfN(rapid.IntRange(0, 9), 0, 4).Draw(r, "stops")
		for _, stop := range append(stops, -1) {
			if err := goOn(many, b, d, stop, put); err != nil && !errors.Is(err, loaders.ErrComplete) {
				r.Fatal(err)
			}
			for name, text := range seen(t, many+".part") {
				if want[name] != text {
					r.Errorf("%s was seen with other bytes than it has at the end", name)
				}
			}
		}
		sameTree(r, tree(t, many), want)
		for cell, n := range put {
			if n > 1 && d.Layout.Shard == (lazy.Shape{}) {
				r.Errorf("%v was written %d times", cell, n)
			}
		}
		if err := goOn(many, b, d, -1, put); !errors.Is(err, loaders.ErrComplete) {
			r.Errorf("once more: %v", err)
		}
		os.RemoveAll(dir)
	})
}

// A run that is killed after it has noted an object and before that has its name leaves a note of what is not there; a disk that
// failed may leave less than was noted.
func TestAnObjectThatWasNotedAndIsNotThereIsWrittenAgain(t *testing.T) {
	b := ramp(lazy.Shape{6, 1, 1, 5, 6}, lazy.U8)
	d := description(b)
	d.Channels, d.Layout = nil, loaders.Layout{Compression: "none"}
	one, many := filepath.Join(t.TempDir(), "one.zarr"), filepath.Join(t.TempDir(), "many.zarr")
	save(t, one, b, d)
	d.Run.Way = loaders.Resume
	put := map[lazy.Region]int{}
	if err := goOn(many, b, d, 4, put); err != nil {
		t.Fatal(err)
	}
	object := func(n int) string { return filepath.Join(many+".part", "0", fmt.Sprint(n), "0/0/0/0") }
	if err := os.Remove(object(1)); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(object(3), 10); err != nil {
		t.Fatal(err)
	}
	if err := goOn(many, b, d, -1, put); err != nil {
		t.Fatal(err)
	}
	sameTree(t, tree(t, many), tree(t, one))
	for cell, n := range put {
		if again := cell.Min[lazy.T] == 1 || cell.Min[lazy.T] == 3; again != (n == 2) {
			t.Errorf("%v was written %d times", cell, n)
		}
	}
}

// seen is what a reader would see of a part, "" of one that is not there.
func seen(t *testing.T, part string) map[string]string {
	if _, err := os.Stat(part); err != nil {
		return nil
	}
	all := tree(t, part)
	for name := range all {
		if strings.HasPrefix(name, ".lamella") {
			delete(all, name)
		}
	}
	return all
}

func TestSharesInAnyOrderMakeTheImageOfOneRun(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := lazy.Shape{1, rapid.IntRange(1, 34).Draw(r, "z"), 1, rapid.IntRange(1, 260).Draw(r, "y"), rapid.IntRange(200, 520).Draw(r, "x")}
		b := ramp(s, lazy.U8)
		d := description(b)
		d.Channels, d.Layout = nil, layouts(r)
		dir := t.TempDir()
		one, many := filepath.Join(dir, "one.zarr"), filepath.Join(dir, "many.zarr")
		save(t, one, b, d)

		w, err := zarr.Driver{}.Create(many, d)
		if err != nil {
			r.Fatal(err)
		}
		cells := s.Whole().Cells(w.Grid())
		w.Abort()
		of := rapid.IntRange(1, 5).Draw(r, "shares")
		order := rapid.Permutation(count(of)).Draw(r, "order")
		put := map[lazy.Region]int{}
		for _, share := range order {
			d.Run = loaders.Run{Way: loaders.Finish}
			if err := goOn(many, b, d, -1, put); err == nil && len(put) < cells {
				r.Errorf("it was finished with %d of %d cells", len(put), cells)
			}
			d.Run = loaders.Run{Way: loaders.Share, Share: share, Of: of}
			for _, stop := range []int{rapid.IntRange(0, 3).Draw(r, "stop"), -1, -1} { // the last has nothing to do
				if err := goOn(many, b, d, stop, put); err != nil && !errors.Is(err, loaders.ErrComplete) {
					r.Fatal(err)
				}
			}
		}
		d.Run = loaders.Run{Way: loaders.Finish}
		if err := goOn(many, b, d, -1, put); err != nil && !errors.Is(err, loaders.ErrComplete) {
			r.Fatal(err)
		}
		sameTree(r, tree(t, many), tree(t, one))
		for cell, n := range put {
			if n > 1 && d.Layout.Shard == (lazy.Shape{}) {
				r.Errorf("%v was written %d times", cell, n)
			}
		}
		os.RemoveAll(dir)
	})
}

func count(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

func TestAPartOfAnotherRequestIsNotGoneOnWith(t *testing.T) {
	b := ramp(lazy.Shape{1, 20, 1, 300, 300}, lazy.U8)
	was := description(b)
	was.Channels, was.Run = nil, loaders.Run{Way: loaders.Resume, Voxels: "1", Part: "level 0"}
	for name, c := range map[string]struct {
		change func(d *loaders.Description)
		want   string
	}{
		"source":  {func(d *loaders.Description) { d.Recipe.Source = "c.tif" }, "it was begun from a b.tif, not from c.tif"},
		"chain":   {func(d *loaders.Description) { d.Recipe.Chain = "sobel" }, `with the filters "gaussian sigma=1 | sobel", not with "sobel"`},
		"version": {func(d *loaders.Description) { d.Recipe.Version = "0.2" }, "by version 0.1, this is 0.2"},
		"voxels":  {func(d *loaders.Description) { d.Run.Voxels = "2" }, "a b.tif has changed since it was begun"},
		"region":  {func(d *loaders.Description) { d.Run.Part = "level 1" }, "it was begun for level 0, not for level 1"},
		"layout":  {func(d *loaders.Description) { d.Layout.Compression = "lz4" }, "another layout"},
		"name":    {func(d *loaders.Description) { d.Name = "b" }, "other names"},
	} {
		path := filepath.Join(t.TempDir(), "a.zarr")
		if err := goOn(path, b, was, 1, map[lazy.Region]int{}); err != nil {
			t.Fatal(err)
		}
		before := tree(t, path+".part")
		d := was
		c.change(&d)
		err := goOn(path, b, d, -1, map[lazy.Region]int{})
		if !errors.Is(err, loaders.ErrExists) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "remove it") {
			t.Errorf("%s: %v", name, err)
		}
		if fmt.Sprint(before) != fmt.Sprint(tree(t, path+".part")) {
			t.Errorf("%s: the part has changed", name)
		}
		d.Overwrite = true
		put := map[lazy.Region]int{}
		if err := goOn(path, b, d, -1, put); err != nil || len(put) != 8 {
			t.Errorf("%s, begun again: %v, %d cells", name, err, len(put))
		}
		if err := goOn(path, b, was, -1, put); !errors.Is(err, loaders.ErrExists) && name != "voxels" && name != "region" {
			t.Errorf("%s: the image of another request: %v", name, err)
		}
	}
}

func TestWhatReadsBackDifferentlyIsFoundAndWrittenAgain(t *testing.T) {
	b := ramp(lazy.Shape{1, 20, 1, 300, 300}, lazy.U16)
	d := description(b)
	d.Channels, d.Run.Way = nil, loaders.Resume
	dir := t.TempDir()
	one, path := filepath.Join(dir, "one.zarr"), filepath.Join(dir, "a.zarr")
	if err := goOn(one, b, d, -1, map[lazy.Region]int{}); err != nil {
		t.Fatal(err)
	}
	if err := goOn(path, b, d, 7, map[lazy.Region]int{}); err != nil {
		t.Fatal(err)
	}
	chunk := filepath.Join(path+".part", "0", "0", "0", "0", "0", "1")
	p, err := os.ReadFile(chunk)
	if err != nil {
		t.Fatal(err)
	}
	p[len(p)/2] ^= 4
	if err := os.WriteFile(chunk, p, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := goOn(path, b, d, -1, map[lazy.Region]int{}); err == nil || !strings.Contains(err.Error(), "0/0/0/0/0/1 reads back other bytes than were written, 1 of 10 files") {
		t.Errorf("a bit was lost: %v", err)
	}
	if err := goOn(path, b, d, -1, map[lazy.Region]int{}); err != nil {
		t.Fatal(err)
	}
	sameTree(t, tree(t, path), tree(t, one))
}

// The journal is taken away before the folder gets its name; a run that is killed between the two has finished.
func TestARunThatWasKilledOnTheLastStepIsComplete(t *testing.T) {
	b := ramp(lazy.Shape{1, 1, 1, 30, 30}, lazy.U8)
	d := description(b)
	d.Channels, d.Run.Way = nil, loaders.Resume
	path := filepath.Join(t.TempDir(), "a.zarr")
	save(t, path, b, d)
	want := tree(t, path)
	if err := os.Rename(path, path+".part"); err != nil {
		t.Fatal(err)
	}
	if err := goOn(path, b, d, -1, nil); !errors.Is(err, loaders.ErrComplete) {
		t.Errorf("%v", err)
	}
	sameTree(t, tree(t, path), want)
}

// Runs that begin together share one part from the moment it appears; none takes one that another has just begun for
// one that is whole.
func TestOfRunsThatBeginTogetherNoneClosesWhatIsNotWhole(t *testing.T) {
	b := ramp(lazy.Shape{1, 1, 1, 40, 40}, lazy.U8)
	d := description(b)
	d.Channels, d.Run.Way = nil, loaders.Resume
	dir := t.TempDir()
	path, one := filepath.Join(dir, "a.zarr"), filepath.Join(dir, "one.zarr")
	if err := goOn(one, b, d, -1, map[lazy.Region]int{}); err != nil {
		t.Fatal(err)
	}
	want := tree(t, one)
	for range 100 {
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if err := goOn(path, b, d, -1, map[lazy.Region]int{}); err != nil && !errors.Is(err, loaders.ErrComplete) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		sameTree(t, tree(t, path), want)
		if there, _ := os.ReadDir(dir); len(there) != 2 {
			t.Errorf("the folder holds %v", there)
		}
		if t.Failed() {
			return
		}
		os.RemoveAll(path)
	}
}

// However far two runs that go on with one part have come when one of them finishes it, the other is told that it is
// complete, and leaves nothing beside it.
func TestOfTwoRunsAtOnceTheSlowerIsToldThatTheImageIsComplete(t *testing.T) {
	b := ramp(lazy.Shape{1, 20, 1, 300, 300}, lazy.U8)
	for _, layout := range []loaders.Layout{{}, {Version: "0.5", Shard: lazy.Shape{0, 0, 0, 512, 512}}} {
		d := description(b)
		d.Channels, d.Layout, d.Run.Way = nil, layout, loaders.Resume
		for at := range 9 {
			dir := t.TempDir()
			path := filepath.Join(dir, "a.zarr")
			slow, err := zarr.Driver{}.Create(path, d)
			if err != nil {
				t.Fatal(err)
			}
			cells, _ := slow.(loaders.Part).Missing()
			n := 0
			for cell := range cells {
				if n == at {
					if err := goOn(path, b, d, -1, map[lazy.Region]int{}); err != nil {
						t.Fatal(err)
					}
				}
				n++
				part := lazy.NewBlock(cell, b.DType)
				lazy.CopyRegion(part, b, cell)
				if err = slow.Write(ctx, part); err != nil {
					break
				}
			}
			if n == at {
				if err := goOn(path, b, d, -1, map[lazy.Region]int{}); err != nil {
					t.Fatal(err)
				}
			}
			if err == nil {
				err = slow.Close()
			}
			slow.Abort()
			if !errors.Is(err, loaders.ErrComplete) {
				t.Errorf("after %d cells: %v", at, err)
			}
			if left, _ := os.ReadDir(dir); len(left) != 1 || left[0].Name() != "a.zarr" {
				t.Errorf("after %d cells: %v is left", at, left)
			}
		}
	}
}

func TestAShareOfAnotherDivisionIsRefused(t *testing.T) {
	b := ramp(lazy.Shape{1, 20, 1, 300, 300}, lazy.U8)
	d := description(b)
	d.Channels = nil
	path := filepath.Join(t.TempDir(), "a.zarr")
	run := func(r loaders.Run) error {
		d.Run = r
		return goOn(path, b, d, -1, map[lazy.Region]int{})
	}
	if err := run(loaders.Run{Way: loaders.Share, Share: 0, Of: 3}); err != nil {
		t.Fatal(err)
	}
	if err := run(loaders.Run{Way: loaders.Share, Share: 1, Of: 4}); err == nil || !strings.Contains(err.Error(), "a.zarr.part was begun in 3 shares, not in 4") {
		t.Errorf("%v", err)
	}
	if err := run(loaders.Run{Way: loaders.Finish}); err == nil || !strings.Contains(err.Error(), "of 3 shares these are not done: 1, 2") {
		t.Errorf("%v", err)
	}
	if err := run(loaders.Run{Way: loaders.Resume}); err != nil {
		t.Errorf("all the rest in one run: %v", err)
	}
}

// Each share verifies what it has written, and the one that finishes what none of them could.
func TestEveryFileIsVerifiedOnce(t *testing.T) {
	b := ramp(lazy.Shape{1, 40, 1, 600, 700}, lazy.U8)
	d := description(b)
	d.Channels = nil
	for _, of := range []int{1, 3, 7, 60} {
		path := filepath.Join(t.TempDir(), "a.zarr")
		verified := 0
		for _, r := range append(shares(of), loaders.Run{Way: loaders.Finish, Of: of}) {
			d.Run = r
			w, err := zarr.Driver{}.Create(path, d)
			if err != nil {
				t.Fatal(err)
			}
			p := w.(loaders.Part)
			for _, c := range p.Recalls() {
				again, err := p.Recall(ctx, c)
				if err == nil {
					err = p.Put(ctx, again)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			cells, _ := p.Missing()
			for cell := range cells {
				part := lazy.NewBlock(cell, b.DType)
				lazy.CopyRegion(part, b, cell)
				if err := p.Write(ctx, part); err != nil {
					t.Fatal(err)
				}
			}
			if err := p.Verify(ctx, func(int, int) { verified++ }); err != nil {
				t.Fatal(err)
			}
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
		}
		files := 0
		for name := range tree(t, path) {
			if !strings.HasPrefix(filepath.Base(name), ".z") {
				files++
			}
		}
		if verified != files {
			t.Errorf("of %d shares: %d files were verified, there are %d", of, verified, files)
		}
	}
}

func shares(of int) (all []loaders.Run) {
	for i := range of {
		all = append(all, loaders.Run{Way: loaders.Share, Share: i, Of: of})
	}
	return all
}
