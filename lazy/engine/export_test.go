package engine

import "time"

// SetClock makes the engine measure with another clock.
func (e *Engine) SetClock(now func() time.Time) { e.now = now }
