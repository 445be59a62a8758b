package zarr

import (
	"context"
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
)

// An array is the metadata of one Zarr array of either version, as far as its voxels need them.
// Lengths are by dimension.
type array struct {
	path  string   // place in the store
	id    string   // names the metadata object and its contents
	from  []object // what shows that the array still exists
	shape []int64

	outer  []int   // shape of what one object holds
	shards []shard // levels of sharding, outermost first; none: an object is a chunk
	inner  []int   // shape of a chunk
	order  []int   // dimensions in the order in which a chunk stores them, slowest first

	element codec.Element
	few     int // bits of an integer of less than 8, else 0
	fill    []byte
	steps   pipeline
	key     keys
	names   []string // of the dimensions, nil if the metadata have none
}

// keys says how the objects of an array are called: "c/0/1", "0.1" and the like.
type keys struct{ prefix, separator string }

func (k keys) name(index []int) string {
	if len(index) == 0 && k.prefix == "" {
		return "0" // of an array without dimensions
	}
	var s strings.Builder
	s.WriteString(k.prefix)
	for i, n := range index {
		if i > 0 || k.prefix != "" {
			s.WriteString(k.separator)
		}
		s.WriteString(strconv.Itoa(n))
	}
	return s.String()
}

// maxChunk is the most bytes of a chunk, which is decoded whole.
const maxChunk = 1<<31 - 1

// setGrid takes the shape of what one object holds.
func (a *array) setGrid(chunk []int64) error {
	if len(chunk) != len(a.shape) {
		return fmt.Errorf("chunks of %d dimensions for an array of %d: %w", len(chunk), len(a.shape), loaders.ErrDamaged)
	}
	for _, n := range chunk {
		if n < 1 {
			return fmt.Errorf("chunks of shape %v: %w", chunk, loaders.ErrDamaged)
		}
		if n > math.MaxInt32 {
			return unsupported("one chunk holds more than 2 GiB (shape %v)", chunk)
		}
		a.outer = append(a.outer, int(n))
	}
	a.inner = a.outer
	for d := range chunk {
		a.order = append(a.order, d)
	}
	return nil
}

// checkChunk refuses chunks that are too large to decode whole, and large ones of which nearly all
// lies beyond the array: nobody writes such, and their memory would be spent on a claim.
func (a *array) checkChunk() error {
	size := int64(max(a.element.Size, a.element.DType.Size()))
	whole, inside := size, size
	for d, n := range a.inner {
		if whole > maxChunk/int64(n) {
			return unsupported("one chunk holds more than 2 GiB (shape %v)", a.inner)
		}
		whole *= int64(n)
		inside *= min(int64(n), max(1, a.shape[d]))
	}
	if whole > 64<<20 && inside < whole/16 {
		return unsupported("chunks of shape %v for an array of shape %v", a.inner, a.shape)
	}
	return nil
}

// axesOf says which axis each dimension is: by the user's word, else by its name, else by the rule
// for dimensions without names. assumed is that rule's result when it was used.
func (a *array) axesOf(user string) (axes loaders.Axes, assumed string, err error) {
	n := len(a.shape)
	if n == 0 {
		return nil, "", nil // one value
	}
	if user != "" {
		axes, err = loaders.ParseAxes(user, n)
		return axes, "", err
	}
	if len(a.names) == n {
		if axes, err := loaders.ParseAxes(strings.Join(a.names, ""), n); err == nil {
			return axes, "", nil
		}
	}
	axes, err = loaders.AssumeAxes(n)
	return axes, axes.String(), err
}

// level makes the level of an image that an array is, at its place in the world.
func (o *opening) level(ctx context.Context, a *array, axes loaders.Axes, place placement, labels bool) (lazy.Level, error) {
	shape, err := axes.Shape(a.shape)
	if err != nil {
		return lazy.Level{}, err
	}
	m := lazy.Meta{
		Shape: shape, DType: a.element.DType, Labels: labels,
		Scale: place.scale, Unit: place.unit, Origin: place.origin,
	}
	chunk := lazy.Shape{1, 1, 1, 1, 1}
	for d, n := range a.inner {
		chunk[axes[d]] = n
	}
	m.Chunk = chunk
	stored := make(loaders.Axes, len(axes))
	for i, d := range a.order {
		stored[i] = axes[d]
	}
	source := &source{
		array: a, store: o.store, name: path.Join(o.name, a.path), axes: axes, meta: m,
		stride: stored.Strides(chunk),
		voxels: chunk.Voxels(),
	}
	// A raw chunk whose bytes are the block's is read by rows.
	source.byRows = a.steps.raw() && a.element.Plain() && loaders.Strided{Stride: source.stride}.Dense(chunk.Whole())
	var l lazy.Level
	if slabs, ok := o.slabs(ctx, source); ok {
		l.Array = lazy.FromSource(slabs)
	} else if source.byRows {
		l.Array = lazy.FromSource(rows{source})
	} else {
		l.Array = lazy.FromSource(source)
	}
	l.Path, l.Codec = a.path, a.steps.name
	return l, nil
}

// finite reports whether a number can be stated in JSON.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
