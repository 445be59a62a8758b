// Package tiff reads and writes TIFF, the format that most microscopes, ImageJ and slide scanners
// leave behind, by strips and tiles: opening a stack reads its directories and no pixel, and a plane
// reads just the strips that it touches.
//
//	formats := loaders.Registry{tiff.Driver{}}
//	set, err := formats.Open(ctx, "embryo.tif", loaders.Options{})
//	array := set.Images[0].Levels[0].Array // T Z C Y X; nothing has been decoded yet
//
// What is read: classic and BigTIFF in both byte orders; strips and tiles, padded or sparse; samples
// of 1 to 64 bits, whole or packed, signed, unsigned or real (16, 24, 32, 64 bits); chunky and planar
// colour; several pages, SubIFDs, and pyramids in either; compression by PackBits, LZW (both kinds),
// Deflate, Zstandard, LZMA, JPEG, WebP and CCITT fax, with predictors 1 to 3. The meaning of the
// pages comes from ImageJ's description, OME-XML (also across several files), tifffile's shape, the
// LSM and STK tags or an Aperio description, in the order in which tifffile asks, so that images have
// the numbers that tifffile gives its series. Pages that nothing explains are planes along z.
//
// Values are those that the file stores: a palette is the LUT of its indices, min-is-white and
// orientation are left to the display, and only YCbCr of JPEG, or with subsampled colours, becomes RGB. The
// samples of a pixel are channels of one image.
package tiff
