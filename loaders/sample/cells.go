package sample

import (
	"context"
	"fmt"

	"lamella/lazy"
)

// The volume of sample:cells: 32 x 51.2 x 51.2 µm in three channels.
var (
	cellsShape = lazy.Shape{1, 64, 3, 512, 512}
	cellsChunk = lazy.Shape{1, 1, 1, 32, 128}
)

const (
	stepZ, stepXY = 0.5, 0.1 // µm
	cellsSeed     = 20260
)

func cellChannels() []lazy.Channel {
	return []lazy.Channel{
		{Name: "DAPI", Color: "#4d79ff", Limits: &[2]float64{110, 1800}},
		{Name: "Actin", Color: "#26d07c", Limits: &[2]float64{110, 1700}},
		{Name: "RNA", Color: "#ff5ca8", Limits: &[2]float64{130, 1500}},
	}
}

// cells is a cyst of cells around a hollow, as a confocal microscope with a 12-bit camera sees it:
// nuclei with their nucleoli, actin along the cell borders and brightest towards the hollow, and
// single molecules of RNA. Light from other planes, fading with depth and photon noise are part of it.
type cells struct {
	meta   lazy.Meta
	tissue tissue
}

func newCells() cells {
	um := [lazy.Rank]string{lazy.Z: "um", lazy.Y: "um", lazy.X: "um"}
	return cells{
		meta: lazy.Meta{
			Shape: cellsShape, Chunk: cellsChunk, DType: lazy.U16,
			Scale: [lazy.Rank]float64{lazy.Z: stepZ, lazy.Y: stepXY, lazy.X: stepXY}, Unit: um,
		},
		tissue: growTissue(),
	}
}

// Meta describes the volume.
func (c cells) Meta() lazy.Meta { return c.meta }

// ID names the voxels; it changes when the picture does.
func (c cells) ID() string { return fmt.Sprintf("sample:cells 1 seed %d", cellsSeed) }

// Stored is 0: nothing is fetched from anywhere.
func (c cells) Stored(lazy.Region) int64 { return 0 }

func lastOf(r lazy.Region) lazy.Index {
	for a := range lazy.Rank {
		r.Max[a]--
	}
	return r.Max
}

// stripShape is what is painted at a time: the smaller, the fewer cells are near.
var stripShape = lazy.Shape{1, 1, 1, 16, 64}

// Read computes the voxels of dst strip by strip.
func (c cells) Read(ctx context.Context, dst *lazy.Block) (int64, error) {
	for strip := range dst.Region.Tiles(stripShape) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		strip = strip.Intersect(dst.Region)
		paint := c.tissue.painter(strip)
		signal := make([]float32, strip.Len(lazy.X))
		at := strip.Min
		for ; at[lazy.Y] < strip.Max[lazy.Y]; at[lazy.Y]++ {
			clear(signal)
			paint(signal, at[lazy.Y])
			expose(lazy.View[uint16](dst)[dst.Offset(at):][:len(signal)], signal, at)
		}
	}
	return 0, nil
}

// expose is the camera: it takes the photons of a row, in units of counts, and gives counts with
// an offset, the noise of photons and of reading, and 12 bits.
func expose(counts []uint16, signal []float32, at lazy.Index) {
	depth := 1 - 0.011*stepZ*float32(at[lazy.Z])
	noise := rowHash(cellsSeed, at)
	for i, s := range signal {
		s *= depth
		v := 100 + s + sqrt(30+1.6*s)*bell(mix(noise+uint64(at[lazy.X]+i)))
		counts[i] = uint16(max(0, min(4095, v+0.5)))
	}
}
