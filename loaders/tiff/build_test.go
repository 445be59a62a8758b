package tiff

import (
	"context"
	"encoding/binary"
	"path"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/store"
)

var ctx = context.Background()

// A sheet is one page of a file that a test builds: width x height pixels of uint8, each of one value,
// and tags that add to or replace the usual ones.
type sheet struct {
	width, height int
	value         byte
	tags          []tag
}

// built is a little-endian classic TIFF of these pages: header, then each page's pixels and directory.
func built(sheets ...sheet) []byte {
	out := []byte{'I', 'I', 42, 0, 0, 0, 0, 0}
	link := 4 // where the offset of the next directory goes
	for _, s := range sheets {
		pixels := uint32(len(out))
		for range s.width * s.height {
			out = append(out, s.value)
		}
		out = append(out, make([]byte, len(out)%2)...)
		tags := []tag{longTag(tagWidth, uint32(s.width)), longTag(tagHeight, uint32(s.height)), shortTag(tagBits, 8),
			shortTag(tagCompression, rawData), shortTag(tagPhotometric, minIsBlack), longTag(tagStripOffsets, pixels),
			shortTag(tagSamples, 1), longTag(tagRowsPerStrip, uint32(s.height)), longTag(tagStripCounts, uint32(s.width*s.height))}
		for _, t := range s.tags {
			at := -1
			for i := range tags {
				if tags[i].id == t.id {
					at = i
				}
			}
			if at < 0 {
				tags = append(tags, t)
			} else {
				tags[at] = t
			}
		}
		w := &writer{}
		at := len(out)
		binary.LittleEndian.PutUint32(out[link:], uint32(at))
		out = append(out, encode(w.big, tags, int64(at), 0)...)
		link = at + 2 + 12*len(tags)
	}
	return out
}

// files is a folder in memory; opened opens one of its files.
type files map[string][]byte

func (f files) open(t *testing.T, key string) (lazy.Dataset, error) {
	t.Helper()
	raw := f[key]
	in := loaders.Input{Path: path.Base(key), Store: store.Memory(f), Key: key, Head: raw[:min(len(raw), 4096)]}
	if !(Driver{}).Sniff(ctx, in) {
		return lazy.Dataset{}, loaders.ErrFormat
	}
	set, err := Driver{}.Open(ctx, in)
	if err == nil {
		t.Cleanup(func() { set.Close() })
	}
	return set, err
}

// mustOpen opens a single file.
func mustOpen(t *testing.T, raw []byte) lazy.Dataset {
	t.Helper()
	set, err := files{"a.tif": raw}.open(t, "a.tif")
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// voxel reads one voxel by the grain that holds it.
func voxel(a lazy.Array, i lazy.Index) (float64, error) {
	src := a.Node().Source
	b := lazy.NewBlock(src.(lazy.Grainer).Grain(lazy.At(i, lazy.Shape{1, 1, 1, 1, 1})), a.Meta().DType)
	if _, err := src.Read(ctx, b); err != nil {
		return 0, err
	}
	return b.Value(i), nil
}

func mustVoxel(t *testing.T, a lazy.Array, i lazy.Index) float64 {
	t.Helper()
	v, err := voxel(a, i)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
