package viewer

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"io"
	"strings"
)

// WriteSVG writes a picture with what lies on it as lines and letters, which drawing programs can change.
func (l Layout) WriteSVG(out io.Writer, p *image.RGBA) error {
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %[1]d %d\">\n<image width=\"%[1]d\" height=\"%[2]d\" href=\"data:image/png;base64,",
		p.Rect.Dx(), p.Rect.Dy(), p.Rect.Dy())
	e := base64.NewEncoder(base64.StdEncoding, w)
	if _, err := e.Write(b.Bytes()); err != nil {
		return err
	}
	if err := e.Close(); err != nil {
		return err
	}
	w.WriteString("\"/>\n")
	paint := func(what string, c color.NRGBA) string {
		s := fmt.Sprintf("%s=\"#%02x%02x%02x\"", what, c.R, c.G, c.B)
		if c.A < 255 {
			s += fmt.Sprintf(" %s-opacity=\"%.3g\"", what, float64(c.A)/255)
		}
		return s
	}
	for _, b := range l.Boxes {
		fmt.Fprintf(w, "<rect x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" height=\"%.6g\" %s/>\n", b.X, b.Y, b.W, b.H, paint("fill", b.Color))
	}
	for _, s := range l.Lines {
		var d strings.Builder
		for _, q := range s.Points {
			fmt.Fprintf(&d, "%.6g,%.6g ", q[0], q[1])
		}
		fmt.Fprintf(w, "<polyline points=\"%s\" fill=\"none\" %s stroke-width=\"%.4g\" stroke-linejoin=\"round\"/>\n", strings.TrimSpace(d.String()), paint("stroke", s.Color), s.Wide)
	}
	for _, t := range l.Texts {
		anchor := "start"
		if t.Middle {
			anchor = "middle"
		}
		fmt.Fprintf(w, "<text x=\"%.6g\" y=\"%.6g\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"%.4g\" text-anchor=\"%s\" %s>%s</text>\n",
			t.X, t.Y, t.Height, anchor, paint("fill", t.Color), html.EscapeString(t.Text))
	}
	w.WriteString("</svg>\n")
	return w.Flush()
}

// WritePDF does so as a page of PDF 1.4, a point a pixel. Its letters are those of Helvetica, which every reader has;
// signs beyond Windows-1252 become question marks.
func (l Layout) WritePDF(out io.Writer, p *image.RGBA) error {
	width, height := p.Rect.Dx(), p.Rect.Dy()
	var c bytes.Buffer
	fmt.Fprintf(&c, "q %d 0 0 %d 0 0 cm /Im Do Q\n", width, height)
	up := func(y float64) float64 { return float64(height) - y }
	tone := func(n color.NRGBA, op string) {
		state := "/Full"
		if n.A < 255 {
			state = "/Half"
		}
		fmt.Fprintf(&c, "%s gs %.3f %.3f %.3f %s\n", state, float64(n.R)/255, float64(n.G)/255, float64(n.B)/255, op)
	}
	for _, b := range l.Boxes {
		tone(b.Color, "rg")
		fmt.Fprintf(&c, "%.3f %.3f %.3f %.3f re f\n", b.X, up(b.Y+b.H), b.W, b.H)
	}
	for _, s := range l.Lines {
		tone(s.Color, "RG")
		fmt.Fprintf(&c, "%.3f w 1 j\n", s.Wide)
		for i, q := range s.Points {
			fmt.Fprintf(&c, "%.3f %.3f %c\n", q[0], up(q[1]), "ml"[min(1, i)])
		}
		c.WriteString("S\n")
	}
	for _, t := range l.Texts {
		text := windows1252(t.Text)
		x := t.X
		if t.Middle {
			x -= helvetica(text) * t.Height / 2
		}
		tone(t.Color, "rg")
		fmt.Fprintf(&c, "BT /F %.3f Tf %.3f %.3f Td (%s) Tj ET\n", t.Height, x, up(t.Y), strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(text))
	}
	var rgb bytes.Buffer
	z := zlib.NewWriter(&rgb)
	row := make([]byte, 3*width)
	for y := range height {
		for x := range width {
			copy(row[3*x:], p.Pix[y*p.Stride+4*x:][:3])
		}
		if _, err := z.Write(row); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	w := &counted{to: bufio.NewWriter(out)}
	fmt.Fprint(w, "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	var at []int
	object := func(text string, data []byte) {
		at = append(at, w.n)
		fmt.Fprintf(w, "%d 0 obj\n%s\n", len(at), text)
		if data != nil {
			fmt.Fprint(w, "stream\n")
			w.Write(data)
			fmt.Fprint(w, "\nendstream\n")
		}
		fmt.Fprint(w, "endobj\n")
	}
	object("<< /Type /Catalog /Pages 2 0 R >>", nil)
	object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>", nil)
	object(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents 4 0 R /Resources << /XObject << /Im 5 0 R >> /Font << /F 6 0 R >> /ExtGState << /Full << /ca 1 /CA 1 >> /Half << /ca 0.5 /CA 0.5 >> >> >> >>", width, height), nil)
	object(fmt.Sprintf("<< /Length %d >>", c.Len()), c.Bytes())
	object(fmt.Sprintf("<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode /Length %d >>", width, height, rgb.Len()), rgb.Bytes())
	object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>", nil)
	xref := w.n
	fmt.Fprintf(w, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, n := range at {
		fmt.Fprintf(w, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(w, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, xref)
	return w.to.Flush()
}

// counted knows how many bytes went through.
type counted struct {
	to *bufio.Writer
	n  int
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += n
	return n, err
}

// windows1252 is a text in bytes of that code.
func windows1252(text string) string {
	var b []byte
	for _, r := range text {
		switch {
		case r < 0x80 || r >= 0xa0 && r < 0x100:
			b = append(b, byte(r))
		case r == 'μ':
			b = append(b, 0xb5)
		case r == '−':
			b = append(b, '-')
		default:
			b = append(b, '?')
		}
	}
	return string(b)
}

// helvetica is how wide a text is in letters of height 1, by the widths of digits and the usual letters.
func helvetica(text string) (wide float64) {
	for _, r := range []byte(text) {
		switch {
		case r == ' ' || r == '.' || r == ',':
			wide += 0.278
		case r == 'm':
			wide += 0.833
		case r == 0xb5:
			wide += 0.576
		default:
			wide += 0.556
		}
	}
	return wide
}
