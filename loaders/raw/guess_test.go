package raw_test

import (
	"fmt"
	"testing"

	"lamella/loaders/raw"
)

func TestANameAndASizeSayWhatAFileMayHold(t *testing.T) {
	for _, c := range []struct {
		name string
		size int64
		want string
	}{
		{"stack_512x512x64_u16.raw", 512 * 512 * 64 * 2, "[64 512 512] uint16 little, 0 before"},
		{"stack_512x512x64.raw", 512 * 512 * 64 * 2, "[64 512 512] uint16 little, 0 before"},
		{"stack_512x512x64.raw", 512*512*64 + 128, "[64 512 512] uint8 little, 128 before"},
		{"9x34x34_f32_be.dat", 9 * 34 * 34 * 4, "[9 34 34] float32 big, 0 before"},
		{"640x480.raw", 640*480*2 + 12, "[1 480 640] uint16 little, 12 before"},
		{"a_640x480x7_int16.bin", 640 * 480 * 7 * 2, "[7 480 640] int16 little, 0 before"},
		{"frame-16bit-100x50.raw", 100 * 50 * 2, "[1 50 100] uint16 little, 0 before"},
		{"vol.raw", 1024 * 1024 * 2 * 10, "[10 1024 1024] uint16 little, 0 before"},
		{"vol_u16be.raw", 256 * 256 * 2 * 3, "[3 256 256] uint16 big, 0 before"},
		{"plane.raw", 333 * 333 * 2, "[1 333 333] uint16 little, 0 before"},
		{"odd.raw", 7, "[1 3 2] uint8 little, 0 before"},
		{"empty.raw", 0, "[1 1 1] uint8 little, 0 before"},
		{"999999999x999999999x999999999.raw", 64, "[1 8 8] uint8 little, 0 before"},
		{"too_few_100x100_u16.raw", 7, "[1 100 100] uint16 little, 0 before"},
	} {
		g := raw.GuessOf(c.name, c.size)
		order := "little"
		if g.Big {
			order = "big"
		}
		if got := fmt.Sprintf("%v %s %s, %d before", g.Lengths, g.DType, order, g.Offset); got != c.want {
			t.Errorf("%s of %d bytes: %s, want %s", c.name, c.size, got, c.want)
		}
	}
}

func FuzzGuess(f *testing.F) {
	f.Add("stack_512x512x64_u16.raw", int64(1<<25))
	f.Fuzz(func(t *testing.T, name string, size int64) {
		g := raw.GuessOf(name, max(0, size))
		if g.Lengths[0] < 1 || g.Lengths[1] < 1 || g.Lengths[2] < 1 || g.DType == "" || g.Offset < 0 {
			t.Errorf("%q of %d bytes: %+v", name, size, g)
		}
	})
}
