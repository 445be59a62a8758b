package formats_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"lamella/app/formats"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/loaders"
)

// An acquisition fills chunks while the metadata stay as they are: what was read before is not taken for what is there now.
func TestAnotherReadingSeesChunksThatCameSince(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct{ name, metadata, text, chunk, bytes string }{
		{"v2.zarr", ".zarray", `{"zarr_format":2,"shape":[1,2],"chunks":[1,2],"dtype":"|u1","compressor":null,"fill_value":0,"order":"C","filters":null}`, "0.0", "\x07\x08"},
		{"v3.zarr", "zarr.json", `{"zarr_format":3,"node_type":"array","shape":[1,2],"data_type":"uint8","chunk_grid":{"name":"regular","configuration":{"chunk_shape":[1,2]}},
			"chunk_key_encoding":{"name":"default"},"fill_value":0,"codecs":[{"name":"bytes"}]}`, "c/0/0", "\x07\x08"},
		{"a.n5", "attributes.json", `{"n5":"2.0.0","dimensions":[2,1],"blockSize":[2,1],"dataType":"uint8","compression":{"type":"raw"}}`, "0/0", "\x00\x00\x00\x02\x00\x00\x00\x02\x00\x00\x00\x01\x07\x08"},
	} {
		top := filepath.Join(t.TempDir(), c.name)
		write := func(key, text string) {
			path := filepath.Join(top, key)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		e := engine.New(engine.Options{Memory: 32 << 20, Workers: 1})
		first := func(reading int) uint8 {
			set, err := formats.Open(ctx, top, loaders.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if set.Close != nil {
				defer set.Close()
			}
			a := lazy.Again(set.Images[0].Levels[0].Array, reading)
			b, _, err := e.Get(ctx, a, a.Meta().Shape.Whole(), engine.Priority{})
			if err != nil {
				t.Fatal(err)
			}
			return lazy.View[uint8](b)[0]
		}
		write(c.metadata, c.text)
		if v := first(1); v != 0 {
			t.Errorf("%s: without its chunk %d", c.name, v)
		}
		write(c.chunk, c.bytes)
		if v := first(1); v != 0 {
			t.Errorf("%s: the same reading forgot what it had: %d", c.name, v)
		}
		if v := first(2); v != 7 {
			t.Errorf("%s: read again %d, want 7", c.name, v)
		}
		e.Close()
	}
}
