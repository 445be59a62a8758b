package cli

import (
	"net/http"
	"net/http/httptest"
	"path"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// A crowd lets nobody on before so many are there.
type crowd struct {
	mu     sync.Mutex
	here   int
	enough chan struct{}
	many   int
}

// join reports whether there were.
func (c *crowd) join() bool {
	c.mu.Lock()
	if c.here++; c.here == c.many {
		close(c.enough)
	}
	c.mu.Unlock()
	select {
	case <-c.enough:
		return true
	case <-time.After(10 * time.Second):
		return false
	}
}

func TestSixteenChunksThatAreFarAreAskedForAtATime(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "a.zarr", ".zarray"), `{"zarr_format":2,"shape":[8,8],"chunks":[1,2],"dtype":"|u1","compressor":null,"fill_value":0,"order":"C","filters":null}`)
	for y := range 8 {
		for x := range 4 {
			put(t, filepath.Join(dir, "a.zarr", string(rune('0'+y))+"."+string(rune('0'+x))), string([]byte{byte(8*y + 2*x), byte(8*y + 2*x + 1)}))
		}
	}
	c := &crowd{enough: make(chan struct{}), many: 16}
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name := path.Base(r.URL.Path); name[0] >= '0' && name[0] <= '7' { // a chunk
			if !c.join() {
				t.Errorf("%s is asked for, but not 16 at a time", r.URL.Path)
			}
		}
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	t.Setenv("LAMELLA_CACHE", "off")
	must(t, "slice", server.URL+"/a.zarr", "--out", filepath.Join(dir, "plane.npy"), "--quiet")
}
