package sample

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"lamella/lazy"
)

// words are what stands behind the question mark of a sample's name, once understood.
type words struct {
	meta lazy.Meta
	seed uint64
	wait time.Duration // before each read
}

// maxChunk bounds what one read may allocate, in bytes.
const maxChunk = 1 << 31

// parse reads "shape=64x512x512&dtype=uint8". defaults names every word that may be given. axes is
// the order of the lengths where the user names it, such as "czyx"; "" means the rule of the
// package comment.
func parse(query, axes string, defaults map[string]string) (words, error) {
	given, err := url.ParseQuery(query)
	if err != nil {
		return words{}, unsupported("the words %q cannot be read: %v", query, err)
	}
	value := map[string]string{}
	for k, v := range defaults {
		value[k] = v
	}
	for k, v := range given {
		if _, ok := defaults[k]; !ok || len(v) != 1 {
			return words{}, unsupported("%s is not one of %s, each once", k, strings.Join(sortedKeys(defaults), ", "))
		}
		value[k] = v[0]
	}

	var w words
	if w.meta.DType, err = lazy.ParseDType(value["dtype"]); err != nil {
		return words{}, unsupported("dtype=%s: %v", value["dtype"], err)
	}
	order, err := axisOrder(axes, strings.Count(value["shape"], "x")+1)
	if err != nil {
		return words{}, err
	}
	if w.meta.Shape, err = lengths("shape", value["shape"], order); err != nil {
		return words{}, err
	}
	if given.Has("shape") && !given.Has("chunk") {
		value["chunk"] = "" // the default chunk is for the default shape
	}
	w.meta.Chunk = lazy.Shape{1, min(32, w.meta.Shape[lazy.Z]), 1, min(64, w.meta.Shape[lazy.Y]), min(64, w.meta.Shape[lazy.X])}
	if value["chunk"] != "" {
		if w.meta.Chunk, err = lengths("chunk", value["chunk"], order); err != nil {
			return words{}, err
		}
	}
	if !fits(w.meta.Shape, math.MaxInt64/8) {
		return words{}, unsupported("shape=%s has too many voxels to be counted", value["shape"])
	}
	size := w.meta.DType.Size()
	if !fits(w.meta.Chunk, maxChunk/size) {
		return words{}, unsupported("chunk=%s takes more than 2 GiB, which no read may", value["chunk"])
	}
	if s, ok := value["seed"]; ok {
		if w.seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			return words{}, unsupported("seed=%s is not a whole number from 0 on", s)
		}
	}
	if s, ok := value["ms"]; ok {
		ms, err := strconv.ParseUint(s, 10, 31)
		if err != nil {
			return words{}, unsupported("ms=%s is not a number of milliseconds", s)
		}
		w.wait = time.Duration(ms) * time.Millisecond
	}
	return w, nil
}

// axisOrder says which axis each of n lengths is for.
func axisOrder(axes string, n int) ([]lazy.Axis, error) {
	if axes == "" {
		all := map[int]string{1: "x", 2: "yx", 3: "zyx", 4: "tzyx", 5: "tzcyx"}
		if all[n] == "" {
			return nil, unsupported("a shape has one to five lengths joined by x, not %d", n)
		}
		axes = all[n]
	}
	var order []lazy.Axis
	for _, letter := range strings.ToLower(axes) {
		a := strings.IndexRune("tzcyx", letter)
		if a < 0 || slices.Contains(order, lazy.Axis(a)) {
			return nil, unsupported("axes %q are not some of t, z, c, y, x, each once", axes)
		}
		order = append(order, lazy.Axis(a))
	}
	if len(order) != n {
		return nil, unsupported("axes %q name %d axes, the shape has %d lengths", axes, len(order), n)
	}
	return order, nil
}

// lengths reads "64x512x512" into the axes of order; the others have length 1.
func lengths(word, text string, order []lazy.Axis) (lazy.Shape, error) {
	s := lazy.Shape{1, 1, 1, 1, 1}
	parts := strings.Split(text, "x")
	if len(parts) != len(order) {
		return s, unsupported("%s=%s must have %d lengths joined by x, as the shape has", word, text, len(order))
	}
	for i, p := range parts {
		n, err := strconv.ParseInt(p, 10, 63)
		if err != nil || n < 1 {
			return s, unsupported("%s=%s: %q is not a length of 1 or more", word, text, p)
		}
		s[order[i]] = int(n)
	}
	return s, nil
}

// fits reports whether s has at most most voxels, without overflow.
func fits(s lazy.Shape, most int) bool {
	for _, n := range s {
		if n > most {
			return false
		}
		most /= n
	}
	return true
}

func sortedKeys(m map[string]string) []string {
	var k []string
	for name := range m {
		k = append(k, name)
	}
	slices.Sort(k)
	return k
}
