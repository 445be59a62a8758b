package n5

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/store"
)

// spimData is the part of BigDataViewer's XML that voxels and their places need.
type spimData struct {
	Base     string `xml:"BasePath"`
	Sequence struct {
		Loader struct {
			Format string `xml:"format,attr"`
			N5     string `xml:"n5"`
		} `xml:"ImageLoader"`
		Setups []viewSetup `xml:"ViewSetups>ViewSetup"`
	} `xml:"SequenceDescription"`
}

// A viewSetup is one channel, angle, tile or illumination.
type viewSetup struct {
	ID    string `xml:"id"`
	Name  string `xml:"name"`
	Voxel struct {
		Unit string `xml:"unit"`
		Size string `xml:"size"` // x y z
	} `xml:"voxelSize"`

	factors [][]float64 // of the levels, from the attributes of the setup
}

// maxXML is the most bytes of the XML: registrations of thousands of views take some megabytes.
const maxXML = 64 << 20

// isSpimData reports whether a file begins as BigDataViewer's XML does.
func isSpimData(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	return bytes.HasPrefix(bytes.TrimSpace(head), []byte("<")) && bytes.Contains(head, []byte("<SpimData"))
}

// openSpimData reads the XML and opens the N5 folder that it names, which has to lie in the same folder.
func openSpimData(ctx context.Context, in loaders.Input) (spimData, store.Store, error) {
	var d spimData
	text, err := in.Store.Get(ctx, in.Key, maxXML)
	if err != nil {
		return d, nil, err
	}
	decoder := xml.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&d); err != nil {
		return d, nil, fmt.Errorf("the XML cannot be read: %w: %w", err, loaders.ErrDamaged)
	}
	if f := d.Sequence.Loader.Format; f != "bdv.n5" {
		return d, nil, unsupported("an image loader of format %q", f)
	}
	at := path.Join(path.Dir(in.Key), strings.TrimSpace(d.Base), strings.TrimSpace(d.Sequence.Loader.N5))
	if store.CheckKey(at) != nil || path.IsAbs(strings.TrimSpace(d.Sequence.Loader.N5)) {
		return d, nil, fmt.Errorf("the N5 folder %q: %w", d.Sequence.Loader.N5, store.ErrOutside)
	}
	return d, store.Sub(in.Store, at), nil
}

// lengths are the voxel size and its units, slowest dimension first; nil if the XML states none.
func (v *viewSetup) lengths() (step []float64, units []string) {
	for _, w := range strings.Fields(v.Voxel.Size) {
		f, err := strconv.ParseFloat(w, 64)
		if err != nil {
			return nil, nil
		}
		step, units = append(step, f), append(units, v.Voxel.Unit)
	}
	slices.Reverse(step)
	return step, units
}

// setup adds one view setup: its time points, joined along T when they are alike.
func (o *opening) setup(ctx context.Context, n node, times []string) error {
	var v viewSetup
	for _, s := range o.spim.Sequence.Setups {
		if "setup"+strings.TrimSpace(s.ID) == path.Base(n.path) {
			v = s
		}
	}
	n.get("downsamplingFactors", &v.factors)
	var points []lazy.Image
	for _, t := range times {
		at := path.Join(n.path, t)
		point, err := o.load(ctx, at)
		var entries []store.Entry
		if err == nil {
			entries, err = o.list(ctx, at)
		}
		var levels []node
		if err == nil {
			levels, err = o.levelsOf(ctx, at, entries)
		}
		var image lazy.Image
		if err == nil {
			image, err = o.image(point, levels, &v)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			o.warn("%s was left out: %v", at, err)
			continue
		}
		points = append(points, image)
	}
	if len(points) == 0 {
		return fmt.Errorf("none of its %d time points can be read: %w", len(times), loaders.ErrDamaged)
	}
	images, err := join(points)
	if err != nil {
		o.warn("The time points of %s are shown one by one: %v", n.path, err)
		images = points
	}
	for i := range images {
		if images[i].Name = path.Base(n.path); len(images) > 1 {
			images[i].Name = images[i].Path
		} else {
			images[i].Path = n.path
		}
		if name := strings.TrimSpace(v.Name); name != "" {
			images[i].Name = name
		}
	}
	o.images = append(o.images, images...)
	return nil
}

// levelsOf are the arrays s0, s1, ... of a time point, up to the first that cannot be read.
func (o *opening) levelsOf(ctx context.Context, at string, entries []store.Entry) ([]node, error) {
	var names []string
	for _, e := range entries {
		if e.Dir {
			names = append(names, e.Name)
		}
	}
	var levels []node
	for _, name := range numbered(names, "s") {
		l, err := o.load(ctx, path.Join(at, name))
		if err == nil && l.array == nil {
			if err = l.why; err == nil {
				err = fmt.Errorf("%s is no array: %w", name, loaders.ErrDamaged)
			}
		}
		if err != nil && len(levels) == 0 {
			return nil, err
		}
		if err != nil {
			o.warn("%s and the levels after it were left out: %v", path.Join(at, name), err)
			break
		}
		levels = append(levels, l)
	}
	if len(levels) == 0 {
		return nil, fmt.Errorf("it holds no level: %w", loaders.ErrDamaged)
	}
	return levels, nil
}

// join puts the time points of a setup one after another.
func join(points []lazy.Image) ([]lazy.Image, error) {
	if len(points) == 1 {
		return points, nil
	}
	out := points[0]
	out.Levels = nil
	count := len(points[0].Levels)
	for _, p := range points {
		count = min(count, len(p.Levels))
	}
	for l := range count {
		var parts []lazy.Array
		for _, p := range points {
			parts = append(parts, p.Levels[l].Array)
		}
		a, err := lazy.Concat(lazy.T, parts...)
		if err != nil {
			return nil, err
		}
		level := points[0].Levels[l]
		level.Array, level.Path = a, path.Join(path.Dir(points[0].Path), path.Base(level.Path))
		out.Levels = append(out.Levels, level)
	}
	return []lazy.Image{out}, nil
}
