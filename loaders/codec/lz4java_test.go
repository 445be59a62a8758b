package codec

import "testing"

// The sums are those of python3-xxhash: xxhash.xxh32(b"...", seed).hexdigest().
func TestXXH32(t *testing.T) {
	for _, c := range []struct {
		text string
		seed uint32
		want uint32
	}{
		{"", 0, 0x02cc5d05},
		{"abc", 0, 0x32d153ff},
		{"Nobody inspects the spammish repetition", 0, 0xe2293b2f},
		{"Nobody inspects the spammish repetition", 0x9747b28c, 0x70b91719},
	} {
		if got := XXH32([]byte(c.text), c.seed); got != c.want {
			t.Errorf("%q with seed %#x: %#x, want %#x", c.text, c.seed, got, c.want)
		}
	}
}
