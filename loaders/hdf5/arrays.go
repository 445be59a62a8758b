package hdf5

import (
	"context"
	"math/bits"
)

// fixedArray is the index of a dataset that cannot grow without end (appendix C, "fixed array index"): a header, and
// one block of an entry for each chunk, in pages with a checksum each when it is large.
type fixedArray struct {
	d  *dataset
	at uint64
}

func (x *fixedArray) find(ctx context.Context, cell []uint64) (stored, error) {
	if x.at == undefined {
		return absent, nil
	}
	f := x.d.f
	c, err := f.kept(x.at, func() (*cursor, error) { return f.body(ctx, x.at, 12+f.lengths+f.offsets, "FAHD", true) })
	if err != nil {
		return absent, err
	}
	c.skip(4)
	c.version(0, "a fixed array")
	filtered := c.u8() == 1
	each, pageBits := c.u8(), c.u8()
	entries := c.length()
	block := c.offset()
	if err := f.checkEntry(c, each, filtered); err != nil {
		return absent, err
	}
	i, ok := x.d.number(cell)
	if !ok || i >= entries {
		return absent, damaged("chunk %d in an index of %d", i, entries)
	}
	if block == undefined {
		return absent, nil
	}
	if pageBits > 24 || entries > 1<<50 {
		return absent, damaged("a fixed array of %d entries in pages of 2^%d", entries, pageBits)
	}
	// Block: FADB, version, type, address of the header; then the entries and a checksum, or which pages
	// are in use, a checksum, and the pages.
	front := 6 + f.offsets
	page := uint64(1) << pageBits
	if entries <= page {
		c, err := f.kept(block, func() (*cursor, error) {
			return f.body(ctx, block, front+int(entries)*each+4, "FADB", true)
		})
		if err != nil {
			return absent, err
		}
		c.skip(front + int(i)*each)
		return f.entry(c, each, x.d)
	}
	pages := (entries-1)/page + 1
	used := (pages + 7) / 8
	if used > maxPiece/2 {
		return absent, damaged("a fixed array of %d entries", entries)
	}
	c, err = f.kept(block, func() (*cursor, error) { return f.body(ctx, block, front+int(used)+4, "FADB", true) })
	if err != nil {
		return absent, err
	}
	c.skip(front)
	k := i / page
	if use := c.bytes(int(used)); c.err != nil || !bit(use, k) {
		return absent, c.err
	}
	n := min(page, entries-k*page)
	at := block + uint64(front) + used + 4 + k*(page*uint64(each)+4)
	return x.d.fromPage(ctx, at, int(n), int(i%page), each)
}

// bit is the i-th, the highest of each byte first.
func bit(p []byte, i uint64) bool { return i/8 < uint64(len(p)) && p[i/8]&(0x80>>(i%8)) != 0 }

// checkEntry holds the size of an entry against what it has to hold.
func (f *file) checkEntry(c *cursor, each int, filtered bool) error {
	if ok := each == f.offsets && !filtered || filtered && each >= f.offsets+5 && each <= f.offsets+12; c.err == nil && !ok {
		c.fail("an array of entries of %d bytes", each)
	}
	return c.err
}

// fromPage reads entry i of a page of n entries and a checksum.
func (d *dataset) fromPage(ctx context.Context, at uint64, n, i, each int) (stored, error) {
	f := d.f
	c, err := f.kept(at, func() (*cursor, error) {
		p, err := f.fetch(ctx, at, n*each+4)
		if err != nil {
			return nil, err
		}
		return f.verified(p, at, "", true)
	})
	if err != nil {
		return absent, err
	}
	c.skip(i * each)
	return f.entry(c, each, d)
}

// extensibleArray is the index of a dataset that grows along one dimension (appendix C, "extensible array
// index"): entries lie in an index block, then in data blocks, of which later
// ones are found through super blocks. Super block u stands for 2^(u/2) data blocks of 2^((u+1)/2) times
// the least number of entries.
type extensibleArray struct {
	d     *dataset
	at    uint64
	grows int
}

// An extent is the header EAHD: version, type, and the numbers that the sizes of all blocks follow from.
type extent struct {
	each, maxBits, inIndex, least, leastPointers, pageBits int
	index                                                  uint64
}

func (x *extensibleArray) header(ctx context.Context) (extent, error) {
	f := x.d.f
	c, err := f.kept(x.at, func() (*cursor, error) { return f.body(ctx, x.at, 16+6*f.lengths+f.offsets, "EAHD", true) })
	if err != nil {
		return extent{}, err
	}
	c.skip(4)
	c.version(0, "an extensible array")
	filtered := c.u8() == 1
	e := extent{each: c.u8(), maxBits: c.u8(), inIndex: c.u8(), least: c.u8(), leastPointers: c.u8(), pageBits: c.u8()}
	c.skip(6 * f.lengths)
	e.index = c.offset()
	if c.err == nil && (!power(uint64(e.least)) || !power(uint64(e.leastPointers)) || e.maxBits > 62 || e.pageBits > 24 || e.leastPointers < 2) {
		c.fail("an extensible array of blocks of %d entries and %d pointers", e.least, e.leastPointers)
	}
	return e, f.checkEntry(c, e.each, filtered)
}

// supers is how many super blocks are listed: those whose data blocks the index block lists itself, and
// all of them.
func (e extent) supers() (listed, all int) {
	return 2 * (bits.Len(uint(e.leastPointers)) - 1), 1 + e.maxBits - (bits.Len(uint(e.least)) - 1)
}

// number counts chunks like dataset.number, with the dimension that grows slowest.
func (x *extensibleArray) number(cell []uint64) (uint64, bool) {
	n := cell[x.grows]
	for i, k := range cell {
		if i == x.grows {
			continue
		}
		if k >= x.d.grid[i] || n > 1<<60/x.d.grid[i] {
			return 0, false
		}
		n = n*x.d.grid[i] + k
	}
	return n, true
}

func (x *extensibleArray) find(ctx context.Context, cell []uint64) (stored, error) {
	if x.at == undefined {
		return absent, nil
	}
	f := x.d.f
	e, err := x.header(ctx)
	if err != nil || e.index == undefined {
		return absent, err
	}
	i, ok := x.number(cell)
	listed, all := e.supers()
	if !ok || all < listed || i>>min(63, e.maxBits) != 0 {
		return absent, damaged("chunk %d in an extensible array of 2^%d", i, e.maxBits)
	}
	// Index block: EAIB, version, type, address of the header, entries, addresses of data blocks, of
	// super blocks, checksum.
	front := 6 + f.offsets
	blocks := 2 * (e.leastPointers - 1)
	size := front + e.inIndex*e.each + (blocks+all-listed)*f.offsets + 4
	c, err := f.kept(e.index, func() (*cursor, error) { return f.body(ctx, e.index, size, "EAIB", true) })
	if err != nil {
		return absent, err
	}
	c.skip(front)
	if i < uint64(e.inIndex) {
		c.skip(int(i) * e.each)
		return f.entry(c, e.each, x.d)
	}
	c.skip(e.inIndex * e.each)
	i -= uint64(e.inIndex)
	super := bits.Len64(i/uint64(e.least)+1) - 1
	i -= (1<<super - 1) * uint64(e.least)
	if super >= all {
		return absent, damaged("super block %d of %d in an extensible array", super, all)
	}
	n := uint64(e.least) << ((super + 1) / 2) // entries of a data block
	block := i / n
	if super < listed {
		first := 0
		for u := range super {
			first += 1 << (u / 2)
		}
		c.skip((first + int(block)) * f.offsets)
		at := c.offset()
		if c.err != nil || at == undefined {
			return absent, c.err
		}
		return x.data(ctx, e, at, n, i%n, nil)
	}
	c.skip((blocks + super - listed) * f.offsets)
	at := c.offset()
	if c.err != nil || at == undefined {
		return absent, c.err
	}
	return x.super(ctx, e, at, super, n, i)
}

// super reads a super block: EASB, version, type, address of the header, its place, which pages of its
// data blocks are in use, the addresses of these, checksum.
func (x *extensibleArray) super(ctx context.Context, e extent, at uint64, super int, n, i uint64) (stored, error) {
	f := x.d.f
	blocks := 1 << (super / 2)
	front := 6 + f.offsets + (e.maxBits+7)/8
	each := 0 // bytes of the pages of a data block
	pages := n >> e.pageBits
	if n > 1<<e.pageBits {
		each = int(pages+7) / 8
	}
	if super > 50 || blocks*(each+f.offsets) > maxPiece {
		return absent, damaged("super block %d of an extensible array", super)
	}
	c, err := f.kept(at, func() (*cursor, error) {
		return f.body(ctx, at, front+blocks*(each+f.offsets)+4, "EASB", true)
	})
	if err != nil {
		return absent, err
	}
	c.skip(front)
	use := c.bytes(blocks * each)
	block := i / n
	c.skip(int(block) * f.offsets)
	data := c.offset()
	if c.err != nil || data == undefined {
		return absent, c.err
	}
	if each > 0 && !bit(use, block*pages+i%n>>e.pageBits) {
		return absent, nil
	}
	return x.data(ctx, e, data, n, i%n, use)
}

// data reads entry i of a data block of n: EADB, version, type, address of the header, its place, and
// then the entries and a checksum, or a checksum and pages.
func (x *extensibleArray) data(ctx context.Context, e extent, at, n, i uint64, use []byte) (stored, error) {
	f := x.d.f
	front := 6 + f.offsets + (e.maxBits+7)/8
	if page := uint64(1) << e.pageBits; n > page && len(use) > 0 {
		first := at + uint64(front) + 4
		return x.d.fromPage(ctx, first+i/page*(page*uint64(e.each)+4), int(page), int(i%page), e.each)
	}
	if n > maxPiece/16 {
		return absent, damaged("a block of %d entries in an extensible array", n)
	}
	c, err := f.kept(at, func() (*cursor, error) { return f.body(ctx, at, front+int(n)*e.each+4, "EADB", true) })
	if err != nil {
		return absent, err
	}
	c.skip(front + int(i)*e.each)
	return f.entry(c, e.each, x.d)
}
