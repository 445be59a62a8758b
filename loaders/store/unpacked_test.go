package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func gunzip(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }

func noise(n int) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(i*i>>7) ^ byte(i>>11)
	}
	return p
}

func packed(p []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(p)
	w.Close()
	return b.Bytes()
}

// bounds sets other bounds for one test.
func bounds(t *testing.T, small, memory int64, files int) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	old := []any{spools.small, spools.memory, spools.files}
	spools.small, spools.memory, spools.files = small, memory, files
	t.Cleanup(func() { spools.small, spools.memory, spools.files = old[0].(int64), old[1].(int64), old[2].(int) })
}

func TestAStreamReadsAsTheBytesThatWerePacked(t *testing.T) {
	want := noise(3<<20 + 17)
	for _, small := range []int64{0, 1 << 30} {
		bounds(t, small, 1<<30, 4)
		f := Unpacked(Bytes("a.gz", packed(want)), int64(len(want)), "gzip", gunzip)
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				for range 40 {
					off := rand.N(len(want))
					p := make([]byte, rand.N(len(want)-off))
					if err := f.ReadAt(context.Background(), p, int64(off)); err != nil || !bytes.Equal(p, want[off:off+len(p)]) {
						t.Errorf("%d bytes at %d differ, or %v", len(p), off, err)
						return
					}
				}
			})
		}
		group.Wait()
		if err := f.ReadAt(context.Background(), make([]byte, 2), int64(len(want))-1); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("beyond the end: %v", err)
		}
		f.Close()
		if err := f.ReadAt(context.Background(), make([]byte, 1), 0); !errors.Is(err, ErrClosed) {
			t.Errorf("after closing: %v", err)
		}
		if spools.used != 0 || spools.open != 0 {
			t.Errorf("%d bytes and %d files are left", spools.used, spools.open)
		}
	}
}

// counted tells how much a stream was read.
type counted struct {
	io.Reader
	n *atomic.Int64
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n.Add(int64(n))
	return n, err
}

func TestAStreamIsUnpackedOnceAndOnlyAsFarAsItIsRead(t *testing.T) {
	bounds(t, 1<<30, 1<<30, 4)
	want := noise(8 << 20)
	var n atomic.Int64
	f := Unpacked(Bytes("a.gz", packed(want)), int64(len(want)), "gzip", func(r io.Reader) (io.Reader, error) {
		z, err := gzip.NewReader(r)
		return counted{z, &n}, err
	})
	defer f.Close()
	read := func(off int64) {
		t.Helper()
		if err := f.ReadAt(context.Background(), make([]byte, 10), off); err != nil {
			t.Fatal(err)
		}
	}
	read(1 << 20)
	if got := n.Load(); got > 1<<20+unpackStep {
		t.Errorf("the first megabyte took %d bytes", got)
	}
	for _, off := range []int64{8<<20 - 10, 0, 4 << 20, 8<<20 - 10} {
		read(off)
	}
	if got := n.Load(); got != 8<<20 {
		t.Errorf("reading here and there unpacked %d bytes of %d", got, 8<<20)
	}
}

func TestACancelledReaderLeavesTheStreamToTheNext(t *testing.T) {
	bounds(t, 1<<30, 1<<30, 4)
	want := noise(4 << 20)
	ctx, cancel := context.WithCancel(context.Background())
	var n atomic.Int64
	f := Unpacked(Bytes("a.gz", packed(want)), int64(len(want)), "gzip", func(r io.Reader) (io.Reader, error) {
		z, err := gzip.NewReader(r)
		return io.TeeReader(counted{z, &n}, writer(func() {
			if n.Load() > 1<<20 {
				cancel()
			}
		})), err
	})
	defer f.Close()
	if err := f.ReadAt(ctx, make([]byte, 4<<20), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled read: %v", err)
	}
	if n.Load() > 2<<20 {
		t.Errorf("a cancelled read went on to %d", n.Load())
	}
	p := make([]byte, 4<<20)
	if err := f.ReadAt(context.Background(), p, 0); err != nil || !bytes.Equal(p, want) {
		t.Errorf("the next reader: %v", err)
	}
	if n.Load() != 4<<20 {
		t.Errorf("both together unpacked %d bytes", n.Load())
	}
}

type writer func()

func (w writer) Write(p []byte) (int, error) { w(); return len(p), nil }

func TestManyStreamsStayWithinTheBounds(t *testing.T) {
	for _, c := range []struct {
		name          string
		small, memory int64
		files         int
	}{{"memory for three", 1 << 30, 3 << 20, 2}, {"two files", 0, 0, 2}} {
		bounds(t, c.small, c.memory, c.files)
		var all []File
		for i := range 10 {
			p := noise(1 << 20)
			p[5] = byte(i)
			all = append(all, Unpacked(Bytes(fmt.Sprint(i), packed(p)), 1<<20, "gzip", gunzip))
		}
		for round := range 3 {
			for i, f := range all {
				p := make([]byte, 1)
				if err := f.ReadAt(context.Background(), p, 5); err != nil || p[0] != byte(i) {
					t.Errorf("%s: round %d: stream %d: %v, %v", c.name, round, i, p, err)
				}
				if spools.used > c.memory || spools.open > c.files {
					t.Errorf("%s: %d bytes in memory and %d files", c.name, spools.used, spools.open)
				}
			}
		}
		for _, f := range all {
			f.Close()
		}
		if spools.used != 0 || spools.open != 0 || spools.idle.Len() != 0 {
			t.Errorf("%s: %d bytes and %d files are left", c.name, spools.used, spools.open)
		}
	}
}

func TestDamageIsTold(t *testing.T) {
	bounds(t, 1<<30, 1<<30, 4)
	good := noise(2 << 20)
	for _, c := range []struct {
		name, want string
		file       []byte
		size       int64
	}{
		{"cut in the middle", "unexpected EOF", packed(good)[:5000], 2 << 20},
		{"no checksum", "unexpected EOF", packed(good)[:len(packed(good))-8], 2 << 20},
		{"another checksum", "checksum", append(packed(good)[:len(packed(good))-8], 1, 2, 3, 4, 0, 0, 32, 0), 2 << 20},
		{"shorter than was said", "after 2097152 of 2097153 bytes", packed(good), 2<<20 + 1},
		{"nothing at all", "unexpected EOF", nil, 1},
	} {
		f := Unpacked(Bytes(c.name, c.file), c.size, "gzip", gunzip)
		for range 2 {
			err := f.ReadAt(context.Background(), make([]byte, c.size), 0)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), c.name) {
				t.Errorf("%s: %v, want %q", c.name, err, c.want)
			}
		}
		f.Close()
	}
}

func TestNoFileIsLeftBehindUnderAName(t *testing.T) {
	bounds(t, 0, 0, 4)
	f := Unpacked(Bytes("a", packed(noise(1<<20))), 1<<20, "gzip", gunzip)
	if err := f.ReadAt(context.Background(), make([]byte, 1<<20), 0); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if l, _ := os.ReadDir(cacheFolder()); len(l) > 0 {
		t.Errorf("%v are left", l)
	}
}

func TestJoinedFilesReadAsOne(t *testing.T) {
	want := noise(1000)
	var parts []File
	for _, cut := range [][2]int{{0, 100}, {100, 100}, {100, 101}, {101, 700}, {700, 1000}} {
		whole := Bytes("w", want)
		s, err := Section(whole, int64(cut[0]), int64(cut[1]-cut[0]))
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, s)
	}
	f := Concat("all", parts)
	for range 200 {
		off := rand.N(len(want))
		p := make([]byte, rand.N(len(want)-off+1))
		if err := f.ReadAt(context.Background(), p, int64(off)); err != nil || !bytes.Equal(p, want[off:off+len(p)]) {
			t.Fatalf("%d bytes at %d: %v", len(p), off, err)
		}
	}
	if err := f.ReadAt(context.Background(), make([]byte, 2), 999); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("beyond the end: %v", err)
	}
	if _, err := Section(Bytes("w", want), 900, 101); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a section beyond the end: %v", err)
	}
	if parts[0].ID() == parts[3].ID() {
		t.Error("two sections have one ID")
	}
}
