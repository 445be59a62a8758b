package sequence

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
)

// A stack is the voxels of all files together. Each file fills a box of it: one plane, or all planes
// of a file that is a stack itself.
type stack struct {
	open  func(context.Context, string) (lazy.Dataset, error)
	files []*file
	cells []int // the number of the file in each place of the grid, in storage order; -1 for none
	count [3]int
	box   lazy.Shape // of one file
	meta  lazy.Meta
	id    string
	first lazy.Source
}

// settle gives the files their places. order overrides the axes that the names state.
func (s *stack) settle(image lazy.Image, g *grid, order string) error {
	inner := image.Levels[0].Array.Meta()
	s.first = image.Levels[0].Array.Node().Source
	s.box = inner.Shape
	if order != "" {
		if err := g.rename(order, s.box); err != nil {
			return err
		}
	}
	s.count = [3]int{1, 1, 1}
	for i := range g.fields {
		f := &g.fields[i]
		if len(f.values) > 1 && s.box[f.axis] > 1 && !(f.axis == lazy.C && image.RGB) {
			to, ok := g.freeAxis(s.box)
			if f.named || !ok {
				return fmt.Errorf("both the names and the files count along %v (%d files, %d in each): %w", f.axis, len(f.values), s.box[f.axis], loaders.ErrUnsupported)
			}
			g.move(f, to)
		}
		s.count[f.axis] = len(f.values)
	}
	total := s.count[0] * s.count[1] * s.count[2]
	s.cells = make([]int, total)
	for i := range s.cells {
		s.cells[i] = -1
	}
	for k, at := range g.at {
		s.cells[(at[lazy.T]*s.count[1]+at[lazy.Z])*s.count[2]+at[lazy.C]] = k
	}
	s.meta = inner
	for a := range s.count {
		s.meta.Shape[a] *= s.count[a]
	}
	return nil
}

// rename gives the fields the axes of a user's order, such as "tzyx". Axes of the files themselves may be among them.
func (g *grid) rename(order string, box lazy.Shape) error {
	var axes []lazy.Axis
	for _, r := range strings.ToLower(order) {
		switch i := strings.IndexRune("tzcyxs", r); {
		case i < 0:
			return fmt.Errorf("axis order %q: %q is not one of t, z, c, y, x", order, r)
		case i < 3:
			axes = append(axes, lazy.Axis(i))
		}
	}
	if len(axes) > len(g.fields) {
		axes = slices.DeleteFunc(axes, func(a lazy.Axis) bool { return box[a] > 1 })
	}
	if len(axes) == 1 && len(g.fields) > 1 {
		*g = flatGrid(len(g.at))
	}
	if len(axes) != len(g.fields) {
		return fmt.Errorf("axis order %q names %d axes, the names of the files count along %d", order, len(axes), len(g.fields))
	}
	old := g.at
	g.at = make([]lazy.Index, len(old))
	for i := range g.fields {
		from := g.fields[i].axis
		g.fields[i].axis, g.fields[i].named = axes[i], true
		for k := range old {
			g.at[k][axes[i]] = old[k][from]
		}
	}
	return nil
}

// freeAxis is the last of t, z and c along which neither the names nor the files count.
func (g *grid) freeAxis(box lazy.Shape) (lazy.Axis, bool) {
	for _, a := range []lazy.Axis{lazy.Z, lazy.T, lazy.C} {
		free := box[a] == 1
		for _, f := range g.fields {
			free = free && f.axis != a
		}
		if free {
			return a, true
		}
	}
	return 0, false
}

func (g *grid) move(f *field, to lazy.Axis) {
	for k := range g.at {
		g.at[k][to], g.at[k][f.axis] = g.at[k][f.axis], 0
	}
	f.axis = to
}

// absent tells of places in the grid that no file fills.
func (s *stack) absent() []string {
	var missing []string
	count := 0
	for i, k := range s.cells {
		if k >= 0 {
			continue
		}
		if count++; count <= 5 {
			missing = append(missing, fmt.Sprintf("t=%d z=%d c=%d", i/(s.count[1]*s.count[2]), i/s.count[2]%s.count[1], i%s.count[2]))
		}
	}
	if count == 0 {
		return nil
	}
	if count > 5 {
		missing = append(missing, "...")
	}
	return []string{fmt.Sprintf("%d of %d files that the numbering asks for are missing and read as 0: %s", count, len(s.cells), strings.Join(missing, ", "))}
}

// odd names the files among those that were looked into that do not fit.
func (s *stack) odd(ctx context.Context, looked []group) []string {
	var odd []string
	count := 0
	for _, g := range looked {
		count += g.count
	}
	left := 0
	for _, f := range s.files[:count] {
		if _, err := s.fitting(ctx, f); err == nil {
			continue
		} else if len(odd) == 3 {
			left++
		} else {
			odd = append(odd, fmt.Sprintf("a file of the stack cannot be shown: %v", err))
		}
	}
	if left > 0 {
		odd = append(odd, fmt.Sprintf("and %d more files cannot be read or differ", left))
	}
	return odd
}

// fitting is the image of a file, if it is like the others.
func (s *stack) fitting(ctx context.Context, f *file) (lazy.Source, error) {
	d, err := f.dataset(ctx, s.open)
	if err != nil {
		return nil, err
	}
	if is, all := kindOfSet(d), (kind{s.box, s.meta.DType}); is != all {
		return nil, fmt.Errorf("%s: is %v, other files of the stack are %v: %w", f.name, is, all, loaders.ErrUnsupported)
	}
	return d.Images[0].Levels[0].Array.Node().Source, nil
}

// channels names the channels after the numbers in the names, unless the files are the channels' own.
func (s *stack) channels(image lazy.Image, g grid) []lazy.Channel {
	if s.count[2] == 1 {
		return image.Channels
	}
	var out []lazy.Channel
	for _, f := range g.fields {
		for i, v := range f.values {
			if f.axis != lazy.C {
				continue
			}
			name := fmt.Sprintf("c%d", v)
			if f.words != nil {
				name = f.words[i]
			}
			if len(image.Channels) == 0 && s.box[lazy.C] == 1 {
				out = append(out, lazy.Channel{Name: name})
			}
			for _, c := range image.Channels {
				if c.Name = strings.TrimSpace(name + " " + c.Name); !image.RGB {
					c.Color = ""
				}
				out = append(out, c)
			}
		}
	}
	if len(out) != s.meta.Shape[lazy.C] {
		return nil
	}
	return out
}

func (s *stack) close() error {
	var first error
	for _, f := range s.files {
		if d := f.opened.Load(); d != nil && d.Close != nil {
			if err := d.Close(); first == nil {
				first = err
			}
		}
	}
	return first
}

func (s *stack) Meta() lazy.Meta { return s.meta }
func (s *stack) ID() string      { return s.id }

// place is the file whose box holds the voxel at i, and the first voxel of the box.
func (s *stack) place(i lazy.Index) (k int, origin lazy.Index) {
	n := 0
	for a := range s.count {
		origin[a] = i[a] / s.box[a] * s.box[a]
		n = n*s.count[a] + i[a]/s.box[a]
	}
	return s.cells[n], origin
}

func shift(r lazy.Region, by lazy.Index, sign int) lazy.Region {
	for a := range lazy.Rank {
		r.Min[a] += sign * by[a]
		r.Max[a] += sign * by[a]
	}
	return r
}

// Grain is that of the first file: all files are stored alike.
func (s *stack) Grain(r lazy.Region) lazy.Region {
	_, origin := s.place(r.Min)
	if g, ok := s.first.(lazy.Grainer); ok {
		return shift(g.Grain(shift(r, origin, -1)), origin, 1)
	}
	cell := lazy.Cell(shift(r, origin, -1).Min, s.meta.Chunk).Intersect(s.box.Whole())
	return shift(cell, origin, 1)
}

// Stored is -1, not known, for files that have not been looked into.
func (s *stack) Stored(r lazy.Region) int64 {
	k, origin := s.place(r.Min)
	if k < 0 {
		return 0
	}
	d := s.files[k].opened.Load()
	if d == nil {
		return -1
	}
	if sizer, ok := d.Images[0].Levels[0].Array.Node().Source.(lazy.Sizer); ok {
		return sizer.Stored(shift(r, origin, -1))
	}
	return -1
}

// Read fills dst from the one file that its grain lies in.
func (s *stack) Read(ctx context.Context, dst *lazy.Block) (int64, error) {
	k, origin := s.place(dst.Region.Min)
	if k < 0 { // a file that the numbering asks for and that is not there
		clear(dst.Bytes())
		return 0, nil
	}
	src, err := s.fitting(ctx, s.files[k])
	if err != nil {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		return 0, fmt.Errorf("sequence: %w", err)
	}
	inside := *dst // the same voxels, counted from the file's first
	inside.Region = shift(dst.Region, origin, -1)
	return readThrough(ctx, src, &inside)
}

// readThrough reads a region of a source that may be cut into other grains than the first file.
func readThrough(ctx context.Context, src lazy.Source, dst *lazy.Block) (int64, error) {
	m := src.Meta()
	stored := int64(0)
	for cell := range dst.Region.Tiles(m.Chunk) {
		g := cell.Intersect(m.Shape.Whole())
		if grainer, ok := src.(lazy.Grainer); ok {
			g = grainer.Grain(cell.Intersect(dst.Region))
		}
		if g == dst.Region {
			return src.Read(ctx, dst)
		}
		b := lazy.NewBlock(g, m.DType)
		n, err := src.Read(ctx, b)
		if err != nil {
			return stored, err
		}
		stored += n
		lazy.CopyRegion(dst, b, g.Intersect(dst.Region))
	}
	return stored, nil
}
