package gpu

import (
	"fmt"

	"lamella/lazy"
)

// costs are what the device was measured to take, as running means that follow what is newest.
type costs struct {
	ops      map[string]mean // ns a voxel
	up, back mean            // ns a byte
}

// A mean forgets: each value weighs a quarter, so that a busy moment does not count for long.
type mean struct {
	value float64
	known bool
}

func (m *mean) add(v float64) {
	if m.known {
		v = m.value + (v-m.value)/4
	}
	m.value, m.known = v, true
}

// costName is what ops have in common that are thought to cost the same a voxel: a radius that is dragged
// must not make everything unknown.
func costName(n *lazy.Node) string { return fmt.Sprint(n.Op.Name(), " ", n.Meta.DType) }

// Price implements engine.Pricer: the time that the op of n took for a voxel when it last ran, in ns, and
// whether it ever has.
func (d *Device) Price(n *lazy.Node) (ns float64, known bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	m := d.costs.ops[costName(n)]
	return m.value, m.known
}

// Carriage implements engine.Pricer: the time that a byte takes to the device and back from it, in ns; 0 as
// long as it is not known.
func (d *Device) Carriage() (up, back float64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.costs.up.value, d.costs.back.value
}

// took notes what was measured.
func (d *Device) took(what string, amount int, ns float64) {
	if amount <= 0 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	per := ns / float64(amount)
	switch what {
	case carryingUp:
		d.costs.up.add(per)
	case carryingBack:
		d.costs.back.add(per)
	default:
		m := d.costs.ops[what]
		m.add(per)
		d.costs.ops[what] = m
	}
}

// What is measured besides ops, whose names end in a type.
const (
	carryingUp   = "up"
	carryingBack = "back"
)
