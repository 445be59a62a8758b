package store

import (
	"container/list"
	"sync"
)

// recentBytes is what all objects of the web keep in memory together: enough that the small things that lie beside each other in a
// file, and a shard's index, come once.
const recentBytes = 96 << 20

var recents = keep{limit: recentBytes, places: map[spot]*list.Element{}}

// A keep holds the blocks that were used last.
type keep struct {
	limit int64

	mu     sync.Mutex
	used   int64
	order  list.List // of held, oldest first
	places map[spot]*list.Element
}

// A spot is the place of a block.
type spot struct {
	of *object
	n  int64
}

type held struct {
	spot
	data []byte
}

// get is a block, nil if it is not held.
func (k *keep) get(o *object, n int64) []byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	e := k.places[spot{o, n}]
	if e == nil {
		return nil
	}
	k.order.MoveToBack(e)
	return e.Value.(held).data
}

// add takes a block, which must not change any more, and lets the oldest go for it.
func (k *keep) add(o *object, n int64, data []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if e := k.places[spot{o, n}]; e != nil {
		k.remove(e)
	}
	for k.used+int64(len(data)) > k.limit && k.order.Len() > 0 {
		k.remove(k.order.Front())
	}
	k.places[spot{o, n}] = k.order.PushBack(held{spot{o, n}, data})
	k.used += int64(len(data))
}

// drop lets go what is held of a store.
func (k *keep) drop(w *web) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for e := k.order.Front(); e != nil; {
		next := e.Next()
		if e.Value.(held).of.web == w {
			k.remove(e)
		}
		e = next
	}
}

func (k *keep) remove(e *list.Element) {
	h := k.order.Remove(e).(held)
	delete(k.places, h.spot)
	k.used -= int64(len(h.data))
}
