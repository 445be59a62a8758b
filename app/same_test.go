//go:build !headless

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/app/cli"
	"lamella/app/export"
	"lamella/app/formats"
	"lamella/filters"
	"lamella/lazy/engine"
	"lamella/loaders"
	"lamella/viewer"
)

// contents are the files below a folder.
func contents(t *testing.T, top string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(top, path)
		p, err := os.ReadFile(path)
		all[rel] = string(p)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// exportEverything does what the window does when it exports everything.
func exportEverything(t *testing.T, source, chain, path string) {
	t.Helper()
	set, err := formats.Open(t.Context(), source, loaders.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := engine.New(engine.Options{Memory: 64 << 20})
	defer e.Close()
	s, err := viewer.Open(&set, viewer.Options{Engine: e, Post: func(func()) {}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	steps, err := filters.Parse(chain)
	if err != nil {
		t.Fatal(err)
	}
	s.Act(viewer.SetChain(steps))
	j, err := everything(s.Scene(), s.State(), set.Source, false)
	if err != nil {
		t.Fatal(err)
	}
	file, err := formats.Create(context.Background(), path, j.Description())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := export.Run(t.Context(), e, j, file, nil); err != nil {
		t.Fatal(err)
	}
}

// One chain gives the same bytes, metadata and all, from the window, from the command line, on the plane and in parts,
// and from shares; and they say what they were made of.
func TestTheSameChainGivesTheSameBytesFromEverywhere(t *testing.T) {
	t.Chdir(t.TempDir())
	if code := cli.Run(t.Context(), strings.Fields("export sample:cells --roi z=20:40,y=100:400,x=200:300 --out cells.ome.zarr"), nil, io.Discard, io.Discard); code != 0 {
		t.Fatal("the cells were not written")
	}
	for _, c := range []struct{ source, chain string }{
		{"cells.ome.zarr", "gaussian sigma=0.2um | sobel"},
		{"cells.ome.zarr", ""},
		{"sample:random?shape=2x20x2x300x310&dtype=uint16&chunk=1x8x1x64x64", "laplace | threshold value=20"},
	} {
		exportEverything(t, c.source, c.chain, "window.ome.zarr")
		want := contents(t, "window.ome.zarr")
		if c.chain != "" && !strings.Contains(want[".zattrs"], fmt.Sprintf("%q: %q", "chain", c.chain)) || !strings.Contains(want[".zattrs"], c.source[:10]) || !strings.Contains(want[".zattrs"], cli.Version) || !strings.Contains(want[".zattrs"], "\"part\": \"level 0") {
			t.Errorf("%s: the metadata do not say how it was made: %s", c.chain, want[".zattrs"])
		}
		words := "export " + c.source + " --quiet --out X.ome.zarr --filter "
		at := func(name, more string) {
			t.Helper()
			args := append(strings.Fields(strings.Replace(words, "X", name, 1)), c.chain)
			args = append(args, strings.Fields(more)...)
			var said bytes.Buffer
			if code := cli.Run(context.Background(), args, nil, &said, &said); code != 0 {
				t.Fatalf("%v: exit %d: %s", args, code, said.String())
			}
		}
		at("words", "")
		at("little", "--memory 24MiB")
		at("resumed", "--resume --verify")
		for _, share := range []string{"1/3", "2/3", "0/3", "1/3", "finish"} {
			at("shares", "--shard "+share)
		}
		for _, name := range []string{"words", "little", "resumed", "shares"} {
			got := contents(t, name+".ome.zarr")
			for file, text := range want {
				if got[file] != text {
					t.Errorf("%s of %s: %s differs", name, c.chain, file)
				}
			}
			if len(got) != len(want) {
				t.Errorf("%s of %s: %d files, want %d", name, c.chain, len(got), len(want))
			}
		}
		for _, name := range []string{"window", "words", "little", "resumed", "shares"} {
			if err := os.RemoveAll(name + ".ome.zarr"); err != nil {
				t.Fatal(err)
			}
		}
	}
}
