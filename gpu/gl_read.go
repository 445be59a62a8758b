//go:build cgo && !headless && !darwin

package gpu

import (
	"slices"

	"github.com/go-gl/gl/v4.3-core/gl"
)

// startReading gives the driver the copy of a block into memory that can be mapped.
func (d *Device) startReading(rd *reading) error {
	if err := d.step("read"); err != nil {
		return err
	}
	if rd.from.id == 0 { // let go of meanwhile, as when an engine is closed
		return ErrClosed
	}
	rd.staging = allocate(rd.from.bytes, gl.STREAM_READ)
	if err := d.failure("reading a block back"); err != nil {
		gl.DeleteBuffers(1, &rd.staging)
		return err
	}
	gl.BindBuffer(gl.COPY_READ_BUFFER, rd.from.id)
	end := d.clock(carryingBack, rd.from.bytes)
	gl.CopyBufferSubData(gl.COPY_READ_BUFFER, gl.COPY_WRITE_BUFFER, 0, 0, wholeWords(rd.from.bytes))
	end()
	rd.fence = gl.FenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
	gl.Flush()
	d.reads = append(d.reads, rd)
	return nil
}

// waiting reports whether the driver has still to say that a copy is done.
func (d *Device) waiting() bool {
	return slices.ContainsFunc(d.reads, func(rd *reading) bool { return rd.fence != 0 })
}

// pollReads maps what has arrived. It waits at most so many ns for the first.
func (d *Device) pollReads(wait uint64) {
	for _, rd := range d.reads {
		if rd.fence == 0 {
			continue
		}
		switch gl.ClientWaitSync(rd.fence, gl.SYNC_FLUSH_COMMANDS_BIT, wait) {
		case gl.TIMEOUT_EXPIRED:
			return // the driver works in order
		case gl.WAIT_FAILED:
			d.endFence(rd)
			rd.mapped <- d.failureOr(ErrLost)
			continue
		}
		d.endFence(rd)
		rd.mapped <- d.mapReading(rd)
		wait = 0
	}
}

func (d *Device) endFence(rd *reading) {
	gl.DeleteSync(rd.fence)
	rd.fence = 0
}

func (d *Device) failureOr(otherwise error) error {
	if err := d.failure("reading a block back"); err != nil {
		return err
	}
	return otherwise
}

func (d *Device) mapReading(rd *reading) error {
	gl.BindBuffer(gl.COPY_READ_BUFFER, rd.staging)
	rd.at = gl.MapBufferRange(gl.COPY_READ_BUFFER, 0, rd.from.bytes, gl.MAP_READ_BIT)
	if err := d.failure("reading a block back"); err != nil {
		return err
	}
	if rd.at == nil {
		return ErrLost
	}
	return nil
}

// tidy deletes what nobody needs any more, and notes what was measured.
func (d *Device) tidy() {
	d.mu.Lock()
	freed := d.freed
	d.freed = nil
	d.mu.Unlock()
	for _, b := range freed {
		if b.id != 0 {
			gl.DeleteBuffers(1, &b.id)
			b.id = 0
		}
	}
	d.reads = slices.DeleteFunc(d.reads, func(rd *reading) bool {
		if !rd.left() {
			return false
		}
		d.endReading(rd)
		return true
	})
	d.timers = slices.DeleteFunc(d.timers, func(t timer) bool { return t.noted(d) })
}

// endReading deletes the memory that a reader has looked at, or will not.
func (d *Device) endReading(rd *reading) {
	if rd.fence != 0 {
		d.endFence(rd)
	}
	gl.DeleteBuffers(1, &rd.staging) // unmaps it too
}

// endReads lets those who wait know that the device is closed, and waits for those who copy.
func (d *Device) endReads() {
	for _, rd := range d.reads {
		if rd.fence != 0 {
			rd.mapped <- ErrClosed
		}
		<-rd.over
		d.endReading(rd)
	}
}

// A timer asks the driver how long some commands took.
type timer struct {
	query  uint32
	what   string
	amount int
}

// mostTimers is how many may be under way; what comes beyond is not measured.
const mostTimers = 32

// clock measures the commands until the function that it gives is called.
func (d *Device) clock(what string, amount int) (end func()) {
	if len(d.timers) >= mostTimers {
		return func() {}
	}
	t := timer{what: what, amount: amount}
	gl.GenQueries(1, &t.query)
	gl.BeginQuery(gl.TIME_ELAPSED, t.query)
	return func() {
		gl.EndQuery(gl.TIME_ELAPSED)
		d.timers = append(d.timers, t)
	}
}

// noted reports whether the driver has answered.
func (t *timer) noted(d *Device) bool {
	var ready uint32
	gl.GetQueryObjectuiv(t.query, gl.QUERY_RESULT_AVAILABLE, &ready)
	if ready == gl.FALSE {
		return false
	}
	var ns uint64
	gl.GetQueryObjectui64v(t.query, gl.QUERY_RESULT, &ns)
	gl.DeleteQueries(1, &t.query)
	d.took(t.what, t.amount, float64(ns))
	return true
}
