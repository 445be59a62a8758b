package nifti

import (
	"lamella/lazy"
	"lamella/loaders"
)

// said is what the header says, by the names of nifti1.h, nifti2.h and dbh.h.
func (h *header) said(head []byte) []lazy.Entry {
	var e loaders.Entries
	e.AddFields(head, h.order, fields[h.format])
	return e.List()
}

var fields = map[string]string{
	"nifti1": `
0 i4 sizeof_hdr
4 text*10 data_type
14 text*18 db_name
39 u1 dim_info
40 i2*8 dim
56 f4 intent_p1
60 f4 intent_p2
64 f4 intent_p3
68 i2 intent_code
70 i2 datatype
72 i2 bitpix
74 i2 slice_start
76 f4*8 pixdim
108 f4 vox_offset
112 f4 scl_slope
116 f4 scl_inter
120 i2 slice_end
122 u1 slice_code
123 u1 xyzt_units
124 f4 cal_max
128 f4 cal_min
132 f4 slice_duration
136 f4 toffset
148 text*80 descrip
228 text*24 aux_file
252 i2 qform_code
254 i2 sform_code
256 f4*3 quatern_b, c, d
268 f4*3 qoffset_x, y, z
280 f4*4 srow_x
296 f4*4 srow_y
312 f4*4 srow_z
328 text*16 intent_name
344 text*4 magic
`,
	"nifti2": `
0 i4 sizeof_hdr
4 text*3 magic
12 i2 datatype
14 i2 bitpix
16 i8*8 dim
80 f8 intent_p1
88 f8 intent_p2
96 f8 intent_p3
104 f8*8 pixdim
168 i8 vox_offset
176 f8 scl_slope
184 f8 scl_inter
192 f8 cal_max
200 f8 cal_min
208 f8 slice_duration
216 f8 toffset
224 i8 slice_start
232 i8 slice_end
240 text*80 descrip
320 text*24 aux_file
344 i4 qform_code
348 i4 sform_code
352 f8*3 quatern_b, c, d
376 f8*3 qoffset_x, y, z
400 f8*4 srow_x
432 f8*4 srow_y
464 f8*4 srow_z
496 i4 slice_code
500 i4 xyzt_units
504 i4 intent_code
508 text*16 intent_name
524 u1 dim_info
`,
	"analyze": `
0 i4 sizeof_hdr
4 text*10 data_type
14 text*18 db_name
40 i2*8 dim
56 text*4 vox_units
60 text*8 cal_units
70 i2 datatype
72 i2 bitpix
76 f4*8 pixdim
108 f4 vox_offset
112 f4 funused1
116 f4 funused2
120 f4 funused3
124 f4 cal_max
128 f4 cal_min
132 f4 compressed
136 f4 verified
140 i4 glmax
144 i4 glmin
148 text*80 descrip
228 text*24 aux_file
252 u1 orient
263 text*10 generated
273 text*10 scannum
283 text*10 patient_id
293 text*10 exp_date
303 text*10 exp_time
`,
}
