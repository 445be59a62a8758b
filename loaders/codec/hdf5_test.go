package codec

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"
)

// What these decoders make of sound data is tested with files of the HDF5 library, in loaders/hdf5.

func TestLZFRepeatsWhatItJustWrote(t *testing.T) {
	// "ab" as it is, then 7 bytes from 2 back, then 2+7+3 more with a length of its own from 1 back.
	src := []byte{1, 'a', 'b', 5 << 5, 1, 7 << 5, 3, 0}
	dst := make([]byte, 64)
	n, err := LZF(dst, src)
	if want := "ab" + "abababa" + "aaaaaaaaaaaa"; err != nil || string(dst[:n]) != want {
		t.Errorf("%q, %v; want %q", dst[:n], err, want)
	}
}

func TestHDF5FiltersRefuseWhatDoesNotFit(t *testing.T) {
	scale, err := ParseScaleOffset([]uint32{2, 0, 8, 0, 2, 0, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	bits, err := ParseNBit([]uint32{8, 0, 8, 1, 2, 0, 12, 0})
	if err != nil {
		t.Fatal(err)
	}
	shuffle := Bitshuffle{TypeSize: 2, Packer: "lz4"}
	for _, c := range []struct {
		name   string
		decode func(dst, src []byte) (int, error)
		src    []byte
		long   bool
	}{
		{"LZF whose literals end early", LZF, []byte{9, 1, 2}, false},
		{"LZF that repeats what was not written", LZF, []byte{0, 1, 1 << 5, 9}, false},
		{"LZF that ends within a distance", LZF, []byte{0, 1, 7 << 5, 9}, false},
		{"LZF of too many bytes", LZF, append([]byte{31}, make([]byte, 32)...), true},
		{"LZ4 blocks without sizes", LZ4Blocks, []byte{0, 0, 0}, false},
		{"LZ4 blocks of too many bytes", LZ4Blocks, []byte{0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0}, true},
		{"LZ4 blocks of no length", LZ4Blocks, []byte{0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0}, false},
		{"LZ4 blocks of which one is missing", LZ4Blocks, []byte{0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 8}, false},
		{"a block longer than the data", LZ4Blocks, []byte{0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 8, 255, 0, 0, 0}, false},
		{"bit-shuffled blocks of 3 values", shuffle.Unpack, []byte{0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 6}, false},
		{"bit-shuffled blocks of too many bytes", shuffle.Unpack, []byte{0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 16}, true},
		{"n-bit data that end early", bits.Unpack, make([]byte, 11), false},
		{"scale-offset without a front", scale.Unpack, make([]byte, 20), false},
		{"scale-offset of 17 bits in 16", scale.Unpack, append([]byte{17}, make([]byte, 60)...), false},
		{"scale-offset data that end early", scale.Unpack, append([]byte{9}, make([]byte, 28)...), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, err := c.decode(make([]byte, 16), c.src)
			if err == nil || errors.Is(err, ErrLong) != c.long || n > 16 {
				t.Errorf("%d bytes, %v", n, err)
			}
		})
	}
	for _, values := range [][]uint32{nil, {2, 0, 8}, {2, 0, 8, 0, 3, 0, 0, 0}, {1, 0, 8, 1, 4, 0, 0, 0}, {0, 900, 8, 1, 4, 0, 0, 0}} {
		if _, err := ParseScaleOffset(values); err == nil {
			t.Errorf("parameters %v of scale-offset are taken", values)
		}
	}
	for _, values := range [][]uint32{nil, {8, 0, 8, 2, 2}, {8, 0, 8, 1, 9, 0, 12, 0}, {8, 0, 8, 1, 2, 0, 12, 9}, {8, 0, 8, 1, 2, 0, 0, 0}} {
		if _, err := ParseNBit(values); err == nil {
			t.Errorf("parameters %v of n-bit are taken", values)
		}
	}
}

// TestHDF5FiltersTakeAnyBytes gives random bytes to all of them: what counts is that nothing panics and
// nothing behind dst is written.
func TestHDF5FiltersTakeAnyBytes(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	scale, _ := ParseScaleOffset([]uint32{2, 0, 40, 0, 2, 0, 1, 1, 7})
	floats, _ := ParseScaleOffset([]uint32{0, 3, 20, 1, 4, 0, 0, 0})
	bits, _ := ParseNBit([]uint32{8, 0, 40, 1, 2, 1, 12, 3})
	shuffle := Bitshuffle{TypeSize: 2, Block: 16, Packer: "lz4"}
	for range 20000 {
		src := make([]byte, random.IntN(120))
		for i := range src {
			src[i] = []byte{0, 1, 8, 255, byte(random.Uint32())}[random.IntN(5)]
		}
		room := bytes.Repeat([]byte{0xa5}, 96)
		for _, decode := range []func(dst, src []byte) (int, error){LZF, LZ4Blocks, scale.Unpack, floats.Unpack, bits.Unpack, shuffle.Unpack} {
			if n, _ := decode(room[:80], bytes.Clone(src)); n > 80 || !bytes.Equal(room[80:], bytes.Repeat([]byte{0xa5}, 16)) {
				t.Fatalf("%d bytes of 80 from %v", n, src)
			}
		}
	}
}
