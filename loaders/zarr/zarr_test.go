package zarr_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
)

var ctx = context.Background()

// objects makes a folder of objects by key and gives its path.
func objects(t testing.TB, name string, all map[string]string) string {
	t.Helper()
	top := filepath.Join(t.TempDir(), name)
	for key, text := range all {
		path := filepath.Join(top, key)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return top
}

func open(t testing.TB, path string) lazy.Dataset {
	t.Helper()
	set, err := registry.Open(ctx, path, loaders.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { set.Close() })
	return set
}

// values reads a whole array as real numbers.
func values(t testing.TB, a lazy.Array) []float64 {
	t.Helper()
	b, err := loadertest.Read(ctx, a, a.Meta().Shape.Whole())
	if err != nil {
		t.Fatal(err)
	}
	var v []float64
	for cell := range b.Region.Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		v = append(v, b.Value(cell.Min))
	}
	return v
}

func le16(v ...int) string {
	var p []byte
	for _, x := range v {
		p = binary.LittleEndian.AppendUint16(p, uint16(x))
	}
	return string(p)
}

// v2 and v3 are the metadata of small arrays.
func v2(shape, chunks, dtype, more string) string {
	return fmt.Sprintf(`{"zarr_format":2,"shape":%s,"chunks":%s,"dtype":%q,"compressor":null,"filters":null,"order":"C"%s}`, shape, chunks, dtype, more)
}

func v3(shape, chunks, dtype, fill, codecs string) string {
	return fmt.Sprintf(`{"zarr_format":3,"node_type":"array","shape":%s,"data_type":%q,"fill_value":%s,"codecs":[%s],
		"chunk_grid":{"name":"regular","configuration":{"chunk_shape":%s}},"chunk_key_encoding":{"name":"default"}}`, shape, dtype, fill, codecs, chunks)
}

const bytesLE = `{"name":"bytes","configuration":{"endian":"little"}}`

func TestEveryLawOfTheDoor(t *testing.T) {
	shared, why := loadertest.Shared()
	if why != "" {
		t.Skipf("Zarr was not held against the laws of the door: %s", why)
	}
	for _, name := range []string{
		"ome04_tczyx.ome.zarr", "ome05_tczyx_sharded.ome.zarr", "v3_shard_nested.zarr", "v3_shard_index_start.zarr", "v2_F_order_nested.zarr",
		"v2_none.zarr", "v2_zipstore.zarr.zip", "v3_dtype_float16.zarr", "v3_transpose.zarr", "v2_be_f8.zarr", "hcs_plate.ome.zarr", "v2_delta_u2.zarr",
	} {
		t.Run(name, func(t *testing.T) {
			loadertest.Run(t, loadertest.Case{Registry: registry, Path: filepath.Join(shared, "data", "zarr", name)})
		})
	}
}

func TestBR003ChunksThatAreNotStoredAreTheFillValue(t *testing.T) {
	for name, c := range map[string]struct {
		fill string
		sum  float64
	}{"null is 0": {`null`, 28}, "5": {`5`, 88}, "absent is 0": {"", 28}} {
		more := ""
		if c.fill != "" {
			more = `,"fill_value":` + c.fill
		}
		path := objects(t, "a.zarr", map[string]string{".zarray": v2("[4,4]", "[2,2]", "<u2", more), "0.0": le16(7, 7, 7, 7)})
		for range 2 {
			sum := 0.0
			for _, v := range values(t, open(t, path).Images[0].Levels[0].Array) {
				sum += v
			}
			if sum != c.sum {
				t.Errorf("fill value %s: sum %v, want %v", name, sum, c.sum)
			}
		}
	}
	empty := objects(t, "b.zarr", map[string]string{".zarray": v2("[4,4]", "[2,2]", "<u2", `,"fill_value":9`)})
	for i, v := range values(t, open(t, empty).Images[0].Levels[0].Array) {
		if v != 9 {
			t.Fatalf("voxel %d of an array without chunks is %v", i, v)
		}
	}
}

func TestFillValuesInEveryForm(t *testing.T) {
	for _, c := range []struct {
		version     int
		dtype, fill string
		want        float64
	}{
		{2, "<f4", `"NaN"`, math.NaN()}, {2, "<f8", `"Infinity"`, math.Inf(1)}, {2, ">f4", `"-Infinity"`, math.Inf(-1)},
		{2, "<i2", "-3", -3}, {2, "<u2", "3.0", 3}, {2, "|b1", "true", 1}, {2, "|b1", "false", 0}, {2, "<f4", `"AACAPw=="`, 1}, {2, ">i2", `"AAU="`, 5},
		{2, "<i4", `"0"`, 0}, {2, "<f4", "1e-3", float64(float32(1e-3))}, {2, "<f4", `""`, 0},
		{3, "float32", `"0x3f800000"`, 1}, {3, "float16", `"0x3c00"`, 1}, {3, "float64", `"0x7ff8000000000000"`, math.NaN()},
		{3, "float16", "0.5", 0.5}, {3, "uint8", "255", 255}, {3, "int8", "-128", -128}, {3, "bool", "true", 1}, {3, "float32", `"Infinity"`, math.Inf(1)},
	} {
		all := map[string]string{".zarray": v2("[2]", "[2]", c.dtype, `,"fill_value":`+c.fill)}
		if c.version == 3 {
			all = map[string]string{"zarr.json": v3("[2]", "[2]", c.dtype, c.fill, bytesLE)}
		}
		for _, v := range values(t, open(t, objects(t, "a.zarr", all)).Images[0].Levels[0].Array) {
			if v != c.want && (v == v || c.want == c.want) {
				t.Errorf("%s of %s: %v, want %v", c.fill, c.dtype, v, c.want)
			}
		}
	}
	for _, c := range []struct{ dtype, fill string }{
		{"uint8", "256"}, {"uint8", "-1"}, {"int16", "1.5"}, {"uint16", `"NaN"`}, {"float32", `"0x3f80000000"`}, {"float32", `"abc"`}, {"int64", "9223372036854775808"}, {"uint8", "[1]"},
	} {
		path := objects(t, "a.zarr", map[string]string{"zarr.json": v3("[2]", "[2]", c.dtype, c.fill, bytesLE)})
		if _, err := registry.Open(ctx, path, loaders.Options{}); err == nil || !strings.Contains(err.Error(), "fill value") {
			t.Errorf("%s as fill value of %s: %v", c.fill, c.dtype, err)
		}
	}
	// Integers beyond 2^53 stay what they are.
	path := objects(t, "a.zarr", map[string]string{"zarr.json": v3("[1]", "[1]", "uint64", "18446744073709551615", bytesLE)})
	a := open(t, path).Images[0].Levels[0].Array
	if b, err := loadertest.Read(ctx, a, a.Meta().Shape.Whole()); err != nil || lazy.View[uint64](b)[0] != math.MaxUint64 {
		t.Errorf("2^64-1 became %v, %v", b, err)
	}
}

// edges is the array of BR-012: shape (5, 7) in chunks of (4, 4) with 10*y + x, padded with 999, or
// cut to size.
func edges(cut bool) map[string]string {
	chunks := map[string]string{}
	for cy := range 2 {
		for cx := range 2 {
			var v []int
			for y := 4 * cy; y < 4*cy+4; y++ {
				for x := 4 * cx; x < 4*cx+4; x++ {
					switch inside := y < 5 && x < 7; {
					case inside:
						v = append(v, 10*y+x)
					case !cut:
						v = append(v, 999)
					}
				}
			}
			chunks[fmt.Sprintf("%d.%d", cy, cx)] = le16(v...)
			chunks[fmt.Sprintf("c/%d/%d", cy, cx)] = le16(v...)
		}
	}
	return chunks
}

func TestBR012PaddingOfEdgeChunksIsNeverShown(t *testing.T) {
	for version, meta := range map[string]map[string]string{
		"v2": {".zarray": v2("[5,7]", "[4,4]", "<i2", "")},
		"v3": {"zarr.json": v3("[5,7]", "[4,4]", "int16", "0", bytesLE)},
	} {
		all := edges(false)
		for k, v := range meta {
			all[k] = v
		}
		a := open(t, objects(t, "a.zarr", all)).Images[0].Levels[0].Array
		if want := (lazy.Shape{1, 1, 1, 5, 7}); a.Meta().Shape != want {
			t.Errorf("%s: shape %v", version, a.Meta().Shape)
		}
		for i, v := range values(t, a) {
			if want := float64(10*(i/7) + i%7); v != want {
				t.Fatalf("%s: voxel %d is %v, want %v", version, i, v, want)
			}
		}

		all = edges(true)
		for k, v := range meta {
			all[k] = v
		}
		a = open(t, objects(t, "a.zarr", all)).Images[0].Levels[0].Array
		_, err := loadertest.Read(ctx, a, a.Meta().Shape.Whole())
		if !errors.Is(err, loaders.ErrDamaged) || !strings.Contains(err.Error(), "chunk 0/1: 24 bytes, its voxels take 32") {
			t.Errorf("%s: an edge chunk cut to size: %v", version, err)
		}
	}
}

// pyramid is the image of BR-004, with 8, 4 and 2 voxels a side.
func pyramid(version string) map[string]string {
	all := map[string]string{".zgroup": `{"zarr_format":2}`}
	var sets []string
	for level, n := range []int{8, 4, 2} {
		scale, shift := 1<<level, float64(int(1)<<level-1)/2
		sets = append(sets, fmt.Sprintf(`{"path":"%d","coordinateTransformations":[{"type":"scale","scale":[%d,%d,%d]},{"type":"translation","translation":[%v,%v,%v]}]}`,
			level, scale, scale, scale, shift, shift, shift))
		var v []byte
		for z := range n {
			for y := range n {
				for x := range n {
					v = append(v, byte(z*2/n*4+y*2/n*2+x*2/n))
				}
			}
		}
		all[fmt.Sprint(level, "/.zarray")] = v2(fmt.Sprintf("[%d,%d,%d]", n, n, n), fmt.Sprintf("[%d,%d,%d]", n, n, n), "|u1", "")
		all[fmt.Sprint(level, "/0.0.0")] = string(v)
	}
	axes := `[{"name":"z","type":"space","unit":"micrometer"},{"name":"y","type":"space","unit":"micrometer"},{"name":"x","type":"space","unit":"micrometer"}]`
	all[".zattrs"] = fmt.Sprintf(`{"multiscales":[{"version":%q,"axes":%s,"datasets":[%s]}]}`, version, axes, strings.Join(sets, ","))
	return all
}

func TestBR004LevelsCoverTheSamePlace(t *testing.T) {
	set := open(t, objects(t, "p.ome.zarr", pyramid("0.4")))
	if set.Format != "ome-zarr" || len(set.Images) != 1 || len(set.Images[0].Levels) != 3 {
		t.Fatalf("%s, %d images", set.Format, len(set.Images))
	}
	for i, l := range set.Images[0].Levels {
		m := l.Array.Meta()
		for _, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
			first := []float64{0, 0.5, 1.5}[i]
			low, high := m.Origin[a]-m.Scale[a]/2, m.Origin[a]+(float64(m.Shape[a])-0.5)*m.Scale[a]
			if m.Origin[a] != first || low != -0.5 || high != 7.5 || m.Unit[a] != "um" {
				t.Errorf("level %d, %v: first voxel at %v %s, from %v to %v", i, a, m.Origin[a], m.Unit[a], low, high)
			}
		}
		if m.Scale[lazy.T] != 0 || m.Scale[lazy.C] != 0 {
			t.Errorf("level %d: scales that the file does not state: %v", i, m.Scale)
		}
	}
}

func TestAxesAndUnitsOfOMEZarr(t *testing.T) {
	meta := func(axes, scale string) map[string]string {
		return map[string]string{
			".zgroup": `{"zarr_format":2}`, "0/.zarray": v2("[2,3,4,5]", "[2,3,4,5]", "|u1", ""),
			".zattrs": fmt.Sprintf(`{"multiscales":[{"axes":[%s],"datasets":[{"path":"0","coordinateTransformations":[{"type":"scale","scale":%s}]}],
				"coordinateTransformations":[{"type":"scale","scale":[2,2,2,2]}]}],
				"omero":{"channels":[{"label":"DAPI","color":"0000FF","window":{"start":10,"end":200}},{"label":7,"color":"nonsense","window":{"start":5,"end":5}}]}}`, axes, scale),
		}
	}
	axis := func(name, kind, unit string) string {
		return fmt.Sprintf(`{"name":%q,"type":%q,"unit":%q}`, name, kind, unit)
	}
	yx := "," + axis("y", "space", "micrometer") + "," + axis("x", "space", "")
	for _, c := range []struct {
		name, axes string
		shape      lazy.Shape
		scale      [lazy.Rank]float64
		units      string
	}{
		{"channels and depth", axis("c", "channel", "") + "," + axis("z", "space", "nanometer") + yx, lazy.Shape{1, 3, 2, 4, 5}, [5]float64{0, 0.004, 0, 6, 8}, "[ um  um ]"},
		{"time in milliseconds, then channels", axis("t", "time", "millisecond") + "," + axis("c", "channel", "") + yx, lazy.Shape{2, 1, 3, 4, 5}, [5]float64{0.002, 0, 0, 6, 8}, "[s   um ]"},
		{"other names, known by type", axis("Time", "time", "hour") + "," + axis("Channel", "channel", "") + yx, lazy.Shape{2, 1, 3, 4, 5}, [5]float64{7200, 0, 0, 6, 8}, "[s   um ]"},
		{"names alone, as in version 0.3", `"c","z","y","x"`, lazy.Shape{1, 3, 2, 4, 5}, [5]float64{0, 4, 0, 6, 8}, "[    ]"},
	} {
		set := open(t, objects(t, "a.zarr", meta(c.axes, "[1,2,3,4]")))
		m := set.Images[0].Levels[0].Array.Meta()
		want := c.scale
		if strings.HasPrefix(c.name, "time") || strings.HasPrefix(c.name, "other") {
			want[lazy.T] = c.scale[lazy.T]
		}
		if m.Shape != c.shape || m.Scale != want || fmt.Sprint(m.Unit) != c.units {
			t.Errorf("%s: %v %v %q, want %v %v %s", c.name, m.Shape, m.Scale, m.Unit, c.shape, want, c.units)
		}
		if n := len(set.Images[0].Channels); n != m.Shape[lazy.C] {
			t.Errorf("%s: %d channels", c.name, n)
		}
	}
	ch := open(t, objects(t, "a.zarr", meta(axis("c", "channel", "")+","+axis("z", "space", "nanometer")+yx, "[1,2,3,4]"))).Images[0].Channels
	if ch[0].Name != "DAPI" || ch[0].Color != "#0000ff" || *ch[0].Limits != [2]float64{10, 200} || ch[1].Name != "7" || ch[1].Color != "" || ch[1].Limits != nil {
		t.Errorf("channels %+v", ch)
	}
	for name, c := range map[string]struct{ axes, order, assumed string }{
		"axes twice": {`"y","y","y","x"`, "ytcx", "tc"}, "too few": {`"y","x"`, "", ""},
		"a name that says nothing": {axis("q", "space", "micrometer") + "," + axis("z", "space", "") + yx, "tzyx", "t"},
	} {
		axes := c.axes
		set, err := registry.Open(ctx, objects(t, "a.zarr", meta(axes, "[1,2,3,4]")), loaders.Options{})
		switch {
		case (err == nil) != (c.order != ""):
			t.Errorf("%s: %v", name, err)
		case err == nil:
			if img := set.Images[0]; img.Order.Axes != c.order || img.Assumed != c.assumed || img.Levels[0].Array.Meta().Unit[lazy.T] != "" {
				t.Errorf("%s: axes %s, assumed %q, units %q", name, img.Order.Axes, img.Assumed, img.Levels[0].Array.Meta().Unit)
			}
			set.Close()
		}
		if set, err := registry.Open(ctx, objects(t, "a.zarr", meta(axes, "[1,2,3,4]")), loaders.Options{Axes: "czyx"}); err != nil || set.Images[0].Levels[0].Array.Meta().Shape[lazy.C] != 2 {
			t.Errorf("%s, with the user's axes: %v", name, err)
		}
	}
	// Scales that cannot be are left out and named, and the image opens.
	for _, scale := range []string{"[1,2,3]", "[1,2,0,4]", "[1,2,-3,4]"} {
		set := open(t, objects(t, "a.zarr", meta(`"c","z","y","x"`, scale)))
		if len(set.Warnings) != 1 || !strings.Contains(set.Warnings[0], "scale") {
			t.Errorf("scale %s: warnings %q", scale, set.Warnings)
		}
	}
}

func TestBR022UnitsAreSpelledInManyWays(t *testing.T) {
	for unit, want := range map[string]float64{
		"micrometer": 1, "micrometre": 1, "micrometers": 1, "um": 1, "µm": 1, "μm": 1, "Micron": 1, "microns": 1,
		"nanometer": 1e-3, "nm": 1e-3, "millimeter": 1e3, "angstrom": 1e-4, "meter": 1e6, "inch": 25400,
	} {
		all := pyramid("0.4")
		all[".zattrs"] = strings.ReplaceAll(all[".zattrs"], "micrometer", unit)
		m := open(t, objects(t, "a.zarr", all)).Images[0].Levels[1].Array.Meta()
		if math.Abs(m.Scale[lazy.Y]-2*want) > 1e-9*want || m.Unit[lazy.Y] != "um" {
			t.Errorf("%s: 2 of them are %v %s, want %v um", unit, m.Scale[lazy.Y], m.Unit[lazy.Y], 2*want)
		}
	}
}

func TestOpeningReadsMetadataAlone(t *testing.T) {
	// 100,000 chunks, none of which is there: only the count of objects matters, and one is enough.
	path := objects(t, "a.zarr", map[string]string{".zarray": v2("[100000,64,64]", "[1,64,64]", "<u2", `,"dimension_separator":"/"`)})
	a := open(t, path).Images[0].Levels[0].Array
	if n := a.Meta().Shape.Whole().Cells(a.Meta().Chunk); n != 100_000 {
		t.Errorf("%d chunks", n)
	}
	b := lazy.NewBlock(lazy.At(lazy.Index{0, 99_999, 0, 0, 0}, lazy.Shape{1, 1, 1, 64, 64}), lazy.U16)
	if n, err := a.Node().Source.Read(ctx, b); n != 0 || err != nil {
		t.Errorf("a chunk that is not stored: %d bytes, %v", n, err)
	}
}

func TestRowsOfRawChunksAreReadAlone(t *testing.T) {
	path := objects(t, "a.zarr", map[string]string{".zarray": v2("[4,6,5]", "[4,6,5]", "|u1", ""), "0.0.0": strings.Repeat("abcde", 24)})
	s := open(t, path).Images[0].Levels[0].Array.Node().Source
	r := lazy.Region{Min: lazy.Index{0, 1, 0, 2, 3}, Max: lazy.Index{1, 2, 1, 4, 4}}
	g := s.(lazy.Grainer).Grain(r)
	if g != r.With(lazy.X, 0, 5) {
		t.Errorf("the grain of %v is %v", r, g)
	}
	if n, err := s.Read(ctx, lazy.NewBlock(g, lazy.U8)); n != 10 || err != nil {
		t.Errorf("two rows of five took %d bytes, %v", n, err)
	}
}

func TestAHierarchyIsAnImageForEachArray(t *testing.T) {
	array := v2("[2,2]", "[2,2]", "|u1", "")
	path := objects(t, "many.zarr", map[string]string{
		".zgroup": `{"zarr_format":2}`, "b/.zarray": array, "a/.zgroup": `{"zarr_format":2}`, "a/img10/.zarray": array, "a/img2/.zarray": array,
		"text/.zarray": v2("[2]", "[2]", "|O", ""), "notes/readme": "no node",
	})
	set := open(t, path)
	var paths []string
	for _, i := range set.Images {
		paths = append(paths, i.Path)
	}
	if got := strings.Join(paths, " "); got != "a/img2 a/img10 b" || set.Format != "zarr" {
		t.Errorf("%s of format %s", got, set.Format)
	}
	if len(set.Warnings) != 1 || set.Warnings[0] != `text was left out: it holds Python objects (type "|O"): not supported.` {
		t.Errorf("warnings %q", set.Warnings)
	}
	for _, inside := range []string{".zgroup", "a/.zgroup", "a/img2/.zarray"} {
		if set, err := registry.Open(ctx, filepath.Join(path, inside), loaders.Options{}); err != nil || len(set.Images) == 0 {
			t.Errorf("opened by %s: %v", inside, err)
		}
	}
}

func TestMetadataThatCannotBeAreRefusedWithTheirReason(t *testing.T) {
	shard := func(shape, index string) string {
		return fmt.Sprintf(`{"name":"sharding_indexed","configuration":{"chunk_shape":%s,"codecs":[%s],"index_codecs":[%s]}}`, shape, bytesLE, index)
	}
	for _, c := range []struct{ name, object, text, want string }{
		{"a record", ".zarray", strings.Replace(v2("[2]", "[2]", "X", ""), `"X"`, `[["a","<u2"]]`, 1), "records"},
		{"chunks of another rank", ".zarray", v2("[2,2]", "[2]", "|u1", ""), "1 dimensions for an array of 2"},
		{"chunks of nothing", ".zarray", v2("[2]", "[0]", "|u1", ""), "chunks of shape [0]"},
		{"a shape of texts", ".zarray", v2(`["2"]`, "[2]", "|u1", ""), "cannot be read"},
		{"an unknown order", ".zarray", strings.Replace(v2("[2]", "[2]", "|u1", ""), `"C"`, `"K"`, 1), `order "K"`},
		{"an unknown separator", ".zarray", v2("[2]", "[2]", "|u1", `,"dimension_separator":"\\"`), "dimension_separator"},
		{"another version", ".zarray", strings.Replace(v2("[2]", "[2]", "|u1", ""), ":2", ":9", 1), "zarr_format 9"},
		{"an unknown filter", ".zarray", strings.Replace(v2("[2]", "[2]", "|u1", ""), `"filters":null`, `"filters":[{"id":"magic"}]`, 1), `codec "magic"`},
		{"six dimensions", ".zarray", v2("[1,1,1,1,1,1]", "[1,1,1,1,1,1]", "|u1", ""), "6 dimensions"},
		{"no voxels", ".zarray", v2("[0,5]", "[1,5]", "|u1", ""), "no voxels"},
		{"2^80 voxels", ".zarray", v2("[1099511627776,1099511627776]", "[1,1024]", "|u1", ""), "more voxels"},
		{"a chunk of 8 GiB", "zarr.json", v3("[65536,65536]", "[65536,65536]", "uint16", "0", bytesLE), "more than 2 GiB"},
		{"a large chunk for a small array", "zarr.json", v3("[10,10]", "[30000,30000]", "uint16", "0", bytesLE), "chunks of shape [30000 30000]"},
		{"an unknown type", "zarr.json", v3("[2]", "[2]", "int3", "0", bytesLE), `"int3"`},
		{"signed values of two bits in bytes", "zarr.json", v3("[2]", "[2]", "int2", "0", bytesLE), "signed values of 2 bits"},
		{"packbits of bits that are not there", "zarr.json", v3("[2]", "[2]", "uint8", "0", `{"name":"packbits","configuration":{"last_bit":8}}`), "bits 0 to 8 of 8"},
		{"no codecs", "zarr.json", v3("[2]", "[2]", "uint8", "0", ""), "without bytes"},
		{"no byte order", "zarr.json", v3("[2]", "[2]", "uint16", "0", `{"name":"bytes"}`), "endian"},
		{"a transposition of other dimensions", "zarr.json", v3("[2,2]", "[2,2]", "uint8", "0", `{"name":"transpose","configuration":{"order":[0,2]}},`+bytesLE), "transpose by [0 2]"},
		{"inner chunks that do not divide", "zarr.json", v3("[8]", "[8]", "uint8", "0", shard("[3]", bytesLE)), "do not divide"},
		{"inner chunks of nothing", "zarr.json", v3("[8]", "[8]", "uint8", "0", shard("[0]", bytesLE)), "do not divide"},
		{"an index without bytes", "zarr.json", v3("[8]", "[8]", "uint8", "0", shard("[4]", "")), "shard index"},
		{"a packed index", "zarr.json", v3("[8]", "[8]", "uint8", "0", shard("[4]", bytesLE+`,{"name":"gzip"}`)), `"gzip" of a shard index`},
		{"packed shards", "zarr.json", v3("[8]", "[8]", "uint8", "0", shard("[4]", bytesLE)+`,{"name":"gzip"}`), "over whole shards"},
		{"an index of a billion", "zarr.json", v3("[1073741824]", "[1073741824]", "uint8", "0", shard("[1]", bytesLE)), "more than"},
		{"an extension", "zarr.json", strings.Replace(v3("[2]", "[2]", "uint8", "0", bytesLE), `"shape"`, `"spell":{"a":1},"shape"`, 1), `extension "spell"`},
		{"another grid", "zarr.json", strings.Replace(v3("[2]", "[2]", "uint8", "0", bytesLE), `"regular"`, `"rectangular"`, 1), "rectangular"},
		{"neither array nor group", "zarr.json", `{"zarr_format":3,"node_type":"tree"}`, `"tree"`},
		{"an empty group", "zarr.json", `{"zarr_format":3,"node_type":"group"}`, "no array"},
		{"nothing", "zarr.json", "", "cannot be read"},
	} {
		path := objects(t, "bad.zarr", map[string]string{c.object: c.text})
		_, err := registry.Open(ctx, path, loaders.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "bad.zarr") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	ok := strings.Replace(v3("[2]", "[2]", "uint8", "0", bytesLE), `"shape"`, `"spell":{"must_understand":false},"shape"`, 1)
	open(t, objects(t, "a.zarr", map[string]string{"zarr.json": ok}))
}

// Chunks written by hand, by the definitions of numcodecs and of the codec packbits in zarr-extensions.
func TestCodecsWhoseStoredTypeIsAnother(t *testing.T) {
	filter := func(dtype, filters string) string {
		return strings.Replace(v2("[3]", "[3]", dtype, ""), `"filters":null`, `"filters":[`+filters+`]`, 1)
	}
	packed := func(dtype, config string) string {
		return v3("[3]", "[3]", dtype, "0", `{"name":"packbits","configuration":{`+config+`}}`)
	}
	le32 := func(v ...int32) string {
		var p []byte
		for _, x := range v {
			p = binary.LittleEndian.AppendUint32(p, uint32(x))
		}
		return string(p)
	}
	f32 := func(v ...float32) string {
		var bits []int32
		for _, x := range v {
			bits = append(bits, int32(math.Float32bits(x)))
		}
		return le32(bits...)
	}
	for name, c := range map[string]struct {
		object, text, key, chunk string
		want                     []float64
	}{
		"delta kept in more bits": {".zarray", filter("<u2", `{"id":"delta","dtype":"<u2","astype":"<i4"}`), "0", le32(10, 5, -3), []float64{10, 15, 12}},
		"delta kept in fewer":     {".zarray", filter("<i4", `{"id":"delta","dtype":"<i4","astype":"|i1"}`), "0", "\x64\x64\xff", []float64{100, 200, 199}},
		"astype":                  {".zarray", filter("<i2", `{"id":"astype","encode_dtype":"<f4","decode_dtype":"<i2"}`), "0", f32(1.75, -2.5, 70000), []float64{1, -2, 4464}},
		"quantize":                {".zarray", filter("<f8", `{"id":"quantize","digits":2,"dtype":"<f8","astype":"<f4"}`), "0", f32(0.25, -1, 8), []float64{0.25, -1, 8}},
		"a scale that wraps":      {".zarray", filter("<u2", `{"id":"fixedscaleoffset","scale":1,"offset":10,"dtype":"<u2","astype":"<i4"}`), "0", le32(65528, 1, -11), []float64{2, 11, 65535}},
		"delta of version 3": {"zarr.json", v3("[3]", "[3]", "int16", "0", `{"name":"numcodecs.delta","configuration":{"dtype":"<i2","astype":"<i4"}},`+bytesLE),
			"c/0", le32(-5, 3, 1), []float64{-5, -2, -1}},
		"four bits":                {"zarr.json", packed("uint4", ""), "c/0", "\x21\x03", []float64{1, 2, 3}},
		"two bits with a sign":     {"zarr.json", packed("int2", ""), "c/0", "\x39", []float64{1, -2, -1}},
		"truth and a byte before":  {"zarr.json", packed("bool", `"padding_encoding":"first_byte"`), "c/0", "\x05\x05", []float64{1, 0, 1}},
		"truth and a byte behind":  {"zarr.json", packed("bool", `"padding_encoding":"last_byte"`), "c/0", "\x06\x05", []float64{0, 1, 1}},
		"the upper half of a byte": {"zarr.json", packed("uint8", `"first_bit":4`), "c/0", "\x21\x03", []float64{16, 32, 48}},
		"twelve bits with a sign":  {"zarr.json", packed("int16", `"last_bit":11`), "c/0", "\xff\x0f\x00\x00\x08", []float64{-1, 0, -2048}},
	} {
		a := open(t, objects(t, "a.zarr", map[string]string{c.object: c.text, c.key: c.chunk})).Images[0].Levels[0].Array
		if got := values(t, a); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestDamagedChunksAreNamed(t *testing.T) {
	for name, c := range map[string]struct{ codecs, chunk, want string }{
		"short":          {bytesLE, "abc", "chunk 0: 3 bytes, its voxels take 8"},
		"long":           {bytesLE, "abcabcabcabc", "chunk 0: 12 bytes, its voxels take 8"},
		"empty":          {bytesLE, "", "chunk 0: 0 bytes"},
		"not gzip":       {bytesLE + `,{"name":"gzip"}`, "abcdefghijk", "chunk 0: codec: gzip"},
		"empty gzip":     {bytesLE + `,{"name":"gzip"}`, "", "chunk 0: codec: gzip"},
		"not blosc":      {bytesLE + `,{"name":"blosc"}`, "abcdefghijklmnopqrstuvw", "chunk 0: codec: blosc"},
		"not zstd":       {bytesLE + `,{"name":"zstd"}`, "abcdefgh", "chunk 0: codec: zstd"},
		"wrong checksum": {bytesLE + `,{"name":"crc32c"}`, "abcdefgh1234", "chunk 0: codec: checksum"},
		"far too long":   {bytesLE + `,{"name":"gzip"}`, strings.Repeat("x", 100_000), "chunk 0: 100000 bytes"},
	} {
		path := objects(t, "a.zarr", map[string]string{"zarr.json": v3("[4]", "[4]", "uint16", "0", c.codecs), "c/0": c.chunk})
		a := open(t, path).Images[0].Levels[0].Array
		_, err := loadertest.Read(ctx, a, a.Meta().Shape.Whole())
		if !errors.Is(err, loaders.ErrDamaged) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "a.zarr") {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func FuzzMetadataNeverPanic(f *testing.F) {
	f.Add(v2("[4,4]", "[2,2]", "<u2", `,"fill_value":"NaN"`), "", "12345678")
	f.Add(v2("[4]", "[4]", "<f4", ""), `{"multiscales":[{"datasets":[{"path":"."}]}]}`, "")
	f.Add(v3("[4,4]", "[4,4]", "int16", "0", `{"name":"sharding_indexed","configuration":{"chunk_shape":[2,2],"codecs":[`+bytesLE+`],"index_codecs":[`+bytesLE+`]}}`), "", strings.Repeat("\x00", 80))
	for _, all := range []map[string]string{pyramid("0.4")} {
		f.Add(all["0/.zarray"], all[".zattrs"], all["0/0.0.0"])
	}
	f.Fuzz(func(t *testing.T, array, attributes, chunk string) {
		all := map[string]string{".zgroup": `{"zarr_format":2}`, ".zattrs": attributes, "0/.zarray": array, "0/0": chunk, "0/0.0": chunk, "1/zarr.json": array, "1/c/0/0": chunk}
		set, err := registry.Open(ctx, objects(t, "f.zarr", all), loaders.Options{})
		if err != nil {
			return
		}
		defer set.Close()
		for _, i := range set.Images {
			for _, l := range i.Levels {
				if m := l.Array.Meta(); m.Shape.Voxels() < 1<<16 && m.Chunk.Voxels() < 1<<20 {
					loadertest.Read(ctx, l.Array, m.Shape.Whole())
				}
			}
		}
	})
}
