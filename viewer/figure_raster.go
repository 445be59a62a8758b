package viewer

import (
	"image"
	"image/color"
	imagedraw "image/draw"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	subpixel "golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// On draws what is laid out onto a picture.
func (l Layout) On(p *image.RGBA) error {
	for _, b := range l.Boxes {
		fillShape(p, b.Color, [][2]float64{{b.X, b.Y}, {b.X + b.W, b.Y}, {b.X + b.W, b.Y + b.H}, {b.X, b.Y + b.H}})
	}
	for _, s := range l.Lines {
		for i := range len(s.Points) - 1 {
			a, b := s.Points[i], s.Points[i+1]
			dx, dy := b[0]-a[0], b[1]-a[1]
			n := math.Hypot(dx, dy)
			if n == 0 {
				continue
			}
			dx, dy = dx/n*s.Wide/2, dy/n*s.Wide/2
			// A little longer than the line, so that corners close.
			fillShape(p, s.Color, [][2]float64{{a[0] - dx - dy, a[1] - dy + dx}, {b[0] + dx - dy, b[1] + dy + dx}, {b[0] + dx + dy, b[1] + dy - dx}, {a[0] - dx + dy, a[1] - dy - dx}})
		}
	}
	if len(l.Texts) == 0 {
		return nil
	}
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return err
	}
	for _, t := range l.Texts {
		face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: t.Height, DPI: 72, Hinting: font.HintingNone})
		if err != nil {
			return err
		}
		d := font.Drawer{Dst: p, Src: image.NewUniform(t.Color), Face: face}
		x := t.X
		if t.Middle {
			x -= float64(d.MeasureString(t.Text)) / 64 / 2
		}
		d.Dot = subpixel.Point26_6{X: subpixel.Int26_6(math.Round(64 * x)), Y: subpixel.Int26_6(math.Round(64 * t.Y))}
		d.DrawString(t.Text)
		face.Close()
	}
	return nil
}

// fillShape fills a polygon with soft edges.
func fillShape(p *image.RGBA, c color.NRGBA, points [][2]float64) {
	lo, hi := Shape{Points: points}.Box()
	box := image.Rect(int(math.Floor(lo[0])), int(math.Floor(lo[1])), int(math.Ceil(hi[0])), int(math.Ceil(hi[1]))).Intersect(p.Rect)
	if box.Empty() {
		return
	}
	r := vector.NewRasterizer(box.Dx(), box.Dy())
	corner := func(q [2]float64) (float32, float32) {
		return float32(q[0]) - float32(box.Min.X), float32(q[1]) - float32(box.Min.Y)
	}
	r.MoveTo(corner(points[0]))
	for _, q := range points[1:] {
		r.LineTo(corner(q))
	}
	r.ClosePath()
	r.DrawOp = imagedraw.Over
	r.Draw(p, box, image.NewUniform(c), image.Point{})
}
