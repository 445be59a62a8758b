package viewer

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"lamella/lazy"
	"lamella/lazy/engine"
)

// An Object is all voxels of one label at a time point.
type Object struct {
	Label    int64
	Voxels   int
	Centroid [lazy.Rank]float64 // the mean of its voxels' indices along Z, Y and X
	Box      lazy.Region        // the least that holds it
	Values   []Moments          // of the channels of the picture, after the filters; nil where they were not asked for
}

// Moments are the mean, least and greatest of the finite values of an object; NaN where there are none.
type Moments struct {
	Mean, Least, Most float64
	n                 int
}

// A Survey is what the objects of an image are asked for: the labels, and the values beneath them.
type Survey struct {
	Labels  lazy.Array
	Channel int        // of the labels
	At      int        // the time point
	Values  lazy.Array // of the voxels of the labels, after the filters; not valid where they are not asked for

	Chunks     int   // of labels, that are read
	Bytes      int64 // of them, as voxels
	Over       int   // chunks of values
	OverBytes  int64
	Filtered   bool   // the values are computed
	WhyNoValue string // why there can be none: the key of "objects.none." in the window's words, "" if there can be
}

// ErrNoLabels is why there are no objects to list.
var ErrNoLabels = errors.New("viewer: no labels lie over the picture, and the image on view is not whole numbers")

// mostObjects is the most objects that are listed; an image with more holds no labels.
const mostObjects = 4_000_000

// Survey is what listing the objects takes: those of the labels that lie over the picture, else those of the chosen channel of
// the image on view. values says whether the values of its channels are wanted too, which needs labels on the very voxels of the
// image, and an image of more than the labels.
func (sc *Scene) Survey(s State, values bool) (Survey, error) {
	v := Survey{At: s.At[lazy.T]}
	switch {
	case sc.over != nil:
		v.Labels = sc.over.Raw[0]
	case !sc.Raw[0].Meta().DType.Float():
		v.Labels = sc.Raw[0]
		if n := v.Labels.Meta().Shape[lazy.C]; n > 1 {
			v.Channel = min(s.Active(), n-1)
		} else {
			v.WhyNoValue = "alone"
		}
	default:
		return v, ErrNoLabels
	}
	m, shown := v.Labels.Meta(), sc.Shown[0].Meta()
	if m.Shape[lazy.T] == 1 {
		v.At = 0
	}
	r := v.region()
	v.Chunks, v.Bytes = r.Cells(m.Chunk), int64(r.Voxels())*int64(m.DType.Size())
	if v.WhyNoValue == "" {
		for _, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
			if m.Shape[a] != shown.Shape[a] {
				v.WhyNoValue = "apart"
			}
		}
	}
	switch {
	case v.WhyNoValue == "" && sc.Fault != nil:
		v.WhyNoValue = "fault"
	case v.WhyNoValue == "" && values:
		v.Values, v.Filtered = sc.Shown[0], sc.Filtered()
		n := shown.Shape[lazy.C]
		r = r.With(lazy.C, 0, n)
		v.Over, v.OverBytes = r.Cells(shown.Chunk), int64(r.Voxels())*int64(shown.DType.Size())
	}
	return v, nil
}

// region is all voxels of the labels at the time point.
func (v Survey) region() lazy.Region {
	return v.Labels.Meta().Shape.Whole().With(lazy.T, v.At, v.At+1).With(lazy.C, v.Channel, v.Channel+1)
}

// Objects lists the objects of a survey by their labels, part by part, so that an image may be larger than memory. progress
// is told how many parts of how many are done, and may be nil.
func (v Survey) Objects(ctx context.Context, e *engine.Engine, progress func(done, total int)) ([]Object, error) {
	r, grid := v.region(), v.part(e)
	all := map[int64]*gathering{}
	done, total := 0, r.Cells(grid)
	for cell := range r.Tiles(grid) {
		cell = cell.Intersect(r)
		labels, _, err := e.Get(ctx, v.Labels, cell, engine.Priority{Tier: engine.Background})
		if err != nil {
			return nil, fmt.Errorf("viewer: listing objects: reading the labels: %w", err)
		}
		var values []*lazy.Block
		if v.Values.Valid() {
			m := v.Values.Meta()
			for c := range m.Shape[lazy.C] {
				at := min(v.At, m.Shape[lazy.T]-1)
				b, _, err := e.Get(ctx, v.Values, cell.With(lazy.C, c, c+1).With(lazy.T, at, at+1), engine.Priority{Tier: engine.Background})
				if err != nil {
					return nil, fmt.Errorf("viewer: listing objects: channel %d: %w", c+1, err)
				}
				values = append(values, b)
			}
		}
		if err := count(all, labels, values); err != nil {
			return nil, err
		}
		if done++; progress != nil {
			progress(done, total)
		}
	}
	objects := make([]Object, 0, len(all))
	for label, t := range all {
		objects = append(objects, t.object(label, v.At))
	}
	slices.SortFunc(objects, func(a, b Object) int { return compareLabels(a.Label, b.Label) })
	return objects, nil
}

func compareLabels(a, b int64) int {
	if a < b {
		return -1
	}
	return 1
}

// mostOfAPart is the memory that a part of a listing takes at most: small enough to see how far it is, and to stop soon.
const mostOfAPart = 16 << 20

// part is what is looked at at a time: whole chunks of labels, as many as a sixteenth of the memory holds with the values.
func (v Survey) part(e *engine.Engine) lazy.Shape {
	m := v.Labels.Meta()
	grid, whole := m.Chunk, m.Shape
	grid[lazy.T], grid[lazy.C] = 1, 1
	size := m.DType.Size()
	if v.Values.Valid() {
		size += v.Values.Meta().Shape[lazy.C] * v.Values.Meta().DType.Size()
	}
	_, budget := e.Memory()
	room := int(min(budget/16, mostOfAPart))
	for _, a := range []lazy.Axis{lazy.X, lazy.Y, lazy.Z} {
		voxels := grid[lazy.Z] * grid[lazy.Y] * grid[lazy.X] * size
		k := max(1, room/max(1, voxels))
		grid[a] = min(whole[a], grid[a]*k)
	}
	return grid
}

// A gathering is an object as far as it has been seen.
type gathering struct {
	voxels   int
	sum      [3]float64 // of the indices along Z, Y and X
	min, max [3]int
	values   []census
}

// count adds the voxels of a block to their objects. Neighbours along X mostly have one label, so that is looked up once.
func count(all map[int64]*gathering, labels *lazy.Block, values []*lazy.Block) error {
	r, i := labels.Region, 0
	var t *gathering
	last := int64(0)
	for z := r.Min[lazy.Z]; z < r.Max[lazy.Z]; z++ {
		for y := r.Min[lazy.Y]; y < r.Max[lazy.Y]; y++ {
			for x := r.Min[lazy.X]; x < r.Max[lazy.X]; x, i = x+1, i+1 {
				label := labelOf(labels, i)
				if label == 0 {
					continue
				}
				if t == nil || label != last {
					if t, last = all[label], label; t == nil {
						if len(all) == mostObjects {
							return fmt.Errorf("viewer: there are more than %d numbers in the image, so they are no labels of objects", mostObjects)
						}
						t = &gathering{min: [3]int{z, y, x}, max: [3]int{z, y, x}, values: make([]census, len(values))}
						all[label] = t
					}
				}
				t.voxels++
				for k, at := range [3]int{z, y, x} {
					t.sum[k] += float64(at)
					t.min[k], t.max[k] = min(t.min[k], at), max(t.max[k], at)
				}
				for c, b := range values {
					t.values[c].add(valueAt(b, i))
				}
			}
		}
	}
	return nil
}

func (t *gathering) object(label int64, at int) Object {
	o := Object{Label: label, Voxels: t.voxels, Box: lazy.At(lazy.Index{lazy.T: at}, lazy.Shape{1, 1, 1, 1, 1})}
	for k, a := range [3]lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
		o.Centroid[a] = t.sum[k] / float64(t.voxels)
		o.Box = o.Box.With(a, t.min[k], t.max[k]+1)
	}
	for _, c := range t.values {
		m := c.measurement()
		o.Values = append(o.Values, Moments{Mean: m.Mean, Least: m.Least, Most: m.Most, n: m.Voxels})
	}
	return o
}

// Volume is that of an object in µm³ (µm² of a single plane), or 0 where the size of voxels is not known.
func (v Survey) Volume(o Object) float64 {
	m := v.Labels.Meta().Calibrated()
	size := m.Scale[lazy.Y] * m.Scale[lazy.X]
	if m.Shape[lazy.Z] > 1 {
		size *= m.Scale[lazy.Z]
	}
	return max(0, size) * float64(o.Voxels)
}

// Flat reports whether objects have an area instead of a volume.
func (v Survey) Flat() bool { return v.Labels.Meta().Shape[lazy.Z] < 2 }

// GoTo has the planes go through the middle of an object, which is chosen. A voxel of the labels is where it lies on the
// picture.
func (v Survey) GoTo(o Object) Action {
	return func(sc *Scene, s State) State {
		s.Overlay.Object = o.Label
		s.Fitted = s.Fitted && s.Panes() == 1
		mine, its := sc.Meta(), v.Labels.Meta().Calibrated()
		for _, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
			at := o.Centroid[a]
			if sc.over != nil && mine.Scale[a] > 0 && its.Scale[a] > 0 {
				at = (its.Origin[a] + its.Scale[a]*at - mine.Origin[a]) / mine.Scale[a]
			}
			s.At[a] = int(math.Floor(at + 0.5))
			if !s.Fitted {
				s.Center[a] = at
			}
		}
		return s
	}
}

// Objects has objects listed in the background and hands them over by Post. A newer question takes the place of one that has
// no answer yet. progress comes from another goroutine.
func (s *Session) Objects(v Survey, progress func(done, total int), then func([]Object, error)) {
	e := s.loop.o.Engine
	s.listing = s.ask(s.listing, func(ctx context.Context) func() {
		all, err := v.Objects(ctx, e, progress)
		return func() { then(all, err) }
	})
}

// StopListing ends the question that Objects works on.
func (s *Session) StopListing() {
	if s.listing != nil {
		s.listing()
		s.listing = nil
	}
}

// WriteObjects writes objects as a table with a line an object: its voxels, its volume or area, its middle and the box
// around it in voxels counted from 1, the middle in micrometres, and the values of each channel after the filters, which
// stand in the last column. What is not known is left empty.
func (v Survey) WriteObjects(out io.Writer, channels []string, recipe string, all []Object) error {
	w := csv.NewWriter(out)
	head := []string{"label", "t", "voxels", "volume_um3", "area_um2", "x", "y", "z", "x_um", "y_um", "z_um", "x_min", "x_max", "y_min", "y_max", "z_min", "z_max"}
	if v.Values.Valid() {
		for _, name := range channels {
			head = append(head, "mean "+name, "min "+name, "max "+name)
		}
	}
	w.Write(append(head, "filters"))
	m := v.Labels.Meta().Calibrated()
	for _, o := range all {
		row := []string{strconv.FormatInt(o.Label, 10), strconv.Itoa(v.At + 1), strconv.Itoa(o.Voxels), "", ""}
		if size := v.Volume(o); size > 0 && v.Flat() {
			row[4] = figure(size)
		} else if size > 0 {
			row[3] = figure(size)
		}
		axes := []lazy.Axis{lazy.X, lazy.Y, lazy.Z}
		for _, a := range axes {
			row = append(row, figure(o.Centroid[a]+1))
		}
		for _, a := range axes {
			um := ""
			if m.Scale[a] > 0 {
				um = figure(m.Origin[a] + m.Scale[a]*o.Centroid[a])
			}
			row = append(row, um)
		}
		for _, a := range axes {
			row = append(row, strconv.Itoa(o.Box.Min[a]+1), strconv.Itoa(o.Box.Max[a]))
		}
		for _, v := range o.Values {
			row = append(row, figure(v.Mean), figure(v.Least), figure(v.Most))
		}
		w.Write(append(row, recipe))
	}
	w.Flush()
	return w.Error()
}
