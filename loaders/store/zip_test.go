package store

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

// watched counts the bytes that are read of a file.
type watched struct {
	File
	read atomic.Int64
}

func (w *watched) ReadAt(ctx context.Context, p []byte, off int64) error {
	w.read.Add(int64(len(p)))
	return w.File.ReadAt(ctx, p, off)
}

func zipped(t *testing.T, members map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, p := range members {
		m, err := w.Create(name)
		if err == nil {
			_, err = m.Write(p)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestALargeDeflatedMemberIsUnpackedAsFarAsItIsRead(t *testing.T) {
	want := noise(8 << 20)
	f := &watched{File: Bytes("a.zip", zipped(t, map[string][]byte{"a.npy": want}))}
	z, err := Zip(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	m, err := z.Open(t.Context(), "a.npy")
	if err != nil {
		t.Fatal(err)
	}
	f.read.Store(0)
	for _, c := range []struct {
		what     string
		off, n   int64
		mostRead int64
	}{
		{"a header", 0, 128, 1 << 20},
		{"the middle", 4 << 20, 1000, 5 << 20},
		{"the beginning once more", 100, 1000, 5 << 20},
		{"all", 0, int64(len(want)), 9 << 20},
	} {
		p := make([]byte, c.n)
		if err := m.ReadAt(t.Context(), p, c.off); err != nil || !bytes.Equal(p, want[c.off:c.off+c.n]) {
			t.Errorf("%s: other bytes, %v", c.what, err)
		}
		if got := f.read.Load(); got > c.mostRead {
			t.Errorf("%s: %d bytes were read", c.what, got)
		}
	}
	if err := z.Close(); err != nil {
		t.Error(err)
	}
	if err := m.ReadAt(t.Context(), make([]byte, 8), 0); !errors.Is(err, ErrClosed) {
		t.Errorf("read of a closed archive: %v", err)
	}
}

func TestALargeMemberThatIsNotWhatItsChecksumSaysIsRefused(t *testing.T) {
	want := make([]byte, 4<<20)
	packed := zipped(t, map[string][]byte{"a.npy": want})
	at := bytes.Index(packed, []byte("PK\x01\x02")) + 16 // the checksum in the directory
	packed[at] ^= 1
	z, err := Zip(t.Context(), Bytes("a.zip", packed))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	m, err := z.Open(t.Context(), "a.npy")
	if err != nil {
		t.Fatal(err)
	}
	if err := m.ReadAt(t.Context(), make([]byte, len(want)), 0); !errors.Is(err, zip.ErrChecksum) {
		t.Errorf("%v", err)
	}
}
