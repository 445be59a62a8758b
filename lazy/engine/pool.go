package engine

import (
	"context"

	"lamella/lazy"
)

// A pool keeps the memory of blocks that nobody can see any more for the next blocks of the same size.
// Fresh memory is slow: the system hands it out page by page, at the first touch. Blocks that were handed
// to a caller are never in it. It is guarded by the engine's lock, and what it holds counts as used.
type pool struct {
	free  map[int][][]uint64 // by length in words
	bytes int64
}

func (p *pool) init() { p.free = map[int][][]uint64{} }

func (p *pool) put(memory []uint64) {
	p.free[len(memory)] = append(p.free[len(memory)], memory)
	p.bytes += 8 * int64(len(memory))
}

func (p *pool) take(words int) []uint64 {
	list := p.free[words]
	if len(list) == 0 {
		return nil
	}
	m := list[len(list)-1]
	list[len(list)-1] = nil
	p.free[words] = list[:len(list)-1]
	p.bytes -= 8 * int64(words)
	return m
}

// shrink gives memory back to the collector until the pool holds at most so many bytes.
func (p *pool) shrink(bytes int64) {
	if p.bytes <= bytes {
		return
	}
	for words, list := range p.free {
		for len(list) > 0 && p.bytes > bytes {
			list[len(list)-1] = nil
			list = list[:len(list)-1]
			p.bytes -= 8 * int64(words)
		}
		p.free[words] = list
	}
}

// block makes a block whose memory is reserved. It may hold anything.
func (e *Engine) block(ctx context.Context, r lazy.Region, d lazy.DType) *lazy.Block {
	e.mu.Lock()
	words := lazy.Words(r, d)
	memory := e.pool.take(words)
	if memory == nil && 8*words >= worthRenewing {
		memory = e.renewed(words)
	}
	if memory == nil {
		e.peaks(e.used())
	}
	e.mu.Unlock()
	if memory == nil {
		memory = e.touched(ctx, words)
	}
	return lazy.NewBlockIn(memory, r, d)
}

// worthRenewing is from how many bytes on memory is worth a look at what could be made over.
const worthRenewing = 32 << 10

// touched is fresh memory of which every page was touched, unless ctx ended meanwhile. How long that takes is noted.
func (e *Engine) touched(ctx context.Context, words int) []uint64 {
	began := e.now()
	memory := fresh(words)
	for i := 0; i < words; i += page {
		if memory[i] = 0; i%worthALook == 0 && ctx.Err() != nil {
			return memory
		}
	}
	if took := e.now().Sub(began); 8*words >= worthRenewing {
		e.mu.Lock()
		e.touch = e.touch.with(float64(took) / float64(8*words))
		e.mu.Unlock()
	}
	return memory
}

// page is the words of the smallest piece in which systems hand out memory.
const page = 4096 / 8

// worthALook is after how many words, some milliseconds' worth, touching looks whether it is still wanted.
const worthALook = 512 * page

// recycle takes back blocks that nobody sees any more.
func (e *Engine) recycle(blocks ...*lazy.Block) {
	var memory [][]uint64
	for _, b := range blocks {
		memory = append(memory, b.Memory())
	}
	e.keep(memory)
}

// keep puts memory into the pool, as far as there is room beside what is in use.
func (e *Engine) keep(memory [][]uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, m := range memory {
		e.pool.put(m)
	}
	e.pool.shrink(e.budget - e.reserved - e.cache.bytes)
}
