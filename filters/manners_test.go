package filters_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// A stickler runs each op twice, with borrowed memory that holds zeros and that holds ones in all bits (of floats: NaN), and
// sees that both give the same and that the inputs stay as they are: they may be blocks that others look at.
type stickler struct{}

func (stickler) Run(ctx context.Context, op lazy.Op, dst *lazy.Block, src []*lazy.Block) error {
	before := make([][]byte, len(src))
	for i, b := range src {
		before[i] = slices.Clone(b.Bytes())
	}
	clean := lazy.NewBlock(dst.Region, dst.DType)
	if err := op.Compute(lazy.WithLender(ctx, filled(0)), clean, src); err != nil {
		return err
	}
	if err := op.Compute(lazy.WithLender(ctx, filled(^uint64(0))), dst, src); err != nil {
		return err
	}
	if !bytes.Equal(clean.Bytes(), dst.Bytes()) {
		return fmt.Errorf("%s relies on what the memory it borrows holds", op.Name())
	}
	for i, b := range src {
		if !bytes.Equal(before[i], b.Bytes()) {
			return fmt.Errorf("%s writes to its input %d", op.Name(), i)
		}
	}
	return nil
}

// filled lends memory in which each word is the same.
type filled uint64

func (f filled) Lend(words int) []uint64 { return slices.Repeat([]uint64{uint64(f)}, words) }

func TestNoFilterWritesToItsInputsOrReliesOnBorrowedMemory(t *testing.T) {
	told, seen := "", 0
	e := engine.New(engine.Options{Workers: 1, Device: stickler{}, Unwell: func(err error) { told = err.Error() }})
	defer e.Close()
	sees := func(text string, a lazy.Array) {
		if a.Meta().Shape.Voxels() > 1<<16 {
			t.Fatalf("%s: a large image", text)
		}
		_, s, err := e.Get(context.Background(), a, a.Meta().Shape.Whole(), engine.Priority{})
		if err != nil || told != "" {
			t.Errorf("%s: %s %v", text, told, err)
		}
		if s.Device != "cpu" { // where nothing is to be computed
			seen++
		}
		told = ""
		e.Use(stickler{})
	}
	shape := [3]int{5, 12, 14}
	image, psf := stack(shape, lines(shape)), stack([3]int{3, 5, 4}, leaning([3]int{3, 5, 4}))
	for _, text := range []string{
		"richardson-lucy psf=p iterations=3", "richardson-lucy psf=p iterations=4 accelerate=true tv=0.002 edges=mirror",
		"landweber psf=p iterations=3", "wiener psf=p", "tikhonov-miller psf=p", "blur psf=p",
	} {
		c, _ := settle(t, text, image, psf, 1<<30)
		a, err := c.Apply(image)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		sees(text, a)
		if !c[0].Watchable() {
			continue
		}
		if a, err = watched(t, text, image, psf, image.Meta().Shape.Whole()).At(5); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		sees("a trial of "+text, a)
	}
	for file, ref := range loadReferences(t) {
		whole := lazy.Shape{1, ref.Shape[0], 1, ref.Shape[1], ref.Shape[2]}
		for _, c := range ref.Cases {
			d, _ := lazy.ParseDType(c.DType)
			sees(file+" "+c.Filter, chained(t, lazytest.Array(lazytest.Meta(d, whole, lazy.Shape{1, 4, 1, 9, 6}), formula(d)), c.Filter))
		}
	}
	for _, s := range filters.Catalogue() {
		a, err := filters.Chain{s.Step()}.Apply(lazytest.Array(lazytest.Meta(lazy.U16, lazy.Shape{2, 6, 2, 9, 11}, lazy.Shape{1, 4, 1, 9, 6}), formula(lazy.U16)))
		if err == nil && !strings.Contains(s.Name, "external") {
			sees(s.Name, a)
		}
	}
	if seen < 300 {
		t.Errorf("only %d were seen", seen)
	}
}
