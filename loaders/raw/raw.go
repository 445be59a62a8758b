// Package raw reads files without a header, of which the user says what they hold.
//
//	set, err := registry.Open(ctx, "vol.raw", loaders.Options{Raw: "shape=9x30x34,dtype=uint16,offset=0,order=little"})
//
// The lengths of the shape are slowest first; which axes they are follows loaders.AssumeAxes or the
// user's --axes. offset is 0 and order is little unless they are stated.
package raw

import (
	"context"
	"encoding/binary"
	"fmt"
	"path"
	"strconv"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
)

// Driver reads whatever the option Raw describes. It comes before drivers that look at the content.
type Driver struct{}

// Name is the name of the format.
func (Driver) Name() string { return "raw" }

// Sniff is true when the user said what a file holds.
func (Driver) Sniff(_ context.Context, in loaders.Input) bool { return in.Raw != "" && in.Key != "" }

// Open refuses words that it does not know, and a file that is too short for what it is said to hold.
func (Driver) Open(ctx context.Context, in loaders.Input) (lazy.Dataset, error) {
	set := lazy.Dataset{Format: "raw"}
	set.Lazy.By, set.Lazy.Note = "plane", "any rows of a plane are read in place"
	f, err := in.Store.Open(ctx, in.Key)
	if err != nil {
		return set, fmt.Errorf("raw: %w", err)
	}
	image := lazy.Image{Name: path.Base(in.Key)}
	flat, err := parse(in.Raw, in.Axes, &image)
	if err == nil {
		flat.File = f
		var source lazy.Source
		if source, err = loaders.NewFlat(flat); err == nil {
			image.Levels = []lazy.Level{{Array: lazy.FromSource(source), Codec: "raw"}}
			set.Images, set.Close = []lazy.Image{image}, f.Close
			return set, nil
		}
	}
	f.Close()
	return set, fmt.Errorf("raw: %s: %w", in.Path, err)
}

// Check says whether words such as shape=9x30x34,dtype=uint16 can be meant, whatever the file.
func Check(text string) error {
	_, err := parse(text, "", new(lazy.Image))
	return err
}

func parse(text, order string, image *lazy.Image) (loaders.Flat, error) {
	words := map[string]string{"offset": "0", "order": "little"}
	for _, w := range strings.Split(text, ",") {
		k, v, ok := strings.Cut(strings.TrimSpace(w), "=")
		if !ok || k != "shape" && k != "dtype" && k != "offset" && k != "order" {
			return loaders.Flat{}, fmt.Errorf("--raw: %q is not shape=, dtype=, offset= or order=: %w", w, loaders.ErrUnsupported)
		}
		words[k] = v
	}
	if words["shape"] == "" || words["dtype"] == "" {
		return loaders.Flat{}, fmt.Errorf("--raw: shape= and dtype= are both needed, as in shape=9x30x34,dtype=uint16: %w", loaders.ErrUnsupported)
	}
	orders := map[string]binary.ByteOrder{"little": binary.LittleEndian, "big": binary.BigEndian}
	if orders[words["order"]] == nil {
		return loaders.Flat{}, fmt.Errorf("--raw: order %q is not little or big: %w", words["order"], loaders.ErrUnsupported)
	}
	e, err := codec.NewElement(words["dtype"], orders[words["order"]])
	if err != nil {
		return loaders.Flat{}, fmt.Errorf("--raw: %w: %w", err, loaders.ErrUnsupported)
	}
	var dims []int64
	for _, w := range strings.Split(words["shape"], "x") {
		n, err := strconv.ParseInt(w, 10, 64)
		if err != nil {
			return loaders.Flat{}, fmt.Errorf("--raw: shape %q is not lengths joined by x: %w", words["shape"], loaders.ErrUnsupported)
		}
		dims = append(dims, n)
	}
	offset, err := strconv.ParseInt(words["offset"], 10, 64)
	if err != nil || offset < 0 {
		return loaders.Flat{}, fmt.Errorf("--raw: offset %q is not a number of bytes: %w", words["offset"], loaders.ErrUnsupported)
	}
	axes, err := loaders.AssumeAxes(len(dims))
	if order != "" {
		axes, err = loaders.ParseAxes(order, len(dims))
	} else if err == nil {
		image.Assumed = axes.String()
	}
	if err != nil {
		return loaders.Flat{}, err
	}
	image.Order.Axes = axes.String()
	shape, err := axes.Shape(dims)
	if err != nil {
		return loaders.Flat{}, err
	}
	flat := loaders.Flat{Offset: offset, Axes: axes, Size: e.Size, Meta: lazy.Meta{Shape: shape, DType: e.DType}}
	if !e.Plain() {
		flat.Decode = e.Decode
	}
	return flat, nil
}
