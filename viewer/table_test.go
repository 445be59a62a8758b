package viewer

import (
	"context"
	"math"
	"strings"
	"testing"

	"lamella/lazy"
)

func TestTheTableSaysWhatIsNotKnownByLeavingItEmpty(t *testing.T) {
	f := zyx("ramp", lazy.U8, shape(3, 8, 8), func(z, y, x int) float64 { return float64(x + 10*z) })
	sc, s := scene(t, dataset(f), 40, 40)
	at := s.plane().at
	s = act(sc, s,
		AddShape(Shape{Kind: Rectangle, Name: `a "cell", left`, At: at, Points: [][2]float64{{-0.5, -0.5}, {3.5, 1.5}}}),
		AddShape(Shape{Kind: Line, At: at, Points: [][2]float64{{0, 0}, {3, 4}}}))
	m, err := Measure(context.Background(), newEngine(t), sc, s.Shapes, []int{0})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := WriteCSV(&b, sc, s, m); err != nil {
		t.Fatal(err)
	}
	want := `shape,name,kind,channel,plane,z,t,x,y,voxels,area_um2,mean,sd,min,max,sum,not_finite,length_um,length_px,angle_deg,filters
1,"a ""cell"", left",rectangle,1,xy,2,1,3,2,8,,11.5,1.19522860933439,10,13,92,0,,12,,
2,,line,1,xy,2,1,3,3,,,11.5,1.12249721603218,10,13,69,0,,5,-53.130102354156,
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

func TestFiguresHaveNoDigitsOfRounding(t *testing.T) {
	tenth, third := 0.1, float64(float32(1)/3) // variables, so that the sums are those of the program
	for _, c := range []struct {
		v    float64
		want string
	}{
		{tenth + 2*tenth, "0.3"},
		{0.46 + 2e-16, "0.46"},
		{third, "0.333333343267441"}, // another than that of its neighbours, 0.333333313465118 and 0.333333373069763
		{65535, "65535"},
		{123456789012345, "123456789012345"},
		{-2.5e-7, "-2.5e-07"},
		{math.Inf(1), "+Inf"},
		{math.NaN(), ""},
	} {
		if got := figure(c.v); got != c.want {
			t.Errorf("%v is written %q, want %q", c.v, got, c.want)
		}
	}
}
