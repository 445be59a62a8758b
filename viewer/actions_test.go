package viewer

import (
	"reflect"
	"slices"
	"testing"

	"lamella/filters"
	"lamella/lazy"
)

func TestActions(t *testing.T) {
	set := cells()
	sc, start := scene(t, set, 240, 180)
	chain := func(text string) filters.Chain {
		c, err := filters.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	start = act(sc, start, SetChain(chain("gaussian | sobel")))
	for _, c := range []struct {
		name   string
		do     []Action
		change func(*State)
	}{
		{"one plane on", []Action{Step(lazy.Z, 1)}, func(s *State) { s.At[lazy.Z] = 5 }},
		{"ten planes on ends at the last", []Action{Step(lazy.Z, 10)}, func(s *State) { s.At[lazy.Z] = 8 }},
		{"back beyond the first stays there", []Action{Step(lazy.Z, -100)}, func(s *State) { s.At[lazy.Z] = 0 }},
		{"time does not move where there is none", []Action{Step(lazy.T, 1)}, func(*State) {}},
		{"to a plane", []Action{MoveTo(lazy.Z, 2)}, func(s *State) { s.At[lazy.Z] = 2 }},
		{"one to one keeps the middle", []Action{OneToOne()}, func(s *State) { s.Zoom, s.Fitted = 1, false }},
		{"fit after one to one is as before", []Action{OneToOne(), Fit()}, func(*State) {}},
		{"a larger window shows the same plane larger", []Action{Resize(480, 360)}, func(s *State) { s.Size.X, s.Size.Y, s.Zoom = 480, 360, 2*s.Zoom }},
		{"hide a channel", []Action{Toggle(1)}, func(s *State) { s.Channels[1].Visible = false }},
		{"hide and show", []Action{Toggle(1), Toggle(1)}, func(*State) {}},
		{"no channel of that number", []Action{Toggle(9), Solo(-1), SetLUT(7, "Fire")}, func(*State) {}},
		{"solo", []Action{Solo(2)}, func(s *State) { s.Solo, s.At[lazy.C] = true, 2 }},
		{"solo twice shows all again", []Action{Solo(2), Solo(2)}, func(s *State) { s.At[lazy.C] = 2 }},
		{"limits by hand", []Action{SetLimits(1, Limits{5, 9})}, func(s *State) { s.Channels[1].Limits, s.Channels[1].Rule = Limits{5, 9}, Rule{} }},
		{"limits in the wrong order come apart", []Action{SetLimits(1, Limits{5, 2})}, func(s *State) { s.Channels[1].Limits, s.Channels[1].Rule = Limits{5, 5.5}, Rule{} }},
		{"gamma within reason", []Action{SetGamma(0, 1000)}, func(s *State) { s.Channels[0].Gamma = 10 }},
		{"a LUT", []Action{SetLUT(0, "Ice")}, func(s *State) { s.Channels[0].LUT = "Ice" }},
		{"a colour ends the LUT", []Action{SetLUT(0, "Ice"), SetColor(0, [3]uint8{1, 2, 3})}, func(s *State) { s.Channels[0].Color = [3]uint8{1, 2, 3} }},
		{"another filter goes to the end", []Action{AddFilter("mean")}, func(s *State) { s.Chain = chain("gaussian | sobel | mean") }},
		{"a sigma is the same length along all axes", []Action{AddFilter("gaussian")}, func(s *State) { s.Chain = chain("gaussian | sobel | gaussian sigma=0.5um") }},
		{"a filter goes", []Action{RemoveFilter(0)}, func(s *State) { s.Chain = chain("sobel") }},
		{"filters change places", []Action{MoveFilter(1, 0)}, func(s *State) { s.Chain = chain("sobel | gaussian") }},
		{"a filter moves at most to the end", []Action{MoveFilter(0, 50)}, func(s *State) { s.Chain = chain("sobel | gaussian") }},
		{"a filter is switched off but stays", []Action{SwitchFilter(0, false)}, func(s *State) { s.Chain[0].Off = true }},
		{"a parameter", []Action{SetParam(0, "sigma", "2")}, func(s *State) { s.Chain = chain("gaussian sigma=2 | sobel") }},
		{"a parameter back to its default", []Action{SetParam(0, "sigma", "2"), SetParam(0, "sigma", "")}, func(*State) {}},
		{"steps that are not there", []Action{RemoveFilter(5), MoveFilter(-1, 0), SwitchFilter(2, true), SetParam(7, "sigma", "1")}, func(*State) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := start
			want.Channels, want.Chain = slices.Clone(start.Channels), slices.Clone(start.Chain)
			c.change(&want)
			before := start
			before.Channels, before.Chain = slices.Clone(start.Channels), slices.Clone(start.Chain)
			got := act(sc, start, c.do...)
			if !reflect.DeepEqual(normal(got), normal(want)) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			if !reflect.DeepEqual(start, before) {
				t.Error("the state before was written to")
			}
		})
	}
}

// normal is s with empty argument lists all alike.
func normal(s State) State {
	s.Chain = slices.Clone(s.Chain)
	for i := range s.Chain {
		if len(s.Chain[i].Args) == 0 {
			s.Chain[i].Args = nil
		}
	}
	return s
}

func TestAutoTightensOnOnePlaneOnly(t *testing.T) {
	sc, s := scene(t, cells(), 240, 180)
	press := func() int {
		s = act(sc, s, Automatic(0, Robust))
		r := s.Channels[0].Rule
		if !r.Pending {
			t.Fatal("nothing is to be found")
		}
		s = act(sc, s, Found(0, r, Limits{1, 2}))
		return r.Press
	}
	if a, b, c := press(), press(), press(); a != 0 || b != 1 || c != 2 {
		t.Errorf("presses %d, %d, %d", a, b, c)
	}
	s = act(sc, s, Step(lazy.Z, 1))
	if n := press(); n != 0 {
		t.Errorf("on another plane it is press %d", n)
	}
	s = act(sc, s, SetLimits(0, Limits{3, 4}))
	if n := press(); n != 0 {
		t.Errorf("after limits by hand it is press %d", n)
	}
}

func TestHowAnImageOpens(t *testing.T) {
	told := &[2]float64{10, 90}
	for _, c := range []struct {
		name     string
		dtype    lazy.DType
		channels int
		image    lazy.Image
		want     []Channel
	}{
		{"one channel is grey", lazy.U16, 1, lazy.Image{}, []Channel{{Name: "1", LUT: "Grays", Color: [3]uint8{255, 255, 255}}}},
		{"two are magenta and green", lazy.U16, 2, lazy.Image{}, []Channel{{Name: "1", Color: [3]uint8{255, 0, 255}}, {Name: "2", Color: [3]uint8{0, 255, 0}}}},
		{"the file's name, colour and limits", lazy.U16, 1, lazy.Image{Channels: []lazy.Channel{{Name: "DAPI", Color: "#0080ff", Limits: told}}},
			[]Channel{{Name: "DAPI", Color: [3]uint8{0, 128, 255}, Limits: Limits{10, 90}, Rule: Rule{Kind: FromFile}}}},
		{"limits that make no sense are found", lazy.U16, 1, lazy.Image{Channels: []lazy.Channel{{Limits: &[2]float64{5, 5}}}},
			[]Channel{{Name: "1", LUT: "Grays", Color: [3]uint8{255, 255, 255}}}},
		{"limits that nobody chose are found", lazy.U16, 1, lazy.Image{Channels: []lazy.Channel{{Limits: &[2]float64{0, 65535}}}},
			[]Channel{{Name: "1", LUT: "Grays", Color: [3]uint8{255, 255, 255}}}},
		{"colours are shown as they are", lazy.U8, 3, lazy.Image{RGB: true}, []Channel{
			{Name: "Red", Color: [3]uint8{255, 0, 0}, Limits: Limits{0, 255}, Rule: Rule{Kind: FromFile}},
			{Name: "Green", Color: [3]uint8{0, 255, 0}, Limits: Limits{0, 255}, Rule: Rule{Kind: FromFile}},
			{Name: "Blue", Color: [3]uint8{0, 0, 255}, Limits: Limits{0, 255}, Rule: Rule{Kind: FromFile}}}},
		{"a palette maps indices", lazy.U8, 1, lazy.Image{Channels: []lazy.Channel{{LUT: [][3]uint8{{1, 2, 3}}}}},
			[]Channel{{Name: "1", LUT: FileLUT, Color: [3]uint8{255, 255, 255}, Limits: Limits{0, 255}, Rule: Rule{Kind: FromFile}}}},
	} {
		m := lazy.Meta{Shape: lazy.Shape{1, 1, c.channels, 4, 4}, Chunk: lazy.Shape{1, 1, c.channels, 4, 4}, DType: c.dtype}
		c.image.Levels = []lazy.Level{{Array: lazy.FromSource(formula{meta: m})}}
		sc, err := NewScene(&lazy.Dataset{Images: []lazy.Image{c.image}}, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			want.Visible, want.Gamma = true, 1
			if want.Rule == (Rule{}) {
				want.Rule = Rule{Kind: Robust, Pending: true}
				want.Limits.Low, want.Limits.High = c.dtype.Range()
			}
			if got := opening(sc, 0, State{}).Channels[i]; got != want {
				t.Errorf("%s: channel %d is %+v, want %+v", c.name, i, got, want)
			}
		}
	}
}

func TestADatasetWithoutImagesIsRefused(t *testing.T) {
	if _, err := Open(&lazy.Dataset{Source: "empty.zarr"}, Options{}); err == nil {
		t.Error("an empty dataset opened")
	}
}
