package stencil_test

import (
	"testing"

	"lamella/filters/stencil"
)

func TestTheFormAndTheOperationsOfAText(t *testing.T) {
	const mean = "(x[-1,-1] + x[-1,0] + x[-1,1] + x[0,-1] + x[0,0] + x[0,1] + x[1,-1] + x[1,0] + x[1,1])"
	for _, c := range []struct {
		text string
		form stencil.Form
		ops  int
	}{
		{"x", stencil.WeightedSum, 0},
		{"x[0,1] - x[0,-1]", stencil.WeightedSum, 1},
		{"2*x[0,1] - x[0,-1]", stencil.WeightedSum, 2},
		{mean + " // 9", stencil.OfWeightedSum, 9},
		{mean + " / 9", stencil.WeightedSum, 9},
		{"(x[0,1] - x[0,-1]) * 0.5 / 3", stencil.WeightedSum, 3},
		{"2.0 * (x[0,1] - x[0,-1])", stencil.WeightedSum, 2},
		{"x + 1", stencil.OfWeightedSum, 1},
		{"m = x[0,1] + x[0,-1]; m[1,0] - m[-1,0]", stencil.WeightedSum, 2},
		{"m = x[0,1] + x[0,-1]; x - 0.5*m", stencil.WeightedSum, 3},
		{"abs(x[0,1] - x[0,-1])", stencil.OfWeightedSum, 2},
		{"m = x[0,1] + x[0,-1]; where(m > 3, m, 0)", stencil.OfWeightedSum, 3},
		{"where(x[0,1] > 3, x, 0)", stencil.Nonlinear, 2},
		{"abs(x[0,1]) + abs(x[0,-1])", stencil.Nonlinear, 3},
		{"a = abs(x[0,1] - x); a[0,-1] - a", stencil.Nonlinear, 3},
		{"gx = x[0,1] - x[0,-1]; gy = x[1,0] - x[-1,0]; sqrt(gx**2 + gy**2)", stencil.Nonlinear, 6},
		{"x * x[0,1]", stencil.Nonlinear, 1},
		{"1 / x", stencil.OfWeightedSum, 1},
	} {
		k, err := stencil.Parse("test", c.text, nil)
		if err != nil {
			t.Fatalf("%q: %v", c.text, err)
		}
		if k.Form() != c.form || k.Operations() != c.ops {
			t.Errorf("%q: form %d with %d operations, want form %d with %d\n%v", c.text, k.Form(), k.Operations(), c.form, c.ops, k)
		}
	}
}
