package viewer

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"lamella/filters"
	"lamella/lazy"
)

var newSession = flag.Bool("session", false, "write testdata/session.lamella anew; older programs must still read it")

// saveable is a State in which much has been changed.
func saveable(sc *Scene, s State) State {
	chain, err := filters.Parse("gaussian sigma=0.4um | sobel norm=l1")
	if err != nil {
		panic(err)
	}
	chain[1].Off = true
	s = act(sc, s, SetChain(chain), Step(lazy.Z, 2), Turn(XZ), Zoom(3), Pan(5, 2), SetLUT(0, "Fire"), SetLimits(0, Limits{3, 40}), SetGamma(0, 0.5), Rename(0, "日本"),
		SetSampling(Linear), ShowScaleBar(false), SetSize(lazy.Z, 0.7), AddBookmark("here"),
		AddShape(Shape{Kind: Polygon, Name: "ä", Cut: XZ, At: lazy.Index{0, 0, 0, 4, 0}, Points: [][2]float64{{1.5, 2}, {3, 4.25}, {0, 6}}}))
	return s
}

func TestASessionComesBackAsItWasSaved(t *testing.T) {
	set := func() *lazy.Dataset {
		return dataset(microns(zyx("ramp", lazy.U8, shape(9, 32, 32), func(z, y, x int) float64 { return float64(x + z) }), 0.5, 0.1, 0.1))
	}
	sc, s := scene(t, set(), 200, 200)
	s = saveable(sc, s)
	text, err := Saved{Sources: []string{"a b/#1%.tif"}, Axes: "zyx", State: s}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := DecodeSaved(text)
	if err != nil {
		t.Fatal(err)
	}
	if back.Sources[0] != "a b/#1%.tif" || back.Axes != "zyx" {
		t.Errorf("what was open came back as %+v", back)
	}
	b := openWith(t, set(), Options{}, func(set *lazy.Dataset, o Options) (*Session, error) { return Restore(set, back.State, o) })
	b.Act(Resize(200, 200))
	b.settled()
	got := b.State()
	if !got.made().equal(s.made()) || got.At != s.At || got.Cut != s.Cut || got.Zoom != s.Zoom || got.Center != s.Center || got.Fitted {
		t.Errorf("came back as\n%+v\nwas\n%+v", got, s)
	}
	if !b.Scene().Filtered() || b.Scene().Meta().Scale[lazy.Z] != 0.7 {
		t.Error("filters or sizes are not in the picture")
	}
	again, err := Saved{Sources: []string{"a b/#1%.tif"}, Axes: "zyx", State: got}.Encode()
	if err != nil || !bytes.Equal(text, again) {
		t.Errorf("saved again it differs: %v\n%s\n%s", err, text, again)
	}
}

// The file is of the first version that wrote sessions, and is read for ever.
func TestASessionOfTheFirstVersionIsRead(t *testing.T) {
	path := filepath.Join("testdata", "session.lamella")
	sc, s := scene(t, dataset(microns(zyx("ramp", lazy.U8, shape(9, 32, 32), nil), 0.5, 0.1, 0.1)), 200, 200)
	s = saveable(sc, s)
	if *newSession {
		text, err := Saved{Sources: []string{"stack.tif"}, State: s}.Encode()
		if err != nil || os.WriteFile(path, text, 0o666) != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeSaved(text)
	if err != nil {
		t.Fatal(err)
	}
	if !got.State.made().equal(s.made()) || got.State.At != s.At || got.State.Cut != XZ {
		t.Errorf("it reads\n%+v\nwant\n%+v", got.State, s)
	}
}

func TestWhatIsNoSessionIsRefusedInWords(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "not a session"}, {"{}", "not a session"}, {`{"Lamella":1}`, "not a session"}, {`{"Lamella":2,"Sources":["a"]}`, "newer version"},
		{`{"Lamella":1,"Sources":["a"],"State":{"Cut":"zz"}}`, `"zz" is none of xy, xz, yz, zy`}, {"II*\x00", "not a session"},
	} {
		if _, err := DecodeSaved([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
	if _, err := DecodeSaved([]byte("[]")); !errors.Is(err, ErrNotSaved) {
		t.Errorf("a list: %v", err)
	}
}

// A session of another image, or a damaged one, is brought back to what there is.
func TestASessionOfSomethingElseDoesNoHarm(t *testing.T) {
	for _, state := range []string{
		`{"Image":7,"At":[9,900,-4,9,9],"Zoom":-1,"Center":[1e300,1,1,1,1],"Chosen":99}`,
		`{"Channels":[{"Gamma":-3,"Limits":{"Low":5,"High":5}},{},{},{}],"Chain":[{"Filter":"no such filter","Off":true}]}`,
		`{"Zoom":1e300,"Shapes":[{"Kind":"line","Points":[]},{"Kind":"rectangle","Points":[[1,1]]}],"Sizes":[{},{"Edited":true,"Value":-5}]}`,
		`{"Arrangement":"three-up","Cut":"xy"}`,
	} {
		s, err := DecodeSaved([]byte(`{"Lamella":1,"Sources":["x"],"State":` + state + `}`))
		if err != nil {
			t.Fatalf("%s: %v", state, err)
		}
		b := openWith(t, dataset(zyx("small", lazy.U8, shape(4, 8, 8), func(_, _, x int) float64 { return float64(x) })), Options{},
			func(set *lazy.Dataset, o Options) (*Session, error) { return Restore(set, s.State, o) })
		b.Act(Resize(40, 40))
		b.until("a picture of "+state, func(f *Frame, r Report) bool { return !r.Busy && f.State.Size.X == 40 })
		if z := b.State().At[lazy.Z]; z < 0 || z > 3 || len(b.State().Channels) != 1 {
			t.Errorf("%s: %+v", state, b.State())
		}
	}
}

// Whoever adds a field to the State says whether a session keeps it, by a tag or by a type that can be written.
func TestEveryFieldOfTheStateIsSavedOrSaidNotToBe(t *testing.T) {
	sc, s := scene(t, dataset(zyx("ramp", lazy.U8, shape(9, 32, 32), nil)), 200, 200)
	text, err := Saved{Sources: []string{"x"}, State: saveable(sc, s)}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ State map[string]json.RawMessage }
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	of := reflect.TypeOf(State{})
	for i := range of.NumField() {
		f := of.Field(i)
		_, there := got.State[f.Name]
		if there == (f.Tag.Get("json") == "-") {
			t.Errorf("%s is in the file: %v", f.Name, there)
		}
	}
}

func FuzzDecodeSaved(f *testing.F) {
	f.Add([]byte(`{"Lamella":1,"Sources":["x"],"State":{"Zoom":2,"Shapes":[{"Kind":"line","Points":[[1,2],[3,4]]}]}}`))
	sc, err := NewScene(dataset(zyx("small", lazy.U8, shape(4, 8, 8), nil)), 0, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := DecodeSaved(b)
		if err != nil {
			return
		}
		next := sc.clamp(s.State)
		if !(next.Zoom > 0) {
			t.Fatalf("zoom %v", next.Zoom)
		}
		if _, err := s.Encode(); err != nil {
			t.Fatal(err)
		}
	})
}
