package loadertest

import (
	"encoding/xml"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// A Depot is a storage of objects: S3's bucket "b", if it lists, or a server that takes PUT.
type Depot struct {
	*httptest.Server
	lists bool

	// Odd, if it is set between requests, answers the n-th PUT in its own way, or says that it does not.
	Odd func(w http.ResponseWriter, r *http.Request, n int) bool

	mu      sync.Mutex
	objects map[string]string
	puts    []string // keys, in the order in which they came
}

// NewDepot has nothing in it, and gives the address of an image in it: s3:// if it lists, else http://.
func NewDepot(t testing.TB, lists bool) (d *Depot, address string) {
	d = &Depot{lists: lists, objects: map[string]string{}}
	d.Server = httptest.NewServer(d)
	t.Cleanup(d.Close)
	if !lists {
		return d, d.URL + "/b/x.zarr"
	}
	t.Setenv("AWS_ENDPOINT_URL", d.URL)
	return d, "s3://b/x.zarr"
}

// ServeHTTP answers as S3 does, as far as images need it.
func (d *Depot) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key := strings.TrimPrefix(r.URL.Path, "/b/x.zarr/")
	body, err := io.ReadAll(r.Body)
	d.mu.Lock()
	n, odd := len(d.puts), d.Odd
	d.mu.Unlock()
	if r.Method == http.MethodPut && odd != nil && odd(w, r, n) {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	text, ok := d.objects[key]
	switch {
	case err != nil:
		w.WriteHeader(http.StatusBadRequest)
	case r.Method == http.MethodPut:
		d.objects[key] = string(body)
		d.puts = append(d.puts, key)
	case r.Method == http.MethodDelete:
		delete(d.objects, key)
		w.WriteHeader(http.StatusNoContent)
	case d.lists && r.URL.Query().Get("list-type") != "":
		type object struct {
			Key  string
			Size int
		}
		var page struct {
			XMLName  xml.Name `xml:"ListBucketResult"`
			Contents []object
		}
		for key, text := range d.objects {
			page.Contents = append(page.Contents, object{"x.zarr/" + key, len(text)})
		}
		xml.NewEncoder(w).Encode(page)
	case ok:
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(text))
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// All is what lies there, by key below the image.
func (d *Depot) All() map[string]string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.objects)
}

// Seen is All without what Lamella keeps there as long as the image is not whole.
func (d *Depot) Seen() map[string]string {
	all := d.All()
	maps.DeleteFunc(all, func(key, _ string) bool { return strings.HasPrefix(key, ".lamella/") })
	return all
}

// Said is the keys that were put since it was asked.
func (d *Depot) Said() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	said := d.puts
	d.puts = nil
	return said
}

// Change lets somebody else at the objects.
func (d *Depot) Change(by func(objects map[string]string)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	by(d.objects)
}
