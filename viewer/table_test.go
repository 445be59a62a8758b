package viewer

import (
	"context"
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
1,"a ""cell"", left",rectangle,1,xy,2,1,3,2,8,,11.5,1.1952286093343938,10,13,92,0,,12,,
2,,line,1,xy,2,1,3,3,,,11.5,1.1224972160321824,10,13,69,0,,5,-53.13010235415598,
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}
