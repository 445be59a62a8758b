package viewer

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"

	"lamella/lazy"
	"lamella/lazy/engine"
)

// A Figure says how a picture for a page or a slide is made: what of the plane, how large, and what is laid out on it.
// What is laid out suits the size of the picture, not that of the window.
type Figure struct {
	View    bool    // what is on view, else the whole plane
	Pixels  float64 // of the picture for one voxel along X
	Bar     bool    // a scale bar
	Stamp   bool    // where the plane lies and when
	Legend  bool    // the colours of the channels and their limits
	Shapes  bool    // what is drawn on the plane, with what it measures
	Letters float64 // height of the letters in pixels; 0 suits the size of the picture
}

// Sized is s looked at as the figure shows it: a viewport of its own.
func (f Figure) Sized(sc *Scene, s State) (State, error) {
	s = s.Pane(0)
	g := sc.Geometry(s)
	w, h := float64(g.Voxels[0]), float64(g.Voxels[1])
	lo := [2]float64{-0.5, -0.5}
	if f.View {
		var hi [2]float64
		lo, hi = g.visible()
		w, h = hi[0]-lo[0], hi[1]-lo[1]
	}
	if !(w > 0) || !(h > 0) || !(f.Pixels > 0) {
		return s, fmt.Errorf("viewer: nothing of the plane is on view")
	}
	s.Fitted = false
	s.Zoom = f.Pixels
	across, down := w*s.Zoom*sc.aspect(g.Across), h*s.Zoom*sc.aspect(g.Down)
	if across*down > largest || across > 1<<16 || down > 1<<16 {
		return s, fmt.Errorf("viewer: a picture of %.0f × %.0f pixels is too large; export the data instead", across, down)
	}
	s.Size = image.Pt(max(1, int(math.Round(across))), max(1, int(math.Round(down))))
	s.Center[g.Across], s.Center[g.Down] = lo[0]+w/2, lo[1]+h/2
	return s, nil
}

// Wide is how many voxels along X are as wide as the plane, or as the part of it that is on view.
func (sc *Scene) Wide(s State, view bool) float64 {
	s = s.Pane(0)
	g := sc.Geometry(s)
	wide := float64(g.Voxels[0])
	if view {
		lo, hi := g.visible()
		wide = hi[0] - lo[0]
	}
	return wide * sc.aspect(g.Across)
}

// Draw makes the picture and what is laid out on it, apart, so that the latter can be written as lines and letters.
// progress may be nil.
func (f Figure) Draw(ctx context.Context, e *engine.Engine, sc *Scene, s State, progress func(done, total int)) (*image.RGBA, Layout, error) {
	if sc.Fault != nil {
		return nil, Layout{}, sc.Fault
	}
	s, err := f.Sized(sc, s)
	if err != nil {
		return nil, Layout{}, err
	}
	p, err := render(ctx, e, sc, s, progress)
	return p, f.layout(sc, s), err
}

// A Layout is what lies on a picture, in its pixels.
type Layout struct {
	Boxes []Box
	Lines []Stroke
	Texts []Letters
}

// A Box is a filled rectangle.
type Box struct {
	X, Y, W, H float64
	Color      color.NRGBA
}

// A Stroke joins points by straight lines.
type Stroke struct {
	Points [][2]float64
	Wide   float64
	Color  color.NRGBA
}

// Letters are a line of text whose middle, or whose left end, stands at X, on the line Y.
type Letters struct {
	X, Y, Height float64
	Text         string
	Middle       bool
	Color        color.NRGBA
}

var (
	bright = color.NRGBA{255, 255, 255, 255}
	shadow = color.NRGBA{0, 0, 0, 0x80}
	yellow = color.NRGBA{0xff, 0xd8, 0x4d, 0xff}
)

// widthOf is about how wide letters are, for the plates behind them.
func widthOf(text string, height float64) float64 {
	w := 0.0
	for _, r := range text {
		switch {
		case r > 0x2e80:
			w++
		case r == ' ' || r == '.' || r == ',' || r == 'i' || r == 'l':
			w += 0.3
		default:
			w += 0.58
		}
	}
	return w * height
}

func (f Figure) layout(sc *Scene, s State) Layout {
	var l Layout
	w, h := float64(s.Size.X), float64(s.Size.Y)
	em := f.Letters
	if em <= 0 {
		em = max(9, math.Round(min(w, h)/30))
	}
	plate := func(x, y, w, h float64) { l.Boxes = append(l.Boxes, Box{x, y, w, h, shadow}) }
	if f.Shapes {
		f.shapes(&l, sc, s, em)
	}
	if bar := sc.Bar(s); f.Bar && bar.Pixels > 0 {
		thick := max(2, math.Round(em/4))
		x, y := w-em-bar.Pixels, h-em-thick
		room := max(bar.Pixels, widthOf(bar.Label, em))
		middle := x + bar.Pixels/2
		if over := middle + room/2 + em/2 - w; over > 0 {
			x, middle = x-over, middle-over
		}
		plate(middle-room/2-em/2, y-1.6*em, room+em, 1.6*em+thick+em/2)
		l.Boxes = append(l.Boxes, Box{x, y, bar.Pixels, thick, bright})
		l.Texts = append(l.Texts, Letters{middle, y - 0.45*em, em, bar.Label, true, bright})
	}
	if text := sc.stamp(s); f.Stamp && text != "" {
		plate(em/2, em/2, widthOf(text, em)+em, 1.7*em)
		l.Texts = append(l.Texts, Letters{em, 1.75 * em, em, text, false, bright})
	}
	if shown := s.Shown(); f.Legend && !sc.Image.RGB && !sc.Meta().Labels {
		right := w
		for i := len(shown) - 1; i >= 0 && right > w/3; i-- { // the first channel is the leftmost
			right = f.legend(&l, sc, s, shown[i], right, em)
		}
	}
	return l
}

// stamp says where the plane lies, and when.
func (sc *Scene) stamp(s State) string {
	_, _, normal := s.Cut.Axes()
	var parts []string
	for _, a := range []lazy.Axis{lazy.T, normal} {
		if sc.Meta().Shape[a] < 2 {
			continue
		}
		text := sc.Where(a, s.At[a])
		if text == "" {
			text = fmt.Sprint(s.At[a] + 1)
		}
		parts = append(parts, a.String()+" "+text)
	}
	return strings.Join(parts, "  ")
}

// legend is the colours of a channel from its low limit, below, to its high one, to the left of an edge. It gives the edge
// for the next.
func (f Figure) legend(l *Layout, sc *Scene, s State, c int, right, em float64) (left float64) {
	const steps = 64
	w, tall := math.Round(em*0.8), math.Round(em*7)
	ch := s.Channels[c]
	low, high := legendText(ch.Limits.Low), legendText(ch.Limits.High)
	room := max(widthOf(low, em), widthOf(high, em)) + em/2
	x, y := right-em-w-room, em
	l.Boxes = append(l.Boxes, Box{x - em/2, y - em/2, w + room + em, tall + em, shadow})
	table := tableOf(ch, palette(sc, c))
	for i := range steps {
		rgba := blend(table, 1-(float64(i)+0.5)/steps, ch.Gamma)
		top, below := math.Round(tall*float64(i)/steps), math.Round(tall*float64(i+1)/steps)
		l.Boxes = append(l.Boxes, Box{x, y + top, w, below - top, color.NRGBA{uint8(rgba), uint8(rgba >> 8), uint8(rgba >> 16), 255}})
	}
	l.Texts = append(l.Texts, Letters{x + w + em/2, y + 0.8*em, em, high, false, bright}, Letters{x + w + em/2, y + tall, em, low, false, bright})
	return x - em/2
}

func legendText(v float64) string { return strings.TrimSuffix(fmt.Sprintf("%.4g", v), ".") }

// shapes draws what lies on the plane.
func (f Figure) shapes(l *Layout, sc *Scene, s State, em float64) {
	g := sc.Geometry(s)
	wide := max(1, em/8)
	for i, h := range s.Shapes {
		if !h.OnView(s) {
			continue
		}
		var way [][2]float64
		for _, p := range h.Outline() {
			x, y := g.Pixel(p[0], p[1])
			way = append(way, [2]float64{x, y})
		}
		if len(way) > 0 {
			l.Lines = append(l.Lines, Stroke{way, wide, yellow})
		}
		if h.Kind == Point {
			for _, p := range h.Points {
				x, y := g.Pixel(p[0], p[1])
				l.Lines = append(l.Lines, Stroke{[][2]float64{{x - em/2, y}, {x + em/2, y}}, wide, yellow}, Stroke{[][2]float64{{x, y - em/2}, {x, y + em/2}}, wide, yellow})
			}
		}
		text, tall := sc.Label(h, i), 0.8*em
		x, y := g.Pixel(h.Points[len(h.Points)-1][0], h.Points[len(h.Points)-1][1])
		room := widthOf(text, tall)
		x, y = max(em/4, min(x+em/2, float64(g.W)-room-em/2)), max(1.2*tall, min(y+em, float64(g.H)-em/2)) // within the picture
		l.Boxes = append(l.Boxes, Box{x - em/4, y - 1.2*tall, room + em/2, 1.6 * tall, shadow})
		l.Texts = append(l.Texts, Letters{x, y, tall, text, false, yellow})
	}
}
