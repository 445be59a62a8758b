package tiff

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"lamella/lazy"
)

// described is a stack of n pages whose first one says text, with x and y pixels per unit.
func described(n int, text string, perUnit ...uint32) []byte {
	sheets := make([]sheet, n)
	for i := range sheets {
		sheets[i] = sheet{width: 4, height: 3, value: byte(i)}
	}
	sheets[0].tags = []tag{asciiTag(tagDescription, text), shortTag(tagResolutionUnit, 1)}
	if len(perUnit) == 2 {
		value := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, perUnit[0]), perUnit[1])
		sheets[0].tags = append(sheets[0].tags, tag{tagXResolution, kindRational, 1, value}, tag{tagYResolution, kindRational, 1, value})
	}
	return built(sheets...)
}

func TestBR022AUnitGivenOnceHoldsForAllAxes(t *testing.T) {
	for name, text := range map[string]string{
		"only unit":        "ImageJ=1.53t\nimages=2\nslices=2\nunit=nm\nspacing=25\n",
		"z of its own":     "ImageJ=1.53t\nimages=2\nslices=2\nunit=nm\nzunit=um\nspacing=0.025\n",
		"y of its own":     "ImageJ=1.53t\nimages=2\nslices=2\nunit=nm\nyunit=nm\nspacing=25\n",
		"spaces and order": "ImageJ=1.53t\nslices = 2\nspacing = 25 \nimages=2\nunit = nm\r\n",
		"negative spacing": "ImageJ=1.53t\nimages=2\nslices=2\nunit=nm\nspacing=-25\n",
	} {
		m := mustOpen(t, described(2, text, 2, 33)).Images[0].Levels[0].Array.Meta()
		for a, want := range map[lazy.Axis]float64{lazy.Z: 0.025, lazy.Y: 0.0165, lazy.X: 0.0165} {
			if math.Abs(m.Scale[a]-want) > 1e-12 || m.Unit[a] != "um" {
				t.Errorf("%s: %v is %v %s, not %v um", name, a, m.Scale[a], m.Unit[a], want)
			}
		}
	}
}

func TestBR022EverySpellingOfMicrometre(t *testing.T) {
	for _, unit := range []string{"um", "micron", "microns", "µm", "μm", `\u00B5m`, `\u00b5m`, `\u03BCm`, "\xB5m", "micrometer", "Micron"} {
		m := mustOpen(t, described(1, "ImageJ=1.53t\nunit="+unit+"\n", 10, 1)).Images[0].Levels[0].Array.Meta()
		if m.Scale[lazy.X] != 0.1 || m.Unit[lazy.X] != "um" {
			t.Errorf("%q: %v %s", unit, m.Scale[lazy.X], m.Unit[lazy.X])
		}
	}
	for _, unit := range []string{"pixel", "pixels", "", "furlong", `\u00`} {
		m := mustOpen(t, described(1, "ImageJ=1.53t\nunit="+unit+"\n", 10, 1)).Images[0].Levels[0].Array.Meta()
		if m.Scale != [lazy.Rank]float64{} {
			t.Errorf("%q: %v, but it is no length", unit, m.Scale)
		}
	}
}

func TestImageJCountsChannelsFirstThenSlicesThenFrames(t *testing.T) {
	set := mustOpen(t, described(24, "ImageJ=1.53t\nimages=24\nchannels=2\nslices=3\nframes=4\nhyperstack=true\nfinterval=2\ntunit=min\nmin=5\nmax=9\n"))
	a := set.Images[0].Levels[0].Array
	if s := a.Meta().Shape; s != (lazy.Shape{4, 3, 2, 3, 4}) || a.Meta().Scale[lazy.T] != 120 || set.Images[0].Assumed != "" {
		t.Fatalf("shape %v, time step %v", s, a.Meta().Scale[lazy.T])
	}
	for _, i := range []lazy.Index{{0, 0, 1}, {0, 2, 0}, {3, 1, 1}} {
		if got, want := mustVoxel(t, a, i), float64((i[0]*3+i[1])*2+i[2]); got != want {
			t.Errorf("%v is page %v, not %v", i, got, want)
		}
	}
}

func TestAnImageJDescriptionThatDoesNotFitIsToldAndIgnored(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		pages  int
		planes int
	}{
		"nonsense numbers":      {"ImageJ=\nimages=-3\nslices=abc\nspacing=nan\nfinterval=1e999\n", 1, 1},
		"more planes than fit":  {"ImageJ=1\nimages=1000000\nslices=1000000\n", 1, 1},
		"overflow":              {"ImageJ=1\nimages=9\nslices=4611686018427387904\nframes=4\n", 2, 2},
		"fewer pages":           {"ImageJ=1\nimages=9\nslices=9\n", 4, 4},
		"pages beyond the last": {"ImageJ=1\nimages=3\nslices=3\n", 4, 3},
	} {
		set := mustOpen(t, described(c.pages, c.text, 3, 1))
		if n := set.Images[0].Levels[0].Array.Meta().Shape[lazy.Z]; n != c.planes || len(set.Warnings) == 0 {
			t.Errorf("%s: %d planes, warnings %q", name, n, set.Warnings)
		}
	}
}

// TestPlanesBehindASingleDirectory is ImageJ's form of stacks that are longer than offsets reach.
func TestPlanesBehindASingleDirectory(t *testing.T) {
	raw := built(sheet{width: 4, height: 3, tags: []tag{asciiTag(tagDescription, "ImageJ=1.53t\nimages=5\nslices=5\n")}})
	start := len(raw)
	for z := range 5 {
		raw = append(raw, strings.Repeat(string(rune('a'+z)), 12)...)
	}
	entries := binary.LittleEndian.Uint16(raw[20:])
	for i := range int(entries) {
		if e := raw[22+12*i:]; binary.LittleEndian.Uint16(e) == tagStripOffsets {
			binary.LittleEndian.PutUint32(e[8:], uint32(start))
		}
	}
	set := mustOpen(t, raw)
	a := set.Images[0].Levels[0].Array
	for z := range 5 {
		if got := mustVoxel(t, a, lazy.Index{0, z, 0, 2, 3}); got != float64('a'+z) {
			t.Errorf("plane %d reads %v", z, got)
		}
	}
	set = mustOpen(t, raw[:start+30]) // two planes and a half
	a = set.Images[0].Levels[0].Array
	if mustVoxel(t, a, lazy.Index{0, 1, 0, 2, 3}) != 'b' || !strings.Contains(strings.Join(set.Warnings, ";"), "2 of 5 planes") {
		t.Errorf("warnings %q", set.Warnings)
	}
	if _, err := voxel(a, lazy.Index{0, 3, 0, 0, 0}); err == nil || !strings.Contains(err.Error(), "cut short") {
		t.Errorf("a plane that is not there: %v", err)
	}
}

func TestScreenResolutionIsNoVoxelSize(t *testing.T) {
	for _, c := range []struct {
		unit uint16
		per  uint32
		want float64
	}{{2, 72, 0}, {2, 96, 0}, {2, 2540, 10}, {3, 1000, 10}, {1, 1000, 0}, {3, 72, 10000.0 / 72}} {
		value := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, c.per), 1)
		raw := built(sheet{width: 4, height: 3, tags: []tag{shortTag(tagResolutionUnit, c.unit),
			{tagXResolution, kindRational, 1, value}, {tagYResolution, kindRational, 1, value}}})
		if got := mustOpen(t, raw).Images[0].Levels[0].Array.Meta().Scale[lazy.X]; math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%d pixels per unit %d: %v um, not %v", c.per, c.unit, got, c.want)
		}
	}
}

func FuzzImageJDescription(f *testing.F) {
	f.Add("ImageJ=1.53t\nimages=6\nslices=6\nunit=\\u00B5m\nspacing=0.3\norder=zct\n", uint8(6))
	f.Add("SCIFIO=\nchannels=-1\n", uint8(2))
	f.Fuzz(func(t *testing.T, text string, pages uint8) {
		h, ok := parseHyperstack([]string{text})
		if !ok {
			return
		}
		l := &layout{width: 4, height: 3, samples: 1, bits: 8, segW: 4, segH: 3}
		dims := h.dims(l, int(pages)+1)
		if n, ok := planesOf(dims, l); ok && n < 1 {
			t.Errorf("%d planes along %v", n, dims)
		}
		m := h.meta(front{perUnit: [2]float64{2, 2}, resolution: 1})
		for a, s := range m.Scale {
			if s < 0 || math.IsNaN(s) || math.IsInf(s, 0) || math.IsNaN(m.Origin[a]) {
				t.Errorf("scale %v, origin %v", m.Scale, m.Origin)
			}
		}
	})
}
