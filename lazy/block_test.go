package lazy_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"lamella/lazy"
)

func TestCopyRegionCopiesTheRegionAndNothingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := region().Draw(t, "src"), region().Draw(t, "dst")
		d := rapid.SampledFrom(lazy.DTypes()).Draw(t, "type")
		src, dst := lazy.NewBlock(a, d), lazy.NewBlock(b, d)
		lazy.Fill(src, 5)
		r := a.Intersect(b)
		lazy.CopyRegion(dst, src, r)
		for _, i := range voxels(b) {
			want := 0.0
			if r.Has(i) {
				want = 5
			}
			if got := dst.Value(i); got != want {
				t.Fatalf("voxel %v is %v, want %v", i, got, want)
			}
		}
	})
}

func TestConvertRoundsHalvesAwayFromZeroAndClamps(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"0.5 is 1", lazy.Convert[uint8](0.5), uint8(1)},
		{"-0.5 is -1", lazy.Convert[int8](-0.5), int8(-1)},
		{"2.5 is 3, not the even 2", lazy.Convert[int32](2.5), int32(3)},
		{"just below a half is 0", lazy.Convert[uint8](0.49999999999999994), uint8(0)},
		{"300 is 255 in uint8, never 44", lazy.Convert[uint8](300), uint8(255)},
		{"-1 is 0 in uint16, never 65535", lazy.Convert[uint16](-1), uint16(0)},
		{"infinity is the largest", lazy.Convert[int16](math.Inf(1)), int16(math.MaxInt16)},
		{"NaN is 0 in integers", lazy.Convert[uint8](math.NaN()), uint8(0)},
		{"2^63 is the largest int64", lazy.Convert[int64](1 << 63), int64(math.MaxInt64)},
		{"2^64 is the largest uint64", lazy.Convert[uint64](1 << 64), uint64(math.MaxUint64)},
		{"-2^70 is the least int64", lazy.Convert[int64](-(1 << 70)), int64(math.MinInt64)},
		{"2^62 is itself in uint64", lazy.Convert[uint64](1 << 62), uint64(1 << 62)},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %v", c.name, c.got)
		}
	}
}

func TestTypesHaveNumPysNamesAndSizes(t *testing.T) {
	sizes := map[string]int{"uint8": 1, "int8": 1, "uint16": 2, "int16": 2, "uint32": 4, "int32": 4, "uint64": 8, "int64": 8, "float32": 4, "float64": 8}
	if len(lazy.DTypes()) != len(sizes) {
		t.Errorf("%d types", len(lazy.DTypes()))
	}
	for name, size := range sizes {
		d, err := lazy.ParseDType(name)
		if err != nil || d.String() != name || d.Size() != size || d.Float() != (name[0] == 'f') {
			t.Errorf("%s is read as %v of %d bytes, %v", name, d, d.Size(), err)
		}
	}
	if _, err := lazy.ParseDType("uint12"); err == nil {
		t.Error("uint12 is taken for a type")
	}
}
