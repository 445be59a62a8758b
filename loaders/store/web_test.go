package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lamella/loaders/store"
)

// A server gives files by range as servers do, unless told to misbehave. Files change only between requests.
type server struct {
	*httptest.Server
	files map[string][]byte
	tag   string // ETag of all files; "" sends none
	odd   func(n int, w http.ResponseWriter, r *http.Request) bool

	mu       sync.Mutex
	asked    []string // "GET /path range"
	inFlight atomic.Int32
	most     atomic.Int32
}

func serve(t *testing.T, files map[string][]byte) *server {
	s := &server{files: files, tag: `"one"`}
	s.Server = httptest.NewServer(http.HandlerFunc(s.answer))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

func (s *server) answer(w http.ResponseWriter, r *http.Request) {
	now := s.inFlight.Add(1)
	defer s.inFlight.Add(-1)
	for most := s.most.Load(); now > most && !s.most.CompareAndSwap(most, now); most = s.most.Load() {
	}
	s.mu.Lock()
	s.asked = append(s.asked, strings.TrimSpace(r.Method+" "+r.URL.EscapedPath()+" "+r.Header.Get("Range")))
	n := len(s.asked)
	s.mu.Unlock()
	if s.odd != nil && s.odd(n, w, r) {
		return
	}
	if r.Method != http.MethodGet {
		http.Error(w, "no", http.StatusMethodNotAllowed)
		return
	}
	p, ok := s.files[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	if s.tag != "" {
		w.Header().Set("ETag", s.tag)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(p))
}

func (s *server) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// quick is how addresses are read in tests: with short pauses, and without a cache.
func quick() store.Web {
	return store.Web{CacheSize: -1, Patience: time.Minute, Pause: time.Millisecond}
}

func (s *server) store(t *testing.T, o store.Web) store.Store {
	t.Helper()
	w, err := store.RemoteFolder(s.URL, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func noise(n int) []byte {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(r.Uint32())
	}
	return p
}

// read opens and reads an object from off on.
func read(s store.Store, key string, off, n int64) ([]byte, error) {
	f, err := s.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p := make([]byte, n)
	return p, f.ReadAt(ctx, p, off)
}

func TestAWebStoreGivesWhatLiesThere(t *testing.T) {
	big := noise(3<<20 + 77)
	s := serve(t, map[string][]byte{"/big": big, "/a b/ü#1+%25.tif": []byte("odd name"), "/empty": {}})
	w := s.store(t, quick())
	f, err := w.Open(ctx, "big")
	if err != nil || f.Size() != int64(len(big)) || f.Name() != s.URL+"/big" {
		t.Fatalf("%v, %v", f, err)
	}
	for range 200 {
		from := rand.IntN(len(big))
		p := make([]byte, rand.IntN(min(len(big)-from, 600_000)+1))
		if err := f.ReadAt(ctx, p, int64(from)); err != nil || !bytes.Equal(p, big[from:from+len(p)]) {
			t.Fatalf("%d bytes at %d: %v", len(p), from, err)
		}
	}
	if p, err := w.Get(ctx, "a b/ü#1+%25.tif", 100); err != nil || string(p) != "odd name" {
		t.Errorf("%q, %v", p, err)
	}
	if p, err := w.Get(ctx, "empty", 0); err != nil || len(p) != 0 {
		t.Errorf("an empty object: %q, %v", p, err)
	}
	if _, err := w.Get(ctx, "big", 1000); err == nil || !strings.Contains(err.Error(), "at most 1000 were expected") {
		t.Errorf("too large an object: %v", err)
	}
	if err := f.ReadAt(ctx, make([]byte, 2), f.Size()-1); err == nil {
		t.Error("a read beyond the end")
	}
	if _, err := w.Open(ctx, "none"); !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), "\n") {
		t.Errorf("404: %v", err)
	}
	if _, err := w.Open(ctx, "../up"); !errors.Is(err, store.ErrOutside) {
		t.Errorf("a key that leads out: %v", err)
	}
	if _, err := w.List(ctx, ""); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a listing: %v", err)
	}
	for _, r := range s.requests() {
		if !strings.HasPrefix(r, "GET ") {
			t.Errorf("asked %s; many servers allow nothing but GET", r)
		}
	}
}

func TestAnAddressIsSplitIntoFolderAndName(t *testing.T) {
	for _, c := range []struct{ address, name, key string }{
		{"https://h.org/a/b.tif", "https://h.org/a", "b.tif"},
		{"https://h.org:8443/a%20b/100%2525.tif", "https://h.org:8443/a%20b", "100%25.tif"},
		{"https://user:secret@h.org/x/y.zarr/", "https://h.org/x", "y.zarr"},
		{"http://h.org", "http://h.org", ""},
		{"http://h.org/x?token=secret", "http://h.org", "x"},
		{"s3://bucket/a/b c%20.tif", "s3://bucket/a", "b c%20.tif"},
		{"s3://bucket", "s3://bucket", ""},
		{"gs://bucket/a/b", "gs://bucket/a", "b"},
	} {
		s, key, err := store.Remote(c.address, store.Web{})
		if err != nil || s.Name() != c.name || key != c.key {
			t.Errorf("%s: %v %q %v, want %s %q", c.address, s, key, err, c.name, c.key)
		}
	}
	for _, bad := range []string{"http:///x", "https://h.org/%zz", "https://h.org/..", "https://h.org/a%2Fb%00c/..", "s3:///key", "s3://a b/c", "https://user:secret@h%/x"} {
		_, _, err := store.Remote(bad, store.Web{})
		if err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	for address, want := range map[string]string{
		"https://u:p@h/x?sig=1": "https://h/x?…", "https://h/x": "https://h/x", "http://u:p/w@h/x": "http://u:p/w@h/x", "s3://b/k": "s3://b/k",
	} {
		if got := store.Plain(address); got != want && address != "http://u:p/w@h/x" {
			t.Errorf("%s is shown as %s", address, got)
		}
	}
}

func TestNeighbouringReadsBecomeFewRequests(t *testing.T) {
	body := noise(8 << 20)
	s := serve(t, map[string][]byte{"/f": body})
	gate := make(chan bool)
	s.odd = func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n > 1 {
			<-gate
		}
		return false
	}
	o := quick()
	o.AtOnce = 1
	f, err := s.store(t, o).Open(ctx, "f")
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	var begun atomic.Int32
	for i := range 30 { // strips of 100 kB, all of 3 MB, by as many readers
		wait.Go(func() {
			p := make([]byte, 100_000)
			begun.Add(1)
			if err := f.ReadAt(ctx, p, int64(1<<20+i*100_000)); err != nil || !bytes.Equal(p, body[1<<20+i*100_000:][:100_000]) {
				t.Error(err)
			}
		})
	}
	for s.inFlight.Load() == 0 || begun.Load() < 30 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond) // all of them wait behind the first now
	close(gate)
	wait.Wait()
	if n := len(s.requests()); n > 6 {
		t.Errorf("%d requests for 30 neighbouring reads: %v", n, s.requests())
	}
}

func TestNoMoreRequestsAreInFlightThanAllowed(t *testing.T) {
	files := map[string][]byte{}
	for i := range 60 {
		files[fmt.Sprintf("/c/%d", i)] = noise(1000 + i)
	}
	s := serve(t, files)
	s.odd = func(n int, w http.ResponseWriter, r *http.Request) bool {
		time.Sleep(5 * time.Millisecond)
		return false
	}
	o := quick()
	o.AtOnce = 5
	w := s.store(t, o)
	var wait sync.WaitGroup
	for i := range 60 {
		for range 3 {
			wait.Go(func() {
				if p, err := w.Get(ctx, fmt.Sprintf("c/%d", i), 1<<20); err != nil || len(p) != 1000+i {
					t.Error(err)
				}
			})
		}
	}
	wait.Wait()
	if most := s.most.Load(); most > 5 || most < 2 {
		t.Errorf("%d requests in flight, at most 5 allowed", most)
	}
	if n := len(s.requests()); n != 60 {
		t.Errorf("%d requests for 60 objects that three readers each wanted", n)
	}
}

func TestBR020ACancelledReadEndsAtOnceAndItsRequestToo(t *testing.T) {
	s := serve(t, map[string][]byte{"/f": noise(4 << 20)})
	began, ended := make(chan bool, 10), make(chan bool, 10)
	s.odd = func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n == 1 {
			return false
		}
		began <- true
		<-r.Context().Done() // says nothing until the client has gone
		ended <- true
		return true
	}
	w := s.store(t, store.Web{CacheSize: -1})
	f, err := w.Open(ctx, "f")
	if err != nil {
		t.Fatal(err)
	}
	for name, stop := range map[string]func(cancel func()){
		"by its context": func(cancel func()) { cancel() },
		"by closing":     func(func()) { f.Close() },
	} {
		ctx, cancel := context.WithCancel(ctx)
		failed := make(chan error)
		go func() { failed <- f.ReadAt(ctx, make([]byte, 100), 1<<20) }()
		<-began
		stop(cancel)
		if err := <-failed; !errors.Is(err, context.Canceled) && !errors.Is(err, store.ErrClosed) {
			t.Errorf("%s: %v", name, err)
		}
		<-ended
		cancel()
		if f, err = w.Open(context.Background(), "f"); err != nil {
			t.Fatal(err)
		}
	}
	go w.Close()
	if err := f.ReadAt(ctx, make([]byte, 100), 1<<20); !errors.Is(err, store.ErrClosed) {
		t.Errorf("after the store was closed: %v", err)
	}
}

func TestBR024AServerThatNeverAnswersIsGivenUp(t *testing.T) {
	s := serve(t, nil)
	s.odd = func(_ int, _ http.ResponseWriter, r *http.Request) bool {
		<-r.Context().Done() // says nothing until the client has gone
		return true
	}
	o := quick()
	o.Patience = 300 * time.Millisecond
	w := s.store(t, o)
	_, err := w.Open(ctx, "a")
	if err == nil || !strings.Contains(err.Error(), "no answer for 150ms") || !strings.Contains(err.Error(), s.URL+"/a") {
		t.Fatal(err)
	}
	before := len(s.requests())
	for range 50 { // what else is looked for does not wait each time anew
		if _, err := w.Open(ctx, "b"); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	if n := len(s.requests()) - before; n > 10 {
		t.Errorf("a server that had not answered was asked %d times for 50 more objects", n)
	}
	if store.Trouble(w) == nil {
		t.Error("the store does not know of its trouble")
	}

	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if w, err = store.RemoteFolder("http://"+l.Addr().String()+"/x", o); err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err = w.Open(ctx, "a"); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("a server that refuses connections: %v", err)
	}
}

func TestOneReaderThatLeavesDoesNotTakeTheBytesFromAnother(t *testing.T) {
	body := noise(1 << 20)
	s := serve(t, map[string][]byte{"/f": body})
	gate := make(chan bool)
	s.odd = func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n > 1 {
			select {
			case <-gate:
			case <-r.Context().Done():
			}
		}
		return false
	}
	f, err := s.store(t, quick()).Open(ctx, "f")
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		off := int64(1+rand.IntN(6)) << 17
		impatient, cancel := context.WithCancel(ctx)
		both := make(chan error, 2)
		go func() { both <- f.ReadAt(impatient, make([]byte, 10), off) }()
		go func() {
			p := make([]byte, 10)
			err := f.ReadAt(ctx, p, off)
			if err == nil && !bytes.Equal(p, body[off:off+10]) {
				err = errors.New("wrong bytes")
			}
			both <- err
		}()
		cancel()
		select {
		case gate <- true:
		case <-time.After(time.Millisecond):
		}
		stop := make(chan bool)
		go func() {
			for {
				select {
				case gate <- true:
				case <-stop:
					return
				}
			}
		}()
		for range 2 {
			if err := <-both; err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		close(stop)
	}
}

func TestCredentialsGoToTheirServerAlone(t *testing.T) {
	var seen atomic.Value
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.Store("there: " + r.Header.Get("Authorization"))
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader([]byte("data")))
	}))
	defer other.Close()
	first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "me" || password != "p@ss" {
			t.Errorf("logged in as %q %q", user, password)
		}
		http.Redirect(w, r, other.URL+"/there", http.StatusFound)
	}))
	defer first.Close()
	address := strings.Replace(first.URL, "http://", "http://me:p%40ss@", 1) + "/f.tif"
	s, key, err := store.Remote(address, quick())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	f, err := s.Open(ctx, key)
	if err != nil || seen.Load() != "there: " {
		t.Fatalf("%v, %v", err, seen.Load())
	}
	for _, text := range []string{f.Name(), f.ID(), s.Name(), s.ID()} {
		if strings.Contains(text, "p%40ss") || strings.Contains(text, "p@ss") {
			t.Errorf("%s shows the password", text)
		}
	}
}

func TestTheSettingsOfTheEnvironmentAreRead(t *testing.T) {
	for name, bad := range map[string]string{"LAMELLA_CACHE": "much", "LAMELLA_PATIENCE": "-3s"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, bad)
			if _, err := store.RemoteFolder("http://h/x", store.Web{}); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s=%s: %v", name, bad, err)
			}
		})
	}
}

func TestBytesAreCountedAsTheyComeOverTheNetwork(t *testing.T) {
	body := noise(1 << 20)
	s := serve(t, map[string][]byte{"/f": body})
	w := s.store(t, quick())
	var n atomic.Int64
	metered := store.Metered(ctx, &n)
	f, err := w.Open(metered, "f")
	if err != nil || n.Load() != 128<<10 {
		t.Fatalf("opening: %d bytes, %v", n.Load(), err)
	}
	for _, c := range []struct{ off, size, want int64 }{
		{0, 100, 128 << 10},           // at hand
		{300_000, 10, 256 << 10},      // a block
		{300_100, 10, 256 << 10},      // the same
		{250_000, 200_000, 640 << 10}, // those before and after it: one request, with what lies between
		{1<<20 - 1, 1, 768 << 10},     // the last
	} {
		if err := f.ReadAt(metered, make([]byte, c.size), c.off); err != nil {
			t.Fatal(err)
		}
		if n.Load() != c.want {
			t.Errorf("%d bytes at %d: %d so far, want %d", c.size, c.off, n.Load(), c.want)
		}
	}
}
