package hdf5

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"path"
	"strconv"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
)

// A spim is what BigDataViewer's XML says (SpimData 0.2): which setups and timepoints there are, and
// where their voxels lie.
type spim struct {
	XMLName xml.Name `xml:"SpimData"`
	Base    string   `xml:"BasePath"`
	Loader  struct {
		Format string `xml:"format,attr"`
		File   struct {
			Type string `xml:"type,attr"`
			Path string `xml:",chardata"`
		} `xml:"hdf5"`
	} `xml:"SequenceDescription>ImageLoader"`
	Setups []struct {
		ID    int    `xml:"id"`
		Name  string `xml:"name"`
		Voxel struct {
			Unit string `xml:"unit"`
			Size string `xml:"size"`
		} `xml:"voxelSize"`
		Attributes struct {
			Channel string `xml:"channel"`
			Display string `xml:"displaysettings"`
		} `xml:"attributes"`
	} `xml:"SequenceDescription>ViewSetups>ViewSetup"`
	Attributes []struct {
		Name     string `xml:"name,attr"`
		Channels []struct {
			ID   string `xml:"id"`
			Name string `xml:"name"`
		} `xml:"Channel"`
		Displays []display `xml:"Displaysettings"`
	} `xml:"SequenceDescription>ViewSetups>Attributes"`
	Times struct {
		Type    string `xml:"type,attr"`
		First   int    `xml:"first"`
		Last    int    `xml:"last"`
		Pattern string `xml:"integerpattern"`
		List    []struct {
			ID int `xml:"id"`
		} `xml:"Timepoint"`
		Small []struct {
			ID int `xml:"id"`
		} `xml:"timepoint"`
	} `xml:"SequenceDescription>Timepoints"`
	Missing []struct {
		Time  int `xml:"timepoint,attr"`
		Setup int `xml:"setup,attr"`
	} `xml:"SequenceDescription>MissingViews>MissingView"`
	Places []struct {
		Time    int      `xml:"timepoint,attr"`
		Setup   int      `xml:"setup,attr"`
		Affines []string `xml:"ViewTransform>affine"`
	} `xml:"ViewRegistrations>ViewRegistration"`
}

// display is how BigDataViewer showed a setup.
type display struct {
	ID    string `xml:"id"`
	Set   string `xml:"isset"`
	Color string `xml:"color"`
	Min   string `xml:"min"`
	Max   string `xml:"max"`
}

// isSpim reports whether a file begins as BigDataViewer's XML does.
func isSpim(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\uFEFF")), " \t\r\n")
	return bytes.HasPrefix(head, []byte("<")) && bytes.Contains(head, []byte("<SpimData"))
}

// maxXML is the most of XML that is read: the registrations of some 100,000 views.
const maxXML = 64 << 20

func (o *opening) readXML(ctx context.Context, key string) (*spim, error) {
	text, err := o.in.Store.Get(ctx, key, maxXML)
	if err != nil {
		return nil, err
	}
	d := xml.NewDecoder(bytes.NewReader(text))
	d.CharsetReader = func(name string, in io.Reader) (io.Reader, error) {
		if n := strings.ToLower(name); n != "iso-8859-1" && n != "us-ascii" && n != "windows-1252" {
			return nil, fmt.Errorf("it is written in %s", name)
		}
		p, err := io.ReadAll(in)
		if err != nil {
			return nil, err
		}
		letters := make([]rune, len(p))
		for i, b := range p {
			letters[i] = rune(b)
		}
		return strings.NewReader(string(letters)), nil
	}
	var s spim
	if err := d.Decode(&s); err != nil {
		return nil, fmt.Errorf("the XML cannot be read: %w: %w", err, loaders.ErrDamaged)
	}
	return &s, nil
}

// openXML opens the data set that an XML describes.
func (o *opening) openXML(ctx context.Context, key string) error {
	s, err := o.readXML(ctx, key)
	if err != nil {
		return err
	}
	if s.Loader.Format != "bdv.hdf5" {
		return unsupported("its voxels are of the kind %q, only bdv.hdf5 is read here; open the voxels' own files or folders (.n5, .zarr, .tif) by themselves", s.Loader.Format)
	}
	file, err := o.fileOf(s, key)
	if err != nil {
		return err
	}
	if err := o.openFile(ctx, file, nil); err != nil {
		return fmt.Errorf("the voxels lie in %s: %w", file, err)
	}
	root, err := o.f.object(ctx, o.f.root)
	if err != nil {
		return fmt.Errorf("%s: the root group: %w", file, err)
	}
	names, err := root.links(ctx)
	if err != nil {
		return fmt.Errorf("%s: the root group: %w", file, err)
	}
	return o.viewer(ctx, names, s)
}

// fileOf is the key of the HDF5 file. One that is named by an absolute path is looked for beside the XML,
// since the two move together; one outside the folder is refused.
func (o *opening) fileOf(s *spim, key string) (string, error) {
	name := strings.ReplaceAll(strings.TrimSpace(s.Loader.File.Path), `\`, "/")
	base := strings.ReplaceAll(strings.TrimSpace(s.Base), `\`, "/")
	absolute := func(p string) bool { return strings.HasPrefix(p, "/") || len(p) > 1 && p[1] == ':' }
	if name == "" {
		return "", damaged("the XML names no HDF5 file")
	}
	if absolute(name) || absolute(base) {
		o.warn("%s is looked for in the folder of the XML, which names another place", path.Base(name))
		return path.Join(path.Dir(key), path.Base(name)), nil
	}
	return path.Join(path.Dir(key), base, name), nil
}

// beside is the XML with the name of the HDF5 file that was opened, if it describes that file.
func (o *opening) beside(ctx context.Context) *spim {
	key := strings.TrimSuffix(o.in.Key, path.Ext(o.in.Key)) + ".xml"
	s, err := o.readXML(ctx, key)
	if err != nil || s.Loader.Format != "bdv.hdf5" {
		return nil
	}
	n := len(o.warnings)
	file, err := o.fileOf(s, key)
	o.warnings = o.warnings[:n]
	if err != nil || file != path.Clean(o.in.Key) {
		return nil
	}
	return s
}

// maxTimes is the most timepoints.
const maxTimes = 1 << 20

// times are the numbers of the timepoints: a range, a list, or a pattern such as "0-10:2,15".
func (s *spim) times() ([]int, error) {
	var all []int
	add := func(from, to, step int) error {
		if from < 0 || to < from || step < 1 || (to-from)/step >= maxTimes-len(all) {
			return damaged("timepoints from %d to %d in steps of %d", from, to, step)
		}
		for t := from; t <= to; t += step {
			all = append(all, t)
		}
		return nil
	}
	switch {
	case s.Times.Pattern != "":
		for part := range strings.SplitSeq(s.Times.Pattern, ",") {
			ends, by, stepped := strings.Cut(strings.TrimSpace(part), ":")
			from, to, ranged := strings.Cut(ends, "-")
			if !ranged {
				to = from
			}
			if !stepped {
				by = "1"
			}
			a, err := strconv.Atoi(strings.TrimSpace(from))
			b, err2 := strconv.Atoi(strings.TrimSpace(to))
			c, err3 := strconv.Atoi(strings.TrimSpace(by))
			if err != nil || err2 != nil || err3 != nil {
				return nil, damaged("the pattern %q of timepoints", s.Times.Pattern)
			}
			if err := add(a, b, c); err != nil {
				return nil, err
			}
		}
	case s.Times.Type == "list":
		for _, t := range append(s.Times.List, s.Times.Small...) {
			if err := add(t.ID, t.ID, 1); err != nil {
				return nil, err
			}
		}
	default:
		if err := add(s.Times.First, s.Times.Last, 1); err != nil {
			return nil, err
		}
	}
	if len(all) == 0 {
		return nil, damaged("the XML names no timepoint")
	}
	return all, nil
}

// voxel is the voxel size of the i-th setup along z, y and x in micrometres, and how many these are in one
// of the XML's units. Pixels are no unit: then only how the lengths relate is known, and nothing if they
// are all the same.
func (s *spim) voxel(i int) (size [3]float64, factor float64, unit string) {
	v, ok := numbers(s.Setups[i].Voxel.Size, 3)
	if !ok || loaders.Step(v[0]) == 0 || loaders.Step(v[1]) == 0 || loaders.Step(v[2]) == 0 {
		return size, 0, ""
	}
	factor, known := loaders.Micrometres(s.Setups[i].Voxel.Unit)
	switch {
	case known:
		unit = "um"
	case v[0] == v[1] && v[1] == v[2]:
		return size, 0, ""
	default:
		factor = 1 // how the lengths relate to each other is known all the same
	}
	return [3]float64{v[2] * factor, v[1] * factor, v[0] * factor}, factor, unit
}

// place is where the i-th setup lies at a timepoint: the shift along z, y and x in units of its voxel
// size, which is not nothing. It is false if the setup is turned or sheared as well, or if nothing is said.
func (s *spim) place(i, time int) (shift [3]float64, ok bool) {
	size, _ := numbers(s.Setups[i].Voxel.Size, 3)
	for _, p := range s.Places {
		if p.Setup != s.Setups[i].ID || p.Time != time {
			continue
		}
		m := [12]float64{0: 1, 5: 1, 10: 1}
		for _, text := range p.Affines {
			v, ok := numbers(text, 12)
			if !ok {
				return shift, false
			}
			m = product(m, [12]float64(v))
		}
		// The map takes voxels to a world whose unit may be another: one factor for all axes.
		factor := m[0] / size[0]
		for r := range 3 {
			for c := range 3 {
				want := 0.0
				if r == c {
					want = factor * size[r]
				}
				if !(math.Abs(m[4*r+c]-want) <= 1e-6*math.Abs(factor*size[r])) {
					return shift, false
				}
			}
		}
		if factor <= 0 {
			return shift, false
		}
		return [3]float64{m[11] / factor, m[7] / factor, m[3] / factor}, true
	}
	return shift, false
}

// product is that of two affine maps of three rows.
func product(a, b [12]float64) (m [12]float64) {
	for r := range 3 {
		for c := range 4 {
			for k := range 3 {
				m[4*r+c] += a[4*r+k] * b[4*k+c]
			}
		}
		m[4*r+3] += a[4*r+3]
	}
	return m
}

// channel is how the i-th setup is called and shown.
func (s *spim) channel(i int, d lazy.DType) lazy.Channel {
	x := s.Setups[i]
	var c lazy.Channel
	for _, a := range s.Attributes {
		for _, k := range a.Channels {
			if strings.TrimSpace(k.ID) == strings.TrimSpace(x.Attributes.Channel) && x.Attributes.Channel != "" {
				c.Name = strings.TrimSpace(k.Name)
			}
		}
		for _, k := range a.Displays {
			if strings.TrimSpace(k.Set) != "true" || strings.TrimSpace(k.ID) != strings.TrimSpace(x.Attributes.Display) || x.Attributes.Display == "" {
				continue
			}
			if v, ok := numbers(k.Color, 4); ok {
				c.Color = fmt.Sprintf("#%02x%02x%02x", shade(v[0]/255), shade(v[1]/255), shade(v[2]/255))
			}
			// The whole range of the type is what stands there when nobody chose.
			low, high := d.Range()
			if v, ok := numbers(k.Min+" "+k.Max, 2); ok && v[0] < v[1] && (v[0] > low || v[1] < high) {
				c.Limits = &[2]float64{v[0], v[1]}
			}
		}
	}
	return c
}
