#!/bin/sh
# Makes the files of this folder with programs that are not ours: python3-tifffile and libtiff-tools of
# Debian 12. Every pixel is 100*z + 10*y + x (+ 1000*sample in the colour ones), so that the tests
# need no other truth. Files are small on purpose.
set -e
cd "$(dirname "$0")"
/usr/bin/python3 - <<'P'
import numpy, tifffile
z, y, x = numpy.mgrid[0:5, 0:6, 0:7]
v = (100 * z + 10 * y + x).astype("uint16")
tifffile.imwrite("plain.tif", v, metadata=None, photometric="minisblack")
tifffile.imwrite("big.tif", v, metadata=None, photometric="minisblack", bigtiff=True, byteorder=">")
tifffile.imwrite("float.tif", v.astype("float32"), metadata=None, photometric="minisblack")
tifffile.imwrite("rows.tif", v, metadata=None, photometric="minisblack", rowsperstrip=1)
rgb = numpy.stack([v[0] + 1000 * s for s in range(3)], axis=-1)
tifffile.imwrite("rgb.tif", rgb, metadata=None, photometric="rgb")
tifffile.imwrite("rgb_planar.tif", numpy.moveaxis(rgb, -1, 0), metadata=None, photometric="rgb", planarconfig="separate", compression="zlib", rowsperstrip=2)
# Fax: a pixel is black, which is stored as 1, where (x*x + 3*y + x*y) % 7 < 3.
y2, x2 = numpy.mgrid[0:23, 0:77]
tifffile.imwrite("bits.tif", (x2 * x2 + 3 * y2 + x2 * y2) % 7 < 3, metadata=None, photometric="miniswhite")
tifffile.imwrite("imagej.tif", v, imagej=True, metadata={"axes": "ZYX", "spacing": 0.5, "unit": "um"}, resolution=(4, 4))
with tifffile.TiffWriter("pyramid.tif") as w:
    y, x = numpy.mgrid[0:64, 0:48]
    p = (10 * y + x).astype("uint16")
    w.write(p, subifds=2, tile=(16, 16), metadata=None, photometric="minisblack")
    w.write(p[::2, ::2], subfiletype=1, tile=(16, 16), metadata=None, photometric="minisblack")
    w.write(p[::4, ::4], subfiletype=1, tile=(16, 16), metadata=None, photometric="minisblack")
P
tiffcp -c lzw:2 -r 2 plain.tif lzw2.tif
tiffcp -c zip:2 -r 4 plain.tif zip2.tif
tiffcp -c zstd -t -w 16 -l 16 plain.tif zstd_tiled.tif
tiffcp -c zip:2 -t -w 16 -l 16 -B plain.tif zip2_tiled_be.tif
tiffcp -c packbits -f lsb2msb plain.tif packbits_lsb.tif
tiffcp -c lzma:2 -r 3 plain.tif lzma2.tif
tiffcp -c zip:3 -r 4 float.tif zip3.tif
tiffcp -p contig -c zip:2 -t -w 16 -l 16 rgb.tif rgb_tiled.tif
tiffcp -c g3:1d bits.tif fax_g3.tif
tiffcp -c g3:1d:fill bits.tif fax_g3_fill.tif
tiffcp -c g3:2d:fill -r 10 bits.tif fax_g3_2d.tif
tiffcp -c g4 -f lsb2msb bits.tif fax_g4_lsb.tif
