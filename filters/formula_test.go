package filters_test

import (
	"errors"
	"testing"

	"lamella/filters"
	"lamella/lazy"
)

func TestAFormulaIsToldBeforeItIsComputed(t *testing.T) {
	m := lazy.Meta{Shape: lazy.Shape{1, 8, 1, 16, 16}, Chunk: lazy.Shape{1, 8, 1, 16, 16}, DType: lazy.U16}
	step := filters.Step{Filter: "stencil"}.With("text", "@param k = 0.5 0..1\nk * (x[2,0,0] - x[-1,0,1])").With("k", "0.25")
	f, err := step.Formula(m)
	if err != nil {
		t.Fatal(err)
	}
	want := filters.Formula{Inputs: 1, Form: filters.WeightedSum, Operations: 2, Type: lazy.F32}
	want.Halo.Before[lazy.Z], want.Halo.After[lazy.Z], want.Halo.After[lazy.X] = 1, 2, 1
	if f != want {
		t.Errorf("%+v, want %+v", f, want)
	}
	if f, err = (filters.Step{Filter: "stencil"}).Formula(m); err != nil || f.Type != lazy.U16 || f.Form != filters.OfWeightedSum {
		t.Errorf("the default text: %+v, %v", f, err)
	}
	var s *filters.SyntaxError
	if _, err = (filters.Step{Filter: "stencil"}).With("text", "x +\n+ y").Formula(m); !errors.As(err, &s) || s.Line != 1 || s.Column != 4 {
		t.Errorf("a wrong text: %v", err)
	}
	if _, err = (filters.Step{Filter: "mean"}).Formula(m); !errors.Is(err, filters.ErrNoFormula) {
		t.Errorf("a filter without a text: %v", err)
	}
}
