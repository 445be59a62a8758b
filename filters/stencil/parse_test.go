package stencil_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"lamella/filters/stencil"
	"lamella/lazy"
)

// at is the input of the tests below: x[dz,dy,dx] around the voxel is 100 + 10*(dz+1)*... a number that
// tells its place.
func at(i lazy.Index) float64 {
	return float64(50 + 20*i[lazy.Z] + 7*i[lazy.Y] + i[lazy.X])
}

func value(t *testing.T, text string, in, out lazy.DType, params map[string]float64) float64 {
	t.Helper()
	k, err := stencil.Parse("test", text, params)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	one := lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1, 1, 1})
	return apply(t, k, one, at, in, out).Value(lazy.Index{})
}

func TestTextsMeanWhatPythonMeans(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
	}{
		{"x", 50},
		{"x[0,0]", 50},
		{"x[0,1]", 51},
		{"x[-1,0]", 43},
		{"x[1,0,0]", 70},
		{"x[1,-1,2]", 65},
		{"x[0,1] - x[0,-1]", 2},
		{"2*x[0,1] - x", 52},
		{"x*2 + 1", 101},
		{"-x", -50},
		{"-(x + x[0,1])", -101},
		{"x - (x[0,1] - 3)", 2},
		{"7 // 2", 3},
		{"-7 // 2", -4},
		{"-7 % 3", 2},
		{"x // 7", 7},
		{"-x // 7", -8},
		{"x % 7", 1},
		{"-x % 7", 6},
		{"x // 0", 0},
		{"x / 4", 12.5},
		{"x / x[0,1] * x[0,1]", 50},
		{"2 ** 3 ** 2", 512},
		{"x ** 2", 2500},
		{"-x ** 2", -2500},
		{"x > 49", 1},
		{"x >= 50", 1},
		{"x < 50", 0},
		{"x <= 49", 0},
		{"x == 50", 1},
		{"x != 50", 0},
		{"where(x > 10, x[0,1], 0)", 51},
		{"where(x == 10, x[0,1], 7)", 7},
		{"min(x, x[0,1], x[0,-1])", 49},
		{"max(x, x[0,1], x[0,-1])", 51},
		{"abs(x[0,-1] - x)", 1},
		{"sqrt(x - 1)", 7},
		{"exp(0 * x)", 1},
		{"log(exp(x / 50))", 1},
		{"pow(x, 0.5) ** 2", 50},
		{"x[0,0,0] * 0.5 + .5e1", 30},
		{"m = x[-1,0] + x[1,0]; m[0,1] - m[0,-1]", 4},
		{"m = x + x[0,1] + x[1,0]; a = m + 1; b = m + 2; 10*a + b", 1750},
		{"a = x[1,0,0]\nb = a[0,1] # a neighbour of a neighbour\nb - a", 1},
		{"@param k = 3 0..10\nk * x", 150},
		{"(x[-1,-1] + x[-1,0] + x[-1,1] + x[0,-1] + x[0,0] + x[0,1] + x[1,-1] + x[1,0] + x[1,1]) // 9", 50},
		{"(x +\n x)", 100},
		{"(x > 0) * 3 + (x < 0)", 3},
		{"3", 3},
		{"x * x[0,1] - x[0,-1] * x", 100},
	} {
		for _, in := range []lazy.DType{lazy.U8, lazy.I16, lazy.I32, lazy.I64, lazy.F32, lazy.F64} {
			text := c.text
			if !strings.Contains(text, "x") {
				text += " + 0*x"
			}
			got := value(t, text, in, lazy.F64, nil)
			if in.Float() && c.text == "x // 0" {
				continue // infinite, as for every real number
			}
			if math.Abs(got-c.want) > 2e-6*math.Max(1, math.Abs(c.want)) {
				t.Errorf("%q of %v is %v, want %v", c.text, in, got, c.want)
			}
		}
	}
}

func TestParametersAreSet(t *testing.T) {
	const text = "@param k = 0.5 0..1\n@param n = 3\nk * x + n"
	p, err := stencil.Params(text)
	if err != nil || len(p) != 2 || p[0] != (stencil.Param{Name: "k", Default: 0.5, Min: 0, Max: 1}) || p[1].Name != "n" || !p[1].Whole || !math.IsInf(p[1].Max, 1) {
		t.Errorf("%+v, %v", p, err)
	}
	if got := value(t, text, lazy.U8, lazy.F32, map[string]float64{"k": 0.1, "n": 7}); got != 12 {
		t.Errorf("%v", got)
	}
	if got := value(t, "(x[0,1] - x[0,-1]) / (2*dx)", lazy.U8, lazy.F32, map[string]float64{"dx": 0.5}); got != 2 {
		t.Errorf("a gradient in micrometres: %v", got)
	}
}

func TestTextsThatAreWrongAreToldWhere(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "column 1: expected an expression",
		"x +":                              "column 4: expected a value, found the end",
		"x[0,1":                            "column 6: expected , or ], found the end",
		"x[0]":                             "column 2: expected two offsets, y and x, or three, z, y and x; found 1",
		"x[0,1.5]":                         `column 5: expected a whole number of voxels up to 1000, found "1.5"`,
		"x[0,1001]":                        "column 5: expected a whole number of voxels up to 1000",
		"7 // 2":                           "column 1: the stencil never looks at its input, x",
		"y[0,1]":                           `column 1: "y" is not known`,
		"x x":                              `column 3: expected an operator or the end, found "x"`,
		"x $ 2":                            "column 3: '$' has no meaning here",
		"min(x)":                           "column 1: min takes 2 values, not 1",
		"where(x, 1)":                      "column 1: where takes 3 values, not 2",
		"sqrt x":                           "column 6: expected ( after sqrt",
		"(x":                               "column 3: expected an operator or ), found the end",
		"x = 3; x":                         `column 1: "x" has a meaning already`,
		"m = x\nm + q":                     `line 2, column 5: "q" is not known`,
		"x; x":                             "column 4: the result is given already",
		"m = x":                            "column 6: expected an expression",
		"@param k = 2 0..1\nk*x":           "column 8: the default 2 of k is not within 0..1",
		"@parm k = 2\nk*x":                 "column 2: expected param after @",
		"m = x; m[1,0,0]":                  "column 8: only the input can be seen along z",
		"1 < x < 3":                        "column 7: comparisons do not chain",
		"x + 1/0":                          "column 6: dividing by 0",
		"dz * x":                           `column 1: "dz" is not known`,
		strings.Repeat("(", 300) + "x":     "column 101: the expression is nested too deep",
		strings.Repeat("x + ", 6000) + "x": "the stencil is too long",
	} {
		_, err := stencil.Parse("test", text, nil)
		var s *stencil.SyntaxError
		if !errors.As(err, &s) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: error %v, want %q", text, err, want)
		}
	}
	if _, err := stencil.Parse("test", "x * dz", map[string]float64{"dz": 0}); err == nil || !strings.Contains(err.Error(), "does not state its voxel size") {
		t.Errorf("a step that is not known: %v", err)
	}
}

func TestWhatIsWrittenTwiceIsComputedOnce(t *testing.T) {
	k, err := stencil.Parse("test", "sqrt((x[0,1]-x[0,-1])**2) + sqrt((x[0,1]-x[0,-1])**2)", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "v0 = load z\nv1 = linear 1*v0[x+1] -1*v0[x-1]\nv2 = product 1*v1 1*v1\nv3 = root 1*v2\nv4 = sum 1*v3 1*v3\n"
	if k.String() != want {
		t.Errorf("got\n%vwant\n%v", k, want)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"x[0,1] + 2*x", "@param k = 0.5 0..1\nk*x", "m = x[1,0]; where(m > 3, m[0,1] // 2, -x % 7) ** 2", "((", "x[", "1e309 * x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		k, err := stencil.Parse("fuzz", text, map[string]float64{"dz": 1, "dy": 1, "dx": 1})
		var s *stencil.SyntaxError
		if err != nil {
			if !errors.As(err, &s) {
				t.Fatalf("%v is not a SyntaxError", err)
			}
			return
		}
		h := k.Halo(0)
		if k.Inputs() == 1 && h.Before[lazy.X]+h.After[lazy.X] < 64 && h.Before[lazy.Y]+h.After[lazy.Y] < 64 && h.Before[lazy.Z]+h.After[lazy.Z] < 8 {
			apply(t, k, lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1, 2, 3}), at, lazy.U8, lazy.F32)
		}
	})
}

func TestValuesThatDifferInTheirWeightsAreTwo(t *testing.T) {
	k, err := stencil.Parse("test", "a = 2*x\nb = 3*x\na*b + (2*x + x[0,1]) % (3*x + x[0,1])", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := `v0 = load z
v1 = linear 2*v0
v2 = linear 3*v0
v3 = product 1*v1 1*v2
v4 = linear 2*v0 1*v0[x+1]
v5 = linear 3*v0 1*v0[x+1]
v6 = modulo 1*v4 1*v5
v7 = sum 1*v3 1*v6
`
	if k.String() != want {
		t.Errorf("got\n%vwant\n%v", k, want)
	}
}

func TestParametersAreFoundBesideTheStepsBetweenVoxels(t *testing.T) {
	got, err := stencil.Params("@param k = 0.5 0..1\nk*(x[0,1] - x[0,-1]) / (2*dx) + dy + dz")
	if err != nil || len(got) != 1 || got[0].Name != "k" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestNamesThatAFilterTakesItselfAreNoParameters(t *testing.T) {
	for text, want := range map[string]string{
		"@param border = 1 0..2\nborder*x": "parameter of every stencil",
		"@param dtype = 1\ndtype*x":        "parameter of every stencil",
		"@param text = 1\ntext*x":          "parameter of every stencil",
		"@param dx = 1\ndx*x":              "parameter of every stencil",
		"@param k = 0.5 1..0\nk*x":         "ends before it begins",
	} {
		if _, err := stencil.Params(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want something of %q", text, err, want)
		}
	}
}
