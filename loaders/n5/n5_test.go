package n5_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
)

func open(t *testing.T, name string, o loaders.Options) lazy.Dataset {
	t.Helper()
	set, err := registry.Open(context.Background(), name, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { set.Close() })
	return set
}

func whole(t *testing.T, a lazy.Array) *lazy.Block {
	t.Helper()
	b, err := loadertest.Read(context.Background(), a, a.Meta().Shape.Whole())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The values are those of testdata/make.py.
func TestEveryTypeAndEveryCompression(t *testing.T) {
	for _, name := range []string{"types.n5", "codecs.n5"} {
		set := open(t, "testdata/"+name, loaders.Options{})
		if want := map[string]int{"types.n5": 10, "codecs.n5": 5}[name]; len(set.Images) != want {
			t.Errorf("%s: %d images, want %d: %v", name, len(set.Images), want, set.Warnings)
		}
		for _, image := range set.Images {
			b := whole(t, image.Levels[0].Array)
			if want := (lazy.Shape{1, 3, 1, 5, 7}); b.Region.Shape() != want {
				t.Errorf("%s: shape %v, want %v", image.Path, b.Region.Shape(), want)
			}
			for n := range b.Len() {
				at := lazy.Index{0, n / 35, 0, n / 7 % 5, n % 7}
				want := float64(n * 7 % 251)
				if b.DType == lazy.I8 {
					want = float64(int8(n * 7 % 251))
				}
				if b.DType.Float() {
					want = float64(n)/4 - 3
				}
				if got := b.Value(at); got != want {
					t.Fatalf("%s at %v: %v, want %v", image.Path, at, got, want)
				}
			}
		}
	}
}

func TestDialectsStateLengths(t *testing.T) {
	shared, why := loadertest.Shared()
	for _, c := range []struct {
		name, image  string
		level        int
		scale        lazy.Index // in units of a nanometre
		origin       lazy.Index
		assumed      string
		fromManifest bool
	}{
		{name: "testdata/bdv.xml", image: "setup1", level: 0, scale: lazy.Index{0, 500, 0, 200, 200}},
		{name: "testdata/bdv.xml", image: "setup1", level: 1, scale: lazy.Index{0, 500, 0, 400, 400}, origin: lazy.Index{0, 0, 0, 100, 100}},
		{name: "testdata/cosem.n5", image: "em", level: 1, scale: lazy.Index{0, 10, 0, 8, 8}, origin: lazy.Index{0, 3, 0, 2, 2}},
		{name: "n5/w_multiscale.n5", level: 2, scale: lazy.Index{0, 300, 0, 400, 400}, origin: lazy.Index{0, 0, 0, 150, 150}, assumed: "zyx", fromManifest: true},
		{name: "n5/ng_n5_viewer_multiscale_modern", level: 1, scale: lazy.Index{0, 0, 0, 0, 20}, origin: lazy.Index{0, 0, 0, 0, 5}, fromManifest: true},
		{name: "n5/ng_n5_viewer_multiscale_deprecated", level: 2, scale: lazy.Index{0, 0, 0, 0, 40}, origin: lazy.Index{0, 0, 0, 0, 15}, fromManifest: true},
	} {
		name := c.name
		if c.fromManifest {
			if why != "" {
				t.Logf("%s was not looked at: %s", name, why)
				continue
			}
			name = filepath.Join(shared, "data", name)
		}
		for _, image := range open(t, name, loaders.Options{}).Images {
			if c.image != "" && image.Path != c.image {
				continue
			}
			if image.Assumed != c.assumed || len(image.Levels) <= c.level {
				t.Errorf("%s: axes %q assumed, %d levels", c.name, image.Assumed, len(image.Levels))
				continue
			}
			m := image.Levels[c.level].Array.Meta()
			for a := range lazy.Rank {
				round := func(v float64) int { return int(v*1000 + 0.5) }
				if round(m.Scale[a]) != c.scale[a] || round(m.Origin[a]) != c.origin[a] {
					t.Errorf("%s level %d: scale %v, origin %v; want %v and %v nm", c.name, c.level, m.Scale, m.Origin, c.scale, c.origin)
				}
			}
		}
	}
}

func TestTimePointsOfBigDataViewerAreJoined(t *testing.T) {
	set := open(t, "testdata/bdv.xml", loaders.Options{})
	if len(set.Images) != 2 || set.Images[1].Name != "channel 1" {
		t.Fatalf("%d images, the second called %q", len(set.Images), set.Images[len(set.Images)-1].Name)
	}
	for s, image := range set.Images {
		b := whole(t, image.Levels[1].Array)
		if want := (lazy.Shape{2, 4, 1, 3, 4}); b.Region.Shape() != want {
			t.Fatalf("shape %v, want %v", b.Region.Shape(), want)
		}
		for time := range 2 {
			want := float64((1*48+2*8+4)*7%251 + 1000*s + 100*time)
			if got := b.Value(lazy.Index{time, 1, 0, 1, 2}); got != want {
				t.Errorf("setup %d time %d: %v, want %v", s, time, got, want)
			}
		}
	}
}

// A time point that is far away takes the blocks of its plane, of its setup and level, and nothing else.
func TestATimePointFarAwayTakesItsBlocksAlone(t *testing.T) {
	t.Setenv("LAMELLA_CACHE", "off")
	var mu sync.Mutex
	var asked []string
	files := http.FileServer(http.Dir("testdata"))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.URL.Path)
		mu.Unlock()
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	set := open(t, server.URL+"/bdv.xml", loaders.Options{})
	for _, path := range asked {
		if name := filepath.Base(path); name != "bdv.xml" && name != "attributes.json" {
			t.Errorf("opening asked for %s", path)
		}
	}
	a := set.Images[1].Levels[0].Array
	for _, time := range []int{1, 0} {
		asked = nil
		r := a.Meta().Shape.Whole().With(lazy.T, time, time+1).With(lazy.Z, 2, 3)
		if _, err := loadertest.Read(context.Background(), a, r); err != nil {
			t.Fatal(err)
		}
		in := fmt.Sprintf("/setup1/timepoint%d/s0/", time)
		most := r.Cells(a.Meta().Chunk)
		for _, path := range asked {
			if !strings.Contains(path, in) {
				t.Errorf("time point %d asked for %s", time, path)
			}
		}
		if len(asked) == 0 || len(asked) > most {
			t.Errorf("time point %d took %d requests for %d blocks", time, len(asked), most)
		}
	}
}

// zarr-python writes its own form of lz4 where N5 has that of lz4-java: length (4), and one block.
func TestLZ4OfZarrPythonIsRead(t *testing.T) {
	const text = `{"dimensions":[3,2],"blockSize":[3,2],"dataType":"uint8","compression":{"type":"lz4"}}`
	b := whole(t, open(t, put(t, text, header(0, "\x06\x00\x00\x00\x60abcdef", 3, 2)), loaders.Options{}).Images[0].Levels[0].Array)
	if got := string(b.Bytes()); got != "abcdef" {
		t.Errorf("%q", got)
	}
}

// put writes an N5 folder of one array with one block.
func put(t testing.TB, attributes string, block []byte) string {
	t.Helper()
	top := t.TempDir()
	if err := os.WriteFile(filepath.Join(top, "attributes.json"), []byte(attributes), 0o666); err != nil {
		t.Fatal(err)
	}
	if block != nil {
		at := filepath.Join(top, "0", "0")
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, block, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return top
}

// header is that of a block of mode and lengths, fastest first, with more behind it.
func header(mode uint16, rest string, lengths ...uint32) []byte {
	p := binary.BigEndian.AppendUint16(nil, mode)
	p = binary.BigEndian.AppendUint16(p, uint16(len(lengths)))
	for _, n := range lengths {
		p = binary.BigEndian.AppendUint32(p, n)
	}
	return append(p, rest...)
}

const plain = `{"dimensions":[3,2],"blockSize":[3,2],"dataType":"uint8","compression":{"type":"raw"}}`

func TestBadFilesAreRefusedInOneLine(t *testing.T) {
	for _, c := range []struct {
		what, attributes string
		block            []byte
		says             string
	}{
		{"text instead of attributes", `{"dimensions":`, nil, "unexpected end of JSON"},
		{"a length below 0", strings.Replace(plain, "[3,2]", "[-3,2]", 1), nil, "-3"},
		{"more voxels than there are", strings.Replace(plain, "[3,2]", "[9e18,9]", 1), nil, "dimensions"},
		{"no voxels", strings.Replace(plain, "[3,2]", "[0,2]", 1), nil, "no voxels"},
		{"blocks without a length", strings.Replace(plain, `Size":[3,2]`, `Size":[0,2]`, 1), nil, "blocks of"},
		{"blocks of other dimensions", strings.Replace(plain, `Size":[3,2]`, `Size":[3]`, 1), nil, "blocks of 1 dimensions"},
		{"blocks that no memory holds", strings.Replace(plain, `Size":[3,2]`, `Size":[2000000,2000000]`, 1), nil, "2 GiB"},
		{"texts", strings.Replace(plain, "uint8", "string", 1), nil, `"string"`},
		{"an unknown compression", strings.Replace(plain, `"raw"`, `"jpeg"`, 1), nil, `"jpeg"`},
		{"six dimensions", `{"dimensions":[1,1,1,1,1,1],"blockSize":[1,1,1,1,1,1],"dataType":"uint8","compression":{"type":"raw"}}`, nil, "6 dimensions"},
		{"an empty block", plain, []byte{}, "no header"},
		{"a block of other dimensions", plain, header(0, "abcdef", 6), "1 dimensions instead of 2"},
		{"a block that is too short", plain, header(0, "abcde", 3, 2), "5 bytes for 6 voxels"},
		{"a block smaller than its cell", plain, header(0, "abcd", 2, 2), "states 2 voxels along x"},
		{"a block larger than its cell", plain, header(0, "abcdefghi", 3, 3), "states 3 voxels along y"},
		{"a block of varied length", plain, header(1, "\x00\x00\x00\x09abcdefghi", 3, 2), "varied length"},
		{"a block of objects", plain, header(2, "abcdef", 3, 2), "mode 2"},
		{"a packed block that is cut", strings.Replace(plain, `"raw"`, `"lz4"`, 1), header(0, "LZ4Block", 3, 2), "no header"},
	} {
		set, err := registry.Open(context.Background(), put(t, c.attributes, c.block), loaders.Options{})
		if err == nil {
			a := set.Images[0].Levels[0].Array
			_, err = loadertest.Read(context.Background(), a, a.Meta().Shape.Whole())
			set.Close()
		}
		if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want one line with %q", c.what, err, c.says)
		}
	}
}

func TestAVariedBlockOfPlainLengthIsRead(t *testing.T) {
	b := whole(t, open(t, put(t, plain, header(1, "\x00\x00\x00\x06abcdef", 3, 2)), loaders.Options{}).Images[0].Levels[0].Array)
	if string(b.Bytes()) != "abcdef" {
		t.Errorf("%q", b.Bytes())
	}
}

func TestTheXMLNamesNoFolderOutside(t *testing.T) {
	top := t.TempDir()
	text := `<SpimData><BasePath>.</BasePath><SequenceDescription><ImageLoader format="bdv.n5"><n5>../../secret.n5</n5></ImageLoader></SequenceDescription></SpimData>`
	name := filepath.Join(top, "a.xml")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := registry.Open(context.Background(), name, loaders.Options{}); err == nil || !strings.Contains(err.Error(), "outside") && !strings.Contains(err.Error(), "out of the folder") {
		t.Errorf("%v", err)
	}
}

// FuzzArray: whatever the attributes and a block hold, a region is read or refused in one line.
func FuzzArray(f *testing.F) {
	f.Add(plain, header(0, "abcdef", 3, 2))
	f.Add(strings.Replace(plain, `"raw"`, `"gzip"`, 1), header(0, "\x1f\x8b", 3, 2))
	f.Add(`{"axes":["x","y"],"units":["nm","s"],"resolution":[1,2],"scales":[[1,1]],"n5":"2.0.0"}`, []byte{})
	f.Fuzz(func(t *testing.T, attributes string, block []byte) {
		set, err := registry.Open(context.Background(), put(t, attributes, block), loaders.Options{})
		if err == nil {
			defer set.Close()
			a := set.Images[0].Levels[0].Array
			r := a.Meta().Shape.Whole().Intersect(lazy.Region{Max: lazy.Index{1, 8, 1, 8, 8}})
			if m := a.Meta(); m.Chunk.Voxels() < 1<<20 {
				_, err = loadertest.Read(context.Background(), a, r)
			}
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("not one line: %q", err)
		}
	})
}
