//go:build !headless

package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/app/cli"
	"lamella/app/export"
	"lamella/app/formats"
	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/loaders"
	"lamella/viewer"
)

// What is taken from the picture is voxel for voxel what the command line writes of the same region, and says how it
// was made.
func TestAnExcerptIsWhatTheCommandLineWritesOfThatRegion(t *testing.T) {
	const source = "sample:random?shape=3x9x2x40x60&dtype=uint16&chunk=1x4x1x16x16"
	everywhere := viewer.Span{Reach: viewer.Everywhere}
	rectangle := viewer.Shape{Kind: viewer.Rectangle, Points: [][2]float64{{9.6, 4.5}, {30.4, 20.5}}}
	dir := t.TempDir()
	for _, c := range []struct {
		name, chain string
		do          []viewer.Action
		x           viewer.Excerpt
		words       string // of the command line
		place       string // in the proposed name
		recipe      string
	}{
		{name: "the plane", words: "slice --at 4 --t 1", place: "_t2_z5"},
		{name: "a plane across", do: []viewer.Action{viewer.Turn(viewer.XZ), viewer.MoveTo(lazy.Y, 7)}, words: "slice --plane xz --at 7 --t 1", place: "_t2_y08"},
		{name: "planes around", chain: "mean size=5", x: viewer.Excerpt{Planes: viewer.Span{Reach: viewer.Around, Half: 2}}, words: "export --t 1 --roi z=2:7", place: "_t2_z3-7"},
		{name: "a box of one channel", chain: "mean size=5", do: []viewer.Action{viewer.AddShape(rectangle)},
			x:     viewer.Excerpt{Planes: viewer.Span{Reach: viewer.Between, From: 6, To: 1}, Within: viewer.Selection, Active: true},
			words: "export --t 1 --c 0 --roi z=1:7,y=5:21,x=10:31", place: "_t2_z2-7_c1_y06-21_x11-31"},
		{name: "all", chain: "sobel", x: viewer.Excerpt{Planes: everywhere, Times: everywhere}, words: "export"},
		{name: "the slab", chain: "mean size=5", do: []viewer.Action{viewer.SetSlab(viewer.Slab{How: "max", Half: 1})}, x: viewer.Excerpt{Slab: true},
			words: "slice --at 4 --t 1", place: "_t2_z5", recipe: "mean size=5 | project axis=z how=max around=1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.recipe == "" {
				c.recipe = c.chain
			}
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
			steps, err := filters.Parse(c.chain)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range append([]viewer.Action{viewer.MoveTo(lazy.Z, 4), viewer.MoveTo(lazy.T, 1), viewer.SetChain(steps)}, c.do...) {
				s.Act(a)
			}
			write := func(path string) {
				t.Helper()
				j, err := job(c.x, s.Scene(), s.State(), set.Source, true)
				if err != nil {
					t.Fatal(err)
				}
				if got := placeIn(j.Region, j.Array.Meta().Shape); got != c.place {
					t.Errorf("its place is called %q, want %q", got, c.place)
				}
				file, err := formats.Create(t.Context(), path, j.For(e))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := export.Run(t.Context(), e, j, file, nil); err != nil {
					t.Fatal(err)
				}
			}
			window, words := filepath.Join(dir, "window.npy"), filepath.Join(dir, "words.npy")
			write(window)
			verb, more, _ := strings.Cut(c.words, " ")
			args := append([]string{verb, source, "--out", words, "--quiet", "--overwrite", "--filter", c.recipe}, strings.Fields(more)...)
			if c.recipe == "" {
				args = append([]string{verb, source, "--out", words, "--quiet", "--overwrite"}, strings.Fields(more)...)
			}
			if code := cli.Run(t.Context(), args, nil, io.Discard, os.Stderr); code != 0 {
				t.Fatalf("lamella %v ended with %d", args, code)
			}
			a, _ := os.ReadFile(window)
			b, _ := os.ReadFile(words)
			if len(a) == 0 || !bytes.Equal(a, b) {
				t.Errorf("the window writes %d bytes, lamella %v writes %d, and they differ", len(a), args, len(b))
			}

			tif := filepath.Join(dir, "window.tif")
			write(tif)
			made, err := formats.Open(t.Context(), tif, loaders.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer closeSet(&made)
			if r := made.Images[0].Recipe; r.Source != source || r.Chain != c.recipe {
				t.Errorf("the file says that it was made of %q by %q", r.Source, r.Chain)
			}
		})
	}
}
