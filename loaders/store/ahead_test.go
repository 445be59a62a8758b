package store_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"lamella/loaders/store"
)

func TestWhoReadsOnAndOnIsReadAheadFor(t *testing.T) {
	body := noise(12<<20 + 5)
	s := serve(t, map[string][]byte{"/f": body})
	f, err := s.store(t, quick()).Open(ctx, "f")
	if err != nil {
		t.Fatal(err)
	}
	p := make([]byte, 50_000)
	for off := 0; off < len(body); off += len(p) {
		q := p[:min(len(p), len(body)-off)]
		if err := f.ReadAt(ctx, q, int64(off)); err != nil || !bytes.Equal(q, body[off:off+len(q)]) {
			t.Fatal(err)
		}
	}
	if n := len(s.requests()); n > 14 {
		t.Errorf("%d requests for 12 MB in order: %v", n, s.requests())
	}
	before := len(s.requests())
	if f, err = s.store(t, quick()).Open(ctx, "f"); err != nil {
		t.Fatal(err)
	}
	for _, mb := range []int64{9, 2, 7, 4} {
		if err := f.ReadAt(ctx, p[:10], mb<<20); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range s.requests()[before:] {
		var from, to int
		if fmt.Sscanf(r, "GET /f bytes=%d-%d", &from, &to); to-from+1 != 128<<10 {
			t.Errorf("%s, by one who jumps", r)
		}
	}
}

func TestBR020WhatIsPackedFarAwayCanBeLeftAtOnce(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(noise(2 << 20))
	z.Close()
	var archive bytes.Buffer
	a := zip.NewWriter(&archive)
	m, _ := a.Create("member")
	m.Write(noise(2 << 20))
	a.Close()
	s := serve(t, map[string][]byte{"/f.gz": packed.Bytes(), "/f.zip": archive.Bytes()})
	silent := make(chan bool, 100)
	s.odd = func(n int, w http.ResponseWriter, r *http.Request) bool {
		if strings.HasPrefix(r.Header.Get("Range"), "bytes=0-") {
			return false
		}
		silent <- true
		<-r.Context().Done()
		return true
	}
	w := s.store(t, store.Web{CacheSize: -1, Patience: time.Hour})
	for name, use := range map[string]func(context.Context, store.File) error{
		"f.gz": func(ctx context.Context, f store.File) error {
			u := store.Unpacked(f, 2<<20, "gzip", func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) })
			return u.ReadAt(ctx, make([]byte, 10), 1<<20)
		},
		"f.zip": func(ctx context.Context, f store.File) error {
			_, err := store.Zip(ctx, f)
			return err
		},
	} {
		f, err := w.Open(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(ctx)
		ended := make(chan error)
		go func() { ended <- use(ctx, f) }()
		<-silent
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		f.Close()
	}
}
