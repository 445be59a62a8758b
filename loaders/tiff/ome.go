package tiff

import (
	"context"
	"fmt"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
)

// maxOMEPlanes bounds the table of planes of one image.
const maxOMEPlanes = 1 << 24

// An omeSet maps the planes of OME-XML to directories of the files that it names.
type omeSet struct {
	set      *set
	own      *file // that was opened; nil if it is a companion file of nothing but XML
	folder   folder
	ownName  string
	docUUID  string
	numbers  map[string]int32 // of members, by file name
	missing  []string         // files that are not there
	warnings []string
}

// A folder opens the other files of a set; key is a file name as the XML has it.
type folder func(ctx context.Context, name string) (*member, error)

// series makes an image of the XML's. It gives nil if no plane of it exists.
func (o *omeSet) series(ctx context.Context, r *reader, m omeImage) (*series, error) {
	if m.problem != nil {
		return nil, fmt.Errorf("%w: %w", loaders.ErrDamaged, m.problem)
	}
	samples := 1
	for i, c := range m.channels {
		if i > 0 && c.samples != samples {
			return nil, fmt.Errorf("channels of %d and %d samples: %w", samples, c.samples, loaders.ErrUnsupported)
		}
		samples = c.samples
	}
	if m.size[lazy.C]%samples != 0 {
		return nil, fmt.Errorf("%d channels of %d samples each: %w", m.size[lazy.C], samples, loaders.ErrDamaged)
	}
	dims, ok := m.dims(samples)
	n, countable := planesOf(dims, &layout{width: m.size[lazy.X], height: m.size[lazy.Y], samples: samples})
	if !ok || !countable || n > maxOMEPlanes {
		return nil, fmt.Errorf("%d time points, %d planes, %d channels in the order %q: %w", m.size[lazy.T], m.size[lazy.Z], m.size[lazy.C], m.order, loaders.ErrUnsupported)
	}
	planes, err := o.planes(ctx, m, dims, n)
	if err != nil {
		return nil, err
	}
	key, err := o.key(ctx, planes)
	if key == nil || err != nil {
		return nil, err
	}
	if key.width != m.size[lazy.X] || key.height != m.size[lazy.Y] || key.samples != samples {
		return nil, fmt.Errorf("pages of %d x %d pixels and %d samples where the XML says %d x %d and %d: %w",
			key.width, key.height, key.samples, m.size[lazy.X], m.size[lazy.Y], samples, loaders.ErrDamaged)
	}
	s := &series{name: m.name, dims: dims, levels: [][]plane{planes}, meta: m.meta(), channels: m.shown(samples), recipe: m.recipe}
	o.tellMissing(planes, key, dims)
	if o.own != nil && len(o.set.members) == 1 {
		levels, err := o.own.subLevels(ctx, r, planes)
		if err != nil {
			return nil, err
		}
		s.levels = append(s.levels, levels...)
	}
	return s, nil
}

// dims is the axes of the planes, slowest first; false if the order is none.
func (m *omeImage) dims(samples int) ([]dim, bool) {
	order := strings.ToLower(m.order)
	if len(order) != 5 || order[:2] != "xy" {
		return nil, false
	}
	var dims []dim
	for i := 4; i >= 2; i-- {
		switch order[i] {
		case 't':
			dims = append(dims, dim{'t', m.size[lazy.T]})
		case 'z':
			dims = append(dims, dim{'z', m.size[lazy.Z]})
		case 'c':
			dims = append(dims, dim{'c', m.size[lazy.C] / samples})
		}
	}
	return dims, len(dims) == 3 && dims[0].axis != dims[1].axis && dims[1].axis != dims[2].axis && dims[0].axis != dims[2].axis
}

// planes lays out the directories by the TiffData elements. Where there are none the directories
// stand in dimension order.
func (o *omeSet) planes(ctx context.Context, m omeImage, dims []dim, n int) ([]plane, error) {
	planes := make([]plane, n)
	for i := range planes {
		planes[i].file = absent
	}
	data := m.data
	if len(data) == 0 {
		data = []omeData{{count: -1}}
	}
	for _, d := range data {
		at, step := 0, 1
		inside := true
		for i := len(dims) - 1; i >= 0; i-- {
			first := d.first[strings.IndexByte("tzc", dims[i].axis)]
			inside = inside && first < dims[i].n
			at += first * step
			step *= dims[i].n
		}
		if !inside {
			o.warnings = append(o.warnings, "the OME-XML places a plane outside the image; it is left out")
			continue
		}
		file, err := o.file(ctx, d)
		if err != nil {
			return nil, err
		}
		if file == absent {
			continue
		}
		count := d.count
		if count < 0 { // all pages of the file, so it must be looked into
			f, err := o.set.open(ctx, int(file))
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil {
				continue
			}
			count = len(f.pages) - d.ifd
		}
		for i := 0; i < count && at+i < n; i++ {
			planes[at+i] = plane{file: file, number: int32(min(d.ifd+i, 1<<30))}
			if file == 0 && o.own != nil {
				planes[at+i] = o.ownPlane(d.ifd + i)
			}
		}
	}
	return planes, nil
}

func (o *omeSet) ownPlane(ifd int) plane {
	if ifd >= len(o.own.pages) || o.own.pages[ifd].bad != nil {
		return plane{file: absent}
	}
	return plane{page: o.own.pages[ifd], number: int32(ifd)}
}

// file is the number of the member that a TiffData names, or absent.
func (o *omeSet) file(ctx context.Context, d omeData) (int32, error) {
	if d.file == "" && d.uuid == "" || o.own != nil && (d.file == o.ownName || d.uuid != "" && d.uuid == o.docUUID) {
		if o.own == nil {
			return absent, nil
		}
		return 0, nil
	}
	name := strings.ReplaceAll(d.file, `\`, "/")
	if name == "" {
		return absent, nil // named by a UUID alone, which no folder can be searched for
	}
	if i, ok := o.numbers[name]; ok {
		return i, nil
	}
	o.numbers[name] = absent
	m, err := o.folder(ctx, name)
	if err != nil {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		o.missing = append(o.missing, name)
		return absent, nil
	}
	o.set.members = append(o.set.members, m)
	o.numbers[name] = int32(len(o.set.members) - 1)
	return o.numbers[name], nil
}

// key is the layout of the first plane that can be read. Planes of the file that was opened which are
// not like it become absent.
func (o *omeSet) key(ctx context.Context, planes []plane) (*layout, error) {
	var key *layout
	for i := range planes {
		p := &planes[i]
		if p.file == absent || key != nil && p.page == nil {
			continue
		}
		if p.page == nil {
			f, err := o.set.open(ctx, int(p.file))
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil || int(p.number) >= len(f.pages) || f.pages[p.number].bad != nil {
				p.file = absent
				continue
			}
			p.page = f.pages[p.number]
		}
		switch {
		case key == nil:
			key = p.page.layout
		case !key.alike(p.page.layout):
			*p = plane{file: absent}
		}
	}
	return key, nil
}

// tellMissing warns of planes that will read as zeros.
func (o *omeSet) tellMissing(planes []plane, key *layout, dims []dim) {
	count, names := 0, ""
	for i, p := range planes {
		if p.file != absent {
			continue
		}
		if count++; count <= 5 {
			at, rest := "", i
			for k := len(dims) - 1; k >= 0; k-- {
				if dims[k].n > 1 {
					at = fmt.Sprintf(" %c=%d%s", dims[k].axis, rest%dims[k].n, at)
				}
				rest /= dims[k].n
			}
			names += "," + at
		}
	}
	if count == 0 {
		return
	}
	if count > 5 {
		names += ", ..."
	}
	verb := "planes are missing and read"
	if count == 1 {
		verb = "planes is missing and reads"
	}
	o.warnings = append(o.warnings, fmt.Sprintf("%d of %d %s as 0:%s", count, len(planes), verb, strings.TrimPrefix(names, ",")))
}

func (m *omeImage) meta() lazy.Meta {
	meta := lazy.Meta{Scale: m.scale}
	for a, s := range m.scale {
		if s != 0 {
			meta.Unit[a] = "um"
		}
		if m.placed[a] {
			meta.Origin[a], meta.Unit[a] = m.origin[a], "um"
		}
	}
	if m.scale[lazy.T] != 0 {
		meta.Unit[lazy.T] = "s"
	}
	return meta
}

// shown is how the XML names and colours the channels, or nil for pictures of several samples.
func (m *omeImage) shown(samples int) []lazy.Channel {
	if samples > 1 || len(m.channels) == 0 || m.size[lazy.C] > 1<<16 {
		return nil
	}
	channels := make([]lazy.Channel, m.size[lazy.C])
	for i := range min(len(channels), len(m.channels)) {
		channels[i] = lazy.Channel{Name: m.channels[i].name, Color: m.channels[i].color, Limits: m.channels[i].limits}
	}
	return channels
}
