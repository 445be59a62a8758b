//go:build unix

package export

import (
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/loaders"
	"lamella/loaders/codec"
	"lamella/loaders/sample"
	"lamella/loaders/store"
	"lamella/loaders/zarr"
)

// The benchmarks compare two ways of the same work by turns in one process, on two workers, and report the ratio of the
// best times and of the processor's times, of which the latter mean something on a busy machine too:
//
//	GOEXPERIMENT=simd go test ./app/export -run xxx -bench . -benchtime 5x

// edges is the Sobel magnitude of the cells, with the noise of a camera in them, in chunks of 16 x 256 x 256, packed by lz4.
func edges(b *testing.B) lazy.Array {
	b.Helper()
	set, err := sample.Driver{}.Open(b.Context(), loaders.Input{Path: "sample:cells"})
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "cells.zarr")
	write(b, newBenchEngine(b), set.Images[0].Levels[0].Array, path, loaders.Layout{Compression: "lz4"}, loaders.Run{})
	folder, err := store.Folder(path)
	if err != nil {
		b.Fatal(err)
	}
	if set, err = (zarr.Driver{}).Open(b.Context(), loaders.Input{Path: path, Store: folder}); err != nil {
		b.Fatal(err)
	}
	chain, err := filters.Parse("sobel")
	if err != nil {
		b.Fatal(err)
	}
	a, err := chain.Apply(set.Images[0].Levels[0].Array)
	if err != nil {
		b.Fatal(err)
	}
	return a
}

func newBenchEngine(b *testing.B) *engine.Engine {
	e := engine.New(engine.Options{Memory: 1 << 30, Workers: 2})
	b.Cleanup(e.Close)
	return e
}

// write exports an array in one run, with nothing remembered.
func write(b *testing.B, e *engine.Engine, a lazy.Array, path string, layout loaders.Layout, run loaders.Run) {
	b.Helper()
	e.Clear()
	j := Job{Array: a, Region: a.Meta().Shape.Whole(), Layout: layout, Way: run.Way, Share: run.Share, Of: run.Of}
	file, err := zarr.Driver{}.Create(path, j.Description())
	if err != nil {
		b.Fatal(err)
	}
	if _, err := Run(b.Context(), e, j, file, nil); err != nil {
		b.Fatal(err)
	}
}

// spent is how long work took, on the clock and on all processors.
func spent(work func()) (clock, processors time.Duration) {
	busy := func() time.Duration {
		var u syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &u) // of itself it cannot fail
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	began, before := time.Now(), busy()
	work()
	return time.Since(began), busy() - before
}

// compare reports how much longer one way takes than the other.
func compare(b *testing.B, one, other func()) {
	b.Helper()
	var clocks, processors [2]time.Duration
	for b.Loop() {
		for i, work := range []func(){other, one} {
			clock, busy := spent(work)
			if clocks[i] == 0 || clock < clocks[i] {
				clocks[i] = clock
			}
			if processors[i] == 0 || busy < processors[i] {
				processors[i] = busy
			}
		}
	}
	b.ReportMetric(float64(clocks[1])/float64(clocks[0]), "times")
	b.ReportMetric(float64(processors[1])/float64(processors[0]), "times-cpu")
	b.ReportMetric(clocks[0].Seconds(), "other-s")
}

// BenchmarkAgainstTheCodec is an export with zstd against what zstd takes for the same chunks of all levels, computed
// before, on two goroutines: alone, and when each chunk is then written to a file.
func BenchmarkAgainstTheCodec(b *testing.B) {
	a := edges(b)
	path, files := filepath.Join(b.TempDir(), "edges.zarr"), filepath.Join(b.TempDir(), "chunks")
	e := newBenchEngine(b)
	export := func() { write(b, e, a, path, loaders.Layout{}, loaders.Run{}) }
	export()
	chunks := chunksOf(b, path)
	again := func() {
		os.RemoveAll(path)
		export()
	}
	pack := func(put func(i int, packed []byte) error) {
		packer := codec.BloscPacker{Codec: "zstd", TypeSize: a.Meta().DType.Size()}
		var both sync.WaitGroup
		for w := range 2 {
			both.Go(func() {
				var out []byte
				for i := w; i < len(chunks); i += 2 {
					var err error
					if out, err = packer.Pack(out[:0], chunks[i].Bytes()); err == nil {
						err = put(i, out)
					}
					if err != nil {
						b.Error(err)
					}
				}
			})
		}
		both.Wait()
	}
	b.Run("alone", func(b *testing.B) {
		compare(b, again, func() { pack(func(int, []byte) error { return nil }) })
	})
	b.Run("and files", func(b *testing.B) {
		compare(b, again, func() {
			os.RemoveAll(files)
			if err := os.Mkdir(files, 0o777); err != nil {
				b.Fatal(err)
			}
			pack(func(i int, packed []byte) error {
				return os.WriteFile(filepath.Join(files, strconv.Itoa(i)), packed, 0o666)
			})
		})
	})
}

// chunksOf is the chunks of all levels of a file.
func chunksOf(b *testing.B, path string) (chunks []*lazy.Block) {
	b.Helper()
	folder, err := store.Folder(path)
	if err != nil {
		b.Fatal(err)
	}
	set, err := zarr.Driver{}.Open(b.Context(), loaders.Input{Path: path, Store: folder})
	if err != nil {
		b.Fatal(err)
	}
	for _, l := range set.Images[0].Levels {
		m := l.Array.Meta()
		for cell := range m.Shape.Whole().Tiles(m.Chunk) {
			c := lazy.NewBlock(cell.Intersect(m.Shape.Whole()), m.DType)
			if _, err := l.Array.Node().Source.Read(b.Context(), c); err != nil {
				b.Fatal(err)
			}
			chunks = append(chunks, c)
		}
	}
	return chunks
}

// BenchmarkShares is an export in four shares, one after another, each with nothing remembered, and finished, against the
// same in one run.
func BenchmarkShares(b *testing.B) {
	a := edges(b)
	one, shared := filepath.Join(b.TempDir(), "one.zarr"), filepath.Join(b.TempDir(), "shared.zarr")
	e := newBenchEngine(b)
	compare(b, func() {
		os.RemoveAll(shared)
		for i := range 4 {
			write(b, e, a, shared, loaders.Layout{}, loaders.Run{Way: loaders.Share, Share: i, Of: 4})
		}
		write(b, e, a, shared, loaders.Layout{}, loaders.Run{Way: loaders.Finish})
	}, func() {
		os.RemoveAll(one)
		write(b, e, a, one, loaders.Layout{}, loaders.Run{Way: loaders.Resume})
	})
}
