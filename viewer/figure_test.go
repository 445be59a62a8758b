package viewer

import (
	"bytes"
	"context"
	"encoding/xml"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"lamella/lazy"
)

func figureScene(t *testing.T) (*Scene, State) {
	f := microns(zyx("ramp", lazy.U8, shape(9, 100, 200), func(_, y, x int) float64 { return float64(x) }), 0.5, 0.1, 0.1)
	sc, s := scene(t, dataset(f), 400, 300)
	return sc, act(sc, s, SetLimits(0, Limits{0, 199}), SetLUT(0, "Grays"), AddShape(Shape{Kind: Line, At: s.plane().at, Points: [][2]float64{{10, 50}, {90, 50}}}))
}

func TestAFigureIsLaidOutForItsOwnSize(t *testing.T) {
	sc, s := figureScene(t)
	e := newEngine(t)
	for _, c := range []struct {
		name   string
		figure Figure
		state  State
		w, h   int
		label  string
	}{
		{"the whole plane, a pixel a voxel", Figure{Pixels: 1, Bar: true}, s, 200, 100, "2 µm"},
		{"four pixels a voxel", Figure{Pixels: 4, Bar: true}, s, 800, 400, "2 µm"},
		{"half a pixel", Figure{Pixels: 0.5, Bar: true}, s, 100, 50, "2 µm"},
		{"what is on view, four times larger", Figure{View: true, Pixels: 4, Bar: true}, act(sc, s, Zoom(4)), 200, 150, "1 µm"},
		{"a side view keeps its proportions", Figure{Pixels: 1, Bar: true}, act(sc, s, Turn(XZ)), 200, 45, "2 µm"},
	} {
		p, l, err := c.figure.Draw(context.Background(), e, sc, c.state, nil)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if p.Rect.Dx() != c.w || p.Rect.Dy() != c.h {
			t.Errorf("%s: %v pixels, want %d × %d", c.name, p.Rect.Size(), c.w, c.h)
			continue
		}
		bar := l.Boxes[len(l.Boxes)-1]
		if l.Texts[len(l.Texts)-1].Text != c.label {
			t.Errorf("%s: the bar says %q, want %q", c.name, l.Texts[len(l.Texts)-1].Text, c.label)
		}
		um := map[string]float64{"2 µm": 2, "1 µm": 1}[c.label]
		if want := um / 0.1 * c.figure.Pixels; math.Abs(bar.W-want) > 1e-9 {
			t.Errorf("%s: the bar is %v pixels long, want %v", c.name, bar.W, want)
		}
		for _, b := range l.Boxes {
			if b.X < 0 || b.Y < 0 || b.X+b.W > float64(c.w)+1e-9 || b.Y+b.H > float64(c.h)+1e-9 {
				t.Errorf("%s: %+v lies beyond the picture", c.name, b)
			}
		}
	}
}

func TestAFigureSaysWhatIsOnIt(t *testing.T) {
	sc, s := figureScene(t)
	p, l, err := Figure{Pixels: 2, Bar: true, Stamp: true, Legend: true, Shapes: true}.Draw(context.Background(), newEngine(t), sc, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, x := range l.Texts {
		texts = append(texts, x.Text)
	}
	if got := strings.Join(texts, "|"); got != "1  8 µm|2 µm|z 2.0 µm|199|0" {
		t.Errorf("it says %q", got)
	}
	if len(l.Lines) != 1 || l.Lines[0].Points[0] != [2]float64{21, 101} {
		t.Errorf("the line is %+v", l.Lines)
	}
	before := p.RGBAAt(50, 60)
	if err := l.On(p); err != nil {
		t.Fatal(err)
	}
	bar := l.Boxes[indexOfBar(l)]
	if c := p.RGBAAt(int(bar.X+bar.W/2), int(bar.Y+bar.H/2)); c.R != 255 || c.G != 255 {
		t.Errorf("the bar is %v", c)
	}
	if c := p.RGBAAt(100, 101); c.R < c.B+80 {
		t.Errorf("the line is %v", c)
	}
	if p.RGBAAt(50, 60) != before {
		t.Error("the picture beside was drawn over")
	}
}

// Beside a shape at an edge its label moves into the picture.
func TestTheLabelsOfAFigureLieWithinIt(t *testing.T) {
	sc, s := figureScene(t)
	for _, end := range [][2]float64{{199, 99}, {0, 0}, {199, 0}, {0, 99}} {
		h := Shape{Kind: Rectangle, At: s.plane().at, Points: [][2]float64{{50, 50}, end}}
		_, l, err := Figure{Pixels: 1, Shapes: true}.Draw(context.Background(), newEngine(t), sc, act(sc, s, ChangeShape(0, func(Shape) Shape { return h })), nil)
		if err != nil {
			t.Fatal(err)
		}
		if b := l.Boxes[0]; b.X < 0 || b.Y < 0 || b.X+b.W > 200 || b.Y+b.H > 100 {
			t.Errorf("the label of a shape to %v lies at %+v of 200 × 100", end, b)
		}
	}
}

func indexOfBar(l Layout) int {
	for i, b := range l.Boxes {
		if b.Color == bright {
			return i
		}
	}
	return 0
}

func TestAnSVGIsSoundAndKeepsItsText(t *testing.T) {
	sc, s := figureScene(t)
	s = act(sc, s, ChangeShape(0, func(h Shape) Shape { h.Name = `a <b> & "c"`; return h }))
	p, l, err := Figure{Pixels: 1, Bar: true, Shapes: true}.Draw(context.Background(), newEngine(t), sc, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := l.WriteSVG(&b, p); err != nil {
		t.Fatal(err)
	}
	var said []string
	for d := xml.NewDecoder(&b); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if c, ok := token.(xml.CharData); ok && strings.TrimSpace(string(c)) != "" {
			said = append(said, string(c))
		}
	}
	if got := strings.Join(said, "|"); got != `a <b> & "c"  8 µm|2 µm` {
		t.Errorf("it says %q", got)
	}
}

// Every object of a PDF stands where its table says.
func TestAPDFIsFoundByItsTable(t *testing.T) {
	sc, s := figureScene(t)
	p, l, err := Figure{Pixels: 1, Bar: true, Stamp: true}.Draw(context.Background(), newEngine(t), sc, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := l.WritePDF(&b, p); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	tail := strings.Split(strings.TrimSpace(text[strings.LastIndex(text, "startxref")+9:]), "\n")
	xref, err := strconv.Atoi(tail[0])
	if err != nil || !strings.HasPrefix(text[xref:], "xref\n0 7\n") {
		t.Fatalf("the table is not at %d: %v", xref, err)
	}
	for i := 1; i <= 6; i++ {
		line := text[xref+9+20*i:][:20]
		at, err := strconv.Atoi(line[:10])
		if err != nil || !strings.HasPrefix(text[at:], strconv.Itoa(i)+" 0 obj\n") {
			t.Errorf("object %d is not at %q", i, line)
		}
	}
	if !strings.Contains(text, "(2 \xb5m) Tj") {
		t.Error("the label of the bar is not in it")
	}
}
