package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lamella/loaders/store"
)

func put(s store.Store, key, text string) error {
	return store.Put(ctx, s, key, strings.NewReader(text), int64(len(text)))
}

func TestABucketTakesSignedObjects(t *testing.T) {
	at := newStorage(t, &storage{id: "me", secret: "s/h+h", region: "eu-west-9", listing: true, writable: true, objects: map[string][]byte{}})
	t.Setenv("AWS_ACCESS_KEY_ID", "me")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "s/h+h")
	t.Setenv("AWS_REGION", "eu-west-9")
	s := bucket(t, "s3://bucket/x.zarr")
	for key, text := range map[string]string{"0/0.0": string(noise(300_000)), "a b+ü:@'(1)~%20.tif": "odd", "empty": ""} {
		if _, err := s.Get(ctx, key, 1<<20); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is there before: %v", key, err)
		}
		if err := put(s, key, text); err != nil || string(at.objects["x.zarr/"+key]) != text {
			t.Errorf("%s: %v", key, err)
		}
		if p, err := s.Get(ctx, key, 1<<20); err != nil || string(p) != text {
			t.Errorf("%s reads back as %d bytes: %v", key, len(p), err)
		}
		if err := put(s, key, "other"); err != nil {
			t.Error(err)
		}
		if p, err := s.Get(ctx, key, 1<<20); err != nil || string(p) != "other" {
			t.Errorf("%s was put again and reads back as %.10q: %v", key, p, err)
		}
		for range 2 { // the second time there is none
			if err := store.Remove(ctx, s, key); err != nil {
				t.Error(err)
			}
		}
		if _, err := s.Get(ctx, key, 1<<20); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is there after it was removed: %v", key, err)
		}
	}
	if err := put(s, "../y", ""); !errors.Is(err, store.ErrOutside) {
		t.Errorf("a key that leads out: %v", err)
	}
}

func TestRefusalsToTakeAnObjectAreSaidAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		storage storage
		secret  string
		want    string
	}{
		"may only be read": {storage{id: "me", secret: "right", region: "us-east-1"}, "right", "AccessDenied"},
		"wrong secret":     {storage{id: "me", secret: "right", region: "us-east-1", writable: true}, "wrong", "SignatureDoesNotMatch"},
		"no credentials":   {storage{id: "me", secret: "right", writable: true}, "", "AccessDenied"},
		"sent elsewhere":   {storage{elsewhere: "http://other.example.org/"}, "", "sends elsewhere to other.example.org"},
	} {
		t.Run(name, func(t *testing.T) {
			c.storage.objects = map[string][]byte{}
			newStorage(t, &c.storage)
			if c.secret != "" {
				t.Setenv("AWS_ACCESS_KEY_ID", "me")
				t.Setenv("AWS_SECRET_ACCESS_KEY", c.secret)
			}
			before := store.NetworkTraffic()
			err := put(bucket(t, "s3://bucket/x"), "k", "v")
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "s3://bucket/x/k") {
				t.Errorf("%v, want %q", err, c.want)
			}
			if n := store.NetworkTraffic().Retries - before.Retries; n != 0 || len(c.storage.objects) != 0 {
				t.Errorf("%d more attempts, holds %v", n, c.storage.objects)
			}
		})
	}
	plain := folder(t)
	if err := put(plain, "k", "v"); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a folder: %v", err)
	}
	s := serve(t, nil)
	s.odd = func(_ int, w http.ResponseWriter, r *http.Request) bool {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return true
	}
	if err := put(s.store(t, quick()), "k", "v"); !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "takes no PUT") {
		t.Errorf("a server that only gives: %v", err)
	}
}

// A server that is slow, cuts off, or is out of order is asked again, with all of the object.
func TestAnObjectIsPutAgainUntilItIsTaken(t *testing.T) {
	body := noise(3 << 20)
	for name, bad := range map[string]func(w http.ResponseWriter, r *http.Request){
		"500":            func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
		"503, slow down": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) },
		"cut off within the object": func(w http.ResponseWriter, r *http.Request) {
			io.CopyN(io.Discard, r.Body, 100_000)
			panic(http.ErrAbortHandler)
		},
		"cut off before the answer": func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			panic(http.ErrAbortHandler)
		},
		"silent": func(_ http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, nil)
			var asked atomic.Int32
			var taken []byte
			s.odd = func(_ int, w http.ResponseWriter, r *http.Request) bool {
				if asked.Add(1) < 3 {
					bad(w, r)
					return true
				}
				taken, _ = io.ReadAll(r.Body)
				return true
			}
			o := quick()
			if name == "silent" {
				o.Patience = time.Second
			}
			if err := store.Put(ctx, s.store(t, o), "k", bytes.NewReader(body), int64(len(body))); err != nil && name != "silent" {
				t.Fatal(err)
			} else if err == nil && !bytes.Equal(taken, body) {
				t.Errorf("%d bytes came, of %d", len(taken), len(body))
			} else if err != nil && asked.Load() < 2 {
				t.Errorf("given up after one attempt: %v", err)
			}
		})
	}
	s := serve(t, nil)
	s.odd = func(_ int, w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(503)
		return true
	}
	if err := put(s.store(t, quick()), "k", "v"); err == nil || !strings.Contains(err.Error(), "given up after 6 attempts") || strings.Contains(err.Error(), "\n") {
		t.Errorf("a server that stays out of order: %v", err)
	}
}

func TestUploadsGoOnBesideEachOtherAndEndWithTheFirstError(t *testing.T) {
	s := serve(t, nil)
	var mu sync.Mutex
	now, most := 0, 0
	gate := make(chan bool)
	s.odd = func(_ int, w http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		now++
		most = max(most, now)
		mu.Unlock()
		io.Copy(io.Discard, r.Body)
		<-gate
		mu.Lock()
		now--
		mu.Unlock()
		if strings.HasSuffix(r.URL.Path, "/bad") {
			w.WriteHeader(http.StatusForbidden)
		}
		return true
	}
	u := store.NewUploads(s.store(t, quick()), 3)
	after := atomic.Int32{}
	begin := func(ctx context.Context, key string) error {
		return u.Put(ctx, key, strings.NewReader("v"), 1, func() { after.Add(1) })
	}
	ended, cancel := context.WithCancel(ctx)
	for i := range 3 {
		if err := begin(ended, fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	cancel() // which ends none that was begun
	if err := begin(ended, "4"); !errors.Is(err, context.Canceled) {
		t.Errorf("there was a fourth turn: %v", err)
	}
	close(gate)
	if err := u.Wait(); err != nil || len(u.Done()) != 3 || len(u.Done()) != 0 || after.Load() != 4 || most > 3 {
		t.Errorf("%v, %d ended, %d at once", err, after.Load(), most)
	}
	if err := begin(ctx, "bad"); err != nil {
		t.Error(err)
	}
	if err := u.Wait(); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a refusal: %v", err)
	}
	if err := begin(ctx, "5"); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("after a refusal: %v", err)
	}
	u.Stop()

	s.odd = func(_ int, _ http.ResponseWriter, r *http.Request) bool {
		<-r.Context().Done() // says nothing
		return true
	}
	u = store.NewUploads(s.store(t, quick()), 3)
	if err := begin(ctx, "6"); err != nil {
		t.Error(err)
	}
	u.Stop()
	if err := u.Wait(); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}
