package cli

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// edges writes the array of BR-012, 5 x 7 in chunks of 4 x 4, value 10 y + x, what pads the chunks at
// the far border 999. chunkName gives the place of a chunk.
func edges(t *testing.T, dir string, chunkName string) {
	t.Helper()
	for cy := range 2 {
		for cx := range 2 {
			var chunk []byte
			for y := 4 * cy; y < 4*cy+4; y++ {
				for x := 4 * cx; x < 4*cx+4; x++ {
					v := int16(10*y + x)
					if y >= 5 || x >= 7 {
						v = 999
					}
					chunk = binary.LittleEndian.AppendUint16(chunk, uint16(v))
				}
			}
			put(t, filepath.Join(dir, fmt.Sprintf(chunkName, cy, cx)), string(chunk))
		}
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestBR012WhatPadsAChunkIsNeverSeen(t *testing.T) {
	dir := t.TempDir()
	v2, v3 := filepath.Join(dir, "v2.zarr"), filepath.Join(dir, "v3.zarr")
	put(t, filepath.Join(v2, ".zarray"), `{"zarr_format":2,"shape":[5,7],"chunks":[4,4],"dtype":"<i2","compressor":null,"fill_value":0,"order":"C","filters":null}`)
	edges(t, v2, "%d.%d")
	put(t, filepath.Join(v3, "zarr.json"), `{"zarr_format":3,"node_type":"array","shape":[5,7],"data_type":"int16",
		"chunk_grid":{"name":"regular","configuration":{"chunk_shape":[4,4]}},"chunk_key_encoding":{"name":"default","configuration":{"separator":"/"}},
		"fill_value":0,"codecs":[{"name":"bytes","configuration":{"endian":"little"}}]}`)
	edges(t, v3, "c/%d/%d")
	var want []int16
	for y := range 5 {
		for x := range 7 {
			want = append(want, int16(10*y+x))
		}
	}
	// The mean of three along x reflects at index 6, and along y at index 4: 10 y + x is linear, so the mean
	// is the value itself inside, and at the edges a third of a step towards the middle, rounded.
	var mean []int16
	for y := range 5 {
		for x := range 7 {
			v := 30*y + 3*x
			if y == 0 {
				v += 10
			}
			if y == 4 {
				v -= 10
			}
			if x == 0 {
				v++
			}
			if x == 6 {
				v--
			}
			mean = append(mean, int16((2*v+3)/6))
		}
	}
	for _, source := range []string{v2, v3} {
		if shape, got := read[int16](t, "slice", source); shape != "5, 7" || !slices.Equal(got, want) {
			t.Errorf("%s: shape %s: %v", source, shape, got)
		}
		if _, got := read[int16](t, "slice", source, "--filter", "mean size=3"); !slices.Equal(got, mean) {
			t.Errorf("%s: the mean is %v, want %v", source, got, mean)
		}
	}
}

func TestAPathNamesAnyArrayOfAContainer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "many.zarr")
	put(t, filepath.Join(dir, ".zgroup"), `{"zarr_format":2}`)
	for i, name := range []string{"a", "b/c"} {
		put(t, filepath.Join(dir, name, ".zarray"), `{"zarr_format":2,"shape":[2,2],"chunks":[2,2],"dtype":"|u1","compressor":null,"fill_value":0,"order":"C","filters":null}`)
		put(t, filepath.Join(dir, name, "0.0"), string([]byte{byte(i), 1, 2, 3}))
	}
	put(t, filepath.Join(dir, "b", ".zgroup"), `{"zarr_format":2}`)
	for name, first := range map[string]uint8{"a": 0, "b/c": 1, "/b/c/": 1, "1": 1} {
		if _, got := read[uint8](t, "export", dir, "--image", name); len(got) != 4 || got[0] != first {
			t.Errorf("--image %s reads %v", name, got)
		}
	}
	if got := lamella("export", dir, "--image", "b/d", "--out", "-"); got.code != wrongWords {
		t.Errorf("an array that is not there: exit %d: %s", got.code, got.stderr)
	}
}

func TestAZarrIsReplacedOnlyWhenItMay(t *testing.T) {
	t.Chdir(t.TempDir())
	npy(t, "a.npy", "<f4", []int{2, 3}, count(6))
	must(t, "export", "a.npy", "--out", "a.zarr/")
	if got := lamella("export", "a.npy", "--out", "a.zarr"); got.code != couldNot {
		t.Errorf("an existing folder: exit %d: %s", got.code, got.stderr)
	}
	must(t, "export", "a.npy", "--filter", "mean", "--out", "a.zarr", "--overwrite")
	if got := lamella("export", "a.zarr", "--out", "a.zarr", "--overwrite"); got.code != couldNot {
		t.Errorf("the source itself: exit %d: %s", got.code, got.stderr)
	}
	if _, got := read[float32](t, "export", "a.zarr"); len(got) != 6 {
		t.Errorf("reads %v", got)
	}
	left, _ := filepath.Glob("*")
	if !slices.Equal(left, []string{"a.npy", "a.zarr"}) {
		t.Errorf("the folder holds %q", left)
	}
}
