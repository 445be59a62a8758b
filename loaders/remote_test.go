package loaders_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
	"lamella/loaders/n5"
	"lamella/loaders/npy"
	"lamella/loaders/raw"
	"lamella/loaders/sequence"
	"lamella/loaders/store"
	"lamella/loaders/tiff"
	"lamella/loaders/zarr"
)

var drivers = loaders.Registry{raw.Driver{}, zarr.Driver{}, n5.Driver{}, tiff.Driver{}, npy.Driver{}, sequence.Picture{}, sequence.Driver{}}

// web is how addresses are read in tests.
var web = loaders.Options{Web: store.Web{CacheSize: -1, Patience: 2 * time.Second, Pause: time.Millisecond}}

// counting serves objects and counts the requests for them, by what came of them.
type counting struct {
	object        func(key string) []byte // nil: there is none
	given, failed atomic.Int64
}

func (c *counting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p := c.object(strings.TrimPrefix(r.URL.Path, "/"))
	if p == nil {
		c.failed.Add(1)
		http.NotFound(w, r)
		return
	}
	c.given.Add(1)
	w.Header().Set("ETag", `"1"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(p))
}

func serve(t *testing.T, h http.Handler) string {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// huge is an OME-Zarr 0.4 of two levels, the first of 100,000 chunks. Chunk n of it holds the value n % 251.
func huge(key string) []byte {
	array := func(n int) []byte {
		p, _ := json.Marshal(map[string]any{
			"zarr_format": 2, "shape": []int{n, 64, 64}, "chunks": []int{1, 64, 64}, "dtype": "|u1", "compressor": nil, "fill_value": 7, "order": "C", "filters": nil, "dimension_separator": "/",
		})
		return p
	}
	switch key {
	case "x.ome.zarr/.zgroup":
		return []byte(`{"zarr_format": 2}`)
	case "x.ome.zarr/.zattrs":
		return []byte(`{"multiscales": [{"version": "0.4", "axes": [{"name": "z", "type": "space", "unit": "micrometer"}, {"name": "y", "type": "space", "unit": "micrometer"},
			{"name": "x", "type": "space", "unit": "micrometer"}], "datasets": [{"path": "0", "coordinateTransformations": [{"type": "scale", "scale": [0.5, 0.1, 0.1]}]},
			{"path": "1", "coordinateTransformations": [{"type": "scale", "scale": [1, 0.1, 0.1]}]}]}]}`)
	case "x.ome.zarr/0/.zarray":
		return array(100_000)
	case "x.ome.zarr/1/.zarray":
		return array(50_000)
	}
	var n int
	if _, err := fmt.Sscanf(key, "x.ome.zarr/0/%d/0/0", &n); err != nil || n == 5 {
		return nil
	}
	return bytes.Repeat([]byte{byte(n % 251)}, 64*64)
}

func TestOpeningAHundredThousandChunksReadsAHandfulOfObjects(t *testing.T) {
	c := &counting{object: huge}
	set, err := drivers.Open(ctx, serve(t, c)+"/x.ome.zarr", web)
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	m := set.Images[0].Levels[0].Array.Meta()
	if set.Format != "ome-zarr" || len(set.Images[0].Levels) != 2 || m.Shape != (lazy.Shape{1, 100_000, 1, 64, 64}) || m.Scale[lazy.Z] != 0.5 {
		t.Fatalf("%s, %v", set.Format, m)
	}
	if given, failed := c.given.Load(), c.failed.Load(); given > 5 || failed > 12 {
		t.Errorf("%d objects read, %d looked for in vain", given, failed)
	}
	before := c.given.Load()
	source := set.Images[0].Levels[0].Array.Node().Source
	read := func(z int) (byte, int64) {
		t.Helper()
		b := lazy.NewBlock(lazy.Region{Min: lazy.Index{0, z, 0, 0, 0}, Max: lazy.Index{1, z + 1, 1, 64, 64}}, lazy.U8)
		n, err := source.Read(ctx, b)
		if err != nil {
			t.Fatal(err)
		}
		return b.Bytes()[100], n
	}
	if v, n := read(99_998); v != byte(99_998%251) || n != 64*64 {
		t.Errorf("chunk 99998: value %d from %d bytes", v, n)
	}
	if v, n := read(5); v != 7 || n != 0 {
		t.Errorf("a chunk that is missing: value %d from %d bytes, want the fill value from none", v, n)
	}
	if n := c.given.Load() - before; n != 1 {
		t.Errorf("a chunk took %d objects", n)
	}
}

func TestSeriesOfABioformats2rawSetAreCountedWhereNothingCanBeListed(t *testing.T) {
	c := &counting{object: func(key string) []byte {
		switch key {
		case "set.zarr/.zgroup":
			return []byte(`{"zarr_format": 2}`)
		case "set.zarr/.zattrs":
			return []byte(`{"bioformats2raw.layout": 3}`)
		}
		if rest, ok := strings.CutPrefix(key, "set.zarr/"); ok && len(rest) > 2 && rest[0] < '3' {
			return huge("x.ome.zarr/" + rest[2:])
		}
		return nil
	}}
	set, err := drivers.Open(ctx, serve(t, c)+"/set.zarr", web)
	if err != nil || len(set.Images) != 3 || set.Images[2].Path != "2" {
		t.Fatalf("%v, %v", set.Images, err)
	}
	set.Close()
}

// Every kind of source has the same voxels by its address as by its path.
func TestTheSameVoxelsComeByAddress(t *testing.T) {
	shared := os.Getenv("LAMELLA_SHARED")
	if shared == "" {
		shared = "../../shared"
	}
	data := filepath.Join(shared, "data")
	if _, err := os.Stat(data); err != nil {
		t.Skipf("%v: voxels by address and by path were not compared", err)
	}
	address := serve(t, http.FileServer(http.Dir(data)))
	whole := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { // as python -m http.server does
		p, err := os.ReadFile(filepath.Join(data, filepath.FromSlash(r.URL.Path)))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Write(p)
	}))
	found := 0
	for _, pattern := range []string{"tiff/*.tif", "tiff/*.ome.tif", "tiff/*.svs", "npy/*.npy", "npy/*.npz", "zarr/*.zarr", "zarr/*.zip", "n5/*multiscale*", "n5/bdv*.n5"} {
		names, _ := filepath.Glob(filepath.Join(data, pattern))
		for i, name := range names {
			if i%(len(names)/6+1) != 0 {
				continue // some of each kind will do
			}
			local, err := drivers.Open(ctx, name, loaders.Options{})
			if err != nil {
				continue // what cannot be read at all is for the drivers' own tests
			}
			rel, _ := filepath.Rel(data, name)
			for _, base := range []string{address, whole} {
				at := base + "/" + escaped(filepath.ToSlash(rel))
				remote, err := drivers.Open(ctx, at, web)
				if err != nil {
					if errors.Is(err, errors.ErrUnsupported) || strings.Contains(err.Error(), "cannot be listed") {
						continue // a group that does not name what is in it
					}
					t.Errorf("%s: %v", at, err)
					continue
				}
				found++
				same(t, at, local, remote)
				remote.Close()
			}
			local.Close()
		}
	}
	if found < 20 {
		t.Errorf("only %d sources were compared", found)
	}
}

func escaped(p string) string {
	parts := strings.Split(p, "/")
	for i := range parts {
		var b strings.Builder
		for _, c := range []byte(parts[i]) {
			fmt.Fprintf(&b, "%%%02x", c)
		}
		parts[i] = b.String()
	}
	return path.Join(parts...)
}

func same(t *testing.T, name string, a, b lazy.Dataset) {
	t.Helper()
	if a.Format != b.Format || len(a.Images) != len(b.Images) {
		t.Errorf("%s: %s with %d images, by path %s with %d", name, b.Format, len(b.Images), a.Format, len(a.Images))
		return
	}
	x, y := a.Images[0].Levels[0].Array, b.Images[0].Levels[0].Array
	m, n := x.Meta(), y.Meta()
	if m.Shape != n.Shape || m.DType != n.DType || m.Scale != n.Scale || m.Unit != n.Unit {
		t.Errorf("%s: %v, by path %v", name, n, m)
		return
	}
	r := m.Shape.Whole()
	for _, axis := range []lazy.Axis{lazy.T, lazy.Z, lazy.C} {
		mid := m.Shape[axis] / 2
		r = r.With(axis, mid, mid+1)
	}
	r = r.With(lazy.Y, 0, min(m.Shape[lazy.Y], 300)).With(lazy.X, 0, min(m.Shape[lazy.X], 300))
	p, err := loadertest.Read(ctx, x, r)
	q, err2 := loadertest.Read(ctx, y, r)
	if (err == nil) != (err2 == nil) || err == nil && !bytes.Equal(p.Bytes(), q.Bytes()) {
		t.Errorf("%s: other voxels than by path (%v, %v)", name, err, err2)
	}
}

func TestAddressesThatCannotBeOpenedSayWhy(t *testing.T) {
	dead, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer dead.Close()
	mux := http.NewServeMux()
	mux.HandleFunc("/page", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<!DOCTYPE html><p>hello") })
	mux.HandleFunc("/secret/", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(403) })
	mux.HandleFunc("/ill/", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(500) })
	mux.HandleFunc("/text.tif", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "no image at all") })
	mux.HandleFunc("/group.zarr/.zgroup", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, `{"zarr_format": 2}`) })
	server := serve(t, mux)
	secure := httptest.NewTLSServer(mux)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	defer secure.Close()
	for address, want := range map[string]string{
		secure.URL + "/text.tif":                                    "cannot be trusted",
		strings.Replace(server, "http:", "https:", 1) + "/text.tif": "try http",
		server + "/none.tif":                                        "no file is there (404)",
		server + "/none.zarr":                                       "check the address",
		server + "/":                                                "check the address",
		server + "/page":                                            "is a web page",
		server + "/secret/x.zarr":                                   "403 Forbidden",
		server + "/secret/x.tif":                                    "403 Forbidden",
		server + "/ill/x.zarr":                                      "500 Internal Server Error",
		server + "/text.tif":                                        "of no kind that is known here",
		server + "/group.zarr":                                      "cannot be listed",
		server + "/none.tif?token=secret":                           "no file is there (404)",
		"http://" + dead.Addr().String() + "/x.zarr":                "no answer for 1s",
		"http://127.0.0.1:1/x.tif":                                  "refused",
		"http://no.such.host.invalid/x.tif":                         "no.such.host.invalid",
	} {
		_, err := drivers.Open(ctx, address, web)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "secret?") || strings.Contains(err.Error(), "token") {
			t.Errorf("%s: %v, want %q", address, err, want)
		}
	}
	if _, err := drivers.Open(ctx, server+"/none.tif", web); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v, want fs.ErrNotExist", err)
	}
}

func TestBR020OpeningADeadServerEndsWithItsContext(t *testing.T) {
	asked := make(chan bool, 100)
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- true
		<-r.Context().Done()
	}))
	for _, name := range []string{"/x.zarr", "/x.tif", "/folder/"} {
		ctx, cancel := context.WithCancel(ctx)
		ended := make(chan error)
		go func() {
			_, err := drivers.Open(ctx, server+name, loaders.Options{Web: store.Web{CacheSize: -1, Patience: time.Hour}})
			ended <- err
		}()
		<-asked
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
