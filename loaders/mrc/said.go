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
		e.AddFields(head, h.order, fmt.Sprintf("%d text*80 LABEL[%d]", 224+80*i, i))
	}
	return e.List()
}

// extensions are the kinds of extended headers that MRC2014 registers (table 3).
var extensions = map[string]string{
	"CCP4": "symmetry operators", "MRCO": "MRC", "SERI": "SerialEM", "AGAR": "Agard", "FEI1": "Thermo Fisher, version 1",
	"FEI2": "Thermo Fisher, version 2", "HDF5": "HDF5",
}

const fields = `
0 i4*3 NX, NY, NZ
12 i4 MODE
16 i4*3 NXSTART, NYSTART, NZSTART
28 i4*3 MX, MY, MZ
40 f4*3 CELLA
52 f4*3 CELLB
64 i4*3 MAPC, MAPR, MAPS
76 f4 DMIN
80 f4 DMAX
84 f4 DMEAN
88 i4 ISPG
92 i4 NSYMBT
196 f4*3 ORIGIN
216 f4 RMS
220 i4 NLABL
`
