package store

import "testing"

func TestReadingTakesAQuarterOfTheFilesThatMayBeOpen(t *testing.T) {
	for allowed, want := range map[uint64]int{8: 4, 64: 16, 256: 64, 1 << 20: 64, 1<<64 - 1: 64} {
		if got := share(allowed); got != want {
			t.Errorf("of %d it takes %d, want %d", allowed, got, want)
		}
	}
}
