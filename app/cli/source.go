package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"lamella/app/extern"
	"lamella/app/formats"
	"lamella/filters"
	"lamella/lazy"
	"lamella/loaders"
)

// A choice is the words that say how a source is read and which array of it is meant.
type choice struct {
	image string
	level int
	chain string
	run   bool // programs that a chain in a file names
	read  loaders.Options
}

func (c *choice) readFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.read.Axes, "axes", "", "`ORDER` of the axes, slowest first, instead of what the file says: tzcyx, zyx; (zc3)yx are planes of which each three in a row are the channels of one z, (c3z)yx first all z of one channel; of files, 'cell_{c}_z{z}.tif' says what their names count")
	f.StringVar(&c.read.Raw, "raw", "", "`LAYOUT` of headerless data: shape=9x30x34,dtype=uint16,offset=0,order=little")
	f.BoolVar(&c.read.Stored, "stored-values", false, "values as stored, without a rescale slope and intercept")
}

func (c *choice) arrayFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.image, "image", "0", "`IMAGE` by its index in info's list, its name, or its path in the container")
	f.IntVar(&c.level, "level", 0, "resolution `LEVEL`; 0 is the finest")
	f.StringVar(&c.chain, "filter", "", "`CHAIN` of filters: 'gaussian sigma=0.4um | sobel', or @FILE that holds it")
	f.BoolVar(&c.run, "run-programs", false, "let a chain in a file, as @FILE, run the programs that it names")
}

// An input is an array that the words named, filters applied. Until resolve has been called, numbers that filters
// take from the voxels are provisional: shape, type and cost are those of the result, voxels may be others.
type input struct {
	set   lazy.Dataset
	image lazy.Image
	level lazy.Level
	at    int // of the level in the image
	chain filters.Chain
	array lazy.Array
	aside []lazy.Dataset // files that filters use, such as the PSF of a deconvolution

	written []string // the file that the chain stands in, if it does
}

// open opens a source and picks the array. The caller closes the input.
func (c *choice) open(ctx context.Context, source string) (*input, error) {
	chain, err := parseChain(ctx, c.chain, c.run)
	if err != nil {
		return nil, err
	}
	set, err := c.dataset(ctx, source)
	if err != nil {
		return nil, err
	}
	in := &input{set: set, chain: chain}
	if name, ok := strings.CutPrefix(c.chain, "@"); ok {
		in.written = []string{name}
	}
	if err := c.pick(ctx, in, source); err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// dataset opens a source as the words say it is to be read.
func (c *choice) dataset(ctx context.Context, source string) (lazy.Dataset, error) {
	if order := c.read.Axes; order != "" {
		if err := loaders.CheckAxes(order); err != nil {
			return lazy.Dataset{}, usagef("--axes %s: each letter is one of t, z, c, y, x and comes once, in (zc3)yx one dimension is two", order)
		}
	}
	if c.read.Raw != "" {
		if err := formats.CheckRaw(c.read.Raw); err != nil {
			return lazy.Dataset{}, usage{err}
		}
	}
	return formats.Open(ctx, source, c.read)
}

func (c *choice) pick(ctx context.Context, in *input, source string) error {
	level := c.level
	i, ok := findImage(in.set, c.image, &level)
	if !ok {
		if err := in.openPath(ctx, source, c.image, c.read); err != nil {
			return err
		}
		i = 0
	}
	in.image = in.set.Images[i]
	if level < 0 || level >= len(in.image.Levels) {
		return usagef("--level %d: image %s of %s has %d, counted from 0", c.level, c.image, source, len(in.image.Levels))
	}
	in.level, in.at = in.image.Levels[level], level
	in.array = in.level.Array
	if len(in.chain) > 0 {
		var err error
		if in.chain, err = in.chain.Open(in.opening(ctx)); err != nil {
			return err
		}
		in.array, err = in.chain.Provisional().Apply(in.array)
		switch {
		case errors.Is(err, extern.ErrNotAllowed):
			return err
		case err != nil: // the words do not go with the image
			return usage{err}
		}
	}
	return nil
}

// opening opens the files that filters name, which close with the input.
func (in *input) opening(ctx context.Context) func(string) (lazy.Array, error) {
	return func(name string) (lazy.Array, error) {
		set, err := formats.Open(ctx, name, loaders.Options{})
		if err != nil {
			return lazy.Array{}, err
		}
		in.aside = append(in.aside, set)
		if len(set.Images) == 0 {
			return lazy.Array{}, errors.New("there is no image in it")
		}
		return set.Images[0].Levels[0].Array, nil
	}
}

// findImage is the image that a word means: its index, its name or its path. The path of one of
// its levels means that level.
func findImage(set lazy.Dataset, word string, level *int) (int, bool) {
	if n, err := strconv.Atoi(word); err == nil && n >= 0 && n < len(set.Images) {
		return n, true
	}
	want := strings.Trim(word, "/")
	for i, img := range set.Images {
		if img.Name == word || img.Path != "" && strings.Trim(img.Path, "/") == want {
			return i, true
		}
	}
	for i, img := range set.Images {
		for n, l := range img.Levels {
			if l.Path != "" && path.Join(img.Path, l.Path) == want {
				*level = n
				return i, true
			}
		}
	}
	return 0, false
}

// openPath opens an array of a container that is in none of its images, by its path.
func (in *input) openPath(ctx context.Context, source, word string, o loaders.Options) error {
	none := usagef("--image %s: %s has no such image; lamella info lists %d", word, source, len(in.set.Images))
	if _, err := strconv.Atoi(word); err == nil || !filepath.IsLocal(filepath.FromSlash(word)) {
		return none
	}
	set, err := formats.Open(ctx, loaders.Inside(source, word), o)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR): // a file may be no container
		return none
	case err != nil:
		return err
	}
	in.Close()
	in.set = set
	return nil
}

// Close releases the files.
func (in *input) Close() {
	if in.set.Close != nil {
		in.set.Close() // reading has ended; nothing can be lost
	}
	for _, set := range in.aside {
		set.Close()
	}
	in.aside = nil
}

// maxWarned is how many warnings of a source are told one by one.
const maxWarned = 5

// warn tells what is missing in the source or was assumed about it, each once, in a line.
func (in *input) warn(stderr io.Writer, quiet bool) {
	if quiet {
		return
	}
	var lines []string
	for _, w := range in.set.Warnings {
		if line := oneLine(w); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	for _, line := range lines[:min(maxWarned, len(lines))] {
		fmt.Fprintf(stderr, "lamella: warning: %s\n", line)
	}
	if n := len(lines) - maxWarned; n > 0 {
		fmt.Fprintf(stderr, "lamella: warning: and %d more; see lamella info %s\n", n, in.set.Source)
	}
}
