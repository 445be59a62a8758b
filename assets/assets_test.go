package assets

import (
	"bytes"
	"encoding/json"
	"image/png"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func texts(t *testing.T, locale string) map[string]string {
	t.Helper()
	b, err := Translations.ReadFile("translations/base." + locale + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]string
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// ofCatalogue are the texts whose English is in the catalogue of filters, or is what files call it; viewer/ui tests these.
var ofCatalogue = regexp.MustCompile(`^(filter\.[^.]+\.[^.]+|param\.[^.]+\.doc|option\..+|codec\..+)$`)

func TestEveryLanguageHasEveryText(t *testing.T) {
	en := texts(t, "en")
	files, err := Translations.ReadDir("translations")
	if err != nil || len(files) < 2 {
		t.Fatalf("%d languages, %v", len(files), err)
	}
	place := regexp.MustCompile(`\{\{\.\w+\}\}`)
	for _, locale := range []string{"zh_Hans"} {
		other := texts(t, locale)
		for k, v := range en {
			o, ok := other[k]
			if !ok || o == "" {
				t.Errorf("%s has no text for %s", locale, k)
				continue
			}
			a, b := place.FindAllString(v, -1), place.FindAllString(o, -1)
			slices.Sort(a)
			slices.Sort(b)
			if !slices.Equal(a, b) {
				t.Errorf("%s: the places of %s are %v, in English %v", locale, k, b, a)
			}
		}
		for k := range other {
			if _, ok := en[k]; !ok && !ofCatalogue.MatchString(k) && !strings.HasPrefix(k, "remark: ") {
				t.Errorf("%s has a text for %s, English has none", locale, k)
			}
		}
	}
}

func TestRampsRunFromBlackToTheirColour(t *testing.T) {
	for _, c := range [][3]uint8{{255, 255, 255}, {255, 0, 0}, {12, 200, 77}} {
		r := Ramp(c)
		if r[0] != [3]uint8{} || r[255] != c {
			t.Errorf("the ramp of %v runs from %v to %v", c, r[0], r[255])
		}
	}
}

// The tables are held against matplotlib's own at five places (matplotlib 3.6.3, get_cmap(name)(i)).
func TestTablesAreThoseOfTheirNames(t *testing.T) {
	for _, c := range []struct {
		name string
		want [5][3]uint8 // at 0, 64, 128, 191, 255
	}{
		{"viridis", [5][3]uint8{{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {92, 200, 99}, {253, 231, 37}}},
		{"magma", [5][3]uint8{{0, 0, 4}, {81, 18, 124}, {183, 55, 121}, {251, 135, 97}, {252, 253, 191}}},
		{"inferno", [5][3]uint8{{0, 0, 4}, {87, 16, 110}, {188, 55, 84}, {249, 140, 10}, {252, 255, 164}}},
		{"turbo", [5][3]uint8{{48, 18, 59}, {40, 188, 235}, {164, 252, 60}, {251, 129, 34}, {122, 4, 3}}},
	} {
		l, ok := Lookup(c.name)
		if !ok {
			t.Fatalf("there is no %s", c.name)
		}
		for k, i := range [5]int{0, 64, 128, 191, 255} {
			for ch := range 3 {
				if d := math.Abs(float64(l[i][ch]) - float64(c.want[k][ch])); d > 6 {
					t.Errorf("%s at %d is %v, want about %v", c.name, i, l[i], c.want[k])
					break
				}
			}
		}
	}
	// ImageJ's tables, at their ends and where a point of theirs falls on an entry.
	fire, _ := Lookup("Fire")
	ice, _ := Lookup("Ice")
	if fire[0] != [3]uint8{} || fire[255] != [3]uint8{255, 255, 255} || ice[0] != [3]uint8{0, 156, 140} || ice[255] != [3]uint8{230, 0, 27} {
		t.Errorf("Fire %v to %v, Ice %v to %v", fire[0], fire[255], ice[0], ice[255])
	}
}

func TestLabelsDifferFromTheirNeighbours(t *testing.T) {
	l, _ := Lookup("Glasbey")
	if l[0] != [3]uint8{} {
		t.Errorf("the background is %v", l[0])
	}
	seen := map[[3]uint8]int{}
	for i := 1; i < 256; i++ {
		if was, ok := seen[l[i]]; ok {
			t.Errorf("labels %d and %d are both %v", was, i, l[i])
		}
		seen[l[i]] = i
		for k := max(1, i-4); k < i; k++ {
			d := 0.0
			for c := range 3 {
				d += math.Pow(float64(l[i][c])-float64(l[k][c]), 2)
			}
			if math.Sqrt(d) < 60 {
				t.Errorf("labels %d %v and %d %v look alike", k, l[k], i, l[i])
			}
		}
	}
}

func TestAPaletteGoesOnWithItsLastColour(t *testing.T) {
	p := Palette([][3]uint8{{1, 2, 3}, {4, 5, 6}})
	if p[0] != [3]uint8{1, 2, 3} || p[1] != p[255] || p[1] != [3]uint8{4, 5, 6} {
		t.Errorf("%v %v %v", p[0], p[1], p[255])
	}
	if inv := p.Inverted(); inv[255] != p[0] || inv[0] != p[255] {
		t.Error("inverted, the ends do not change places")
	}
}

func TestNamesCanBeLookedUp(t *testing.T) {
	for _, n := range Names() {
		if _, ok := Lookup(n); !ok {
			t.Errorf("%s is listed and not there", n)
		}
	}
	if _, ok := Lookup("no such table"); ok {
		t.Error("there is a table of no name")
	}
}

func TestTheIconIsASquare(t *testing.T) {
	p, err := png.Decode(bytes.NewReader(IconPNG))
	if err != nil {
		t.Fatal(err)
	}
	if s := p.Bounds().Size(); s.X != 256 || s.Y != 256 {
		t.Errorf("the icon is %v", s)
	}
	if !bytes.Contains(IconSVG, []byte("<svg")) {
		t.Error("the drawing is no SVG")
	}
}
