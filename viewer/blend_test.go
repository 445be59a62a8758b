package viewer

import (
	"math"
	"testing"

	"lamella/lazy"
)

func TestChannelsBlendAsTheyAreTold(t *testing.T) {
	f := zyx("two", lazy.U8, shape(4, 4), nil)
	f.meta.Shape[lazy.C], f.meta.Chunk[lazy.C] = 2, 1
	f.value = func(i lazy.Index) float64 { return []float64{200, 100}[i[lazy.C]] }
	for _, c := range []struct {
		name   string
		action []Action
		want   [3]uint8
	}{
		{"light adds up to full", []Action{}, [3]uint8{255, 255, 255}},
		{"the greater stands", []Action{SetBlend(Max)}, [3]uint8{200, 200, 200}},
		{"half a channel adds half", []Action{SetOpacity(0, 0.5)}, [3]uint8{200, 200, 200}},
		{"without opacity it is not there", []Action{SetOpacity(0, 0)}, [3]uint8{100, 100, 100}},
		{"at the limits it is blue and red", []Action{Solo(0), ShowHiLo(true), SetLimits(0, Limits{0, 200})}, [3]uint8{255, 0, 0}},
		{"and so at the low one", []Action{Solo(0), ShowHiLo(true), SetLimits(0, Limits{200, 255})}, [3]uint8{0, 0, 255}},
		{"between them nothing changes", []Action{Solo(0), ShowHiLo(true)}, [3]uint8{200, 200, 200}},
	} {
		b := open(t, dataset(f), Options{})
		b.Act(Resize(40, 40))
		for i := range 2 {
			b.Act(SetLUT(i, "Grays"))
			b.Act(SetLimits(i, Limits{0, 255}))
		}
		for _, a := range c.action {
			b.Act(a)
		}
		if got := colorAt(b.settled(), 2, 2); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestLighterIsTheGreaterOfEachPart(t *testing.T) {
	if got := lighter(0xff102030, 0xff302010); got != 0xff302030 {
		t.Errorf("%x", got)
	}
}

// NaN and the infinities are told apart from every value and from each other.
func TestWhatIsNoNumberHasALookOfItsOwn(t *testing.T) {
	looks := map[[2]uint32]float64{}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		a, b := hatch(v, 0, 0), hatch(v, 4, 0)
		if a == b {
			t.Errorf("%v is not hatched", v)
		}
		if other, taken := looks[[2]uint32{a, b}]; taken {
			t.Errorf("%v and %v look alike", v, other)
		}
		looks[[2]uint32{a, b}] = v
	}
	f := zyx("odd", lazy.F32, shape(8, 8), func(_, y, x int) float64 {
		switch {
		case x < 2:
			return math.Inf(1)
		case x > 5:
			return math.NaN()
		}
		return float64(x)
	})
	for _, s := range []Sampling{Nearest, Linear} {
		b := open(t, dataset(f), Options{})
		b.Act(Resize(64, 64))
		b.Act(SetSampling(s))
		b.Act(SetLUT(0, "Fire"))
		shot := b.settled()
		for _, x := range []int{0, 7} {
			c := colorAt(shot, x, 4)
			if c[0] != c[1] || c[1] != c[2] || c[0] == 0 || c[0] == 255 {
				t.Errorf("column %d is %v, want a grey of the hatching", x, c)
			}
		}
	}
}
