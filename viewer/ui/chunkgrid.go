package ui

import (
	"image"
	"image/color"
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"lamella/viewer"
)

// A chunkGrid is the storage grid on the picture: an outline in each chunk, in a colour that says how far it has come.
type chunkGrid struct {
	p      *pane
	raster *canvas.Raster
	cells  []viewer.Chunk
	drawn  viewer.Geometry // what the raster was drawn for
}

func newChunkGrid(p *pane) *chunkGrid {
	c := &chunkGrid{p: p}
	c.raster = canvas.NewRaster(c.picture)
	c.raster.ScaleMode = canvas.ImageScalePixels
	p.chunks = c
	return c
}

// set shows the state of chunks.
func (c *chunkGrid) set(cells []viewer.Chunk) {
	if c != nil && !slices.Equal(c.cells, cells) {
		c.cells = cells
		hidden := c.raster.Hidden
		c.refresh()
		c.layout(c.p.Size())
		c.p.repaint(c.raster, hidden)
	}
}

// picture draws the outlines in device pixels.
func (c *chunkGrid) picture(w, h int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	if c.p.session == nil || len(c.cells) == 0 {
		return img
	}
	g := c.p.session.Scene().Geometry(c.p.state())
	accent := shadeOf(theme.ColorNamePrimary)
	colors := [...]color.NRGBA{{0x80, 0x80, 0x80, 0x70}, {0xf0, 0xf0, 0xf0, 0xa0}, accent}
	for _, cell := range c.cells {
		x0, y0 := g.Pixel(cell.Across[0], cell.Down[0])
		x1, y1 := g.Pixel(cell.Across[1], cell.Down[1])
		r := image.Rect(int(math.Floor(x0)), int(math.Floor(y0)), int(math.Floor(x1))-1, int(math.Floor(y1))-1)
		if r.Dx() < 4 || r.Dy() < 4 { // a grid too fine to be seen
			continue
		}
		outline(img, r, colors[cell.State])
	}
	return img
}

// outline draws the edge of a rectangle, as far as it lies in the picture.
func outline(img *image.NRGBA, r image.Rectangle, c color.NRGBA) {
	for _, y := range [2]int{r.Min.Y, r.Max.Y} {
		if y >= 0 && y < img.Rect.Max.Y {
			for x := max(0, r.Min.X); x <= min(r.Max.X, img.Rect.Max.X-1); x++ {
				img.SetNRGBA(x, y, c)
			}
		}
	}
	for _, x := range [2]int{r.Min.X, r.Max.X} {
		if x >= 0 && x < img.Rect.Max.X {
			for y := max(0, r.Min.Y); y <= min(r.Max.Y, img.Rect.Max.Y-1); y++ {
				img.SetNRGBA(x, y, c)
			}
		}
	}
}

func (c *chunkGrid) layout(size fyne.Size) {
	if !c.raster.Hidden {
		c.raster.Resize(size)
	}
}

// refresh shows the grid where there is one, and draws it again where the view has moved.
func (c *chunkGrid) refresh() {
	s := c.p.session
	c.raster.Hidden = s == nil || c.p.index > 0 || !s.State().Chunks || len(c.cells) == 0
	if c.raster.Hidden {
		return
	}
	if g := s.Scene().Geometry(c.p.state()); g != c.drawn {
		c.drawn = g
		c.raster.Refresh()
	}
}

func (c *chunkGrid) objects() []fyne.CanvasObject { return []fyne.CanvasObject{c.raster} }
