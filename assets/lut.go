package assets

import "slices"

// A Table is a LUT: the colours from the lower contrast limit (0) to the upper one (255), as red,
// green and blue.
type Table [256][3]uint8

// tables are the LUTs in the order in which the window lists them. Where ImageJ has a table of
// the same kind its name is used.
var tables = []struct {
	name  string
	table Table
}{
	{"Grays", Ramp([3]uint8{255, 255, 255})},
	{"Red", Ramp([3]uint8{255, 0, 0})},
	{"Green", Ramp([3]uint8{0, 255, 0})},
	{"Blue", Ramp([3]uint8{0, 0, 255})},
	{"Cyan", Ramp([3]uint8{0, 255, 255})},
	{"Magenta", Ramp([3]uint8{255, 0, 255})},
	{"Yellow", Ramp([3]uint8{255, 255, 0})},
	{"Fire", through(fire)},
	{"Ice", through(ice)},
	{"viridis", through(viridis)},
	{"magma", through(magma)},
	{"inferno", through(inferno)},
	{"turbo", through(turbo)},
	{"Blue/Orange", through(blueOrange)},
	{"Glasbey", labels()},
}

// Names lists every LUT, in the order in which a menu shows them.
func Names() []string {
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = t.name
	}
	return names
}

// Lookup is the LUT of that name, spelled as in Names.
func Lookup(name string) (*Table, bool) {
	for i := range tables {
		if tables[i].name == name {
			return &tables[i].table, true
		}
	}
	return nil, false
}

// Ramp is the LUT from black to a colour.
func Ramp(c [3]uint8) Table {
	var t Table
	for i := range t {
		for k := range 3 {
			t[i][k] = uint8((i*int(c[k]) + 127) / 255)
		}
	}
	return t
}

// Palette makes a table of a file's own colours; the last one goes on to the end.
func Palette(colors [][3]uint8) Table {
	var t Table
	if len(colors) == 0 {
		return Ramp([3]uint8{255, 255, 255})
	}
	n := copy(t[:], colors)
	for i := n; i < len(t); i++ {
		t[i] = colors[n-1]
	}
	return t
}

// Mirrored is t from its last colour down to its first one in the middle, and up again: how far a value is from the middle of
// the limits.
func (t Table) Mirrored() Table {
	var m Table
	for i := range m {
		m[i] = t[max(2*i-255, 255-2*i)]
	}
	return m
}

// Inverted is the table read from its end.
func (t Table) Inverted() Table {
	slices.Reverse(t[:])
	return t
}

// through is the table that runs evenly and straight through some colours.
func through(points [][3]uint8) Table {
	var t Table
	for i := range t {
		at := float64(i) * float64(len(points)-1) / 255
		k := min(int(at), len(points)-2)
		f := at - float64(k)
		for c := range 3 {
			t[i][c] = uint8((1-f)*float64(points[k][c]) + f*float64(points[k+1][c]) + 0.5)
		}
	}
	return t
}

// blueOrange tells what is less than the middle of the limits from what is more, to all eyes: both ends are about as bright.
var blueOrange = [][3]uint8{{90, 175, 255}, {0, 0, 0}, {255, 150, 40}}
