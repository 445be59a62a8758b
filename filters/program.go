package filters

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"lamella/filters/fft"
	"lamella/lazy"
)

// On a device all of a deconvolution stays there from the first iteration to the last: the data, the estimate, the
// spectrum, that of the PSF, and the shares. An iteration is eight passes, in which what stands between two transforms is
// done within the shader that ends the one and begins the other (programshaders.go).

// Programmed implements lazy.Programmer: what iterates without acceleration and without total variation.
func (d deconvolution) Programmed(in []lazy.Meta) bool {
	m, ok := d.method.(lucyMethod)
	if !ok || m.accelerate || m.smooth > 0 || d.out != lazy.F32 || floatOf[in[0].DType] == "" {
		return false
	}
	tile := d.Tile(in[0]).Whole()
	f := d.field(d.around(tile), in[1].Shape)
	return fft.OnDevice(f.shape[0]) && fft.OnDevice(f.shape[1]) && fft.OnDevice(f.shape[2])
}

// Programmed implements lazy.Programmer: a trial, which says how it goes in sums, is the processor's.
func (p lucyPass) Programmed([]lazy.Meta) bool { return false }

// Held implements lazy.Programmer: the PSF is looked at before it is used.
func (d deconvolution) Held(input int) bool { return input == 1 }

// ProgramBytes implements lazy.Programmer.
func (d deconvolution) ProgramBytes(tile lazy.Region, in []lazy.Meta) int64 {
	f := d.field(d.around(tile), in[1].Shape)
	s := f.shape
	return 4*int64(4*s[0]*s[1]*(s[2]/2+1)+2*size(f.estimate)+size(f.data)+in[1].Shape.Whole().Voxels()) + 8*int64(s[0]+s[1]+s[2])
}

// Program implements lazy.Programmer.
func (d deconvolution) Program(tile lazy.Region, in []lazy.Meta, held []*lazy.Block) (lazy.Program, error) {
	psf, err := newSpread(held[1])
	if err != nil {
		return lazy.Program{}, d.ofPSF(err)
	}
	data := d.around(tile)
	m := d.method.(lucyMethod)
	p := &lucyProgram{field: d.field(data, held[1].Region.Shape()), method: m, dtype: in[0].DType}
	p.begin(psf, shares{p.field, d.edges == dark, psf.table()})
	for n := range m.iterations {
		p.iterate(n+1 == m.iterations)
	}
	p.end(tile, data, float32(d.scale))
	return p.Program, nil
}

// A lucyProgram is one that is being written.
type lucyProgram struct {
	lazy.Program
	field
	method lucyMethod
	dtype  lazy.DType

	round []lazy.Pass
	alike []lazy.Pass // the round of all iterations but the last
}

// The buffers: the image and its PSF as they are given, those that the program has, and the result.
const (
	imageBuffer = iota
	psfGiven
	dataBuffer
	spectrumBuffer
	transferBuffer
	estimateBuffer
	psfBuffer
	sharesBuffer
	classesBuffer
	sumsBuffer
	numbersBuffer
	turnsZ
	turnsY
	turnsX
	resultBuffer
)

// begin makes the buffers, and what is done before the iterations.
func (p *lucyProgram) begin(psf spread, s shares) {
	spectrum := 2 * p.shape[0] * p.shape[1] * (p.shape[2]/2 + 1)
	inverse, classes := p.inverse(s)
	values := make([]float32, len(psf.values))
	for i, v := range psf.values {
		values[i] = float32(float64(v) / float64(p.shape[0]*p.shape[1]*p.shape[2]))
	}
	rows, planes := p.rows(p.data), p.data[0].Max-p.data[0].Min
	p.Buffers = []lazy.ProgramBuffer{
		{Words: size(p.data)}, {Words: spectrum}, {Words: spectrum}, {Words: size(p.estimate)},
		begun(values), begun(inverse), begun(classes), {Words: 3 * (rows + planes + 1)}, {Words: 3},
	}
	for _, n := range p.shape {
		p.Buffers = append(p.Buffers, lazy.ProgramBuffer{Words: 2 * n, Begin: fft.Turns(n)})
	}
	all := fft.Span{Max: p.shape[1]}
	n := size(p.data)
	p.pass(convertText(p.dtype), n, []int{dataBuffer, imageBuffer}, n)
	row := n / rows
	p.pass(rowSumsText, rows, []int{sumsBuffer, dataBuffer}, rows, row)
	p.pass(sumsText, planes, []int{sumsBuffer}, planes, rows/planes, 0, rows)
	p.pass(sumsText, 1, []int{sumsBuffer}, 1, planes, rows, rows+planes)
	p.pass(numbersText, 1, []int{numbersBuffer, sumsBuffer}, rows+planes, asInt(p.level()), asInt(p.fixed()))

	p.lines(spreadRows(p.shape[2]), p.shape[0]*p.shape[1], []int{turnsX, psfBuffer, transferBuffer},
		p.shape[1], p.shape[0], psf.n[0], psf.n[1], psf.n[2])
	p.along(transferBuffer, 1, fft.Span{Max: p.shape[0]}, all, all, false)
	p.along(transferBuffer, 0, fft.Span{}, fft.Span{Max: p.shape[0]}, fft.Span{Max: p.shape[0]}, false)

	start := estimateText
	if p.method.start == "input" {
		start = extendText
	}
	numbers := []int{size(p.estimate)}
	for a := range 3 {
		numbers = append(numbers, p.estimate[a].Max, p.data[a].Min, p.data[a].Max)
	}
	p.pass(start, size(p.estimate), []int{estimateBuffer, dataBuffer, numbersBuffer}, numbers...)
	p.lines(estimateRows(p.shape[2]), p.rows(p.estimate), []int{turnsX, estimateBuffer, spectrumBuffer},
		p.shape[1], p.estimate[1].Max, p.estimate[2].Max)
	p.Rounds, p.round = append(p.Rounds, p.round), nil
}

// level is the number that the estimate begins with, and fixed 1 if it does; else it is the mean.
func (p *lucyProgram) level() float32 {
	n, _ := strconv.ParseFloat(p.method.start, 64)
	return float32(n)
}

func (p *lucyProgram) fixed() float32 {
	if _, err := strconv.ParseFloat(p.method.start, 64); err == nil {
		return 1
	}
	return 0
}

// iterate adds an iteration. All but the last are the same passes.
func (p *lucyProgram) iterate(last bool) {
	if p.alike != nil && !last {
		p.Rounds = append(p.Rounds, p.alike)
		return
	}
	e, d := p.estimate, p.data
	p.blur(e, d, convolved)
	p.lines(p.comparing(), p.rows(d), []int{turnsX, spectrumBuffer, dataBuffer, numbersBuffer},
		p.shape[1], d[0].Min, d[1].Min, d[1].Max-d[1].Min, d[2].Min, d[2].Max, asInt(float32(p.method.background)), asInt(float32(p.method.epsilon)))
	p.blur(d, e, correlated)
	p.lines(p.changing(last), p.rows(e), []int{turnsX, spectrumBuffer, estimateBuffer, sharesBuffer, classesBuffer},
		p.shape[1], 0, 0, e[1].Max, 0, e[2].Max, asInt(float32(p.method.step)), p.classes(1), p.classes(2), e[0].Max)
	if !last {
		p.alike = p.round
	}
	p.Rounds, p.round = append(p.Rounds, p.round), nil
}

// blur goes from rows of one part that are transformed along x to those of another, by the PSF.
func (p *lucyProgram) blur(from, to [3]fft.Span, how string) {
	all := fft.Span{Max: p.shape[1]}
	p.along(spectrumBuffer, 1, from[0], from[1], all, false)
	width := p.shape[2]/2 + 1
	across := p.shape[1] * width
	p.lines(columnsThrough(p.shape[0], how), across, []int{turnsZ, spectrumBuffer, transferBuffer}, across, from[0].Min, from[0].Max, to[0].Min, to[0].Max)
	p.along(spectrumBuffer, 1, to[0], all, to[1], true)
}

// along transforms lines along z (axis 0), or along y in some planes, of which a span is not 0 and another is wanted.
func (p *lucyProgram) along(buffer, axis int, planes, in, out fft.Span, back bool) {
	width := p.shape[2]/2 + 1
	lines, inner, outer, stride := p.shape[1]*width, p.shape[1]*width, 0, p.shape[1]*width
	if axis == 1 {
		lines, inner, outer, stride = (planes.Max-planes.Min)*width, width, p.shape[1]*width, width
	}
	p.lines(columns(p.shape[axis], back), lines, []int{turnsZ + axis, buffer},
		inner, outer, planes.Min*outer, stride, in.Min, in.Max, out.Min, out.Max)
}

// end adds what makes the tile of the estimate.
func (p *lucyProgram) end(tile, data lazy.Region, scale float32) {
	var first, n [3]int
	for i, a := range space {
		first[i], n[i] = tile.Min[a]-data.Min[a]+p.data[i].Min, tile.Len(a)
	}
	p.pass(cropText, n[0]*n[1]*n[2], []int{resultBuffer, estimateBuffer},
		n[0]*n[1]*n[2], n[1], n[2], first[0], first[1], first[2], p.estimate[1].Max, p.estimate[2].Max, asInt(scale))
	p.Rounds = append(p.Rounds, p.round)
}

// pass adds one of a shader of which each invocation makes one of so many things.
func (p *lucyProgram) pass(text string, things int, buffers []int, numbers ...int) {
	p.round = append(p.round, lazy.Pass{Shader: text, Buffers: buffers, Numbers: narrow(numbers), Groups: (things + programGroup - 1) / programGroup})
}

// lines adds one of a shader that transforms so many lines.
func (p *lucyProgram) lines(s fft.LineShader, lines int, buffers []int, numbers ...int) {
	p.round = append(p.round, lazy.Pass{Shader: s.Text(), Buffers: buffers, Numbers: narrow(append([]int{lines}, numbers...)), Groups: s.Groups(lines)})
}

// rows is how many rows a part has.
func (p *lucyProgram) rows(part [3]fft.Span) int {
	return (part[0].Max - part[0].Min) * (part[1].Max - part[1].Min)
}

// inverse is 1/share for each place along z, y and x where it differs, and classes say for every index of the estimate
// along z, y and x which place that is.
func (p *lucyProgram) inverse(s shares) (inverse []float32, classes []int32) {
	var first [3][]int // an index of each class
	for a := range 3 {
		known := map[[4]int]int{}
		for i := range p.estimate[a].Max {
			key := s.within(a, i)
			if _, ok := known[key]; !ok {
				known[key] = len(known)
				first[a] = append(first[a], i)
			}
			classes = append(classes, int32(known[key]))
		}
	}
	var line shareRow
	for _, z := range first[0] {
		for _, y := range first[1] {
			row := s.row(z, y, &line)
			for _, x := range first[2] {
				inverse = append(inverse, row[x])
			}
		}
	}
	return inverse, classes
}

// classes is how many places differ along an axis.
func (p *lucyProgram) classes(axis int) int {
	all := p.Buffers[classesBuffer-dataBuffer].Begin
	from := 0
	for a := range axis {
		from += p.estimate[a].Max
	}
	most := uint32(0)
	for i := range p.estimate[axis].Max {
		most = max(most, binary.NativeEndian.Uint32(all[4*(from+i):]))
	}
	return int(most) + 1
}

// begun is a buffer that holds numbers.
func begun[E float32 | int32](values []E) lazy.ProgramBuffer {
	b, err := binary.Append(nil, binary.NativeEndian, values)
	if err != nil {
		panic(err) // numbers of a fixed size can be written
	}
	return lazy.ProgramBuffer{Words: len(values), Begin: b}
}

func asInt(f float32) int { return int(int32(math.Float32bits(f))) }

func narrow(numbers []int) []int32 {
	var n []int32
	for _, v := range numbers {
		n = append(n, int32(v))
	}
	return slices.Clip(n)
}
