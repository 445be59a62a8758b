package viewer

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unicode/utf16"

	"lamella/lazy"
)

// ImageJ keeps a region of interest in a file of its own (.roi), and several in a zip. The layout is that of
// ij/io/RoiEncoder.java and RoiDecoder.java of ImageJ 1.54: big-endian, a header of 64 bytes, coordinates, and a
// second header with the position and the name. Coordinates of areas count from the corner of the first pixel, those
// of lines, angles and points from its centre.

// types of a region of interest.
const (
	roiPolygon, roiRect, roiOval, roiLine, roiFreeline, roiPolyline, roiFreehand, roiTraced, roiAngle, roiPoint = 0, 1, 2, 3, 4, 5, 7, 8, 9, 10

	roiHeader   = 64
	roiHeader2  = 64
	roiVersion  = 228
	roiSubPixel = 128 // among the options

	roiText, roiImage = 1, 4 // kinds of rectangles that measure nothing
)

// unread are the types that no Shape can be.
var unread = map[int]string{roiFreeline: "a freehand line", roiPolyline: "a segmented line"}

// errROI is what a file that is no region of interest gives.
var errROI = errors.New("viewer: not a region of interest of ImageJ")

// DecodeROI reads a region of interest of ImageJ, on the plane of a stack that it names, else on a given one. Freehand
// and traced areas are polygons. Lines of several parts, regions of several parts, texts and pictures are refused by name.
func DecodeROI(b []byte, shape lazy.Shape, on lazy.Index) (Shape, error) {
	if len(b) < roiHeader || string(b[:4]) != "Iout" {
		return Shape{}, errROI
	}
	short := func(at int) int { return int(int16(binary.BigEndian.Uint16(b[at:]))) }
	long := func(at int) int { return int(int32(binary.BigEndian.Uint32(b[at:]))) }
	real := func(at int) float64 { return float64(math.Float32frombits(binary.BigEndian.Uint32(b[at:]))) }
	top, left, bottom, right, n := short(8), short(10), short(12), short(14), int(binary.BigEndian.Uint16(b[16:]))
	fine := short(50)&roiSubPixel != 0
	h := Shape{Cut: XY, At: on}
	h.At[lazy.X], h.At[lazy.Y], h.At[lazy.C] = 0, 0, 0
	if long(36) > 0 {
		return Shape{}, errors.New("viewer: a region of several parts is not read")
	}
	switch short(48) {
	case roiText:
		return Shape{}, errors.New("viewer: a text is not read, it measures nothing")
	case roiImage:
		return Shape{}, errors.New("viewer: a picture as overlay is not read, it measures nothing")
	}
	switch kind := int(b[6]); kind {
	case roiRect, roiOval:
		h.Kind = Rectangle
		if kind == roiOval {
			h.Kind = Ellipse
		}
		x, y, w, ht := float64(left), float64(top), float64(right-left), float64(bottom-top)
		if fine {
			x, y, w, ht = real(18), real(22), real(26), real(30)
		}
		h.Points = [][2]float64{{x - 0.5, y - 0.5}, {x + w - 0.5, y + ht - 0.5}}
	case roiLine:
		h.Kind = Line
		h.Points = [][2]float64{{real(18), real(22)}, {real(26), real(30)}}
	case roiPolygon, roiFreehand, roiTraced, roiAngle, roiPoint:
		h.Kind = map[int]ShapeKind{roiAngle: Angle, roiPoint: Point}[kind]
		offset := 0.0
		if h.Kind == NoShape {
			h.Kind, offset = Polygon, 0.5
		}
		need := roiHeader + 4*n
		if fine {
			need += 8 * n
		}
		if len(b) < need {
			return Shape{}, fmt.Errorf("viewer: a region of interest ends before its %d points: %w", n, errROI)
		}
		for i := range n {
			p := [2]float64{float64(left + short(roiHeader+2*i)), float64(top + short(roiHeader+2*n+2*i))}
			if fine {
				p = [2]float64{real(roiHeader + 4*n + 4*i), real(roiHeader + 8*n + 4*i)}
			}
			h.Points = append(h.Points, [2]float64{p[0] - offset, p[1] - offset})
		}
	default:
		if what, ok := unread[kind]; ok {
			return Shape{}, fmt.Errorf("viewer: %s is not read", what)
		}
		return Shape{}, fmt.Errorf("viewer: a region of interest of type %d is not known", kind)
	}
	if !h.sound() {
		return Shape{}, fmt.Errorf("viewer: a region of interest without extent: %w", errROI)
	}
	for _, p := range h.Points {
		if math.IsNaN(p[0]+p[1]) || math.Abs(p[0])+math.Abs(p[1]) > 1e9 {
			return Shape{}, errROI
		}
	}
	place, c := long(56), max(1, shape[lazy.C])
	z, t := 0, 0
	if at := long(60); at >= roiHeader && at+24 <= len(b) {
		z, t = long(at+8), long(at+12)
		if name, size := long(at+16), long(at+20); name > 0 && size > 0 && size < 4096 && name+2*size <= len(b) {
			letters := make([]uint16, size)
			for i := range letters {
				letters[i] = binary.BigEndian.Uint16(b[name+2*i:])
			}
			h.Name = string(utf16.Decode(letters))
		}
	}
	if place > 0 && z == 0 && t == 0 { // the number of the slice in a stack whose channels go first, then Z, then T
		z, t = (place-1)/c%max(1, shape[lazy.Z])+1, (place-1)/c/max(1, shape[lazy.Z])+1
	}
	if z > 0 && z <= shape[lazy.Z] {
		h.At[lazy.Z] = z - 1
	}
	if t > 0 && t <= shape[lazy.T] {
		h.At[lazy.T] = t - 1
	}
	return h, nil
}

// EncodeROI writes a shape as a region of interest of ImageJ. ImageJ knows planes of x and y alone, so a shape on
// another is refused.
func EncodeROI(h Shape) ([]byte, error) {
	if h.Cut != XY {
		return nil, fmt.Errorf("viewer: ImageJ has no regions of interest on %v planes", h.Cut)
	}
	offset := 0.0
	if h.Kind.Area() {
		offset = 0.5
	}
	points := make([][2]float64, len(h.Points))
	for i, p := range h.Points {
		points[i] = [2]float64{p[0] + offset, p[1] + offset}
	}
	lo, hi := Shape{Points: points}.Box()
	name := utf16.Encode([]rune(h.Name))
	kind := map[ShapeKind]byte{Line: roiLine, Angle: roiAngle, Rectangle: roiRect, Ellipse: roiOval, Polygon: roiPolygon, Point: roiPoint}[h.Kind]
	listed := h.Kind == Angle || h.Kind == Polygon || h.Kind == Point
	n := 0
	if listed {
		n = len(points)
	}
	second := roiHeader + 12*n
	b := make([]byte, second+roiHeader2+2*len(name))
	put16 := func(at, v int) {
		binary.BigEndian.PutUint16(b[at:], uint16(int16(max(math.MinInt16, min(math.MaxInt16, v)))))
	}
	put32 := func(at, v int) { binary.BigEndian.PutUint32(b[at:], uint32(int32(v))) }
	real := func(at int, v float64) { binary.BigEndian.PutUint32(b[at:], math.Float32bits(float32(v))) }
	copy(b, "Iout")
	put16(4, roiVersion)
	b[6] = kind
	left, top := int(math.Floor(lo[0])), int(math.Floor(lo[1]))
	put16(8, top)
	put16(10, left)
	put16(12, int(math.Ceil(hi[1])))
	put16(14, int(math.Ceil(hi[0])))
	binary.BigEndian.PutUint16(b[16:], uint16(n))
	whole := lo[0] == math.Floor(lo[0]) && lo[1] == math.Floor(lo[1]) && hi[0] == math.Floor(hi[0]) && hi[1] == math.Floor(hi[1])
	switch {
	case h.Kind == Line:
		for i, v := range [...]float64{points[0][0], points[0][1], points[1][0], points[1][1]} {
			real(18+4*i, v)
		}
	case listed:
		put16(50, roiSubPixel)
		for i, p := range points {
			put16(roiHeader+2*i, int(math.Round(p[0]))-left)
			put16(roiHeader+2*n+2*i, int(math.Round(p[1]))-top)
			real(roiHeader+4*n+4*i, p[0])
			real(roiHeader+8*n+4*i, p[1])
		}
	case !whole:
		put16(50, roiSubPixel)
		for i, v := range [...]float64{lo[0], lo[1], hi[0] - lo[0], hi[1] - lo[1]} {
			real(18+4*i, v)
		}
	}
	put32(60, second)
	put32(second+8, h.At[lazy.Z]+1)
	put32(second+12, h.At[lazy.T]+1)
	if len(name) > 0 {
		put32(second+16, second+roiHeader2)
		put32(second+20, len(name))
		for i, u := range name {
			binary.BigEndian.PutUint16(b[second+roiHeader2+2*i:], u)
		}
	}
	return b, nil
}
