// Package sequence reads pictures: one PNG, JPEG, BMP, GIF or WebP file as an image of one plane, and a
// folder, a glob or a drop of many such files, or of TIFF files, as one stack.
//
//	formats := loaders.Registry{tiff.Driver{}, sequence.Picture{}, sequence.Driver{}}
//	set, err := formats.Open(ctx, "slices", loaders.Options{}) // a folder with z001.png, z002.png, …
//	array := set.Images[0].Levels[0].Array                      // nothing has been decoded yet
//
// Files come in natural order, so that img_2 stands before img_10. When the names hold numbers behind
// z, t or c (z01, t003, ch00, Channel_1, …), these numbers become axes; numbers without such a letter
// are z, before that time. A plane is decoded when it is read; a file of another size or type is
// named, and never stretched.
package sequence
