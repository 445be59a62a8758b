package sample

import (
	"context"
	"fmt"
	"time"

	"lamella/lazy"
)

// A computed is a source whose voxels come from a function of their index.
type computed struct {
	meta lazy.Meta
	id   string
	wait time.Duration // before each read
	row  rowFunc
}

// A rowFunc fills the row of a block that begins at an index.
type rowFunc func(dst *lazy.Block, at lazy.Index)

// newComputed names a source by everything that its voxels depend on, its shape, and its chunks.
func newComputed(name string, w words, row rowFunc) computed {
	id := fmt.Sprintf("sample:%s %v %v %v seed %d wait %v", name, w.meta.Shape, w.meta.Chunk, w.meta.DType, w.seed, w.wait)
	return computed{w.meta, id, w.wait, row}
}

// Meta describes the volume.
func (c computed) Meta() lazy.Meta { return c.meta }

// ID names the voxels.
func (c computed) ID() string { return c.id }

// Stored is 0: nothing is fetched from anywhere.
func (c computed) Stored(lazy.Region) int64 { return 0 }

// Read computes the voxels of dst.
func (c computed) Read(ctx context.Context, dst *lazy.Block) (int64, error) {
	if c.wait > 0 {
		t := time.NewTimer(c.wait)
		defer t.Stop()
		select {
		case <-ctx.Done():
		case <-t.C:
		}
	}
	return 0, eachRow(ctx, dst, c.row)
}

// eachRow visits the rows of a block in storage order and looks at ctx every 64 thousand voxels.
func eachRow(ctx context.Context, dst *lazy.Block, row rowFunc) error {
	r := dst.Region
	unseen := 0
	for line := range r.Tiles(lazy.Shape{1, 1, 1, 1, r.Max[lazy.X]}) {
		if unseen -= r.Len(lazy.X); unseen <= 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			unseen = 1 << 16
		}
		at := line.Min
		at[lazy.X] = r.Min[lazy.X]
		row(dst, at)
	}
	return nil
}

// rowOf is the part of a block that holds the row from at on.
func rowOf[E lazy.Number](b *lazy.Block, at lazy.Index) []E {
	o := b.Offset(at)
	return lazy.View[E](b)[o : o+b.Region.Len(lazy.X)]
}
