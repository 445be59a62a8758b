package mrc

import (
	"fmt"

	"lamella/lazy"
	"lamella/loaders"
)

// said is what the main header says, by the names of MRC2014: its words, what the extended header is, and the labels.
func (h *header) said(head []byte) []lazy.Entry {
	var e loaders.Entries
	e.AddFields(head, h.order, fields)
	if h.ext > 0 {
		kind := string(head[104:108])
		if what := extensions[kind]; what != "" {
			kind += " (" + what + ")"
		}
		e.Add("EXTTYP", kind)
		e.Add("NVERSION", fmt.Sprint(int32(h.order.Uint32(head[108:]))))
	}
	e.Add("MACHST", fmt.Sprintf("% x", head[212:216]))
	if h.stamp == imodStamp {
		e.Add("imodFlags", fmt.Sprint(h.flags))
	}
	for i := range 10 {
		e.AddFields(head, h.order, []loaders.Field{{Name: fmt.Sprintf("LABEL[%d]", i), At: 224 + 80*i, Kind: "text", Count: 80}})
	}
	return e.List()
}

// extensions are the kinds of extended headers that MRC2014 registers (table 3).
var extensions = map[string]string{
	"CCP4": "symmetry operators", "MRCO": "MRC", "SERI": "SerialEM", "AGAR": "Agard", "FEI1": "Thermo Fisher, version 1",
	"FEI2": "Thermo Fisher, version 2", "HDF5": "HDF5",
}

var fields = []loaders.Field{
	{"NX, NY, NZ", 0, "i4", 3}, {"MODE", 12, "i4", 1}, {"NXSTART, NYSTART, NZSTART", 16, "i4", 3}, {"MX, MY, MZ", 28, "i4", 3},
	{"CELLA", 40, "f4", 3}, {"CELLB", 52, "f4", 3}, {"MAPC, MAPR, MAPS", 64, "i4", 3}, {"DMIN", 76, "f4", 1}, {"DMAX", 80, "f4", 1},
	{"DMEAN", 84, "f4", 1}, {"ISPG", 88, "i4", 1}, {"NSYMBT", 92, "i4", 1}, {"ORIGIN", 196, "f4", 3}, {"RMS", 216, "f4", 1}, {"NLABL", 220, "i4", 1},
}
