package hdf5

import (
	"hash/maphash"
	"sync/atomic"
)

// A cache keeps the headers of some datasets of a stack: each path has one slot, which the newest takes.
type cache struct {
	slots [128]atomic.Pointer[opened]
}

type opened struct {
	path string
	d    *dataset
}

var seed = maphash.MakeSeed()

// get is the dataset of a path, read again if it was not kept.
func (c *cache) get(path string, read func() (*dataset, error)) (*dataset, error) {
	slot := &c.slots[maphash.String(seed, path)%uint64(len(c.slots))]
	if k := slot.Load(); k != nil && k.path == path {
		return k.d, nil
	}
	d, err := read()
	if err == nil {
		slot.Store(&opened{path, d})
	}
	return d, err
}

// like refuses a dataset that cannot stand beside the first one of a stack: one of another type, or that
// does not reach as far as size. Its chunks may differ.
func (d *dataset) like(first *dataset, size []int64) error {
	e, other := d.element, first.element
	if e.dtype != other.dtype {
		return damaged("its voxels are %v, those of the first dataset %v", e.dtype, other.dtype)
	}
	if len(d.dims) != len(size) {
		return damaged("it has %d dimensions, %d are needed", len(d.dims), len(size))
	}
	for i, n := range size {
		if d.dims[i] < n {
			return damaged("its shape is %v, %v is needed", d.dims, size)
		}
	}
	return nil
}
