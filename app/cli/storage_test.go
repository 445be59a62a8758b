package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"lamella/app/formats"
	"lamella/loaders"
)

func TestAnExportSaysHowItWasMade(t *testing.T) {
	t.Chdir(t.TempDir())
	npy(t, "a b.npy", "<f4", []int{3, 6, 7}, count(126))
	const chain = `gaussian sigma=1 | stencil "x[0,0] + 0.5"` // 1 is the default
	for _, words := range []string{
		"--out a.tif", "--out a.ome.tif", "--out a.ome.zarr", "--out b.ome.zarr --ome 0.5", "--out a.png --roi z=1:2", "--out b.png --roi z=1:2 --values",
	} {
		args := append([]string{"export", "a b.npy"}, strings.Fields(words)...)
		filter := chain
		if strings.HasSuffix(words, "--values") {
			filter += " | cast dtype=uint16"
		}
		must(t, append(args, "--filter", filter)...)
		var about description
		if err := json.Unmarshal([]byte(must(t, "info", args[3], "--json")), &about); err != nil {
			t.Fatal(err)
		}
		made := about.Images[0].Made
		if made == nil || made.Source != "a b.npy" || !strings.HasPrefix(made.Chain, "gaussian | stencil") || made.Version != Version {
			t.Errorf("%s was made by %+v", args[3], made)
		}
		if text := must(t, "info", args[3]); !strings.Contains(text, "a b.npy  filters gaussian") {
			t.Errorf("info of %s does not say how it was made: %s", args[3], text)
		}
	}
}

func TestAPNGOfValuesHoldsThem(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ descr, dtype string }{{"|u1", "uint8"}, {"<u2", "uint16"}} {
		var values any
		switch c.dtype {
		case "uint8":
			v := make([]uint8, 35)
			for i := range v {
				v[i] = uint8(i * 37)
			}
			values = v
		default:
			v := make([]uint16, 35)
			for i := range v {
				v[i] = uint16(i * 3701)
			}
			values = v
		}
		npy(t, c.dtype+".npy", c.descr, []int{5, 7}, values)
		must(t, "export", c.dtype+".npy", "--out", c.dtype+".png", "--values")
		var got string
		if c.dtype == "uint8" {
			_, v := read[uint8](t, "slice", c.dtype+".png")
			got = fmt.Sprint(v)
		} else {
			_, v := read[uint16](t, "slice", c.dtype+".png")
			got = fmt.Sprint(v)
		}
		if got != fmt.Sprint(values) {
			t.Errorf("%s comes back as %s, want %v", c.dtype, got, values)
		}
	}
	npy(t, "f.npy", "<f4", []int{5, 7}, count(35))
	if got := lamella("export", "f.npy", "--out", "f.png", "--values"); got.code != couldNot || !strings.Contains(got.stderr, "uint8 or uint16") {
		t.Errorf("real numbers: exit %d: %s", got.code, got.stderr)
	}
}

func TestWordsOfStorageGoWithTheirFormat(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, words := range []string{
		"--out a.tif --ome 0.5", "--out a.zarr --ome 0.3", "--out a.zarr --shard-shape 32,512,512", "--out a.zarr --ome 0.5 --shard-shape 32,512",
		"--out a.zarr --ome 0.5 --shard-shape 32,x,512", "--out a.zarr --ome 0.5 --shard-shape 0,0,0", "--out a.tif --compression zstd", "--out a.ome.tif --compression lz4",
		"--out a.zarr --compression deflate", "--out a.npy --values", "--out - --compression zstd",
		"--out a.tif --levels 1", "--out a.zarr --levels -1", "--out - --levels 2",
	} {
		if got := lamella(append([]string{"export", "sample:cells"}, strings.Fields(words)...)...); got.code != wrongWords || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: exit %d: %s", words, got.code, got.stderr)
		}
	}
}

func TestAsManyLevelsAreWrittenAsAreAskedFor(t *testing.T) {
	t.Chdir(t.TempDir())
	const source = "sample:random?shape=3x1200x1200&dtype=uint8"
	for _, c := range []struct {
		out    string
		words  string
		levels int
	}{
		{"all.zarr", "", 2}, {"one.zarr", "--levels 1", 1}, {"more.zarr", "--levels 9", 2}, {"shards.zarr", "--levels 1 --ome 0.5", 1},
		{"all.ome.tif", "", 3}, {"two.ome.tif", "--levels 2", 2}, {"one.ome.tif", "--levels 1", 1},
	} {
		must(t, append([]string{"export", source, "--out", c.out, "--quiet"}, strings.Fields(c.words)...)...)
		set, err := formats.Open(t.Context(), c.out, loaders.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(set.Images[0].Levels); n != c.levels {
			t.Errorf("%s has %d levels, want %d", c.out, n, c.levels)
		}
		set.Close()
		_, want := read[uint8](t, "slice", source)
		if _, got := read[uint8](t, "slice", c.out); !slices.Equal(got, want) {
			t.Errorf("%s: its finest level differs", c.out)
		}
	}
	if err := os.Rename("one.zarr", "part.zarr.part"); err != nil {
		t.Fatal(err)
	}
	if got := lamella("export", source, "--out", "part.zarr", "--resume"); got.code == 0 {
		t.Error("a file of one level is gone on with as one of all")
	}
}
