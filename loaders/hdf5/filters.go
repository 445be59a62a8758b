package hdf5

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"lamella/loaders/codec"
)

// A filter is one step that chunks went through before they were written.
type filter struct {
	id     int
	name   string
	values []uint32
	step   step
}

// A step undoes a filter. Exactly one of its functions is set.
type step struct {
	name string

	// unpack decompresses; how long the result is is known only afterwards.
	unpack func(dst, src []byte) (int, error)

	// same turns bytes into as many others.
	same func(dst, src []byte) error

	// sum verifies and strips the checksum at the end.
	sum func(src []byte) ([]byte, error)
}

// known are the filters that are undone here, by their registered numbers (the HDF Group's list of
// registered filter plugins; below 256 they are the library's own).
var known = map[int]func(values []uint32) (step, error){
	1: func([]uint32) (step, error) { return step{name: "deflate", unpack: codec.Zlib}, nil },
	2: shuffleStep,
	3: func([]uint32) (step, error) { return step{name: "fletcher32", sum: fletcher}, nil },
	5: func(values []uint32) (step, error) {
		p, err := codec.ParseNBit(values)
		return step{name: "nbit", unpack: p.Unpack}, err
	},
	6: func(values []uint32) (step, error) {
		p, err := codec.ParseScaleOffset(values)
		return step{name: "scaleoffset", unpack: p.Unpack}, err
	},
	307:   func([]uint32) (step, error) { return step{name: "bz2", unpack: codec.Bz2}, nil },
	32000: func([]uint32) (step, error) { return step{name: "lzf", unpack: codec.LZF}, nil },
	32001: func([]uint32) (step, error) { return step{name: "blosc", unpack: codec.Blosc}, nil },
	32004: func([]uint32) (step, error) { return step{name: "lz4", unpack: codec.LZ4Blocks}, nil },
	32008: bitshuffleStep,
	32015: func([]uint32) (step, error) { return step{name: "zstd", unpack: codec.Zstd}, nil },
}

// others are registered filters that are not undone here, so that a message can name them.
var others = map[int]string{
	4: "szip", 305: "LZO", 32002: "MAFISC", 32003: "snappy", 32005: "APAX", 32006: "CBF", 32007: "JPEG-XR", 32009: "SPDP", 32010: "LPC-Rice",
	32011: "CCSDS-123", 32012: "JPEG-LS", 32013: "ZFP", 32014: "FPZIP", 32016: "B3D", 32017: "SZ", 32018: "FCIDECOMP", 32019: "JPEG",
	32020: "VBZ", 32021: "FAPEC", 32022: "BitGroom", 32023: "granular BitRound", 32024: "SZ3", 32025: "Delta-Rice", 32026: "Blosc2", 32028: "ZFP",
}

// maxFilters is the most filters that HDF5 allows.
const maxFilters = 32

// filters reads a filter pipeline message (section IV.A.2.l): version, number of filters, in version 1
// six reserved bytes, and of each filter its number (2), in version 1 or for registered ones the length
// of its name (2), flags (2), number of values (2), the name, the values (4 each). Version 1 pads the
// name to 8 bytes and an odd number of values by one more.
func (c *cursor) filters() ([]filter, error) {
	version := c.version(2, "a list of filters")
	n := c.u8()
	if version == 1 {
		c.skip(6)
	}
	if n > maxFilters {
		c.fail("%d filters", n)
	}
	var all []filter
	for range n {
		f := filter{id: c.u16()}
		named := 0
		if version == 1 || f.id >= 256 {
			named = c.u16()
		}
		c.skip(2)
		count := c.u16()
		if version == 1 {
			named += -named & 7
		}
		f.name = c.text(named)
		for range count {
			if c.err != nil {
				break
			}
			f.values = append(f.values, c.u32())
		}
		if version == 1 && count%2 == 1 {
			c.skip(min(4, c.left()))
		}
		if c.err != nil {
			return nil, c.err
		}
		make, ok := known[f.id]
		if !ok {
			return nil, unsupported("its voxels are packed by the filter %d (%s), which is not known here; "+
				"write the file again without it: h5repack -f GZIP=1", f.id, f.called())
		}
		var err error
		if f.step, err = make(f.values); err != nil {
			return nil, unsupported("the filter %d (%s): %v", f.id, f.called(), err)
		}
		all = append(all, f)
	}
	return all, c.err
}

func (f filter) called() string {
	if name := others[f.id]; name != "" {
		return name
	}
	if f.name != "" {
		return strings.ToValidUTF8(strings.ReplaceAll(f.name, "\n", " "), "?")
	}
	return "without a name"
}

func shuffleStep(values []uint32) (step, error) {
	if len(values) < 1 || values[0] < 1 || values[0] > 1<<16 {
		return step{}, errors.New("it does not say how long a value is")
	}
	return step{name: "shuffle", same: func(dst, src []byte) error {
		codec.Unshuffle(dst, src, int(values[0]))
		return nil
	}}, nil
}

// bitshuffleStep: version (2 values), bytes of a value, values of a block, and what packs the blocks.
func bitshuffleStep(values []uint32) (step, error) {
	b := codec.Bitshuffle{}
	if len(values) >= 3 {
		b.TypeSize = int(min(values[2], 1<<16))
	}
	packer := uint32(0)
	if len(values) >= 4 {
		b.Block = int(min(values[3], 1<<24))
	}
	if len(values) >= 5 {
		packer = values[4]
	}
	if b.TypeSize < 1 || b.Block%8 != 0 {
		return step{}, fmt.Errorf("values of %d bytes in blocks of %d", b.TypeSize, b.Block)
	}
	switch packer {
	case 0:
		return step{name: "bitshuffle", same: b.Unshuffle}, nil
	case 2:
		b.Packer = "lz4"
	case 3:
		b.Packer = "zstd"
	default:
		return step{}, fmt.Errorf("blocks packed by method %d", packer)
	}
	return step{name: "bitshuffle-" + b.Packer, unpack: b.Unpack}, nil
}

// fletcher verifies the checksum. Files of before HDF5 1.6.3 hold it with the bytes of both halves
// exchanged.
func fletcher(src []byte) ([]byte, error) {
	p, err := codec.TrailingSum(src, codec.Fletcher32)
	if err == nil {
		return p, nil
	}
	old := func(p []byte) uint32 {
		s := codec.Fletcher32(p)
		return s>>8&0x00ff00ff | s&0x00ff00ff<<8
	}
	if p, no := codec.TrailingSum(src, old); no == nil {
		return p, nil
	}
	return nil, err
}

// codecName is how the voxels are packed, for people.
func (d *dataset) codecName() string {
	var names []string
	for _, f := range d.filters {
		names = append(names, f.step.name)
	}
	if len(names) == 0 {
		return "raw"
	}
	return strings.Join(names, "+")
}

var errSize = errors.New("is not the size of a chunk")

// roomFor is the most that may come out of a step whose result is packed itself.
func roomFor(n int) int { return 2*n + 64<<10 }

// unpack undoes the filters of a chunk, the last one first, and fills dst. src may be changed.
func (d *dataset) unpack(dst, src []byte, mask uint32) error {
	// How long the data were before each filter is known up to the first one that compresses.
	before := make([]int, len(d.filters))
	n := len(dst)
	for i, f := range d.filters {
		before[i] = n
		switch left := mask>>i&1 != 0; {
		case left || n < 0 || f.step.same != nil:
		case f.step.sum != nil:
			n += 4
		default:
			n = -1
		}
	}
	spare := [2]*[]byte{buffers.Get().(*[]byte), buffers.Get().(*[]byte)}
	defer buffers.Put(spare[0])
	defer buffers.Put(spare[1])
	turn := 0
	for i := len(d.filters) - 1; i >= 0; i-- {
		f := d.filters[i].step
		if mask>>i&1 != 0 {
			continue
		}
		var err error
		if f.sum != nil {
			if src, err = f.sum(src); err != nil {
				return err
			}
			continue
		}
		want := before[i]
		if want < 0 {
			want = roomFor(len(dst))
		}
		if f.same != nil {
			want = len(src)
		}
		to := dst
		if i > 0 || want != len(dst) {
			to = sized(spare[turn], want)
			turn = 1 - turn
		}
		got := len(to)
		if f.same != nil {
			err = f.same(to, src)
		} else {
			got, err = f.unpack(to, src)
		}
		switch {
		case errors.Is(err, codec.ErrLong):
			return fmt.Errorf("%w: it %w", err, errSize)
		case err != nil:
			return err
		case before[i] >= 0 && got != before[i]:
			return fmt.Errorf("%s gives %d bytes instead of %d, which %w", f.name, got, before[i], errSize)
		}
		src = to[:got]
	}
	if len(src) != len(dst) {
		return fmt.Errorf("%d bytes instead of %d: %w", len(src), len(dst), errSize)
	}
	if len(dst) > 0 && &src[0] != &dst[0] {
		copy(dst, src)
	}
	return nil
}

// buffers recycles the memory between steps and of chunks that have to be put in order.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// sized is the first n bytes of a buffer that is made larger when it is too short.
func sized(p *[]byte, n int) []byte {
	if cap(*p) < n {
		*p = make([]byte, n)
	}
	return (*p)[:n]
}
