package dicom

import "fmt"

// A tag is group and element of a data element.
type tag uint32

func (t tag) String() string { return fmt.Sprintf("(%04X,%04X)", uint32(t)>>16, uint32(t)&0xFFFF) }

// A kind is how the value of an element is written.
type kind byte

const (
	texts    kind = 't' // character strings, also of numbers (IS, DS)
	shorts   kind = 's' // 16 bits
	longs    kind = 'l' // 32 bits
	huge     kind = 'v' // 64 bits
	doubles  kind = 'd' // float64
	pointers kind = 'a' // tags
	blob     kind = 'o' // bytes
	items    kind = 'q' // a sequence of data sets
	counted  kind = 'n' // anything of which only the length is kept
)

// The elements that are looked at, all others are skipped.
const (
	tagSyntax           tag = 0x00020010
	tagSOPClass         tag = 0x00080016
	tagSOPInstance      tag = 0x00080018
	tagSeriesText       tag = 0x0008103E
	tagThickness        tag = 0x00180050
	tagEchoTime         tag = 0x00180081
	tagBetween          tag = 0x00180088
	tagTriggerTime      tag = 0x00181060
	tagFrameTime        tag = 0x00181063
	tagImagerSpacing    tag = 0x00181164
	tagNominalSpacing   tag = 0x00182010
	tagSeries           tag = 0x0020000E
	tagSeriesNumber     tag = 0x00200011
	tagAcquisition      tag = 0x00200012
	tagInstance         tag = 0x00200013
	tagPosition         tag = 0x00200032
	tagOrientation      tag = 0x00200037
	tagTemporal         tag = 0x00200100
	tagFrameContent     tag = 0x00209111
	tagPlanePosition    tag = 0x00209113
	tagPlaneOrientation tag = 0x00209116
	tagDimensionValues  tag = 0x00209157
	tagDimensionPointer tag = 0x00209165
	tagDimensions       tag = 0x00209222
	tagOrganization     tag = 0x00209311
	tagSamples          tag = 0x00280002
	tagPhotometric      tag = 0x00280004
	tagPlanar           tag = 0x00280006
	tagFrames           tag = 0x00280008
	tagIncrement        tag = 0x00280009
	tagRows             tag = 0x00280010
	tagColumns          tag = 0x00280011
	tagSpacing          tag = 0x00280030
	tagAllocated        tag = 0x00280100
	tagStored           tag = 0x00280101
	tagHigh             tag = 0x00280102
	tagSigned           tag = 0x00280103
	tagCenter           tag = 0x00281050
	tagWidth            tag = 0x00281051
	tagIntercept        tag = 0x00281052
	tagSlope            tag = 0x00281053
	tagRedForm          tag = 0x00281101 // green and blue follow
	tagRed              tag = 0x00281201
	tagModalityLUT      tag = 0x00283000
	tagMeasures         tag = 0x00289110
	tagTransformation   tag = 0x00289145
	tagOpticalPaths     tag = 0x00480105
	tagOpticalPath      tag = 0x00480106
	tagOpticalText      tag = 0x00480107
	tagSlideColumn      tag = 0x0048021E
	tagSlideRow         tag = 0x0048021F
	tagOffsets          tag = 0x3004000C
	tagDoseScale        tag = 0x3004000E
	tagShared           tag = 0x52009229
	tagPerFrame         tag = 0x52009230
	tagExtended         tag = 0x7FE00001
	tagFloatPixels      tag = 0x7FE00008
	tagDoublePixels     tag = 0x7FE00009
	tagPixels           tag = 0x7FE00010
	tagItem             tag = 0xFFFEE000
	tagItemEnd          tag = 0xFFFEE00D
	tagSequenceEnd      tag = 0xFFFEE0DD
)

// wanted says of each element how its value is written (PS3.6), since implicit VR does not.
var wanted = map[tag]kind{
	tagSyntax: texts, tagSOPClass: texts, tagSOPInstance: texts, tagSeriesText: texts, tagThickness: texts, tagEchoTime: texts,
	tagBetween: texts, tagTriggerTime: texts, tagFrameTime: texts, tagImagerSpacing: texts, tagNominalSpacing: texts, tagSeries: texts,
	tagSeriesNumber: texts, tagAcquisition: texts, tagInstance: texts, tagPosition: texts, tagOrientation: texts, tagTemporal: texts,
	tagFrameContent: items, tagPlanePosition: items, tagPlaneOrientation: items, tagDimensionValues: longs, tagDimensionPointer: pointers,
	tagDimensions: items, tagOrganization: texts, tagSamples: shorts, tagPhotometric: texts, tagPlanar: shorts, tagFrames: texts,
	tagIncrement: pointers, tagRows: shorts, tagColumns: shorts, tagSpacing: texts, tagAllocated: shorts, tagStored: shorts,
	tagHigh: shorts, tagSigned: shorts, tagCenter: texts, tagWidth: texts, tagIntercept: texts, tagSlope: texts,
	tagRedForm: shorts, tagRedForm + 1: shorts, tagRedForm + 2: shorts, tagRed: blob, tagRed + 1: blob, tagRed + 2: blob,
	tagModalityLUT: items, tagMeasures: items, tagTransformation: items, tagOpticalPaths: items, tagOpticalPath: texts, tagOpticalText: texts,
	0x00480006: longs, 0x00480007: longs, 0x00480207: items, // total columns and rows of a slide; optical path of a frame
	tagOffsets: texts, tagDoseScale: texts, tagShared: items, tagPerFrame: items, tagExtended: huge,
}
