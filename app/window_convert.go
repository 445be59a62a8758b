//go:build !headless

package main

import (
	"context"
	"path/filepath"
	"strings"

	"lamella/app/cli"
	"lamella/app/export"
	"lamella/app/formats"
	"lamella/lazy"
	"lamella/loaders"
	"lamella/viewer"
	"lamella/viewer/ui"
)

// costly is how many bytes must be unpacked for one voxel before the window says so.
const costly = 64 << 20

// offerConversion says of a file that cannot be read by region what that costs, and offers to write one that can. It
// reports whether there was anything to say.
func (w *window) offerConversion(set *lazy.Dataset, name string) bool {
	bytes := unpacked(set)
	if bytes < costly {
		return false
	}
	note := set.Lazy.Note
	if note == "" {
		note = set.Images[0].Levels[0].Codec
	}
	w.view.Offer(ui.Say("app.cost", "Name", name, "Bytes", ui.Bytes(bytes), "Note", ui.Remark(note)), ui.Say("menu.convert"), w.convert)
	return true
}

// unpacked is how many bytes come out of storage for one voxel in the middle of the first image.
func unpacked(set *lazy.Dataset) int64 {
	level := set.Images[0].Levels[0]
	m := level.Array.Meta()
	size := int64(m.DType.Size())
	if set.Lazy.By == "whole" {
		return size * int64(m.Shape.Whole().Voxels())
	}
	node := level.Array.Node()
	for node.Source == nil { // a view of what is stored: axes that were split, files joined as channels
		if len(node.In) == 0 {
			return 0
		}
		node = node.In[0]
	}
	m, source := node.Meta, node.Source
	var at lazy.Index
	for a, n := range m.Shape {
		at[a] = n / 2
	}
	one := lazy.At(at, lazy.Shape{1, 1, 1, 1, 1})
	n := int64(0)
	for g := range lazy.Grains(source, one) {
		n += size * int64(g.Voxels())
	}
	return n
}

// convert asks for the name of an OME-Zarr, writes all of the image on view to it as it is stored, and offers to open
// it.
func (w *window) convert() {
	s := w.view.Session()
	if s == nil {
		return
	}
	stem := strings.TrimSuffix(w.stem(), ".gz")
	stem = strings.TrimSuffix(strings.TrimSuffix(stem, filepath.Ext(stem)), ".ome") + ".ome.zarr"
	w.view.AskFile(ui.Say("app.convert.title"), w.folder(), stem, []string{".zarr"}, func(path string, replace bool) {
		j := whole(s.Scene(), s.State(), s.Set().Source, replace)
		w.writeThen(path, replace, func(ctx context.Context, progress func(done, total int)) error {
			file, err := formats.Create(ctx, path, j.For(w.engine))
			if err != nil {
				return err
			}
			_, err = export.Run(ctx, w.engine, j, file, progress)
			return err
		}, func() {
			w.view.Offer(ui.Say("app.converted", "Name", filepath.Base(path)), ui.Say("app.convert.open"), func() { w.open([]string{path}) })
		}, "app.notwritten")
	})
}

// whole is all of an image as it is stored, in the sizes, names and colours in which it is shown.
func whole(sc *viewer.Scene, s viewer.State, source string, replace bool) export.Job {
	a := sc.Raw[0]
	return export.Job{
		Place: export.PlaceOf(sc.Image, 0),
		Array: a, Region: a.Meta().Shape.Whole(), View: export.XY,
		RGB: sc.Image.RGB, Name: sc.Image.Name, Channels: channelsAs(a, s), Replace: replace,
		Recipe: loaders.Recipe{Source: source, Chain: sc.Image.Made, Version: cli.Version},
	}
}
