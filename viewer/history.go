package viewer

// A history holds the States that undo and redo go to. Only what a person made of the picture
// counts: where they look at it from stays as it is. It is a value.
type history struct {
	past, future []made
	open         bool // the newest change is a gesture that still goes on
}

// longest is how many steps can be undone.
const longest = 200

// did notes a change. Changes of one gesture are one step.
func (h history) did(before, after made, gesture bool) history {
	if before.equal(after) {
		return h
	}
	if !(gesture && h.open) {
		past := h.past[max(0, len(h.past)-longest+1):]
		h.past = append(past[:len(past):len(past)], before)
	}
	h.future, h.open = nil, gesture
	return h
}

// undo gives what was before the newest step.
func (h history) undo(now made) (made, history, bool) {
	n := len(h.past)
	if n == 0 {
		return now, h, false
	}
	was := h.past[n-1]
	return was, history{h.past[:n-1], append(h.future[:len(h.future):len(h.future)], now), false}, true
}

// redo gives what the newest undo took back.
func (h history) redo(now made) (made, history, bool) {
	n := len(h.future)
	if n == 0 {
		return now, h, false
	}
	will := h.future[n-1]
	return will, history{append(h.past[:len(h.past):len(h.past)], now), h.future[:n-1], false}, true
}
