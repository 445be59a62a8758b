package zarr_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/loaders/codec"
	"lamella/loaders/loadertest"
)

// packedArray is a Zarr v2 array of 70 x 60 x 100 values, each 31·z + 7·y + x of its place, in chunks of 64 x 64 x 64
// that Blosc packs in two blocks each. Chunks that skip is true of are not stored.
func packedArray(t *testing.T, order, cname string, skip func(z, y, x int) bool) string {
	t.Helper()
	const n = 64
	all := map[string]string{".zarray": fmt.Sprintf(`{"zarr_format": 2, "shape": [70, 60, 100], "chunks": [64, 64, 64], "dtype": "<u2",
		"compressor": {"id": "blosc", "cname": %q, "clevel": 5, "shuffle": 1, "blocksize": 0}, "fill_value": 5, "order": %q, "filters": null}`, cname, order)}
	for z := range 2 {
		for x := range 2 {
			if skip(z, 0, x) {
				continue
			}
			raw := make([]byte, 2*n*n*n)
			for i := range n * n * n {
				a, b, c := i/n/n, i/n%n, i%n
				if order == "F" {
					a, c = c, a
				}
				binary.LittleEndian.PutUint16(raw[2*i:], uint16(31*(a+n*z)+7*b+c+n*x))
			}
			packed, err := codec.BloscPacker{Codec: cname, TypeSize: 2}.Pack(nil, raw)
			if err != nil {
				t.Fatal(err)
			}
			all[fmt.Sprintf("%d.0.%d", z, x)] = string(packed)
		}
	}
	return objects(t, "packed.zarr", all)
}

func none(_, _, _ int) bool { return false }

func TestChunksAreDividedByTheirBlocksAlongTheSlowestAxis(t *testing.T) {
	for _, c := range []struct {
		name, order string
		skip        func(z, y, x int) bool
		part        lazy.Shape
	}{
		{"rows are fastest: z is slowest", "C", none, lazy.Shape{1, 32, 1, 64, 64}},
		{"columns are fastest: x is slowest", "F", none, lazy.Shape{1, 64, 1, 64, 32}},
		{"the chunk in the middle is missing", "C", func(_, _, x int) bool { return x == 1 }, lazy.Shape{1, 32, 1, 64, 64}},
		{"no chunk says how large its blocks are", "C", func(_, _, _ int) bool { return true }, lazy.Shape{1, 64, 1, 64, 64}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := open(t, packedArray(t, c.order, "lz4", c.skip)).Images[0].Levels[0].Array
			part := a.Meta().Chunk
			if d, ok := a.Node().Source.(lazy.Divider); ok {
				along, parts := d.Parts()
				part[along] /= parts
			}
			if part != c.part {
				t.Errorf("parts of %v, want %v", part, c.part)
			}
		})
	}
}

func TestPartsOfAChunkAreTheVoxelsOfTheWhole(t *testing.T) {
	missing := func(z, _, x int) bool { return z == 1 && x == 0 }
	for _, order := range []string{"C", "F"} {
		for _, cname := range []string{"lz4", "zstd"} {
			a := open(t, packedArray(t, order, cname, missing)).Images[0].Levels[0].Array
			got, err := loadertest.Read(ctx, a, a.Meta().Shape.Whole())
			if err != nil {
				t.Fatal(err)
			}
			for at := range got.Region.Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
				i := at.Min
				want := float64(31*i[lazy.Z] + 7*i[lazy.Y] + i[lazy.X])
				if i[lazy.Z] >= 64 && i[lazy.X] < 64 {
					want = 5
				}
				if v := got.Value(i); v != want {
					t.Fatalf("order %s, %s: %v at %v, want %v", order, cname, v, i, want)
				}
			}
		}
	}
}

func TestAPlaneFetchesAndDecodesTheBlocksThatHoldIt(t *testing.T) {
	a := open(t, packedArray(t, "C", "lz4", none)).Images[0].Levels[0].Array
	e := engine.New(engine.Options{Workers: 2})
	defer e.Close()
	plane := func(z int) engine.Stats {
		t.Helper()
		_, s, err := e.Get(ctx, a, a.Meta().Shape.Whole().With(lazy.Z, z, z+1), engine.Priority{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	upper, same, lower := plane(3), plane(31), plane(32)
	if upper.ChunksRead != 2 || upper.ChunksPlanned != 2 || upper.ChunksTotal != 4 || lower.ChunksRead != 2 {
		t.Errorf("planes 3 and 32 read %d and %d of %d chunks, want 2 and 2 of 4", upper.ChunksRead, lower.ChunksRead, upper.ChunksTotal)
	}
	if same.TasksRun != 0 || same.BytesRead != 0 {
		t.Errorf("plane 31 read %d bytes beyond those of plane 3, which lies in the same blocks", same.BytesRead)
	}
	whole, err := loadertest.Read(ctx, a, a.Meta().Shape.Whole())
	if err != nil {
		t.Fatal(err)
	}
	packed, err := codec.BloscPacker{Codec: "lz4", TypeSize: 2}.Pack(nil, whole.Bytes()[:2*64*64*64])
	if err != nil {
		t.Fatal(err)
	}
	if most := int64(2 * len(packed)); upper.BytesRead >= most || upper.BytesRead == 0 {
		t.Errorf("%d bytes fetched for a plane of two chunks", upper.BytesRead)
	}
	e.Clear()
	_, row, err := e.Get(ctx, a, a.Meta().Shape.Whole().With(lazy.Y, 7, 8), engine.Priority{})
	if err != nil {
		t.Fatal(err)
	}
	if row.ChunksRead != 4 || row.TasksRun != 4 {
		t.Errorf("an xz plane, which needs all of 4 chunks, read %d in %d tasks", row.ChunksRead, row.TasksRun)
	}
	e.Clear()
	both, s, err := e.Get(ctx, a, a.Meta().Shape.Whole().With(lazy.Z, 30, 34), engine.Priority{})
	if err != nil {
		t.Fatal(err)
	}
	if s.ChunksRead != 2 || s.ChunksPlanned != 2 || s.TasksRun != 4 {
		t.Errorf("a slab over both halves: %d chunks planned, %d read in %d tasks; want 2, 2 and 4", s.ChunksPlanned, s.ChunksRead, s.TasksRun)
	}
	part := lazy.NewBlock(both.Region, both.DType)
	lazy.CopyRegion(part, whole, both.Region)
	if !slices.Equal(both.Bytes(), part.Bytes()) {
		t.Error("the slab differs from that part of the whole")
	}
}
