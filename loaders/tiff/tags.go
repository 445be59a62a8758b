package tiff

import "fmt"

// Tags that are read. Numbers and names are those of TIFF 6.0 (Adobe, 1992), its supplements, and
// for the private ones of their makers.
const (
	tagSubfileType     = 254
	tagWidth           = 256
	tagHeight          = 257
	tagBits            = 258
	tagCompression     = 259
	tagPhotometric     = 262
	tagFillOrder       = 266
	tagDescription     = 270
	tagStripOffsets    = 273
	tagSamples         = 277
	tagRowsPerStrip    = 278
	tagStripCounts     = 279
	tagXResolution     = 282
	tagYResolution     = 283
	tagPlanar          = 284
	tagFaxOptions      = 292 // T4Options
	tagResolutionUnit  = 296
	tagSoftware        = 305
	tagPredictor       = 317
	tagColorMap        = 320
	tagTileWidth       = 322
	tagTileHeight      = 323
	tagTileOffsets     = 324
	tagTileCounts      = 325
	tagSubIFDs         = 330
	tagExtraSamples    = 338
	tagSampleFormat    = 339
	tagJPEGTables      = 347
	tagJPEGInterchange = 513 // old-style JPEG
	tagJPEGLength      = 514
	tagSubsampling     = 530
	tagDepth           = 32997
	tagUIC1            = 33628 // MetaMorph STK
	tagUIC2            = 33629
	tagLSM             = 34412 // Zeiss LSM
	tagImageJCounts    = 50838
	tagImageJ          = 50839
)

// kindSizes is the number of bytes of one value of each field type; types 13 and 16 to 18 are those
// of the TIFF Technical Note 1 and of BigTIFF.
var kindSizes = [...]int{1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8, 18: 8}

const (
	kindByte      = 1
	kindASCII     = 2
	kindShort     = 3
	kindLong      = 4
	kindRational  = 5
	kindUndefined = 7
	kindFloat     = 11
	kindDouble    = 12
	kindIFD       = 13
	kindLong8     = 16
	kindIFD8      = 18
)

// Values of the Compression tag.
const (
	rawData     = 1
	faxRLE      = 2
	faxG3       = 3
	faxG4       = 4
	lzw         = 5
	oldJPEG     = 6
	newJPEG     = 7
	deflate     = 8
	packBits    = 32773
	oldDeflate  = 32946
	lzma        = 34925
	zstd        = 50000
	webP        = 50001
	faxRLEWord  = 32771
	thunderScan = 32809
	rawUnits    = 64999 // ours: plain pixels whose colours are subsampled, so that a row is no run of bytes
)

// compressionNames are what messages and `info` call them.
var compressionNames = map[uint16]string{
	rawData: "raw", rawUnits: "raw", faxRLE: "ccitt-rle", faxG3: "ccitt-g3", faxG4: "ccitt-g4", lzw: "lzw", oldJPEG: "old-style jpeg",
	newJPEG: "jpeg", deflate: "deflate", packBits: "packbits", oldDeflate: "deflate", lzma: "lzma", zstd: "zstd", webP: "webp",
	faxRLEWord: "ccitt-rlew", thunderScan: "thunderscan",
	9: "jbig-bw", 10: "jbig-color", 32766: "next", 32895: "it8-ctpad", 32896: "it8-lw", 32897: "it8-mp", 32898: "it8-bl",
	32908: "pixar-film", 32909: "pixar-log", 32947: "kodak-dcs", 33003: "jpeg-2000 (aperio ycbc)", 33004: "lossy jpeg (dng)",
	33005: "jpeg-2000 (aperio rgb)", 33007: "jpeg (alternative)", 34661: "jbig", 34676: "sgi-log", 34677: "sgi-log24",
	34712: "jpeg-2000", 34713: "nikon-nef", 34715: "jbig2", 34887: "lerc", 34892: "lossy jpeg (dng)", 34926: "old zstd",
	34927: "old webp", 34933: "png", 34934: "jpeg-xr", 50002: "jpeg-xl", 52546: "jpeg-xl (dng)", 65000: "eer", 65535: "pixtiff",
}

func compressionName(c uint16) string {
	if n, ok := compressionNames[c]; ok {
		return n
	}
	return fmt.Sprintf("number %d", c)
}

// Values of the PhotometricInterpretation tag.
const (
	minIsWhite = 0
	minIsBlack = 1
	rgbColour  = 2
	palette    = 3
	separated  = 5
	yCbCr      = 6
)

// Values of the SampleFormat tag.
const (
	unsignedSample = 1
	signedSample   = 2
	floatSample    = 3
	untypedSample  = 4
	complexSample  = 6
)
