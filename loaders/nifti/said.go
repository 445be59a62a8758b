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

var fields = map[string][]loaders.Field{
	"nifti1": {
		{"sizeof_hdr", 0, "i4", 1}, {"data_type", 4, "text", 10}, {"db_name", 14, "text", 18}, {"dim_info", 39, "u1", 1}, {"dim", 40, "i2", 8},
		{"intent_p1", 56, "f4", 1}, {"intent_p2", 60, "f4", 1}, {"intent_p3", 64, "f4", 1}, {"intent_code", 68, "i2", 1}, {"datatype", 70, "i2", 1},
		{"bitpix", 72, "i2", 1}, {"slice_start", 74, "i2", 1}, {"pixdim", 76, "f4", 8}, {"vox_offset", 108, "f4", 1}, {"scl_slope", 112, "f4", 1},
		{"scl_inter", 116, "f4", 1}, {"slice_end", 120, "i2", 1}, {"slice_code", 122, "u1", 1}, {"xyzt_units", 123, "u1", 1}, {"cal_max", 124, "f4", 1},
		{"cal_min", 128, "f4", 1}, {"slice_duration", 132, "f4", 1}, {"toffset", 136, "f4", 1}, {"descrip", 148, "text", 80}, {"aux_file", 228, "text", 24},
		{"qform_code", 252, "i2", 1}, {"sform_code", 254, "i2", 1}, {"quatern_b, c, d", 256, "f4", 3}, {"qoffset_x, y, z", 268, "f4", 3},
		{"srow_x", 280, "f4", 4}, {"srow_y", 296, "f4", 4}, {"srow_z", 312, "f4", 4}, {"intent_name", 328, "text", 16}, {"magic", 344, "text", 4},
	},
	"nifti2": {
		{"sizeof_hdr", 0, "i4", 1}, {"magic", 4, "text", 3}, {"datatype", 12, "i2", 1}, {"bitpix", 14, "i2", 1}, {"dim", 16, "i8", 8},
		{"intent_p1", 80, "f8", 1}, {"intent_p2", 88, "f8", 1}, {"intent_p3", 96, "f8", 1}, {"pixdim", 104, "f8", 8}, {"vox_offset", 168, "i8", 1},
		{"scl_slope", 176, "f8", 1}, {"scl_inter", 184, "f8", 1}, {"cal_max", 192, "f8", 1}, {"cal_min", 200, "f8", 1}, {"slice_duration", 208, "f8", 1},
		{"toffset", 216, "f8", 1}, {"slice_start", 224, "i8", 1}, {"slice_end", 232, "i8", 1}, {"descrip", 240, "text", 80}, {"aux_file", 320, "text", 24},
		{"qform_code", 344, "i4", 1}, {"sform_code", 348, "i4", 1}, {"quatern_b, c, d", 352, "f8", 3}, {"qoffset_x, y, z", 376, "f8", 3},
		{"srow_x", 400, "f8", 4}, {"srow_y", 432, "f8", 4}, {"srow_z", 464, "f8", 4}, {"slice_code", 496, "i4", 1}, {"xyzt_units", 500, "i4", 1},
		{"intent_code", 504, "i4", 1}, {"intent_name", 508, "text", 16}, {"dim_info", 524, "u1", 1},
	},
	"analyze": {
		{"sizeof_hdr", 0, "i4", 1}, {"data_type", 4, "text", 10}, {"db_name", 14, "text", 18}, {"dim", 40, "i2", 8}, {"vox_units", 56, "text", 4},
		{"cal_units", 60, "text", 8}, {"datatype", 70, "i2", 1}, {"bitpix", 72, "i2", 1}, {"pixdim", 76, "f4", 8}, {"vox_offset", 108, "f4", 1},
		{"funused1", 112, "f4", 1}, {"funused2", 116, "f4", 1}, {"funused3", 120, "f4", 1}, {"cal_max", 124, "f4", 1}, {"cal_min", 128, "f4", 1},
		{"compressed", 132, "f4", 1}, {"verified", 136, "f4", 1}, {"glmax", 140, "i4", 1}, {"glmin", 144, "i4", 1}, {"descrip", 148, "text", 80},
		{"aux_file", 228, "text", 24}, {"orient", 252, "u1", 1}, {"generated", 263, "text", 10}, {"scannum", 273, "text", 10},
		{"patient_id", 283, "text", 10}, {"exp_date", 293, "text", 10}, {"exp_time", 303, "text", 10},
	},
}
