package hdf5

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/store"
)

// say notes attributes below a name, in natural order: the file keeps them by hashes or as they came.
func say(ctx context.Context, e *loaders.Entries, below string, attributes map[string]attribute) {
	for _, name := range slices.SortedFunc(maps.Keys(attributes), store.NaturalCompare) {
		e.Add(below+name, attributes[name].words(ctx))
	}
}

// words is a value as people read it: texts, or numbers with commas between them; "" for other kinds.
func (a attribute) words(ctx context.Context) string {
	if a.kind.class == classString && a.kind.size == 1 {
		return a.text(ctx)
	}
	if texts := a.texts(ctx); len(texts) > 0 {
		return strings.Join(texts, ", ")
	}
	var out []string
	for _, v := range a.floats() {
		out = append(out, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return strings.Join(out, ", ")
}

// maxInfo is how many groups of DataSetInfo are noted.
const maxInfo = 64

// saidByImaris is what the groups of DataSetInfo say: those of the image, of channels, of times, of the microscope.
func (f *file) saidByImaris(ctx context.Context) []lazy.Entry {
	var e loaders.Entries
	f, at, err := f.resolve(ctx, f.root, "DataSetInfo")
	if err != nil {
		return nil
	}
	o, err := f.object(ctx, at)
	if err != nil {
		return nil
	}
	links, _ := o.links(ctx)
	slices.SortStableFunc(links, func(a, b link) int { return store.NaturalCompare(a.name, b.name) })
	for _, l := range links[:min(len(links), maxInfo)] {
		if l.soft != "" || l.external != "" {
			continue
		}
		if group, err := f.object(ctx, l.at); err == nil {
			attributes, _ := group.attributes(ctx)
			say(ctx, &e, l.name+".", attributes)
		}
	}
	return e.List()
}

// said is what the XML says of the i-th setup, by the names of SpimData.
func (s *spim) said(i int) []lazy.Entry {
	var e loaders.Entries
	x := s.Setups[i]
	e.Add("ViewSetup.id", strconv.Itoa(x.ID))
	e.Add("ViewSetup.name", x.Name)
	e.Add("ViewSetup.voxelSize.size", x.Voxel.Size)
	e.Add("ViewSetup.voxelSize.unit", x.Voxel.Unit)
	e.Add("ViewSetup.attributes.channel", x.Attributes.Channel)
	e.Add("ViewSetup.attributes.displaysettings", x.Attributes.Display)
	e.Add("ImageLoader.format", s.Loader.Format)
	e.Add("ImageLoader.hdf5", strings.TrimSpace(s.Loader.File.Path))
	for _, p := range s.Places {
		for k, affine := range p.Affines {
			if p.Setup == x.ID {
				e.Add(fmt.Sprintf("ViewRegistration[%d].affine[%d]", p.Time, k), affine)
			}
		}
	}
	return e.List()
}
