package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"lamella/lazy"
)

func newInfo(s *session) *cobra.Command {
	var pick choice
	var m machine
	var asJSON, sample bool
	cmd := &cobra.Command{
		Use:   "info SOURCE",
		Short: "Say what is inside a source",
		Long: `Lists the images of a source, their axes, levels, voxel sizes and channels, and what is missing or
assumed. It reads metadata alone; --stats-sample reads some chunks of the coarsest level as well.
A size that the file does not state is said to be unknown (null in JSON), never 1.`,
		Example: `  lamella info embryo.ome.zarr
  lamella info 'planes/img_*.png' --json
  lamella info frames.bin --raw shape=9x30x34,dtype=uint16,offset=0,order=little --stats-sample`,
		Args: oneSource,
		RunE: func(cmd *cobra.Command, args []string) error {
			set, err := pick.dataset(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if set.Close != nil {
				defer set.Close()
			}
			about := describe(set)
			if sample {
				e, err := m.engine(0)
				if err != nil {
					return err
				}
				defer e.Close()
				for i := range set.Images {
					if about.Images[i].Stats, err = sampleStats(cmd.Context(), e, set.Images[i]); err != nil {
						return err
					}
				}
			}
			if asJSON {
				return writeJSON(s.stdout, about)
			}
			return about.print(s.stdout)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	cmd.Flags().BoolVar(&sample, "stats-sample", false, "also the values of some chunks of the coarsest level")
	pick.readFlags(cmd)
	m.deviceFlags(cmd)
	return cmd
}

func writeJSON(w io.Writer, v any) error {
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// The description of a source, in the keys of info --json.
type description struct {
	Source   string             `json:"source"`
	Format   string             `json:"format"`
	Lazy     lazyDescription    `json:"lazy"`
	Images   []imageDescription `json:"images"`
	Warnings []string           `json:"warnings"`
}

type lazyDescription struct {
	By   string `json:"by"`
	Note string `json:"note"`
}

type imageDescription struct {
	Index     int                  `json:"index"`
	Name      string               `json:"name"`
	Path      string               `json:"path"`
	Shape     axes[int]            `json:"shape"`
	DType     string               `json:"dtype"`
	RGB       bool                 `json:"rgb"`
	Labels    bool                 `json:"labels"`
	Assumed   string               `json:"assumed_axes"`
	Order     *orderDescription    `json:"order,omitempty"`
	VoxelSize space                `json:"voxel_size_um"`
	TimeStep  *float64             `json:"time_step_s"`
	Origin    space                `json:"origin_um"`
	Channels  []channelDescription `json:"channels"`
	Levels    []levelDescription   `json:"levels"`
	Made      *madeDescription     `json:"made,omitempty"`
	Stats     []channelStats       `json:"stats,omitempty"`
}

// orderDescription is how the dimensions lie in the file, or what the names of a sequence of files count.
type orderDescription struct {
	Axes  string `json:"axes"`
	Words string `json:"words,omitempty"`
	About string `json:"about,omitempty"`
}

// madeDescription is how the voxels of an export were made.
type madeDescription struct {
	Source  string `json:"source"`
	Chain   string `json:"chain"`
	Version string `json:"version"`
}

type channelDescription struct {
	Name   string      `json:"name"`
	Color  *string     `json:"color"`
	Limits *[2]float64 `json:"limits"`
}

type levelDescription struct {
	Path  string    `json:"path"`
	Shape axes[int] `json:"shape"`
	Chunk axes[int] `json:"chunk"`
	DType string    `json:"dtype"`
	Codec string    `json:"codec"`
	Scale space     `json:"scale_um"`

	Origin space `json:"origin_um"` // of the centre of the first voxel
}

type axes[N int | float64] struct {
	T N `json:"t"`
	Z N `json:"z"`
	C N `json:"c"`
	Y N `json:"y"`
	X N `json:"x"`
}

// space is a length on each axis of space; nil where it is unknown.
type space struct {
	Z *float64 `json:"z"`
	Y *float64 `json:"y"`
	X *float64 `json:"x"`
}

func describe(set lazy.Dataset) description {
	d := description{
		Source: set.Source, Format: set.Format, Lazy: lazyDescription{set.Lazy.By, set.Lazy.Note},
		Images: []imageDescription{}, Warnings: append([]string{}, set.Warnings...),
	}
	for i, img := range set.Images {
		m := img.Levels[0].Array.Meta()
		about := imageDescription{
			Index: i, Name: img.Name, Path: img.Path, Shape: shapeOf(m.Shape), DType: m.DType.String(), RGB: img.RGB,
			Labels: m.Labels, Assumed: img.Assumed, VoxelSize: micrometres(m, m.Scale), Origin: micrometres(m, m.Origin),
			Channels: []channelDescription{}, Levels: []levelDescription{},
		}
		if o := img.Order; o.Axes != "" {
			about.Order = &orderDescription{o.Axes, o.Words, o.About}
		}
		if m.Scale[lazy.T] > 0 && m.Unit[lazy.T] == "s" {
			about.TimeStep = &m.Scale[lazy.T]
		}
		for _, c := range img.Channels {
			ch := channelDescription{Name: c.Name}
			if c.Limits != nil && finite(c.Limits[0]) != nil && finite(c.Limits[1]) != nil {
				ch.Limits = c.Limits
			}
			if c.Color != "" {
				ch.Color = &c.Color
			}
			about.Channels = append(about.Channels, ch)
		}
		for _, l := range img.Levels {
			m := l.Array.Meta()
			about.Levels = append(about.Levels, levelDescription{l.Path, shapeOf(m.Shape), shapeOf(m.Chunk), m.DType.String(), l.Codec, micrometres(m, m.Scale), micrometres(m, m.Origin)})
		}
		if r := img.Recipe; r != (lazy.Recipe{}) {
			made := madeDescription(r)
			about.Made = &made
		}
		d.Images = append(d.Images, about)
	}
	return d
}

func shapeOf(s lazy.Shape) axes[int] {
	return axes[int]{s[lazy.T], s[lazy.Z], s[lazy.C], s[lazy.Y], s[lazy.X]}
}

// micrometres gives the lengths v of the axes whose voxel size is known in micrometres.
func micrometres(m lazy.Meta, v [lazy.Rank]float64) space {
	of := func(a lazy.Axis) *float64 {
		if m.Scale[a] <= 0 || m.Unit[a] != "um" {
			return nil
		}
		return &v[a]
	}
	return space{of(lazy.Z), of(lazy.Y), of(lazy.X)}
}

// print writes the description for people.
func (d description) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "source\t%s\nformat\t%s, read by %s\n", d.Source, d.Format, d.Lazy.By)
	if d.Lazy.Note != "" {
		fmt.Fprintf(t, "\t%s\n", d.Lazy.Note)
	}
	for _, img := range d.Images {
		fmt.Fprintf(t, "\nimage %d\t%s\n", img.Index, strings.TrimSpace(img.Name+"  "+img.Path))
		fmt.Fprintf(t, "shape\t%s, %s%s%s\n", img.Shape, img.DType, when(img.RGB, ", rgb"), when(img.Labels, ", labels"))
		if img.Assumed != "" {
			fmt.Fprintf(t, "\tthe file does not name the axes: %s assumed\n", img.Assumed)
		}
		if o := img.Order; o != nil && o.About != "" {
			fmt.Fprintf(t, "names\t%s\n", strings.TrimSpace(o.Words+"  "+o.About))
		}
		fmt.Fprintf(t, "voxel\t%s\n", img.VoxelSize)
		if img.TimeStep != nil {
			fmt.Fprintf(t, "time step\t%g s\n", *img.TimeStep)
		}
		for i, c := range img.Channels {
			fmt.Fprintf(t, "channel %d\t%s%s%s\n", i, c.Name, orNothing("  %s", c.Color), orNothing("  shown from %v", c.Limits))
		}
		for i, l := range img.Levels {
			fmt.Fprintf(t, "level %d\t%s in chunks of %s, %s  %s\n", i, l.Shape, l.Chunk, l.Codec, l.Path)
		}
		if img.Made != nil {
			fmt.Fprintf(t, "made of\t%s%s, by lamella %s\n", img.Made.Source, orNothing("  filters %s", nonEmpty(img.Made.Chain)), img.Made.Version)
		}
		for i, s := range img.Stats {
			fmt.Fprintf(t, "values %d\t%s\n", i, s)
		}
	}
	for _, warning := range d.Warnings {
		fmt.Fprintf(t, "\nnote\t%s", warning)
	}
	if len(d.Warnings) > 0 {
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// String names the axes that are longer than 1, and y and x: "z 64 x c 3 x y 512 x x 512" would be
// hard to read, so it is "64 z, 3 c, 512 y, 512 x".
func (a axes[N]) String() string {
	var parts []string
	for _, axis := range []struct {
		name string
		n    N
	}{{"t", a.T}, {"z", a.Z}, {"c", a.C}, {"y", a.Y}, {"x", a.X}} {
		if axis.n != 1 || axis.name == "y" || axis.name == "x" {
			parts = append(parts, fmt.Sprintf("%v %s", axis.n, axis.name))
		}
	}
	return strings.Join(parts, ", ")
}

// String is "z 0.5, y 0.1, x 0.1 µm", with what is unknown said to be so.
func (s space) String() string {
	if s.Z == nil && s.Y == nil && s.X == nil {
		return "size unknown"
	}
	of := func(v *float64) string {
		if v == nil {
			return "unknown"
		}
		return fmt.Sprintf("%.7g", *v) // headers hold 32 bits
	}
	return fmt.Sprintf("z %s, y %s, x %s µm", of(s.Z), of(s.Y), of(s.X))
}

func when(is bool, text string) string {
	if is {
		return text
	}
	return ""
}

func nonEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func orNothing[V any](format string, v *V) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf(format, *v)
}
