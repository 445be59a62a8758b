package zarr_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
	"lamella/loaders/store"
	"lamella/loaders/zarr"
)

// depots are both kinds.
func depots(t *testing.T, each func(t *testing.T, d *loadertest.Depot, address string)) {
	for name, lists := range map[string]bool{"a bucket": true, "a server of the web": false} {
		t.Run(name, func(t *testing.T) {
			d, address := loadertest.NewDepot(t, lists)
			each(t, d, address)
		})
	}
}

// points is how many objects of voxels a small image has: some more than are noted together.
const points = 180

// small is an image of one chunk a time point, and what a folder of it holds.
func small(t *testing.T, layout loaders.Layout) (*lazy.Block, loaders.Description, map[string]string) {
	b := ramp(lazy.Shape{points, 1, 1, 5, 6}, lazy.U16)
	d := description(b)
	d.Channels, d.Layout = nil, layout
	one := filepath.Join(t.TempDir(), "one.zarr")
	save(t, one, b, d)
	return b, d, tree(t, one)
}

func TestObjectsAreThoseOfAFolderAndTheMetadataComeLast(t *testing.T) {
	depots(t, func(t *testing.T, at *loadertest.Depot, address string) {
		for name, layout := range map[string]loaders.Layout{
			"0.4": {}, "0.5": {Version: "0.5", Compression: "lz4"}, "shards": {Version: "0.5", Shard: lazy.Shape{0, 32, 0, 512, 512}},
		} {
			b := ramp(lazy.Shape{1, 40, 1, 300, 520}, lazy.U8)
			d := description(b)
			d.Channels, d.Layout = nil, layout
			one := filepath.Join(t.TempDir(), "one.zarr")
			save(t, one, b, d)
			at.Change(func(all map[string]string) { clear(all) })
			at.Said()
			d.Overwrite = true // a part may be begun again, not an image
			save(t, address, b, d)
			sameTree(t, at.All(), tree(t, one))

			isMeta := func(key string) bool { return strings.HasPrefix(path.Base(key), ".z") || path.Base(key) == "zarr.json" }
			kind := func(key string) int {
				switch {
				case strings.HasPrefix(key, ".lamella"):
					return 0
				case !isMeta(key):
					return 1 // voxels
				case strings.Contains(key, "/"):
					return 2 // arrays
				}
				return 3 // the image
			}
			last := 0
			for _, key := range at.Said() {
				if k := kind(key); k > 0 && k < last {
					t.Errorf("%s: %s came after what makes it an image", name, key)
				} else {
					last = max(last, k)
				}
			}
			if _, err := (zarr.Driver{}).Create(address, d); !errors.Is(err, loaders.ErrExists) || !strings.Contains(err.Error(), "remove it") {
				t.Errorf("an image is there: %v", err)
			}
		}
	})
}

func TestAnImageInAStorageThatWasStoppedAndResumedIsThatOfOneRun(t *testing.T) {
	depots(t, func(t *testing.T, at *loadertest.Depot, address string) {
		b, d, want := small(t, loaders.Layout{})
		d.Run.Way = loaders.Resume
		for _, stops := range [][]int{{}, {0}, {7}, {points - 1}, {140, 0, 30}, {1, 1, 1}} {
			at.Change(func(all map[string]string) { clear(all) })
			put := map[lazy.Region]int{}
			for _, stop := range append(stops, -1) {
				if err := goOn(address, b, d, stop, put); err != nil && !errors.Is(err, loaders.ErrComplete) {
					t.Fatal(err)
				}
				for key, text := range at.Seen() {
					if want[key] != text {
						t.Errorf("%s was seen with other bytes than it has at the end", key)
					}
				}
			}
			sameTree(t, at.All(), want)
			sum := 0
			for _, n := range put {
				sum += n
			}
			if most := points + len(stops)*(128+8+1); sum > most {
				t.Errorf("%d chunks were written for %d, and %d stops", sum, points, len(stops))
			}
			if err := goOn(address, b, d, -1, put); !errors.Is(err, loaders.ErrComplete) {
				t.Errorf("once more: %v", err)
			}
		}
	})
}

func TestSharesOfAnImageInAStorageMakeThatOfOneRun(t *testing.T) {
	depots(t, func(t *testing.T, at *loadertest.Depot, address string) {
		b := ramp(lazy.Shape{1, 40, 1, 300, 520}, lazy.U8)
		d := description(b)
		d.Channels = nil
		one := filepath.Join(t.TempDir(), "one.zarr")
		save(t, one, b, d)
		put := map[lazy.Region]int{}
		finish := d
		finish.Run = loaders.Run{Way: loaders.Finish}
		if err := goOn(address, b, finish, -1, put); err == nil || !strings.Contains(err.Error(), "no share is done") || len(at.All()) != 0 {
			t.Errorf("finished before it began: %v", err)
		}
		for _, share := range []int{3, 0, 1, 3} {
			d.Run = loaders.Run{Way: loaders.Share, Share: share, Of: 4}
			if err := goOn(address, b, d, -1, put); err != nil {
				t.Fatal(err)
			}
		}
		if err := goOn(address, b, finish, -1, put); err == nil || !strings.Contains(err.Error(), "of 4 shares these are not done: 2") {
			t.Errorf("finished without share 2: %v", err)
		}
		d.Run = loaders.Run{Way: loaders.Share, Share: 1, Of: 3}
		if err := goOn(address, b, d, -1, put); err == nil || !strings.Contains(err.Error(), "begun in 4 shares") {
			t.Errorf("another division: %v", err)
		}
		d.Run = loaders.Run{Way: loaders.Share, Share: 2, Of: 4}
		if err := goOn(address, b, d, -1, put); err != nil {
			t.Fatal(err)
		}
		if err := goOn(address, b, finish, -1, put); err != nil {
			t.Fatal(err)
		}
		sameTree(t, at.All(), tree(t, one))
		for cell, n := range put {
			if n != 1 {
				t.Errorf("%v was written %d times", cell, n)
			}
		}
		if err := goOn(address, b, finish, -1, put); !errors.Is(err, loaders.ErrComplete) {
			t.Errorf("finished once more: %v", err)
		}
	})
}

// Of a storage that refuses, or dies, in the middle one line is told; what was begun afresh goes, and the part that others go on with
// stays.
func TestAStorageThatRefusesInTheMiddleIsToldOnce(t *testing.T) {
	depots(t, func(t *testing.T, at *loadertest.Depot, address string) {
		b, d, want := small(t, loaders.Layout{})
		for name, status := range map[string]int{"refuses": 403, "is full": 507, "takes no more": 405} {
			at.Odd = func(w http.ResponseWriter, r *http.Request, n int) bool {
				if n >= 100 && strings.Contains(r.URL.Path, "/0/") {
					w.Header().Set("Retry-After", "100000")
					w.WriteHeader(status)
					return true
				}
				return false
			}
			for _, way := range []loaders.Way{loaders.Afresh, loaders.Resume} {
				at.Said()
				d.Run.Way = way
				put := map[lazy.Region]int{}
				err := goOn(address, b, d, -1, put)
				if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), fmt.Sprint(status)) {
					t.Errorf("it %s: %v", name, err)
				}
				if left := at.All(); way == loaders.Afresh && len(left) != 0 {
					t.Errorf("it %s: %d objects are left", name, len(left))
				}
				for key := range at.Seen() {
					if strings.HasPrefix(key, ".z") {
						t.Errorf("it %s: %s makes a part an image", name, key)
					}
				}
			}
			at.Odd = nil
			put := map[lazy.Region]int{}
			if err := goOn(address, b, d, -1, put); err != nil {
				t.Fatal(err)
			}
			if len(put) > points-80 {
				t.Errorf("%d of %d chunks were written again", len(put), points)
			}
			sameTree(t, at.All(), want)
			at.Change(func(all map[string]string) { clear(all) })
		}
	})
}

func TestACancelledRunLeavesAStorageAtOnce(t *testing.T) {
	at, address := loadertest.NewDepot(t, true)
	b, d, _ := small(t, loaders.Layout{})
	ctx, cancel := context.WithCancel(ctx)
	at.Odd = func(_ http.ResponseWriter, r *http.Request, n int) bool {
		if n == 20 {
			cancel()
		}
		if n >= 20 && strings.Contains(r.URL.Path, "/0/") {
			<-r.Context().Done() // says nothing
			return true
		}
		return false
	}
	w, err := zarr.Driver{}.Create(address, d)
	if err != nil {
		t.Fatal(err)
	}
	for cell := range b.Region.Tiles(w.Grid()) {
		part := lazy.NewBlock(cell, b.DType)
		if err = w.Write(ctx, part); err != nil {
			break
		}
	}
	w.Abort()
	if !errors.Is(err, context.Canceled) || len(at.All()) != 0 {
		t.Errorf("%v, %d objects are left", err, len(at.All()))
	}
}

func TestWhatAStorageReadsBackDifferentlyIsFoundAndWrittenAgain(t *testing.T) {
	depots(t, func(t *testing.T, at *loadertest.Depot, address string) {
		b, d, want := small(t, loaders.Layout{})
		d.Run.Way = loaders.Resume
		put := map[lazy.Region]int{}
		at.Odd = func(_ http.ResponseWriter, r *http.Request, n int) bool { // a bit rots
			if n == 150 {
				at.Change(func(all map[string]string) {
					text := []byte(all["0/7/0/0/0/0"])
					text[len(text)-1] ^= 1
					all["0/7/0/0/0/0"] = string(text)
				})
			}
			return false
		}
		if err := goOn(address, b, d, -1, put); err == nil || !strings.Contains(err.Error(), "0/7/0/0/0/0 reads back other bytes") {
			t.Fatalf("%v", err)
		}
		at.Odd = nil
		if _, there := at.All()["0/7/0/0/0/0"]; there {
			t.Error("what was found is still there")
		}
		if err := goOn(address, b, d, -1, put); err != nil {
			t.Fatal(err)
		}
		sameTree(t, at.All(), want)
	})
}

func TestAPartInAStorageOfAnotherRequestIsNotGoneOnWith(t *testing.T) {
	at, address := loadertest.NewDepot(t, true)
	b, d, want := small(t, loaders.Layout{})
	d.Run.Way = loaders.Resume
	put := map[lazy.Region]int{}
	if err := goOn(address, b, d, 100, put); err != nil {
		t.Fatal(err)
	}
	other := d
	other.Recipe.Chain = "mean"
	if err := goOn(address, b, other, -1, put); !errors.Is(err, loaders.ErrExists) || !strings.Contains(err.Error(), `with the filters "gaussian sigma=1 | sobel"`) {
		t.Errorf("another chain: %v", err)
	}
	d.Run.Way = loaders.Afresh
	if _, err := (zarr.Driver{}).Create(address, d); !errors.Is(err, loaders.ErrExists) || !strings.Contains(err.Error(), "--resume") {
		t.Errorf("begun again: %v", err)
	}
	d.Overwrite = true
	save(t, address, b, d)
	sameTree(t, at.All(), want)
	if _, err := (zarr.Driver{}).Create("gs://b/x.zarr", d); !errors.Is(err, loaders.ErrUnsupported) {
		t.Errorf("gs://: %v", err)
	}
}

// What lies in a storage reads back as an image.
func TestAnImageInAStorageReadsBack(t *testing.T) {
	depots(t, func(t *testing.T, _ *loadertest.Depot, address string) {
		b, d, _ := small(t, loaders.Layout{Version: "0.5"})
		save(t, address, b, d)
		s, err := store.RemoteFolder(address, store.Web{CacheSize: -1})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		set, err := zarr.Driver{}.Open(ctx, loaders.Input{Path: address, Store: s})
		if err != nil {
			t.Fatal(err)
		}
		a := set.Images[0].Levels[0].Array
		for _, at := range slices.Backward([]int{0, 7, points - 1}) {
			got := lazy.NewBlock(b.Region.With(lazy.T, at, at+1), b.DType)
			if _, err := a.Node().Source.Read(ctx, got); err != nil {
				t.Fatal(err)
			}
			if got.Value(got.Region.Min) != b.Value(got.Region.Min) {
				t.Errorf("time point %d reads back as another", at)
			}
		}
	})
}

// A server that drops what is put is asked again, for half a minute; who interrupts the run does not wait for that.
func TestABeginningThatIsCancelledWaitsForNoServer(t *testing.T) {
	at, address := loadertest.NewDepot(t, false)
	_, d, _ := small(t, loaders.Layout{})
	run, cancel := context.WithCancel(ctx)
	defer cancel()
	var asked atomic.Int64
	at.Odd = func(http.ResponseWriter, *http.Request, int) bool {
		if asked.Add(1) == 2 {
			cancel()
		}
		panic(http.ErrAbortHandler) // the connection is dropped
	}
	d.Context = run
	_, err := zarr.Driver{}.Create(address, d)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("after %d attempts: %v", asked.Load(), err)
	}
}
