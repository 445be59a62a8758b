package loadertest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lamella/lazy"
	"lamella/loaders"
)

// Shared is the folder of the shared files that are too large for this repository, or "" with the
// reason: $LAMELLA_SHARED, or the folder shared beside the repository.
func Shared() (dir, why string) {
	if d := os.Getenv("LAMELLA_SHARED"); d != "" {
		return d, ""
	}
	at, err := os.Getwd()
	for err == nil && filepath.Dir(at) != at {
		if _, no := os.Stat(filepath.Join(at, "go.mod")); no == nil {
			d := filepath.Join(at, "..", "shared")
			if _, no := os.Stat(filepath.Join(d, "data", "manifest.json")); no == nil {
				return d, ""
			}
			break
		}
		at = filepath.Dir(at)
	}
	return "", "the shared files were not found (set LAMELLA_SHARED)"
}

// An item is one case of the shared manifest.
type item struct {
	ID, Path, Format string
	Expect           struct {
		Outcome    string
		MaxRSSMB   float64 `json:"max_rss_mb"`
		MaxSeconds float64 `json:"max_seconds"`
	}
	Images []*truth
}

// A truth is what one image of a case decodes to.
type truth struct {
	Select            map[string]any
	Axes              string
	Shape             []int
	DType             string
	SHA256            string
	Exact             *bool
	Tolerance         float64
	ToleranceRelative float64 `json:"tolerance_relative"`
	Probes            []struct {
		Index []int
		Value any
	}
	VoxelSize   any      `json:"voxel_size"`
	VoxelUnit   any      `json:"voxel_unit"`
	AxesAssumed any      `json:"axes_assumed"`
	Import      *rawSpec `json:"import_parameters"`
}

type rawSpec struct {
	Shape  []int `json:"shape_zyx"`
	DType  string
	Order  string `json:"byte_order"`
	Offset int
}

// Manifest runs every case of the shared manifest of one format: right values, or the refusal that is
// asked for. refused names cases that should open and are refused, each with the reason: such a case
// has to end with an error, and it fails when it opens after all.
func Manifest(t *testing.T, r loaders.Registry, format string, refused map[string]string) {
	dir, why := Shared()
	if why != "" {
		t.Skipf("the %s cases of the shared manifest were not run: %s", format, why)
	}
	text, err := os.ReadFile(filepath.Join(dir, "data", "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Items []item }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	right, all := 0, 0
	for _, c := range file.Items {
		if c.Format != format {
			continue
		}
		all++
		t.Run(c.ID, func(t *testing.T) {
			if c.run(t, r, filepath.Join(dir, "data"), refused[c.ID]) {
				right++
			}
		})
	}
	if all == 0 {
		t.Errorf("the manifest has no case of format %s", format)
	}
	t.Logf("%s: %d of %d cases are right", format, right, all)
}

// run reports whether the case is right; it fails the test when that is not what is expected.
func (c item) run(t *testing.T, r loaders.Registry, data, refused string) bool {
	t.Helper()
	limit := c.Expect.MaxSeconds
	if limit == 0 {
		limit = 20
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(limit*float64(time.Second)))
	defer cancel()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := c.open(ctx, r, data)
	runtime.ReadMemStats(&after)
	if mb := float64(after.TotalAlloc-before.TotalAlloc) / (1 << 20); c.Expect.MaxRSSMB > 0 && mb > c.Expect.MaxRSSMB {
		t.Errorf("allocated %.0f MB, at most %.0f are allowed", mb, c.Expect.MaxRSSMB)
	}
	var wrong wrongError
	switch {
	case errors.As(err, &wrong):
		t.Errorf("wrong: %v", wrong)
	case ctx.Err() != nil:
		t.Errorf("took more than %v s", limit)
	case err != nil && (strings.Contains(err.Error(), "\n") || err.Error() == ""):
		t.Errorf("the refusal is not one line: %q", err)
	case err == nil && c.Expect.Outcome == "error":
		t.Error("opened, but has to be refused")
	case err == nil && refused != "":
		t.Errorf("opens; it was listed as refused: %s", refused)
	case err != nil && c.Expect.Outcome == "open" && refused == "":
		t.Errorf("refused: %v", err)
	default:
		if err != nil {
			t.Log(err)
		}
		return err == nil || c.Expect.Outcome != "open"
	}
	return false
}

// A wrongError is about voxels or metadata shown as right that are not.
type wrongError string

func (w wrongError) Error() string { return string(w) }

func wrong(format string, args ...any) error { return wrongError(fmt.Sprintf(format, args...)) }

func (c item) open(ctx context.Context, r loaders.Registry, data string) error {
	stored := map[bool][]*truth{}
	for _, im := range c.Images {
		if im != nil {
			as := im.Select["values"] == "stored"
			stored[as] = append(stored[as], im)
		}
	}
	if len(stored) == 0 {
		return c.openAs(ctx, r, data, nil, loaders.Options{})
	}
	for _, as := range []bool{false, true} {
		if images := stored[as]; images != nil {
			if err := c.openAs(ctx, r, data, images, loaders.Options{Stored: as}); err != nil {
				return err
			}
		}
	}
	return nil
}

// openAs compares some images of the case, or reads a corner where there are none.
func (c item) openAs(ctx context.Context, r loaders.Registry, data string, images []*truth, o loaders.Options) error {
	for _, im := range images {
		if im.Import != nil {
			p := im.Import
			var lengths []string
			for _, n := range p.Shape {
				lengths = append(lengths, strconv.Itoa(n))
			}
			o.Raw = fmt.Sprintf("shape=%s,dtype=%s,offset=%d,order=%s", strings.Join(lengths, "x"), p.DType, p.Offset, p.Order)
		}
	}
	set, err := r.Open(ctx, filepath.Join(data, c.Path), o)
	if err != nil {
		return err
	}
	if set.Close != nil {
		defer set.Close()
	}
	if images == nil {
		return corner(ctx, set)
	}
	for _, im := range images {
		image, level, err := im.find(set)
		if err != nil {
			return err
		}
		if err := im.check(ctx, image, level); err != nil {
			return fmt.Errorf("image %s level %d: %w", image.Path, level, err)
		}
	}
	return nil
}

// corner reads a few voxels of the first image.
func corner(ctx context.Context, set lazy.Dataset) error {
	a := set.Images[0].Levels[0].Array
	r := a.Meta().Shape.Whole().Intersect(lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1 << 20, 8, 8}))
	_, err := Read(ctx, a, r)
	return err
}

// find is the image and the level that the case is about, as the program's --image finds them.
func (im *truth) find(set lazy.Dataset) (lazy.Image, int, error) {
	level := 0
	if n, ok := im.Select["level"].(float64); ok {
		level = int(n)
	}
	trim := func(s string) string { return strings.Trim(strings.TrimPrefix(strings.Trim(s, "/"), "."), "/") }
	group, inGroup := im.Select["group"].(string)
	array := ""
	for _, k := range []string{"dataset", "array", "SeriesInstanceUID"} {
		if s, ok := im.Select[k].(string); ok && array == "" {
			array = s
		}
	}
	setup, inTime := im.Select["setup"].(float64)
	switch {
	case inTime && int(setup) < len(set.Images) && level < len(set.Images[int(setup)].Levels):
		return set.Images[int(setup)], level, nil
	case inGroup:
		for _, i := range set.Images {
			if trim(i.Path) == trim(group) && level < len(i.Levels) {
				return i, level, nil
			}
		}
		return lazy.Image{}, 0, fmt.Errorf("no image of the path %q with level %d", group, level)
	case array != "":
		for _, i := range set.Images {
			for n, l := range i.Levels {
				if trim(l.Path) == trim(array) {
					return i, n, nil
				}
			}
			if trim(i.Path) == trim(array) || i.Name == array || trim(array) == "" && len(set.Images) == 1 {
				return i, level, nil
			}
		}
		return lazy.Image{}, 0, fmt.Errorf("no image of the path %q", array)
	}
	series := 0
	if n, ok := im.Select["series"].(float64); ok {
		series = int(n)
	}
	if series >= len(set.Images) || level >= len(set.Images[series].Levels) {
		return lazy.Image{}, 0, fmt.Errorf("no image %d with level %d", series, level)
	}
	return set.Images[series], level, nil
}

func (im *truth) check(ctx context.Context, image lazy.Image, level int) error {
	a := image.Levels[level].Array
	if strings.HasPrefix(im.DType, "complex") {
		return nil
	}
	if t, ok := im.Select["timepoint"].(float64); ok {
		var err error
		if a, err = lazy.Take(a, lazy.T, int(t)); err != nil {
			return err
		}
	}
	b, err := Read(ctx, a, a.Meta().Shape.Whole())
	if err != nil {
		return err
	}
	if err := im.checkShape(a.Meta().Shape); err != nil {
		return err
	}
	values, err := im.arrange(b)
	if err != nil {
		return err
	}
	if im.Exact == nil || *im.Exact {
		raw, err := littleEndian(values, im.DType)
		if err != nil {
			return err
		}
		if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) != im.SHA256 {
			return im.probe(values, 0, 0, "the digest differs")
		}
	} else if err := im.probe(values, im.Tolerance, im.ToleranceRelative, ""); err != nil {
		return err
	}
	if level == 0 {
		return im.checkVoxelSize(a.Meta())
	}
	return nil
}

// checkShape compares the lengths that are not 1.
func (im *truth) checkShape(s lazy.Shape) error {
	long := func(v []int) []int { return slices.DeleteFunc(slices.Clone(v), func(n int) bool { return n == 1 }) }
	got, want := long(s[:]), long(im.Shape)
	if im.Axes == "TZCYXS" {
		n := im.Shape
		want = long([]int{n[0], n[1], n[2] * n[5], n[3], n[4]})
	}
	if im.AxesAssumed != nil {
		slices.Sort(got)
		slices.Sort(want)
	}
	if !slices.Equal(got, want) {
		return wrong("shape %v, expected %v of axes %s", s, im.Shape, im.Axes)
	}
	return nil
}

// arrange gives the voxels in one row in the order of the manifest, where samples are the last axis.
func (im *truth) arrange(b *lazy.Block) (*lazy.Block, error) {
	row := lazy.NewBlock(lazy.Region{Max: lazy.Index{1, 1, 1, 1, b.Len()}}, b.DType)
	copy(row.Bytes(), b.Bytes())
	if im.Axes != "TZCYXS" {
		return row, nil
	}
	n := im.Shape
	if b.Len() != n[0]*n[1]*n[2]*n[3]*n[4]*n[5] {
		return nil, wrong("%d voxels, expected %v", b.Len(), n)
	}
	plane, samples, size := n[3]*n[4], n[5], b.DType.Size()
	from, to := b.Bytes(), row.Bytes()[:0]
	for c := range n[0] * n[1] * n[2] {
		for p := range plane {
			for k := range samples {
				at := ((c*samples+k)*plane + p) * size
				to = append(to, from[at:at+size]...)
			}
		}
	}
	return row, nil
}

// probe compares single voxels; otherwise is what to say when they all agree.
func (im *truth) probe(row *lazy.Block, tolerance, relative float64, otherwise string) error {
	for _, p := range im.Probes {
		at := 0
		for i, n := range im.Shape {
			at = at*n + p.Index[i]
		}
		want, ok := number(p.Value)
		if !ok || at >= row.Len() {
			continue
		}
		got := row.Value(lazy.Index{0, 0, 0, 0, at})
		if d := math.Abs(got - want); d > max(tolerance, relative*math.Abs(want), 1e-9*math.Abs(want)) {
			return wrong("at %v: %v, expected %v", p.Index, got, want)
		}
	}
	if otherwise != "" {
		return wrong("%s", otherwise)
	}
	return nil
}

func number(v any) (float64, bool) {
	switch x := v.(type) {
	case float64:
		return x, true
	case string:
		f, err := strconv.ParseFloat(x, 64)
		return f, err == nil
	case bool:
		if x {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

var micrometres = map[string]float64{
	"å": 1e-4, "angstrom": 1e-4, "nm": 1e-3, "nanometer": 1e-3, "µm": 1, "um": 1, "micron": 1, "micrometer": 1,
	"mm": 1e3, "millimeter": 1e3, "cm": 1e4, "m": 1e6,
}

func (im *truth) checkVoxelSize(m lazy.Meta) error {
	sizes, _ := im.VoxelSize.(map[string]any)
	for name, v := range sizes {
		axis := strings.Index("tzcyx", strings.ToLower(name))
		want, ok := v.(float64)
		unit, _ := im.VoxelUnit.(string)
		if units, some := im.VoxelUnit.(map[string]any); some {
			unit, _ = units[name].(string)
		}
		factor := micrometres[strings.ToLower(unit)]
		if axis < 0 || !ok || want == 0 || factor == 0 || name == "t" || name == "c" {
			continue
		}
		if got := m.Scale[axis]; math.Abs(got-want*factor) > 1e-4*want*factor {
			return wrong("voxel size %s is %v µm, expected %v", name, got, want*factor)
		}
	}
	return nil
}
