package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"lamella/lazy"
	"lamella/loaders"
)

// A storage is the words that say how the file stores its voxels.
type storage struct {
	ome, compression, shard string
	levels                  int
	values                  bool
}

func (l *storage) storageFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&l.ome, "ome", "", "`VERSION` of OME-Zarr: 0.4 or 0.5 (default 0.4)")
	f.StringVar(&l.compression, "compression", "", "`METHOD`: zstd, lz4 or none in .zarr (default zstd); deflate, zstd or none in .ome.tif (default deflate)")
	f.StringVar(&l.shard, "shard-shape", "", "`Z,Y,X` voxels of a file of chunks in OME-Zarr 0.5, multiples of the chunks; each 0 is one chunk")
	f.IntVar(&l.levels, "levels", 0, "at most `N` resolutions in .zarr and .ome.tif, the finest counted (default as many as are useful)")
	f.BoolVar(&l.values, "values", false, "a .png holds the values themselves, in 8 or 16 bits, instead of a picture of them")
}

// layout is what the words ask for in a file of a name. Errors are of words.
func (l *storage) layout(out string) (loaders.Layout, error) {
	is := func(endings ...string) bool {
		return slices.ContainsFunc(endings, func(e string) bool { return hasEnding(out, e) })
	}
	d := loaders.Layout{Version: l.ome, Compression: l.compression, Levels: l.levels}
	switch zarr := is(".zarr"); {
	case l.ome != "" && !zarr:
		return d, usagef("--ome %s goes with --out FILE.zarr", l.ome)
	case l.ome != "" && l.ome != "0.4" && l.ome != "0.5":
		return d, usagef("--ome %s: 0.4 and 0.5 can be written", l.ome)
	case l.shard != "" && l.ome != "0.5":
		return d, usagef("--shard-shape %s goes with --ome 0.5, which has shards", l.shard)
	case l.compression != "" && !zarr && !is(".ome.tif", ".ome.tiff"):
		return d, usagef("--compression %s goes with .zarr and .ome.tif; the others have none to choose", l.compression)
	case zarr && !slices.Contains([]string{"", "zstd", "lz4", "none"}, l.compression):
		return d, usagef("--compression %s: zstd, lz4 and none can be written in .zarr", l.compression)
	case !zarr && !slices.Contains([]string{"", "zstd", "deflate", "none"}, l.compression):
		return d, usagef("--compression %s: deflate, zstd and none can be written in .ome.tif", l.compression)
	case l.levels < 0:
		return d, usagef("--levels %d: 1 is the finest alone", l.levels)
	case l.levels > 0 && !zarr && !is(".ome.tif", ".ome.tiff"):
		return d, usagef("--levels %d goes with .zarr and .ome.tif; the others have one", l.levels)
	case l.values && !is(".png"):
		return d, usagef("--values goes with --out FILE.png; the other formats hold the values anyway")
	case l.shard == "":
		return d, nil
	}
	parts := strings.Split(l.shard, ",")
	for i, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
		if len(parts) != 3 {
			break
		}
		n, err := strconv.Atoi(strings.TrimSpace(parts[i]))
		if err != nil || n < 0 || n > 1<<30 {
			return d, usagef("--shard-shape %s: %q is no number of voxels", l.shard, parts[i])
		}
		d.Shard[a] = n
	}
	if len(parts) != 3 || d.Shard == (lazy.Shape{}) {
		return d, usagef("--shard-shape %s: three numbers for z, y and x, such as 64,1024,1024", l.shard)
	}
	return d, nil
}
