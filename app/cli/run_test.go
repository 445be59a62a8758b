package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lamella/app/formats"
	"lamella/filters"
)

// said is what a run of the command line left.
type said struct {
	code           int
	stdout, stderr string
}

func lamella(args ...string) said {
	var out, err bytes.Buffer
	code := Run(context.Background(), args, strings.NewReader(""), &out, &err)
	return said{code, out.String(), err.String()}
}

// must runs words that have to succeed in silence on standard error.
func must(t *testing.T, args ...string) string {
	t.Helper()
	got := lamella(args...)
	if got.code != 0 || got.stderr != "" {
		t.Fatalf("lamella %s: exit %d: %s", strings.Join(args, " "), got.code, got.stderr)
	}
	return got.stdout
}

func TestExitCodesAndTheOneLine(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("text.tif", "this is no picture at all")
	write("there.png", "something")
	write("chain.txt", "mean size=3 | nonsense")
	write("long.txt", strings.Repeat("mean size=1 | ", 100)+"mean size=1")
	if err := os.Mkdir("empty", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		words string
		code  int
		hint  string // in the line on standard error; "" if there is none
	}{
		{"version", 0, ""},
		{"--help", 0, ""},
		{"help slice", 0, ""},
		{"slice --help", 0, ""},
		{"filters", 0, ""},
		{"filters mean", 0, ""},
		{"devices", 0, ""},
		{"info sample:cells", 0, ""},
		{"plan sample:cells", 0, ""},
		{"slice sample:cells --c 0 --out new.png", 0, ""},

		{"frobnicate", 2, "frobnicate"},
		{"--frobnicate", 2, "frobnicate"},
		{"version now", 2, "now"},
		{"devices now", 2, "now"},
		{"info", 2, "no source"},
		{"info a b", 2, "one source, not 2"},
		{"info sample:cells --frob", 2, "frob"},
		{"info sample:cells --frob=1", 2, "frob"},
		{"filters frob", 2, "frob"},
		{"filters mean sobel", 2, "one name"},
		{"slice sample:cells", 2, "--out"},
		{"slice sample:cells --out plane", 2, "ending"},
		{"slice sample:cells --out plane.jpeg", 2, "ending"},
		{"slice sample:cells --out .png", 2, "ending"},
		{"slice sample:cells --out a.png --at 64", 2, "there are 64"},
		{"slice sample:cells --out a.png --at x", 2, "at"},
		{"slice sample:cells --out a.png --level 1", 2, "--level 1"},
		{"slice sample:cells --out a.png --level -1", 2, "--level -1"},
		{"slice sample:cells --out a.png --image 1", 2, "--image 1"},
		{"slice sample:cells --out a.png --image ../x", 2, "--image ../x"},
		{"slice sample:cells --out a.png --memory lots", 2, "--memory lots"},
		{"slice sample:cells --out a.png --device abacus", 2, "abacus"},
		{"slice sample:cells --out a.png --filter frob", 2, "frob"},
		{"slice sample:cells --out a.png --filter @chain.txt", 2, "nonsense"},
		{"slice sample:cells --out a.png --filter @long.txt", 2, "more than 100"},
		{"slice sample:cells --out a.png --axes zz", 2, "--axes zz"},
		{"export sample:cells --out a.npy --axes yxq", 2, "--axes yxq"},
		{"info sample:cells --axes tzcyxt", 2, "--axes tzcyxt"},
		{"info sample:cells --axes ÿ", 2, "--axes ÿ"},
		{"plan sample:cells --axes zz", 2, "--axes zz"},
		{"bench open sample:cells --axes zz", 2, "--axes zz"},
		{"export sample:cells --out a.png", 2, "one plane"},
		{"plan sample:cells --json --dot", 2, "--json and --dot"},
		{"bench", 2, "bench what"},
		{"bench frob", 2, "frob"},
		{"bench plane sample:cells --runs 0", 2, "--runs 0"},
		{"bench scrub sample:cells --from 3 --to 3", 2, "--from 3"},
		{"bench kernel", 2, "--filter is needed"},
		{"export sample:ones --out a.zarr --shard 0/1000000000", 2, "at most 1048576 shares"},
		{"bench kernel --filter sobel --dtype frob", 2, "--dtype frob"},
		{"bench kernel --filter sobel --size 0", 2, "--size 0"},
		{"bench peer --case scrub", 2, "--data"},

		{"info nothing.tif", 1, "nothing.tif"},
		{"info text.tif", 1, "text.tif"},
		{"info empty", 1, "empty"},
		{"info no*.png", 1, "no*.png"},
		{"info sample:cell", 1, "cell"},
		{"info sample:ones?shape=0", 1, "shape=0"},
		{"slice nothing.tif --out a.png", 1, "nothing.tif"},
		{"slice sample:cells --out there.png", 1, "there.png"},
		{"slice sample:cells --out none/a.png", 1, "none/a.png"},
		{"slice sample:cells --out a.png --filter @none.txt", 1, "none.txt"},
		{"slice sample:ones?shape=4096x4096 --out a.png --memory 1MiB", 1, "memory"},
		{"slice sample:cells --c 0 --out b.png --stats none/s.json", 1, "none/s.json"},
	} {
		got := lamella(strings.Fields(c.words)...)
		line, rest, _ := strings.Cut(got.stderr, "\n")
		switch {
		case got.code != c.code:
			t.Errorf("lamella %s: exit %d, want %d: %s", c.words, got.code, c.code, got.stderr)
		case c.hint == "" && got.stderr != "":
			t.Errorf("lamella %s: said %q", c.words, got.stderr)
		case c.hint != "" && (!strings.Contains(line, c.hint) || rest != "" || !strings.HasPrefix(line, "lamella")):
			t.Errorf("lamella %s: said %q, want one line with %q", c.words, got.stderr, c.hint)
		}
	}
	left, _ := filepath.Glob("*")
	hidden, _ := filepath.Glob(".*")
	if want := []string{"chain.txt", "empty", "long.txt", "new.png", "text.tif", "there.png"}; !slices.Equal(left, want) || len(hidden) > 0 {
		t.Errorf("the folder holds %q and %q, want %q", left, hidden, want)
	}
	if b, _ := os.ReadFile("there.png"); string(b) != "something" {
		t.Error("there.png was touched")
	}
}

func TestHelpOfEveryVerbHasExamples(t *testing.T) {
	for _, verb := range Verbs() {
		if verb == "help" || verb == "completion" {
			continue
		}
		help := must(t, verb, "--help")
		if !strings.Contains(help, "Examples:") || !strings.Contains(help, "lamella "+verb) {
			t.Errorf("the help of %s has no example:\n%s", verb, help)
		}
	}
}

func TestInfoOfASampleInJSON(t *testing.T) {
	var got map[string]any
	if err := json.Unmarshal([]byte(must(t, "info", "sample:blobs?shape=2x3x4x50x60&dtype=float32", "--json")), &got); err != nil {
		t.Fatal(err)
	}
	const want = `{"source":"sample:blobs?shape=2x3x4x50x60&dtype=float32","format":"sample",
	  "lazy":{"by":"chunk","note":"voxels are computed when they are asked for"},
	  "images":[{"index":0,"name":"blobs","path":"","shape":{"t":2,"z":3,"c":4,"y":50,"x":60},"dtype":"float32","rgb":false,
	   "labels":false,"assumed_axes":"","voxel_size_um":{"z":null,"y":null,"x":null},"time_step_s":null,"origin_um":{"z":null,"y":null,"x":null},
	   "channels":[],"levels":[{"path":"","shape":{"t":2,"z":3,"c":4,"y":50,"x":60},"chunk":{"t":1,"z":3,"c":1,"y":50,"x":60},
	   "dtype":"float32","codec":"computed","scale_um":{"z":null,"y":null,"x":null},"origin_um":{"z":null,"y":null,"x":null}}]}],"warnings":[]}`
	var wanted map[string]any
	if err := json.Unmarshal([]byte(want), &wanted); err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(got)
	b, _ := json.Marshal(wanted)
	if string(a) != string(b) {
		t.Errorf("got  %s\nwant %s", a, b)
	}
}

func TestSampledStatsAreOfTheValues(t *testing.T) {
	var got description
	if err := json.Unmarshal([]byte(must(t, "info", "sample:slow?shape=10x10x40&ms=0", "--json", "--stats-sample")), &got); err != nil {
		t.Fatal(err)
	}
	// The ramp runs from 0 to 9+9+39; of 4000 values the least four and the most four are left out, which
	// are 0, 1, 1, 1 and 57, 56, 56, 56.
	s := got.Images[0].Stats[0]
	if s.Voxels != 4000 || *s.Least != 0 || *s.Most != 57 || *s.Mean != 28.5 || s.NotFinite != 0 || *s.Limits != [2]float64{2, 55} {
		t.Errorf("stats %s", s)
	}
}

func TestThePlanOfASobelPlaneHoldsWhatThePlaneTouchesAndNoMore(t *testing.T) {
	for words, want := range map[string]struct{ chunks, computed int }{
		"--at 256":            {2 * 16 * 16, 1024 * 1024}, // the first plane of a chunk: two layers
		"--at 272":            {16 * 16, 1024 * 1024},
		"--plane xz --at 512": {2 * 8 * 16, 512 * 1024},
		"--plane yz --at 528": {8 * 16, 512 * 1024},
	} {
		args := append([]string{"plan", "sample:random?shape=512x1024x1024&chunk=64x64x64", "--filter", "sobel", "--json"}, strings.Fields(words)...)
		var got map[string]float64
		text := strings.ReplaceAll(must(t, args...), `"device": "cpu",`, "")
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		if int(got["chunks_planned"]) != want.chunks || int(got["voxels_computed"]) != want.computed || got["chunks_total"] != 8*16*16 || got["chunks_read"] != 0 || got["tasks_run"] != 0 {
			t.Errorf("%s: %v, want %+v", words, got, want)
		}
	}
}

func TestThePlanIsAGraph(t *testing.T) {
	dot := must(t, "plan", "sample:ones?shape=4x40x40&chunk=2x40x40", "--filter", "sobel", "--at", "2", "--dot")
	if !strings.HasPrefix(dot, "digraph") || strings.Count(dot, "->") < 2 || strings.Count(dot, "{") != strings.Count(dot, "}") {
		t.Errorf("the graph is\n%s", dot)
	}
}

func TestEveryParameterOfTheCatalogueIsExplained(t *testing.T) {
	var got []filterDescription
	if err := json.Unmarshal([]byte(must(t, "filters", "--json")), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(filters.Catalogue()) {
		t.Errorf("%d filters, the catalogue has %d", len(got), len(filters.Catalogue()))
	}
	for _, f := range got {
		text := must(t, "filters", f.Name)
		for _, p := range f.Params {
			if p.Kind == "" || p.Doc == "" || !strings.Contains(text, p.Name+"=") {
				t.Errorf("%s: parameter %+v is not explained in\n%s", f.Name, p, text)
			}
		}
	}
}

func TestAPictureHasTheColoursOfItsChannels(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cells.png")
	must(t, "slice", "sample:cells", "--at", "30", "--out", path)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if b := picture.Bounds(); b.Dx() != 512 || b.Dy() != 512 {
		t.Fatalf("the picture measures %v", b)
	}
	blue, green, dark := 0, 0, 0
	for y := range 512 {
		for x := range 512 {
			r, g, b, a := picture.At(x, y).RGBA()
			switch {
			case a != 0xffff:
				t.Fatalf("pixel %d, %d is not opaque", x, y)
			case b > 0x8000 && b > 2*r:
				blue++
			case g > 0x8000 && g > 2*r:
				green++
			case r+g+b < 0x6000:
				dark++
			}
		}
	}
	if blue < 5000 || green < 1000 || dark < 50000 {
		t.Errorf("%d blue, %d green, %d dark pixels: not nuclei, borders and gel", blue, green, dark)
	}
}

func TestStatsSayWhatItTook(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s.json")
	must(t, "slice", "sample:random?shape=64x128x128&chunk=16x64x64", "--filter", "sobel", "--out", filepath.Join(dir, "a.png"), "--stats", path)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]float64{"chunks_planned": 8, "chunks_read": 8, "chunks_total": 16, "voxels_out": 128 * 128, "voxels_needed": 128 * 128, "voxels_computed": 128 * 128, "cache_hits": 0} {
		if got[key] != want {
			t.Errorf("%s is %v, want %v", key, got[key], want)
		}
	}
	for _, key := range []string{"tasks_total", "tasks_planned", "tasks_run", "bytes_read", "seconds", "device", "peak_bytes"} {
		if _, ok := got[key]; !ok {
			t.Errorf("%s is missing", key)
		}
	}
}

func TestBR023AFileThatLooksLikeAFlagIsASource(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("-stack.tif", []byte("no picture"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"info", "-stack.tif", "--json"}, []string{"info", "--json", "--", "-stack.tif"}},
		{[]string{"slice", "--out", "-stack.tif", "a.tif"}, []string{"slice", "--out", "-stack.tif", "a.tif"}},
		{[]string{"slice", "--out=b.png", "-stack.tif"}, []string{"slice", "--out=b.png", "--", "-stack.tif"}},
		{[]string{"info", "-gone.tif"}, []string{"info", "-gone.tif"}},
		{[]string{"info", "--json", "--", "-stack.tif"}, []string{"info", "--json", "--", "-stack.tif"}},
		{[]string{"slice", "a.tif", "--out", "-"}, []string{"slice", "a.tif", "--out", "-"}},
	} {
		if got := filesAfterFlags(newRoot(&session{}), c.args); !slices.Equal(got, c.want) {
			t.Errorf("%q became %q, want %q", c.args, got, c.want)
		}
	}
	if got := lamella("info", "-stack.tif"); got.code != couldNot || !strings.Contains(got.stderr, "-stack.tif") {
		t.Errorf("exit %d: %s", got.code, got.stderr)
	}
}

func TestAnInterruptLeavesNoHalfFile(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, ending := range append(formats.Endings(), ".png") {
		var out, stderr bytes.Buffer
		code := Run(ctx, []string{"slice", "sample:slow?ms=3600000", "--out", filepath.Join(dir, "a"+ending)}, strings.NewReader(""), &out, &stderr)
		if code != couldNot || !strings.Contains(stderr.String(), "interrupted") {
			t.Errorf("%s: exit %d: %s", ending, code, stderr.String())
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

func TestBenchmarksAnswerInJSON(t *testing.T) {
	for _, words := range []string{
		"bench open sample:ones --runs 2",
		"bench plane sample:ones?shape=4x64x64 --filter sobel --runs 2",
		"bench kernel --filter gaussian|sobel --size 64 --runs 2",
		"bench scrub sample:ones?shape=4x64x64 --filter sobel",
		"bench peer --case claims --data nowhere --answer nowhere.npy",
	} {
		var got map[string]any
		if err := json.Unmarshal([]byte(must(t, strings.Fields(words)...)), &got); err != nil {
			t.Errorf("%s: %v", words, err)
		}
		times, _ := got["times_s"].([]any)
		if _, skipped := got["skipped"]; len(times) < 2 && !skipped {
			t.Errorf("%s: answered %v", words, got)
		}
	}
}

func TestAnExportThatIsThrownAwayTellsItsMemory(t *testing.T) {
	defer func(d time.Duration) { news = d }(news)
	news = 0
	got := lamella("bench", "export", "sample:ones?shape=40x600x600&dtype=int8&chunk=16x256x256", "--filter", "sobel", "--discard", "--runs", "1", "--memory", "64MiB")
	if got.code != done || !strings.Contains(got.stderr, " parts") || !strings.Contains(got.stderr, " of memory\n") || !strings.Contains(got.stdout, `"most_resident_bytes": `) {
		t.Errorf("exit %d: %s%s", got.code, got.stderr, got.stdout)
	}
}

func TestTheProcessorPassesItsSelfTest(t *testing.T) {
	var got []device
	if err := json.Unmarshal([]byte(must(t, "devices", "--json")), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) == 0 || got[0].Kind != "cpu" || got[0].Test != "ok" {
		t.Errorf("devices %+v", got)
	}
}

func TestThePercentileIsNumPys(t *testing.T) {
	times := []float64{4, 1, 3, 2}
	for share, want := range map[float64]float64{0: 1, 0.5: 2.5, 1: 4, 0.95: 3.85} {
		if got := percentile(times, share); got < want-1e-12 || got > want+1e-12 {
			t.Errorf("the %g of %v is %g, want %g", share, times, got, want)
		}
	}
}
