package tiff

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"

	"lamella/lazy"
	"lamella/loaders"
)

// CreateOME begins an OME-TIFF (OME model 2016-06) at path: compressed tiles of 512 x 512 pixels, coarser levels in
// SubIFDs of each plane as Bio-Formats has them, and the metadata in the first description. It is a BigTIFF only
// when it has grown beyond what a classic one holds. OME has no 64-bit integers.
//
// Tiles follow each other as they come, those of coarser levels among them, and the directories stand at the end:
//
//	header  tiles  { directory of a plane, directories of its coarser levels } ...
func CreateOME(path string, d loaders.Description) (loaders.Writer, error) {
	d.Meta = d.Meta.Calibrated()
	w, err := newTiled(path, d)
	if err == nil {
		w.draft, err = loaders.Create(path, d.Overwrite)
		if err != nil {
			return nil, err
		}
		_, err = w.draft.Write(make([]byte, dataStart))
		if err != nil {
			w.Abort()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("tiff: writing %s: %w", path, err)
	}
	return w, nil
}

// tileSide is the pixels of a tile along a side; smaller pictures have smaller ones, in steps of 16 as TIFF wants.
const tileSide = 512

// dataStart leaves room for the header of either kind, which is known at the end.
const dataStart = 16

// tiled takes bands of whole rows of tiles.
type tiled struct {
	path    string
	draft   *loaders.Draft
	meta    lazy.Meta
	levels  []loaders.Reduced
	samples int
	tile    [2]int // rows and columns
	rows    int    // of a band, a multiple of the tile's
	packer  tilePacker
	coarser *loaders.Pyramid
	every   []tag // tags of every directory
	first   []tag // of the first alone

	places [][]int64 // by level: place and length of each tile of each page
	end    int64
	next   lazy.Index
	done   bool
	err    error
}

func newTiled(path string, d loaders.Description) (*tiled, error) {
	m := d.Meta
	w := &tiled{path: path, meta: m, samples: samplesOf(d), end: dataStart}
	if !m.DType.Valid() || m.Shape.Whole().Empty() {
		return nil, fmt.Errorf("shape %v of %v", m.Shape, m.DType)
	}
	if m.Shape[lazy.Y] > math.MaxInt32 || m.Shape[lazy.X] > math.MaxInt32 {
		return nil, fmt.Errorf("planes of %d x %d pixels: %w", m.Shape[lazy.X], m.Shape[lazy.Y], loaders.ErrUnsupported)
	}
	var err error
	if w.packer, err = packerFor(d.Layout, m.DType, w.samples); err != nil {
		return nil, err
	}
	text, err := omeText(d, w.samples)
	if err != nil {
		return nil, err
	}
	for i, a := range []lazy.Axis{lazy.Y, lazy.X} {
		w.tile[i] = min(tileSide, (m.Shape[a]+15)&^15)
	}
	row := m.Shape[lazy.X] * w.samples * m.DType.Size() * w.tile[0]
	w.rows = w.tile[0] * min((m.Shape[lazy.Y]+w.tile[0]-1)/w.tile[0], max(1, cellBytes/row))
	w.levels = loaders.AtMost(d.Layout.Levels, loaders.Levels(m, lazy.Shape{1, 1, 1, tileSide, tileSide}, lazy.Y, lazy.X))
	w.coarser = loaders.NewPyramid(w.levels, w.Grid(), w.finish, func() (*os.File, error) {
		return os.OpenFile(w.draft.Name()+".waiting", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	})
	pages := w.pages()
	for n := range w.levels {
		down, across := w.tiles(n)
		if pages > math.MaxInt32/(down*across) {
			return nil, fmt.Errorf("%d planes of %d tiles: %w", pages, down*across, loaders.ErrUnsupported)
		}
		w.places = append(w.places, make([]int64, 2*pages*down*across))
	}
	w.first = []tag{asciiTag(tagDescription, text)}
	w.every = append(pixelTags(d, w.samples), shortTag(tagCompression, w.packer.compression),
		longTag(tagTileWidth, uint32(w.tile[1])), longTag(tagTileHeight, uint32(w.tile[0])))
	if w.packer.predicts {
		w.every = append(w.every, shortTag(tagPredictor, 2))
	}
	return w, nil
}

// tiles is how many tiles a plane of a level has, down and across.
func (w *tiled) tiles(n int) (down, across int) {
	s := w.levels[n].Meta.Shape
	return (s[lazy.Y] + w.tile[0] - 1) / w.tile[0], (s[lazy.X] + w.tile[1] - 1) / w.tile[1]
}

// Grid is whole rows of tiles of one plane, with all samples of a colour picture.
func (w *tiled) Grid() lazy.Shape {
	return lazy.Shape{1, 1, w.samples, w.rows, w.meta.Shape[lazy.X]}
}

// packedTiles is a band on its way into the file, and the part of the next level that it makes.
type packedTiles struct {
	region  lazy.Region
	tiles   [][]byte
	reduced *lazy.Block
}

// Pack compresses the tiles of a band.
func (w *tiled) Pack(ctx context.Context, b *lazy.Block) (loaders.Packed, error) {
	if !w.meta.Shape.Whole().Contains(b.Region) || b.DType != w.meta.DType {
		return nil, fmt.Errorf("tiff: writing %s: a block of %v %v for an image of %v %v", w.path, b.Region, b.DType, w.meta.Shape, w.meta.DType)
	}
	tiles, err := w.pack(ctx, b)
	if err != nil {
		return nil, fmt.Errorf("tiff: writing %s: %w", w.path, err)
	}
	return packedTiles{b.Region, tiles, w.coarser.Reduce(b)}, nil
}

func (w *tiled) pack(ctx context.Context, b *lazy.Block) ([][]byte, error) {
	var tiles [][]byte
	for y := b.Region.Min[lazy.Y]; y < b.Region.Max[lazy.Y]; y += w.tile[0] {
		for x := 0; x < b.Region.Max[lazy.X]; x += w.tile[1] {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			p, err := w.packer.pack(b, y, x, w.tile)
			if err != nil {
				return nil, err
			}
			tiles = append(tiles, p)
		}
	}
	return tiles, nil
}

// Put appends the tiles of the next band; another is refused.
func (w *tiled) Put(ctx context.Context, p loaders.Packed) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c, ok := p.(packedTiles)
	want := lazy.At(w.next, w.Grid()).Intersect(w.meta.Shape.Whole())
	if w.err == nil && (!ok || w.done || c.region != want) {
		w.err = fmt.Errorf("got %v, expected %v", c.region, want)
	}
	if w.err == nil {
		w.err = w.append(ctx, 0, c.region, c.tiles)
	}
	if w.err == nil {
		w.err = w.coarser.Add(c.reduced)
	}
	if w.err != nil {
		return fmt.Errorf("tiff: writing %s: %w", w.path, w.err)
	}
	for _, a := range []lazy.Axis{lazy.Y, lazy.C, lazy.Z, lazy.T} {
		if w.next[a] = c.region.Max[a]; w.next[a] < w.meta.Shape[a] {
			return nil
		}
		w.next[a] = 0
	}
	w.done = true
	return nil
}

// Write is Pack and Put.
func (w *tiled) Write(ctx context.Context, b *lazy.Block) error {
	p, err := w.Pack(ctx, b)
	if err != nil {
		return err
	}
	return w.Put(ctx, p)
}

// finish appends the tiles of a band of a coarser level.
func (w *tiled) finish(n int, b *lazy.Block) error {
	tiles, err := w.pack(context.Background(), b)
	if err != nil {
		return err
	}
	return w.append(context.Background(), n, b.Region, tiles)
}

// append writes tiles and remembers their places.
func (w *tiled) append(ctx context.Context, n int, r lazy.Region, tiles [][]byte) error {
	down, across := w.tiles(n)
	at := 2 * (w.page(r.Min)*down + r.Min[lazy.Y]/w.tile[0]) * across
	for _, p := range tiles {
		if _, err := loaders.WriteContext(ctx, w.draft, p); err != nil {
			return err
		}
		w.places[n][at], w.places[n][at+1] = w.end, int64(len(p))
		w.end += int64(len(p))
		at += 2
	}
	return nil
}

// page is the number of the plane at i: channels run fastest, then z, then time.
func (w *tiled) page(i lazy.Index) int {
	s := w.meta.Shape
	return ((i[lazy.T]*s[lazy.Z]+i[lazy.Z])*s[lazy.C] + i[lazy.C]) / w.samples
}

func (w *tiled) pages() int {
	return w.meta.Shape[lazy.T] * w.meta.Shape[lazy.Z] * w.meta.Shape[lazy.C] / w.samples
}

// Close writes the directories and the header, and gives the file its name.
func (w *tiled) Close() error {
	err := w.err
	if err == nil && !w.done {
		err = fmt.Errorf("closed before the last voxel")
	}
	if err == nil {
		w.coarser.Close()
		err = w.finishFile()
	}
	if err != nil {
		w.Abort()
		return fmt.Errorf("tiff: writing %s: %w", w.path, err)
	}
	return w.draft.Commit()
}

func (w *tiled) finishFile() error {
	pages := w.pages()
	start := (w.end + 15) &^ 15
	size := int64(0)
	for p := range pages {
		size += int64(len(w.directories(false, p, 0, false)))
	}
	big := start+size > classicLimit
	buf, at := make([]byte, start-w.end), start
	for p := range pages {
		d := w.directories(big, p, at, p == pages-1)
		buf, at = append(buf, d...), at+int64(len(d))
		if len(buf) > cellBytes || p == pages-1 {
			if _, err := w.draft.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	_, err := w.draft.WriteAt(headerTo(big, start), 0)
	return err
}

// directories are that of a page and those of its coarser levels, for a place in the file.
func (w *tiled) directories(big bool, p int, at int64, last bool) []byte {
	main := w.tags(big, 0, p)
	if n := len(w.levels) - 1; n > 0 {
		main = append(main, placesTag(big, tagSubIFDs, make([]int64, n)...))
	}
	place := at + int64(len(encode(big, slices.Clone(main), at, 0)))
	var behind []byte
	var subs []int64
	for n := 1; n < len(w.levels); n++ {
		d := encode(big, w.tags(big, n, p), place, 0)
		subs = append(subs, place)
		behind, place = append(behind, d...), place+int64(len(d))
	}
	if len(subs) > 0 {
		main[len(main)-1] = placesTag(big, tagSubIFDs, subs...)
	}
	if last {
		place = 0
	}
	return append(encode(big, main, at, place), behind...)
}

// tags are those of a page at a level.
func (w *tiled) tags(big bool, n, p int) []tag {
	down, across := w.tiles(n)
	places := w.places[n][2*p*down*across:][:2*down*across]
	var offsets, counts []int64
	for i := 0; i < len(places); i += 2 {
		offsets, counts = append(offsets, places[i]), append(counts, places[i+1])
	}
	m := w.levels[n].Meta
	tags := append(slices.Clone(w.every), longTag(tagWidth, uint32(m.Shape[lazy.X])), longTag(tagHeight, uint32(m.Shape[lazy.Y])),
		placesTag(big, tagTileOffsets, offsets...), placesTag(big, tagTileCounts, counts...))
	tags = append(tags, resolution(m)...)
	reduced := uint32(0)
	if n > 0 {
		reduced = 1
	} else if p == 0 {
		tags = append(tags, w.first...)
	}
	return append(tags, longTag(tagSubfileType, reduced))
}

// resolution is the pixels a centimetre, as far as the size of a pixel is known.
func resolution(m lazy.Meta) []tag {
	unit, perUnit := uint16(1), 1.0
	if m.Scale[lazy.X] > 0 && m.Scale[lazy.Y] > 0 {
		unit, perUnit = 3, 10000
	}
	return []tag{rationalTag(tagXResolution, perUnit/m.Scale[lazy.X]), rationalTag(tagYResolution, perUnit/m.Scale[lazy.Y]), shortTag(tagResolutionUnit, unit)}
}

// Abort leaves nothing.
func (w *tiled) Abort() {
	w.coarser.Close()
	w.draft.Abort()
}
