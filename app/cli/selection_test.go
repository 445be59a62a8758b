package cli

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"lamella/lazy"
)

// selected parses words as the flags of lamella slice and gives the selection.
func selected(t *testing.T, words string) *selection {
	t.Helper()
	var s selection
	cmd := &cobra.Command{Use: "test", RunE: func(*cobra.Command, []string) error { return nil }}
	s.planeFlags(cmd)
	s.regionFlags(cmd, "0")
	cmd.SetArgs(strings.Fields(words))
	if err := cmd.Execute(); err != nil {
		t.Fatal(err)
	}
	return &s
}

var stack = lazy.Meta{
	Shape: lazy.Shape{3, 10, 2, 20, 31},
	Scale: [lazy.Rank]float64{lazy.Z: 0.5, lazy.Y: 0.1}, Unit: [lazy.Rank]string{lazy.Z: "um", lazy.Y: "um"},
	Origin: [lazy.Rank]float64{lazy.Z: 100},
}

func TestWordsNameOnePlane(t *testing.T) {
	for words, want := range map[string]string{
		"":                               "xy t=0:1 z=5:6 c=0:2 y=0:20 x=0:31",
		"--plane xz":                     "xz t=0:1 z=0:10 c=0:2 y=10:11 x=0:31",
		"--plane yz":                     "yz t=0:1 z=0:10 c=0:2 y=0:20 x=15:16",
		"--at 0":                         "xy t=0:1 z=0:1 c=0:2 y=0:20 x=0:31",
		"--at 9 --t 2 --c 1":             "xy t=2:3 z=9:10 c=1:2 y=0:20 x=0:31",
		"--c 0:1":                        "xy t=0:1 z=5:6 c=0:1 y=0:20 x=0:31",
		"--at-um 101.6":                  "xy t=0:1 z=3:4 c=0:2 y=0:20 x=0:31",
		"--at-um 99.8":                   "xy t=0:1 z=0:1 c=0:2 y=0:20 x=0:31",
		"--plane xz --at-um 1.9":         "xz t=0:1 z=0:10 c=0:2 y=19:20 x=0:31",
		"--roi x=5:8":                    "xy t=0:1 z=5:6 c=0:2 y=0:20 x=5:8",
		"--roi x=30:99,y=-4:2":           "xy t=0:1 z=5:6 c=0:2 y=0:2 x=30:31",
		"--roi x=:4,y=18:":               "xy t=0:1 z=5:6 c=0:2 y=18:20 x=0:4",
		"--roi z=7:8":                    "xy t=0:1 z=7:8 c=0:2 y=0:20 x=0:31",
		"--roi z=7":                      "xy t=0:1 z=7:8 c=0:2 y=0:20 x=0:31",
		"--roi z=2:9 --at 4":             "xy t=0:1 z=4:5 c=0:2 y=0:20 x=0:31",
		"--t all --roi t=1:2":            "xy t=1:2 z=5:6 c=0:2 y=0:20 x=0:31",
		"--plane yz --roi z=1:3 --at 30": "yz t=0:1 z=1:3 c=0:2 y=0:20 x=30:31",
	} {
		r, view, err := selected(t, words).cut(stack)
		if err != nil {
			t.Errorf("%q: %v", words, err)
		} else if got := fmt.Sprint(view, " ", r); got != want {
			t.Errorf("%q names %s, want %s", words, got, want)
		}
	}
}

func TestWordsThatNameNoPlaneAreWrong(t *testing.T) {
	for words, hint := range map[string]string{
		"--plane zx":                    "xy, xz or yz",
		"--at 10":                       "there are 10",
		"--at -1":                       "there are 10",
		"--at 1 --at-um 3":              "--at-um",
		"--at-um 99":                    "from 100 to 104.5",
		"--at-um NaN":                   "from 100 to 104.5",
		"--plane yz --at-um 1":          "does not state the voxel size along x",
		"--t 3":                         "there are 3",
		"--t all":                       "3 time points",
		"--t 0:2":                       "2 time points",
		"--t x":                         "not a number",
		"--c 2":                         "there are 2",
		"--c 1:1":                       "there are 2",
		"--c 0:3":                       "there are 2",
		"--c -1":                        "there are 2",
		"--c 0:":                        "not a number",
		"--c 0 --roi c=0:1":             "same axis",
		"--roi z=2:4":                   "2 planes",
		"--roi x=31:40":                 "holds nothing of 0:31",
		"--roi x=-9:0":                  "holds nothing of 0:31",
		"--roi x=5:5":                   "half-open",
		"--roi x=a:5":                   "half-open",
		"--roi x":                       "is not an axis",
		"--roi w=1:2":                   "is not an axis",
		"--roi x=1:2,x=2:3":             "twice",
		"--roi ,":                       "is not an axis",
		"--roi x=1:9999999999999999999": "half-open",
	} {
		_, _, err := selected(t, words).cut(stack)
		if !errors.As(err, new(usage)) || !strings.Contains(err.Error(), hint) {
			t.Errorf("%q: error %v, want wrong words that mention %q", words, err, hint)
		}
	}
}

func TestAnExportIsOfEverythingUnlessWordsSayLess(t *testing.T) {
	for words, want := range map[string]string{
		"--t all":                  "t=0:3 z=0:10 c=0:2 y=0:20 x=0:31",
		"--t 1:3 --c 1":            "t=1:3 z=0:10 c=1:2 y=0:20 x=0:31",
		"--t all --roi t=2:9,z=3:": "t=2:3 z=3:10 c=0:2 y=0:20 x=0:31",
	} {
		r, err := selected(t, words).box(stack)
		if err != nil || r.String() != want {
			t.Errorf("%q names %v, want %s: %v", words, r, want, err)
		}
	}
}

func TestMemoryIsASize(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "2GiB": 2 << 30, "500MB": 500e6, "1.5 GiB": 3 << 29, "1073741824": 1 << 30} {
		if got, err := parseMemory(text); err != nil || got != want {
			t.Errorf("%q is %d, want %d: %v", text, got, want, err)
		}
	}
	for _, text := range []string{"much", "-1GiB", "10", "99999999EiB", "0"} {
		if _, err := parseMemory(text); !errors.As(err, new(usage)) {
			t.Errorf("%q: error %v, want wrong words", text, err)
		}
	}
}

func FuzzROI(f *testing.F) {
	f.Add("x=1:2,y=:4,z=3")
	f.Add("t=-1:99999999999999999999")
	f.Fuzz(func(t *testing.T, text string) {
		s := selection{roi: text, t: "all"}
		if r, err := s.box(stack); err == nil && (r.Empty() || !stack.Shape.Whole().Contains(r)) {
			t.Errorf("%q names %v", text, r)
		}
	})
}
