package raw

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// A Guess is what the name and the size of a file without a header say that it may hold: whoever guesses is asked
// whether it is so.
type Guess struct {
	Lengths [3]int // along Z, Y and X
	DType   string
	Big     bool
	Offset  int64 // bytes before the first voxel

	Named bool // the lengths stand in the name
}

var (
	lengthsIn = regexp.MustCompile(`(\d{1,9})[xX×](\d{1,9})(?:[xX×](\d{1,9}))?`)
	bigIn     = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:big|be|msb)(?:[^a-z]|$)|bigendian|big-endian`)
)

// GuessOf guesses from a name such as "stack_512x512x64_u16.raw" and a size in bytes. Lengths in a name are width,
// height and planes, unless only planes before rows and columns make a picture that is square. Without lengths in the
// name it looks for square planes that fill the file.
func GuessOf(name string, size int64) Guess {
	g := Guess{Lengths: [3]int{1, 1, int(max(1, min(size, math.MaxInt32)))}, DType: "uint8", Big: bigIn.MatchString(name)}
	bytes := 0
	g.DType, bytes = typeOf(name)
	if m := lengthsIn.FindStringSubmatch(name); m != nil {
		g.Named = g.fromName(m[1:])
	}
	if g.Named {
		n := int64(g.Lengths[0]) * int64(g.Lengths[1]) * int64(g.Lengths[2])
		if bytes == 0 {
			g.DType, bytes = typeBySize(n, size)
		}
		g.Offset = max(0, size-n*int64(bytes))
		return g
	}
	g.square(size, bytes)
	return g
}

// fromName takes lengths over, and reports whether they can be.
func (g *Guess) fromName(words []string) bool {
	var n []int
	total := 1
	for _, w := range words {
		if w == "" {
			continue
		}
		v, err := strconv.Atoi(w)
		if err != nil || v < 1 || total > (1<<50)/v {
			return false
		}
		n, total = append(n, v), total*v
	}
	switch {
	case len(n) == 2:
		g.Lengths = [3]int{1, n[1], n[0]}
	case n[1] == n[2] && n[0] != n[1]:
		g.Lengths = [3]int{n[0], n[1], n[2]}
	default:
		g.Lengths = [3]int{n[2], n[1], n[0]}
	}
	return true
}

// typeOf is the type that a name states, and the bytes of a voxel; 0 where it states none.
func typeOf(name string) (string, int) {
	stem := strings.ToLower(name)
	for _, t := range []struct {
		words string
		dtype string
		bytes int
	}{
		{"uint8 u8 8bit 8-bit byte uchar", "uint8", 1}, {"int8 i8 s8", "int8", 1},
		{"uint16 u16 ushort 16bit 16-bit", "uint16", 2}, {"int16 i16 s16 short", "int16", 2},
		{"uint32 u32", "uint32", 4}, {"int32 i32 s32", "int32", 4}, {"uint64 u64", "uint64", 8}, {"int64 i64 s64", "int64", 8},
		{"float32 f32 float 32bit 32-bit real", "float32", 4}, {"float64 f64 double", "float64", 8},
	} {
		for _, w := range strings.Fields(t.words) {
			if standsIn(stem, w) {
				return t.dtype, t.bytes
			}
		}
	}
	return "uint8", 0
}

// standsIn reports whether a word stands in a name by itself: no letter before it, and neither letter nor digit
// behind, other than a byte order.
func standsIn(name, word string) bool {
	for from := 0; ; {
		i := strings.Index(name[from:], word)
		if i < 0 {
			return false
		}
		at, end := from+i, from+i+len(word)
		before := at == 0 || !alphanumeric(name[at-1])
		rest := name[end:]
		after := rest == "" || !alphanumeric(rest[0])
		for _, order := range []string{"le", "be"} {
			after = after || strings.HasPrefix(rest, order) && (len(rest) == 2 || !alphanumeric(rest[2]))
		}
		if before && after {
			return true
		}
		from = end
	}
}

func alphanumeric(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' }

// typeBySize is the type by how many bytes there are for each voxel; what is left over is a header.
func typeBySize(voxels, size int64) (string, int) {
	switch per := size / max(1, voxels); {
	case per >= 8:
		return "float64", 8
	case per >= 4:
		return "float32", 4
	case per >= 2:
		return "uint16", 2
	}
	return "uint8", 1
}

// square looks for square planes whose side is a power of two, or that are one plane by themselves.
func (g *Guess) square(size int64, bytes int) {
	types := []struct {
		dtype string
		bytes int
	}{{"uint16", 2}, {"uint8", 1}, {"float32", 4}}
	if bytes > 0 {
		types = types[:1]
		types[0].dtype, types[0].bytes = g.DType, bytes
	}
	for _, t := range types {
		voxels := size / int64(t.bytes)
		if voxels*int64(t.bytes) != size || voxels == 0 {
			continue
		}
		for side := int64(2048); side >= 64; side /= 2 {
			if planes := voxels / (side * side); planes > 0 && voxels%(side*side) == 0 && planes <= 8*side {
				g.DType, g.Lengths = t.dtype, [3]int{int(planes), int(side), int(side)}
				return
			}
		}
		if side := int64(math.Sqrt(float64(voxels))); side*side == voxels && side < 1<<20 {
			g.DType, g.Lengths = t.dtype, [3]int{1, int(side), int(side)}
			return
		}
	}
	side := max(1, int64(math.Sqrt(float64(size))))
	g.DType, g.Lengths = "uint8", [3]int{1, int(max(1, size/side)), int(side)}
}
