package loaders

import (
	"fmt"
	"os"

	"lamella/lazy"
)

// A Pyramid makes the coarser levels of an image while its finest is being written, in the same pass. All
// levels are cut into cells of one grid. Each cell of a level that is complete is reduced to a piece of a cell of
// the next; when the last piece of that has come, it is complete itself.
//
// Pieces that wait for others take memory as wide as the image. Beyond heldBytes they wait in a file.
type Pyramid struct {
	levels []Reduced
	grid   lazy.Shape
	emit   func(level int, b *lazy.Block) error

	// Wants says whether a cell is to be made, so that pieces of others need not wait. It may be nil.
	Wants func(level int, cell lazy.Region) bool

	waiting []map[lazy.Index]*unfinished // by level and first voxel
	held    int                          // bytes of pieces in memory
	spare   spare

	pieces, wholes stock
}

// heldBytes is how much memory pieces may take. It is a variable for tests.
var heldBytes = 256 << 20

// An unfinished cell waits for pieces.
type unfinished struct {
	pieces []piece
	left   int
}

// A piece is part of a cell: in memory, or at a place of the file.
type piece struct {
	region lazy.Region
	block  *lazy.Block // nil if it is in the file
	at     int64
}

// NewPyramid begins the levels after the first. emit gets each cell when it is complete, and does not keep it; spill makes the file,
// which the pyramid removes, once it is needed. Grids are even along halved axes unless one cell is all there is.
func NewPyramid(levels []Reduced, grid lazy.Shape, emit func(level int, b *lazy.Block) error, spill func() (*os.File, error)) *Pyramid {
	p := &Pyramid{levels: levels, grid: grid, emit: emit, spare: spare{create: spill}, pieces: make(stock, 32), wholes: make(stock, 2)}
	for range levels {
		p.waiting = append(p.waiting, map[lazy.Index]*unfinished{})
	}
	return p
}

// Step is how many times shorter level n is than the one before it, along each axis.
func (p *Pyramid) Step(n int) lazy.Shape {
	var s lazy.Shape
	for a := range lazy.Rank {
		s[a] = p.levels[n].Factor[a] / p.levels[n-1].Factor[a]
	}
	return s
}

// Reduce makes the piece of the next level of a cell of the finest, nil if there is no other level. It changes
// nothing, so many cells may be reduced at once.
func (p *Pyramid) Reduce(b *lazy.Block) *lazy.Block { return p.ReduceFrom(0, b) }

// ReduceFrom is Reduce for a cell of any level.
func (p *Pyramid) ReduceFrom(level int, b *lazy.Block) *lazy.Block {
	if level+1 >= len(p.levels) {
		return nil
	}
	step := p.Step(level + 1)
	piece := p.pieces.block(reduced(b.Region, step), b.DType)
	reduceInto(piece, b, step, p.levels[0].Meta.Labels)
	return piece
}

// Add takes a piece that Reduce made; it is the pyramid's from then on.
func (p *Pyramid) Add(b *lazy.Block) error { return p.AddTo(1, b) }

// AddTo is Add for a piece of any level.
func (p *Pyramid) AddTo(level int, b *lazy.Block) error {
	for ; b != nil; level++ {
		if p.Wants != nil && !p.Wants(level, p.cell(level, b)) {
			p.pieces.put(b)
			return nil
		}
		whole, err := p.join(level, b)
		if whole == nil || err != nil {
			return err
		}
		if err := p.emit(level, whole); err != nil {
			return err
		}
		b = p.ReduceFrom(level, whole)
		p.wholes.put(whole)
	}
	return nil
}

// cell is the one that a piece is a part of.
func (p *Pyramid) cell(level int, b *lazy.Block) lazy.Region {
	return lazy.Cell(b.Region.Min, p.grid).Intersect(p.levels[level].Meta.Shape.Whole())
}

// join adds a piece to its cell, and gives that if it is complete.
func (p *Pyramid) join(level int, b *lazy.Block) (*lazy.Block, error) {
	cell := p.cell(level, b)
	u := p.waiting[level][cell.Min]
	if u == nil {
		u = &unfinished{left: cell.Voxels()}
		p.waiting[level][cell.Min] = u
	}
	if u.left -= b.Len(); u.left > 0 {
		kept, err := p.keep(b)
		u.pieces = append(u.pieces, kept)
		return nil, err
	}
	delete(p.waiting[level], cell.Min)
	if len(u.pieces) == 0 {
		return b, nil
	}
	whole := p.wholes.block(cell, b.DType)
	lazy.CopyRegion(whole, b, b.Region)
	p.pieces.put(b)
	for _, k := range u.pieces {
		part, err := p.fetch(k, b.DType)
		if err != nil {
			return nil, err
		}
		lazy.CopyRegion(whole, part, k.region)
		p.pieces.put(part)
	}
	return whole, nil
}

func (p *Pyramid) keep(b *lazy.Block) (piece, error) {
	n := len(b.Bytes())
	if p.held+n <= heldBytes {
		p.held += n
		return piece{region: b.Region, block: b}, nil
	}
	at, err := p.spare.put(b.Bytes())
	p.pieces.put(b)
	return piece{region: b.Region, at: at}, err
}

func (p *Pyramid) fetch(k piece, d lazy.DType) (*lazy.Block, error) {
	if k.block != nil {
		p.held -= len(k.block.Bytes())
		return k.block, nil
	}
	b := p.pieces.block(k.region, d)
	return b, p.spare.take(b.Bytes(), k.at)
}

// Close removes the file. What was not complete is lost.
func (p *Pyramid) Close() {
	if p != nil {
		p.spare.close()
	}
}

// spare is a file of pieces. The place of a piece that was taken is used again for one of the same length.
type spare struct {
	create func() (*os.File, error)
	file   *os.File
	end    int64
	free   map[int][]int64
}

func (s *spare) put(p []byte) (int64, error) {
	if s.file == nil {
		f, err := s.create()
		if err != nil {
			return 0, fmt.Errorf("keeping a part of a coarser level: %w", plain(err))
		}
		s.file, s.free = f, map[int][]int64{}
	}
	at := s.end
	if places := s.free[len(p)]; len(places) > 0 {
		at, s.free[len(p)] = places[len(places)-1], places[:len(places)-1]
	} else {
		s.end += int64(len(p))
	}
	if _, err := s.file.WriteAt(p, at); err != nil {
		return 0, fmt.Errorf("keeping a part of a coarser level: %w", plain(err))
	}
	return at, nil
}

func (s *spare) take(p []byte, at int64) error {
	if _, err := s.file.ReadAt(p, at); err != nil {
		return fmt.Errorf("reading a part of a coarser level again: %w", plain(err))
	}
	s.free[len(p)] = append(s.free[len(p)], at)
	return nil
}

func (s *spare) close() {
	if s.file != nil {
		s.file.Close()
		os.Remove(s.file.Name())
		s.file = nil
	}
}
