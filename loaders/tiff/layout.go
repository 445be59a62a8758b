package tiff

import (
	"fmt"
	"math/bits"

	"lamella/lazy"
	"lamella/loaders"
)

// A layout is how the pixels of a page are stored. It is comparable: pages with the same layout make
// up a stack.
type layout struct {
	width, height int
	samples       int    // of one pixel
	bits          uint8  // of one sample
	format        uint16 // SampleFormat
	compression   uint16
	photometric   uint16
	predictor     uint16
	planar        bool // samples lie in planes of their own
	reversed      bool // the lowest bit of a byte comes first (FillOrder 2)
	tiled         bool
	segW, segH    int // of one strip or tile; an edge tile is padded, the last strip is cut
	subX, subY    uint8
	faxOptions    uint32
	extra         string // ExtraSamples, one byte each
	big           bool   // byte order of the samples, not BigTIFF
}

// maxSegment bounds the decoded size of a compressed strip or tile: it must fit in memory at once.
const maxSegment = 1 << 30

// check says why the pixels cannot be read.
func (l *layout) check() error {
	switch {
	case l.width < 1 || l.height < 1:
		return fmt.Errorf("%d x %d pixels: %w", l.width, l.height, loaders.ErrDamaged)
	case l.samples < 1 || l.samples > 1<<15:
		return fmt.Errorf("%d samples a pixel: %w", l.samples, loaders.ErrDamaged)
	case l.bits < 1 || l.bits > 64:
		return fmt.Errorf("%d bits a sample: %w", l.bits, loaders.ErrDamaged)
	case l.segW < 1 || l.segH < 1:
		return fmt.Errorf("%s of %d x %d pixels: %w", l.segment(), l.segW, l.segH, loaders.ErrDamaged)
	case l.format == complexSample || l.format == 5:
		return fmt.Errorf("complex numbers: %w; export their magnitude or parts as real numbers", loaders.ErrUnsupported)
	case !l.dtype().Valid():
		return fmt.Errorf("samples of %d bits, format %d: %w", l.bits, l.format, loaders.ErrUnsupported)
	}
	if _, ok := product(uint64(l.width), uint64(l.height), uint64(l.samples), 8); !ok {
		return fmt.Errorf("%d x %d pixels of %d samples are more than any file holds: %w", l.width, l.height, l.samples, loaders.ErrDamaged)
	}
	if !supported(l.compression) {
		return fmt.Errorf("compression %s: %w; convert it, for example with tiffcp -c zip", compressionName(l.compression), loaders.ErrUnsupported)
	}
	n, ok := product(uint64(l.segW), uint64(l.segH), uint64(l.segSamples()), uint64(l.bits))
	if l.compression != rawData && (!ok || n/8 > maxSegment) {
		return fmt.Errorf("a compressed %s of %d x %d pixels does not fit in memory (limit %d MiB decoded): %w",
			l.segment(), l.segW, l.segH, maxSegment>>20, loaders.ErrUnsupported)
	}
	return l.checkCoding()
}

// checkCoding says which combination of tags has no meaning, or none that is known here.
func (l *layout) checkCoding() error {
	jpeg := l.compression == newJPEG || l.compression == oldJPEG
	switch {
	case jpeg && (l.bits != 8 || l.format > unsignedSample && l.format != untypedSample):
		return fmt.Errorf("JPEG of %d bits a sample: %w", l.bits, loaders.ErrUnsupported)
	case l.unitX() > 0 && (l.bits != 8 || l.samples != 3 || l.planar || l.predictor > 1 || l.subX > 4 || l.subY > 4):
		return fmt.Errorf("YCbCr with colours for %d x %d pixels, of %d samples of %d bits: %w", l.subX, l.subY, l.samples, l.bits, loaders.ErrUnsupported)
	case isFax(l.compression) && (l.bits != 1 || l.segSamples() != 1):
		return fmt.Errorf("%s of %d bits a sample: %w", compressionName(l.compression), l.bits, loaders.ErrDamaged)
	case l.compression == webP && (l.bits != 8 || l.segSamples() < 3 || l.segSamples() > 4):
		return fmt.Errorf("WebP of %d samples of %d bits: %w", l.segSamples(), l.bits, loaders.ErrUnsupported)
	case !predicts(l.compression):
		return nil
	case l.predictor == 2 && l.bits != 8 && l.bits != 16 && l.bits != 32 && l.bits != 64:
		return fmt.Errorf("horizontal predictor for %d bits a sample: %w", l.bits, loaders.ErrUnsupported)
	case l.predictor == 3 && (l.format != floatSample || l.bits%8 != 0):
		return fmt.Errorf("floating point predictor for samples of %d bits, format %d: %w", l.bits, l.format, loaders.ErrDamaged)
	case l.predictor > 3:
		return fmt.Errorf("predictor %d: %w", l.predictor, loaders.ErrUnsupported)
	}
	return nil
}

// dtype is the smallest type that holds every sample, 0 if there is none.
func (l *layout) dtype() lazy.DType {
	round := 0
	for round = 8; round < int(l.bits); round *= 2 {
	}
	switch l.format {
	case 0, unsignedSample, untypedSample:
		return map[int]lazy.DType{8: lazy.U8, 16: lazy.U16, 32: lazy.U32, 64: lazy.U64}[round]
	case signedSample:
		return map[int]lazy.DType{8: lazy.I8, 16: lazy.I16, 32: lazy.I32, 64: lazy.I64}[round]
	case floatSample:
		return map[uint8]lazy.DType{16: lazy.F32, 24: lazy.F32, 32: lazy.F32, 64: lazy.F64}[l.bits]
	}
	return 0
}

// colour reports whether the samples are red, green, blue and perhaps alpha.
func (l *layout) colour() bool {
	if l.samples < 3 {
		return false
	}
	switch l.photometric {
	case rgbColour:
		return true
	case yCbCr:
		return l.compression == newJPEG || l.compression == oldJPEG || l.unitX() > 0
	}
	return false
}

// segSamples is how many samples of a pixel lie together in a strip or tile.
func (l *layout) segSamples() int {
	if l.planar {
		return 1
	}
	return l.samples
}

// across, down are the number of strips or tiles that cover one plane.
func (l *layout) across() int { return (l.width + l.segW - 1) / l.segW }
func (l *layout) down() int   { return (l.height + l.segH - 1) / l.segH }

// segments is the number of strips or tiles of a page.
func (l *layout) segments() int {
	n := l.across() * l.down()
	if l.planar {
		n *= l.samples
	}
	return n
}

// rowBytes is the length of one decoded row of a strip or tile: rows begin at whole bytes.
func (l *layout) rowBytes() int {
	return (l.segW*l.segSamples()*int(l.bits) + 7) / 8
}

// rowsIn is how many rows strip or tile number seg of a plane holds, padding included.
func (l *layout) rowsIn(seg int) int {
	if l.tiled {
		return l.segH
	}
	return min(l.segH, l.height-seg/l.across()*l.segH)
}

// planeBytes is the stored length of one page's uncompressed pixels.
func (l *layout) planeBytes() int64 {
	rows := l.height
	if l.tiled {
		rows = l.down() * l.segH
	}
	n := int64(rows) * int64(l.across()) * int64(l.rowBytes())
	if l.planar {
		n *= int64(l.samples)
	}
	return n
}

func (l *layout) segment() string {
	if l.tiled {
		return "tile"
	}
	return "strip"
}

// product multiplies, and reports whether the result leaves room for a count of planes: 2^56.
func product(factors ...uint64) (uint64, bool) {
	p := uint64(1)
	for _, f := range factors {
		hi, lo := bits.Mul64(p, f)
		if hi != 0 || lo > 1<<56 {
			return 0, false
		}
		p = lo
	}
	return p, true
}
