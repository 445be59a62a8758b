package hdf5_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/hdf5"
	"lamella/loaders/loadertest"
	"lamella/loaders/store"
)

// openBytes opens a file that is given by its bytes.
func openBytes(ctx context.Context, p []byte) (lazy.Dataset, error) {
	in := loaders.Input{Path: "case.h5", Store: store.Memory{"case.h5": p}, Key: "case.h5", Head: p[:min(len(p), 4096)]}
	if !(hdf5.Driver{}).Sniff(ctx, in) {
		return lazy.Dataset{}, loaders.ErrFormat
	}
	return hdf5.Driver{}.Open(ctx, in)
}

// look opens a file and reads some of what it holds. It gives the errors met on the way.
func look(t *testing.T, p []byte) []error {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	var met []error
	note := func(err error) {
		if err == nil {
			return
		}
		if strings.Contains(err.Error(), "\n") || err.Error() == "" {
			t.Errorf("not one line: %q", err)
		}
		if errors.Is(err, context.DeadlineExceeded) {
			t.Error("takes more than 20 s")
		}
		met = append(met, err)
	}
	set, err := openBytes(ctx, p)
	note(err)
	if err != nil {
		return met
	}
	defer set.Close()
	for _, w := range set.Warnings {
		met = append(met, errors.New(w))
	}
	for _, image := range set.Images[:min(len(set.Images), 40)] {
		for _, l := range image.Levels {
			m := l.Array.Meta()
			cell := m.Shape.Whole().Intersect(lazy.Region{Max: lazy.Index(m.Chunk)})
			if cell.Voxels() > 1<<22 {
				continue
			}
			_, err := loadertest.Read(ctx, l.Array, cell)
			note(err)
		}
	}
	return met
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	p, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// patched is a file with some bytes changed at the n-th place behind a mark.
func patched(t *testing.T, p []byte, mark string, n, at int, with []byte) []byte {
	t.Helper()
	p = bytes.Clone(p)
	place := -1
	for range n + 1 {
		k := bytes.Index(p[place+1:], []byte(mark))
		if k < 0 {
			t.Fatalf("no %q", mark)
		}
		place += k + 1
	}
	copy(p[place+at:], with)
	return p
}

func le(v uint64, n int) []byte { return binary.LittleEndian.AppendUint64(nil, v)[:n] }

// TestNamedDamageIsToldInOneLine changes what a sound file says, one field at a time.
func TestNamedDamageIsToldInOneLine(t *testing.T) {
	old, latest := fixture(t, "userblock4096.h5"), fixture(t, "offsets4_latest.h5")
	offsets4 := fixture(t, "offsets4.h5")
	at := func(p []byte, mark string, n int) uint64 { // address of a mark, by which it can be linked to
		place := -1
		for range n + 1 {
			place += bytes.Index(p[place+1:], []byte(mark)) + 1
		}
		return uint64(place)
	}
	for _, c := range []struct {
		name string
		p    []byte
		want string
	}{
		{"nothing but the signature", []byte("\x89HDF\r\n\x1a\n"), "end early"},
		{"a superblock of tomorrow", patched(t, old, "\x89HDF", 0, 8, []byte{9}), "version 9 of the superblock"},
		{"addresses of 3 bytes", patched(t, offsets4, "\x89HDF", 0, 13, []byte{3}), "addresses of 3 bytes"},
		{"a root that is elsewhere", patched(t, offsets4, "\x89HDF", 0, 24+16+4, le(1<<30, 4)), "behind the end"},
		{"a root that is no header", patched(t, offsets4, "\x89HDF", 0, 24+16+4, le(0, 4)), "no object header"},
		{"a wrong checksum of the superblock", patched(t, latest, "\x89HDF", 0, 12, []byte{1}), "checksum of the superblock"},
		{"a wrong checksum of a header", patched(t, latest, "OHDR", 0, 20, []byte{0xee, 0xee}), "checksum of OHDR"},
		{"a tree above tables that are no nodes", patched(t, offsets4, "TREE", 0, 5, append([]byte{1, 1, 0}, le(^uint64(0), 8)...)), "TREE is not where it should be"},
		{"a tree whose node is itself", patched(t, patched(t, offsets4, "TREE", 0, 5, []byte{3}), "TREE", 0, 8+8+4, le(at(offsets4, "TREE", 0), 4)), "of level 3 below one of level 3"},
		{"a table of 65535 names", patched(t, offsets4, "SNOD", 0, 6, le(65535, 2)), "behind the end"},
		{"a heap of names that is too large", patched(t, offsets4, "HEAP", 0, 8, le(1<<27, 4)), "bytes of names"},
		{"chunks of 4 G voxels", patched(t, offsets4, string([]byte{3, 2, 4}), 0, 3+4, le(1<<31-1, 4)), "2 GiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			met := look(t, c.p)
			if len(met) == 0 {
				t.Fatal("nothing is said")
			}
			for _, err := range met {
				if strings.Contains(err.Error(), c.want) {
					return
				}
			}
			t.Errorf("%q, want %q", met, c.want)
		})
	}
}

// TestChangedBytesNeverPanic flips bytes of sound files at random places, which are the same in every run.
func TestChangedBytesNeverPanic(t *testing.T) {
	rounds := 500
	if testing.Short() {
		rounds = 100
	}
	for _, name := range []string{"offsets4.h5", "offsets4_latest.h5", "userblock4096.h5", "superblock1.h5", "superblock2.h5", "imaris.ims", "bdv.h5"} {
		t.Run(name, func(t *testing.T) {
			sound := fixture(t, name)
			random := rand.New(rand.NewPCG(1, uint64(len(sound))))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for range rounds {
				p := bytes.Clone(sound)
				for range 1 + random.IntN(3) {
					k := random.IntN(len(p))
					if random.IntN(3) > 0 {
						k = random.IntN(min(len(p), 6000)) // where most of the metadata are
					}
					p[k] = []byte{0, 1, 0xff, 0x80, p[k] + 1, byte(random.Uint32())}[random.IntN(6)]
				}
				look(t, p)
			}
			runtime.ReadMemStats(&after)
			if each := (after.TotalAlloc - before.TotalAlloc) / uint64(rounds); each > 32<<20 {
				t.Errorf("%d MB are allocated for a file of %d KB", each>>20, len(sound)>>10)
			}
		})
	}
}

// FuzzOpen looks at anything. What opens has to be read without a panic, a hang or an error of many lines.
func FuzzOpen(f *testing.F) {
	// What h5py wrote, of which TestLibraryFiles knows every value; new.h5 and old.h5 are too long to be changed at random.
	for _, name := range []string{"offsets4.h5", "offsets4_latest.h5", "userblock4096.h5", "superblock1.h5", "superblock2.h5", "ordered.h5", "imaris.ims", "bdv.h5", "bdv_part.h5"} {
		f.Add(fixture(f, name))
	}
	f.Add([]byte("\x89HDF\r\n\x1a\n"))
	f.Fuzz(func(t *testing.T, p []byte) { look(t, p) })
}
