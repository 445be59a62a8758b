package store_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestLyingServersAreFoundOut(t *testing.T) {
	body := noise(1 << 20)
	head := func(w http.ResponseWriter, status int, keys ...string) {
		for i := 0; i < len(keys); i += 2 {
			w.Header().Set(keys[i], keys[i+1])
		}
		w.WriteHeader(status)
	}
	later := func(n int, r *http.Request) bool { return n > 1 } // opened well, then this
	for name, c := range map[string]struct {
		odd  func(n int, w http.ResponseWriter, r *http.Request) bool
		want string
	}{
		"the length changes between requests": {func(n int, w http.ResponseWriter, r *http.Request) bool {
			if later(n, r) {
				head(w, 206, "Content-Range", "bytes 524288-655359/2000000", "ETag", `"one"`)
				w.Write(body[:131072])
			}
			return later(n, r)
		}, "has changed on the server"},
		"the tag changes between requests": {func(n int, w http.ResponseWriter, r *http.Request) bool {
			if later(n, r) {
				w.Header().Set("ETag", `"two"`)
				http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
			}
			return later(n, r)
		}, "has changed on the server"},
		"another range than asked": {func(n int, w http.ResponseWriter, r *http.Request) bool {
			if later(n, r) {
				head(w, 206, "Content-Range", "bytes 0-131071/1048576")
				w.Write(body[:131072])
			}
			return later(n, r)
		}, `the server gives "bytes 0-131071/1048576"`},
		"more bytes than announced": {func(n int, w http.ResponseWriter, r *http.Request) bool {
			if later(n, r) {
				head(w, 206, "Content-Range", "bytes 524288-524387/1048576", "Content-Length", "131072")
				w.Write(body[:131072])
			}
			return later(n, r)
		}, "sends 131072 bytes"},
		"no range in the answer": {func(n int, w http.ResponseWriter, r *http.Request) bool {
			head(w, 206)
			w.Write(body[:10])
			return true
		}, `the server gives ""`},
		"a range beyond the length": {func(n int, w http.ResponseWriter, r *http.Request) bool {
			head(w, 206, "Content-Range", "bytes 0-99/50")
			w.Write(body[:100])
			return true
		}, `the server gives "bytes 0-99/50"`},
		"a length of exabytes": {func(n int, w http.ResponseWriter, r *http.Request) bool {
			head(w, 206, "Content-Range", "bytes 0-99/99999999999999999999")
			return true
		}, "the server gives"},
		"bodies that always end early": {func(n int, w http.ResponseWriter, r *http.Request) bool {
			head(w, 206, "Content-Range", "bytes 0-131071/1048576", "Content-Length", "131072")
			w.Write(body[:1000])
			return true
		}, "given up after 6 attempts"},
		"416 for a file that has bytes": {func(n int, w http.ResponseWriter, r *http.Request) bool {
			head(w, 416, "Content-Range", "bytes */1048576")
			return true
		}, "cannot give the first"},
		"416 for what was there": {func(n int, w http.ResponseWriter, r *http.Request) bool {
			if later(n, r) {
				head(w, 416, "Content-Range", "bytes */100")
			}
			return later(n, r)
		}, "has changed on the server"},
		"304 that nobody asked for": {func(n int, w http.ResponseWriter, r *http.Request) bool {
			head(w, 304)
			return true
		}, "nobody asked"},
		"404 for what could be opened": {func(n int, w http.ResponseWriter, r *http.Request) bool {
			if later(n, r) {
				http.NotFound(w, r)
			}
			return later(n, r)
		}, "could be opened before"},
		"500 for ever": {func(n int, w http.ResponseWriter, r *http.Request) bool {
			head(w, 500)
			return true
		}, "given up after 6 attempts in"},
		"503 with a long wait": {func(n int, w http.ResponseWriter, r *http.Request) bool {
			head(w, 503, "Retry-After", "3600")
			return true
		}, "asks to wait 1h0m0s"},
		"405": {func(n int, w http.ResponseWriter, r *http.Request) bool {
			head(w, 405)
			return true
		}, "405 Method Not Allowed"},
		"a login is wanted": {func(n int, w http.ResponseWriter, r *http.Request) bool {
			head(w, 401)
			return true
		}, "401 Unauthorized"},
		"redirects in a circle": {func(n int, w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
			return true
		}, "sends in circles"},
		"brotli that nobody asked for": {func(n int, w http.ResponseWriter, r *http.Request) bool {
			head(w, 200, "Content-Encoding", "br")
			w.Write(body)
			return true
		}, `packed as "br"`},
		"gzip that is none": {func(n int, w http.ResponseWriter, r *http.Request) bool {
			head(w, 200, "Content-Encoding", "gzip")
			w.Write(body)
			return true
		}, "gzip"},
		"a large file that comes whole only": {func(n int, w http.ResponseWriter, r *http.Request) bool {
			head(w, 200, "Content-Length", "5000000000")
			return true
		}, "no range requests"},
		"an endless file without a length": {func(n int, w http.ResponseWriter, r *http.Request) bool {
			for {
				if _, err := w.Write(body); err != nil {
					return true
				}
			}
		}, "no range requests"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, map[string][]byte{"/f": body})
			s.odd = c.odd
			p, err := read(s.store(t, quick()), "f", 1<<19, 100)
			if err == nil {
				t.Fatalf("gave %d bytes, equal to the file's: %v", len(p), bytes.Equal(p, body[1<<19:1<<19+100]))
			}
			if !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), s.URL+"/f") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want %q", err, c.want)
			}
			if errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%v: would be taken for a chunk that was never stored", err)
			}
		})
	}
}

func TestServersWithManners(t *testing.T) {
	body := noise(1 << 20)
	for name, odd := range map[string]func(n int, w http.ResponseWriter, r *http.Request) bool{
		"give whole files only": func(n int, w http.ResponseWriter, r *http.Request) bool {
			w.Write(body)
			return true
		},
		"pack what they send": func(n int, w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			z.Write(body)
			z.Close()
			return true
		},
		"pack the file and give parts of that": func(n int, w http.ResponseWriter, r *http.Request) bool {
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			z.Write(body)
			z.Close()
			w.Header().Set("Content-Encoding", "gzip")
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b.Bytes()))
			return true
		},
		"fail now and then": func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n%2 == 1 {
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(503)
			}
			return n%2 == 1
		},
		"break off again and again": func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n == 1 {
				return false
			}
			var from, to int
			fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to)
			w.Header().Set("ETag", `"one"`)
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to, len(body)))
			w.Header().Set("Content-Length", fmt.Sprint(to-from+1))
			w.WriteHeader(206)
			w.Write(body[from:min(from+200_000, to+1)])
			return true
		},
		"send elsewhere": func(n int, w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path == "/f" {
				http.Redirect(w, r, "/there", http.StatusTemporaryRedirect)
			} else {
				http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
			}
			return true
		},
		"have neither tag nor time": func(n int, w http.ResponseWriter, r *http.Request) bool {
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
			return true
		},
		"give less than asked for": func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n == 1 {
				return false
			}
			var from, to int
			fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to)
			to = min(to, from+150_000)
			w.Header().Set("ETag", `"one"`)
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to, len(body)))
			w.WriteHeader(206)
			w.Write(body[from : to+1])
			return true
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, map[string][]byte{"/f": body})
			s.odd = odd
			w := s.store(t, quick())
			for _, off := range []int64{1 << 19, 0, 1<<20 - 100_000} {
				n := min(int64(300_000), 1<<20-off)
				if p, err := read(w, "f", off, n); err != nil || !bytes.Equal(p, body[off:off+n]) {
					t.Fatalf("at %d: %v", off, err)
				}
			}
			f, err := w.Open(ctx, "f")
			if err != nil || f.Size() != 1<<20 {
				t.Fatal(err)
			}
			again, err := s.store(t, quick()).Open(ctx, "f")
			if err != nil || again.ID() != f.ID() {
				t.Errorf("another ID when it is opened again: %v, %v", err, again)
			}
		})
	}
}
