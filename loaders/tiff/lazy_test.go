package tiff

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/store"
)

// counted is a store of one file that counts what is read of it.
type counted struct {
	store.Store
	reads, bytes atomic.Int64
}

func (c *counted) Open(ctx context.Context, key string) (store.File, error) {
	f, err := c.Store.Open(ctx, key)
	return countedFile{f, c}, err
}

type countedFile struct {
	store.File
	c *counted
}

func (f countedFile) ReadAt(ctx context.Context, p []byte, off int64) error {
	f.c.reads.Add(1)
	f.c.bytes.Add(int64(len(p)))
	return f.File.ReadAt(ctx, p, off)
}

// longStack is a BigTIFF of n pages of 64 x 32 pixels with their directories between them, page i
// filled with i mod 251.
func longStack(n int) []byte {
	w := &writer{big: true}
	out := append([]byte(nil), w.header()...)
	binary.LittleEndian.PutUint64(out[8:], 16+2048)
	for i := range n {
		pixels := int64(len(out))
		for range 2048 {
			out = append(out, byte(i%251))
		}
		eight := func(id uint16, v int64) tag {
			return tag{id, kindLong8, 1, binary.LittleEndian.AppendUint64(nil, uint64(v))}
		}
		tags := []tag{longTag(tagWidth, 64), longTag(tagHeight, 32), shortTag(tagBits, 8), shortTag(tagCompression, rawData),
			shortTag(tagPhotometric, minIsBlack), eight(tagStripOffsets, pixels), shortTag(tagSamples, 1),
			longTag(tagRowsPerStrip, 32), eight(tagStripCounts, 2048)}
		at := int64(len(out))
		size := int64(8 + 20*len(tags) + 8)
		next := at + size + 2048
		if i == n-1 {
			next = 0
		}
		out = append(out, encode(w.big, tags, at, next)...)
	}
	return out
}

func openCounted(t testing.TB, raw []byte) (lazy.Dataset, *counted) {
	t.Helper()
	c := &counted{Store: store.Memory{"a.tif": raw}}
	set, err := Driver{}.Open(ctx, loaders.Input{Path: "a.tif", Store: c, Key: "a.tif", Head: raw[:4096]})
	if err != nil {
		t.Fatal(err)
	}
	return set, c
}

func TestOpeningTenThousandPagesReadsNoPixelAndAPlaneReadsAPlane(t *testing.T) {
	const n = 10000
	raw := longStack(n)
	set, c := openCounted(t, raw)
	a := set.Images[0].Levels[0].Array
	if a.Meta().Shape != (lazy.Shape{1, n, 1, 32, 64}) || set.Images[0].Assumed != "z" {
		t.Fatalf("%v", a.Meta().Shape)
	}
	// A directory and what lies around it are had with one read of a few kilobytes.
	if c.reads.Load() > n+100 || c.bytes.Load() > 2*int64(len(raw)) {
		t.Errorf("opening took %d reads of %d bytes", c.reads.Load(), c.bytes.Load())
	}
	c.reads.Store(0)
	c.bytes.Store(0)
	src := a.Node().Source.(*source)
	b := lazy.NewBlock(src.Grain(lazy.At(lazy.Index{0, 7777}, lazy.Shape{1, 1, 1, 32, 64})), lazy.U8)
	stored, err := src.Read(ctx, b)
	if err != nil || b.Bytes()[2047] != 7777%251 {
		t.Errorf("plane 7777 reads %d, %v", b.Bytes()[2047], err)
	}
	if c.reads.Load() != 1 || c.bytes.Load() != 2048 || stored != 2048 || src.Stored(b.Region) != 2048 {
		t.Errorf("one plane took %d reads of %d bytes; it said %d", c.reads.Load(), c.bytes.Load(), stored)
	}
}

func BenchmarkOpenTenThousandPages(b *testing.B) {
	raw := longStack(10000)
	for b.Loop() {
		openCounted(b, raw)
	}
}

func TestRowsOfAnUncompressedPlaneAreReadAlone(t *testing.T) {
	raw := built(sheet{width: 3000, height: 40, value: 3})
	set, c := openCounted(t, raw)
	src := set.Images[0].Levels[0].Array.Node().Source.(*source)
	g := src.Grain(lazy.At(lazy.Index{0, 0, 0, 20, 100}, lazy.Shape{1, 1, 1, 1, 1}))
	if g.Len(lazy.Y) != 1 || g.Len(lazy.X) != 3000 {
		t.Errorf("the grain of one voxel is %v", g)
	}
	c.bytes.Store(0)
	if _, err := src.Read(ctx, lazy.NewBlock(g, lazy.U8)); err != nil || c.bytes.Load() != 3000 {
		t.Errorf("%d bytes, %v", c.bytes.Load(), err)
	}
}

func TestBR019EightReadersSeeTheSameChecksumInEveryRound(t *testing.T) {
	for _, name := range []string{"testdata/plain.tif", "testdata/zip2_tiled_be.tif"} {
		dir, err := store.Folder(".")
		if err != nil {
			t.Fatal(err)
		}
		defer dir.Close()
		head := make([]byte, 16)
		f, err := dir.Open(ctx, name)
		if err != nil || f.ReadAt(ctx, head, 0) != nil {
			t.Fatal(err)
		}
		set, err := Driver{}.Open(ctx, loaders.Input{Path: name, Store: dir, Key: name, Head: head})
		if err != nil {
			t.Fatal(err)
		}
		defer set.Close()
		src := set.Images[0].Levels[0].Array.Node().Source.(*source)
		sum := func(z int) uint32 {
			b := lazy.NewBlock(lazy.At(lazy.Index{0, z}, lazy.Shape{1, 1, 1, 6, 7}), lazy.U16)
			if _, err := src.Read(ctx, b); err != nil {
				t.Error(err)
			}
			return crc32.ChecksumIEEE(b.Bytes())
		}
		var want [5]uint32
		for z := range want {
			want[z] = sum(z)
		}
		var wg sync.WaitGroup
		for k := range 8 {
			wg.Go(func() {
				r := rand.New(rand.NewPCG(1, uint64(k)))
				for range 1000 {
					if z := r.IntN(5); sum(z) != want[z] {
						t.Errorf("%s: plane %d has another checksum", name, z)
						return
					}
				}
			})
		}
		wg.Wait()
	}
}

// imageJStack is n pages of 64 x 32 pixels, of which the description counts some other number, as ImageJ and
// tifffile write them: the first directory, the planes one behind another, and the other directories. Page 1
// points gap bytes behind its place. Page i is filled with i mod 251.
func imageJStack(n, counted int, gap uint32) []byte {
	text := asciiTag(tagDescription, fmt.Sprintf("ImageJ=1.53t\nimages=%d\nslices=%d\n", counted, counted))
	directory := func(at int, pixels, next uint32, more ...tag) []byte {
		tags := append([]tag{longTag(tagWidth, 64), longTag(tagHeight, 32), shortTag(tagBits, 8), shortTag(tagCompression, rawData),
			shortTag(tagPhotometric, minIsBlack), longTag(tagStripOffsets, pixels), shortTag(tagSamples, 1),
			longTag(tagRowsPerStrip, 32), longTag(tagStripCounts, 2048)}, more...)
		slices.SortFunc(tags, func(a, b tag) int { return int(a.id) - int(b.id) })
		return encode(false, tags, int64(at), int64(next))
	}
	first := uint32(8 + len(directory(8, 0, 0, text)))
	size := uint32(len(directory(0, 0, 0)))
	rest := first + uint32(n)*2048
	out := append([]byte{'I', 'I', 42, 0, 8, 0, 0, 0}, directory(8, first, rest, text)...)
	for i := range n {
		out = append(out, bytes.Repeat([]byte{byte(i % 251)}, 2048)...)
	}
	for i := 1; i < n; i++ {
		pixels, next := first+uint32(i)*2048, rest+uint32(i)*size
		if i == 1 {
			pixels += gap
		}
		if i == n-1 {
			next = 0
		}
		out = append(out, directory(len(out), pixels, next)...)
	}
	return out
}

func TestAnImageJStackOfTwoThousandPagesIsOpenedByAFewReads(t *testing.T) {
	const n = 2000
	set, c := openCounted(t, imageJStack(n, n, 0))
	a := set.Images[0].Levels[0].Array
	if a.Meta().Shape != (lazy.Shape{1, n, 1, 32, 64}) || len(set.Warnings) > 0 {
		t.Fatalf("%v, warnings %q", a.Meta().Shape, set.Warnings)
	}
	if c.reads.Load() > 8 || c.bytes.Load() > 64<<10 {
		t.Errorf("opening took %d reads of %d bytes", c.reads.Load(), c.bytes.Load())
	}
	for _, z := range []int{0, 1, 777, n - 1} {
		if got := mustVoxel(t, a, lazy.Index{0, z, 0, 31, 63}); got != float64(z%251) {
			t.Errorf("plane %d reads %v", z, got)
		}
	}
}

func TestAnImageJStackIsReadPageByPageWhereItsPlanesMayLieElsewhere(t *testing.T) {
	for name, c := range map[string]struct {
		raw   []byte
		shape lazy.Shape
		plane [2]int // a plane and what it reads
	}{
		"page 1 shows other pixels":         {imageJStack(20, 20, 2048), lazy.Shape{1, 20, 1, 32, 64}, [2]int{1, 2}},
		"there are more than are described": {imageJStack(20, 10, 0), lazy.Shape{1, 20, 1, 32, 64}, [2]int{15, 15}},
		"there are fewer":                   {imageJStack(20, 40, 0), lazy.Shape{1, 20, 1, 32, 64}, [2]int{15, 15}},
	} {
		set, _ := openCounted(t, c.raw)
		a := set.Images[0].Levels[0].Array
		if s := a.Meta().Shape; s[lazy.T]*s[lazy.Z] != 20 {
			t.Errorf("%s: %v", name, s)
		}
		at := lazy.Index{0, c.plane[0], 0, 0, 0}
		if s := a.Meta().Shape; s[lazy.T] > 1 {
			at = lazy.Index{c.plane[0] / s[lazy.Z], c.plane[0] % s[lazy.Z], 0, 0, 0}
		}
		if got := mustVoxel(t, a, at); got != float64(c.plane[1]) {
			t.Errorf("%s: plane %d reads %v", name, c.plane[0], got)
		}
	}
}
