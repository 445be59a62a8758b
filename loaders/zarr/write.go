package zarr

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
)

// Create begins an OME-Zarr 0.4 image of one level at path. It grows in path with ".part" behind it
// and takes its name when it is closed; nothing in it depends on the time or the machine. A ".part"
// that an earlier run left is refused like an existing file.
func (Driver) Create(path string, d loaders.Description) (loaders.Writer, error) {
	w, err := create(filepath.Clean(path), d)
	if err != nil {
		return nil, fmt.Errorf("zarr: writing %s: %w", path, err)
	}
	return w, nil
}

func create(path string, d loaders.Description) (*writer, error) {
	m := d.Meta
	if !m.DType.Valid() {
		return nil, errors.New("the type of the voxels is not known")
	}
	for _, n := range m.Shape {
		if n < 1 {
			return nil, unsupported("shape %v", m.Shape)
		}
	}
	w := &writer{
		path: path, part: path + ".part", meta: m, grid: gridFor(m.Shape), overwrite: d.Overwrite,
		pack: codec.BloscPacker{Codec: "lz4", TypeSize: m.DType.Size()},
	}
	if err := w.vacant(w.path); err != nil {
		return nil, err
	}
	if err := w.take(); err != nil {
		return nil, err
	}
	for _, o := range []struct {
		key string
		is  any
	}{
		{".zgroup", map[string]int{"zarr_format": 2}},
		{".zattrs", attributesFor(d)},
		{"0/.zarray", arrayFor(m, w.grid)},
	} {
		text, err := json.MarshalIndent(o.is, "", "  ")
		if err == nil {
			err = w.put(o.key, append(text, '\n'))
		}
		if err != nil {
			w.Abort()
			return nil, plain(err)
		}
	}
	return w, nil
}

// Chunks hold 16 x 256 x 256 voxels, or 1024 x 1024 of data that are hardly deep: few enough bytes to
// show one plane soon, few enough objects for a file system.
var (
	deepChunk = lazy.Shape{1, 16, 1, 256, 256}
	flatChunk = lazy.Shape{1, 1, 1, 1024, 1024}
)

const shallow = 8 // planes

func gridFor(s lazy.Shape) lazy.Shape {
	g := deepChunk
	if s[lazy.Z] < shallow {
		g = flatChunk
	}
	for a := range lazy.Rank {
		g[a] = min(g[a], s[a])
	}
	return g
}

// stored is the order in which OME-Zarr wants the axes.
var stored = loaders.Axes{lazy.T, lazy.C, lazy.Z, lazy.Y, lazy.X}

// arrayFor is the .zarray object of the only level.
func arrayFor(m lazy.Meta, grid lazy.Shape) any {
	var shape, chunks []int
	for _, a := range stored {
		shape, chunks = append(shape, m.Shape[a]), append(chunks, grid[a])
	}
	kind := "u"
	switch d := m.DType; {
	case d.Float():
		kind = "f"
	case d == lazy.I8 || d == lazy.I16 || d == lazy.I32 || d == lazy.I64:
		kind = "i"
	}
	order := "<"
	if m.DType.Size() == 1 {
		order = "|"
	}
	type compressor struct {
		ID      string `json:"id"`
		CName   string `json:"cname"`
		Level   int    `json:"clevel"`
		Shuffle int    `json:"shuffle"`
		Block   int    `json:"blocksize"`
	}
	return struct {
		Format     int        `json:"zarr_format"`
		Shape      []int      `json:"shape"`
		Chunks     []int      `json:"chunks"`
		DType      string     `json:"dtype"`
		Compressor compressor `json:"compressor"`
		Fill       int        `json:"fill_value"`
		Order      string     `json:"order"`
		Filters    []int      `json:"filters"`
		Separator  string     `json:"dimension_separator"`
	}{2, shape, chunks, fmt.Sprintf("%s%s%d", order, kind, m.DType.Size()), compressor{"blosc", "lz4", 5, 1, 0}, 0, "C", nil, "/"}
}

// writer takes the chunks of the only level.
type writer struct {
	path, part string
	meta       lazy.Meta
	grid       lazy.Shape
	overwrite  bool
	pack       codec.BloscPacker

	held   *os.File // the part, open, so that another folder in its place can be told from it
	folder string   // made last
	chunk  []byte   // recycled
	packed []byte
	done   int // cells written
	err    error
	ended  bool
}

// Grid is the chunks.
func (w *writer) Grid() lazy.Shape { return w.grid }

func (w *writer) Write(ctx context.Context, b *lazy.Block) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if w.err == nil {
		w.err = w.write(b)
	}
	if w.err != nil {
		return fmt.Errorf("zarr: writing %s: %w", w.path, w.err)
	}
	return nil
}

func (w *writer) write(b *lazy.Block) error {
	cell := lazy.Cell(b.Region.Min, w.grid)
	if b.DType != w.meta.DType || b.Region != cell.Intersect(w.meta.Shape.Whole()) {
		return fmt.Errorf("a block of %v %v is no chunk of an array of %v %v", b.Region, b.DType, w.meta.Shape, w.meta.DType)
	}
	// A chunk is always whole; what lies beyond the shape is 0.
	voxels := b.Bytes()
	if b.Region != cell {
		voxels = sized(&w.chunk, w.grid.Voxels()*b.DType.Size())
		clear(voxels)
		loaders.Strided{Origin: cell.Min, Stride: stored.Strides(w.grid)}.Save(voxels, b, b.Region)
	}
	if size := b.DType.Size(); size > 1 && native != little {
		voxels = append([]byte(nil), voxels...)
		codec.Swap(voxels, size)
	}
	var err error
	if w.packed, err = w.pack.Pack(w.packed[:0], voxels); err != nil {
		return err
	}
	index := make([]int, len(stored))
	for i, a := range stored {
		index[i] = cell.Min[a] / w.grid[a]
	}
	w.done++
	return plain(w.put("0/"+keys{separator: "/"}.name(index), w.packed))
}

// take makes the folder that grows.
func (w *writer) take() error {
	err := w.vacant(w.part)
	if err == nil {
		err = plain(os.RemoveAll(w.part))
	}
	if err == nil {
		err = os.Mkdir(w.part, 0o777)
	}
	if errors.Is(err, fs.ErrExist) || errors.Is(err, loaders.ErrExists) && !w.overwrite {
		return fmt.Errorf("%s %w: an earlier export left it, or another is writing it now; remove it, or use --overwrite", filepath.Base(w.part), loaders.ErrExists)
	}
	if err == nil {
		w.held, err = os.Open(w.part)
	}
	return plain(err)
}

// mine says whether the part is still the folder that take made: another export that was told to
// overwrite may have put its own there, and voxels of the two must not mix.
func (w *writer) mine() error {
	now, err := os.Lstat(w.part)
	if err == nil {
		made, e := w.held.Stat()
		if err = e; err == nil && os.SameFile(now, made) {
			return nil
		}
	}
	return fmt.Errorf("%s was removed or replaced by another program while it was being written", filepath.Base(w.part))
}

func (w *writer) put(key string, p []byte) error {
	if err := w.mine(); err != nil {
		return err
	}
	file := filepath.Join(w.part, filepath.FromSlash(key))
	if folder := filepath.Dir(file); folder != w.folder {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
		w.folder = folder
	}
	return os.WriteFile(file, p, 0o666)
}

// Close gives the folder its name, if every chunk has come.
func (w *writer) Close() error {
	if n := w.meta.Shape.Whole().Cells(w.grid); w.err == nil && w.done != n {
		w.err = fmt.Errorf("%d of %d chunks were written", w.done, n)
	}
	if w.err == nil {
		w.err = w.vacant(w.path)
	}
	if w.err == nil {
		w.err = w.mine()
	}
	if w.err == nil {
		w.held.Close() // some systems do not rename an open folder
		w.err = plain(w.replace())
	}
	if w.err != nil {
		w.Abort()
		return fmt.Errorf("zarr: writing %s: %w", w.path, w.err)
	}
	w.ended = true
	return nil
}

// replace puts the new folder in the place of an old one, which is removed only then.
func (w *writer) replace() error {
	old := w.path + ".old"
	if _, err := os.Lstat(w.path); err == nil {
		if err := os.RemoveAll(old); err != nil {
			return err
		}
		if err := os.Rename(w.path, old); err != nil {
			return err
		}
	}
	if err := os.Rename(w.part, w.path); err != nil {
		return err
	}
	return os.RemoveAll(old)
}

func (w *writer) Abort() {
	if !w.ended {
		w.ended = true
		mine := w.mine() == nil
		w.held.Close()
		if mine {
			os.RemoveAll(w.part)
		}
	}
}

// vacant refuses a place that is taken. Even when it may be replaced, a folder has to be Zarr: a
// mistyped name must not cost anyone a folder of other things.
func (w *writer) vacant(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return plain(err)
	case !w.overwrite:
		return fmt.Errorf("%s %w", filepath.Base(path), loaders.ErrExists)
	case info.IsDir():
		for _, name := range metadata {
			if _, err := os.Lstat(filepath.Join(path, name)); err == nil {
				return nil
			}
		}
		return fmt.Errorf("%s is a folder of other things: it %w", filepath.Base(path), loaders.ErrExists)
	}
	return nil
}

// plain is err without the system call and the path that package os adds: messages name the file.
func plain(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}
