#!/usr/bin/env python3
"""Writes the N5 folders of the tests with zarr-python's N5Store (python3-zarr), and with
python3-lz4 and python3-xxhash for the framing of lz4-java, which that store does not write.

    cd loaders/n5/testdata && python3 make.py
"""
import json, os, shutil, struct
import lz4.block, numcodecs, numpy, xxhash, zarr


def values(shape, dtype):
    n = numpy.arange(numpy.prod(shape), dtype="i8").reshape(shape)
    return (n * 7 % 251).astype(dtype) if numpy.dtype(dtype).kind != "f" else (n / 4 - 3).astype(dtype)


def attributes(path, **more):
    name = os.path.join(path, "attributes.json")
    have = json.load(open(name)) if os.path.exists(name) else {}
    have.update(more)
    os.makedirs(path, exist_ok=True)
    json.dump(have, open(name, "w"))


def array(path, data, block, compressor=None, **more):
    zarr.array(data, chunks=block, compressor=compressor, store=zarr.N5Store(path), overwrite=True)
    attributes(path, **more)


for name in os.listdir("."):
    if name.endswith((".n5", ".xml")):
        (shutil.rmtree if os.path.isdir(name) else os.remove)(name)

# One array of each type, in three dimensions that no block fits.
for dtype in "u1 i1 u2 i2 u4 i4 u8 i8 f4 f8".split():
    array(f"types.n5/{dtype}", values((3, 5, 7), dtype), (2, 4, 4), numcodecs.GZip(1))
for name, c in {"xz": numcodecs.LZMA(preset=1), "bzip2": numcodecs.BZ2(1), "blosc": numcodecs.Blosc("zlib", 3)}.items():
    array(f"codecs.n5/{name}", values((3, 5, 7), "u2"), (2, 4, 4), c)

# zstd and lz4-java, over blocks that were written raw.
def repack(path, kind, pack):
    array(path, values((3, 5, 7), "u2"), (2, 4, 4))
    attributes(path, compression={"type": kind})
    for top, _, files in os.walk(path):
        for f in files:
            if f != "attributes.json":
                p = open(os.path.join(top, f), "rb").read()
                open(os.path.join(top, f), "wb").write(p[:16] + pack(p[16:]))

def block(method, packed, raw):
    return b"LZ4Block" + struct.pack("<BIII", method | 6, len(packed), len(raw), xxhash.xxh32(raw, 0x9747B28C).intdigest() & 0x0FFFFFFF) + packed

def lz4java(p):
    a, b = p[: len(p) // 2], p[len(p) // 2 :]  # one block packed, one stored
    return block(0x20, lz4.block.compress(a, store_size=False), a) + block(0x10, b, b) + block(0x10, b"", b"")[:17] + struct.pack("<I", 0)

repack("codecs.n5/zstd", "zstd", numcodecs.Zstd(1).encode)
repack("codecs.n5/lz4", "lz4", lz4java)

# Two view setups of BigDataViewer, two time points each, two levels.
for s in range(2):
    for t in range(2):
        data = (values((4, 6, 8), "u2") + 1000 * s + 100 * t).astype("u2")
        array(f"bdv.n5/setup{s}/timepoint{t}/s0", data, (4, 4, 4), numcodecs.GZip(1), downsamplingFactors=[1, 1, 1])
        array(f"bdv.n5/setup{s}/timepoint{t}/s1", data[:, ::2, ::2], (4, 4, 4), numcodecs.GZip(1), downsamplingFactors=[2, 2, 1])
        attributes(f"bdv.n5/setup{s}/timepoint{t}", multiScale=True, resolution=[0.2, 0.2, 0.5])
    attributes(f"bdv.n5/setup{s}", downsamplingFactors=[[1, 1, 1], [2, 2, 1]], dataType="uint16")
setups = "".join(
    f"<ViewSetup><id>{s}</id><name>channel {s}</name><size>8 6 4</size>"
    "<voxelSize><unit>um</unit><size>0.2 0.2 0.5</size></voxelSize></ViewSetup>" for s in range(2))
open("bdv.xml", "w").write(
    '<?xml version="1.0" encoding="UTF-8"?>\n<SpimData version="0.2"><BasePath type="relative">.</BasePath><SequenceDescription>'
    '<ImageLoader format="bdv.n5" version="1.0"><n5 type="relative">bdv.n5</n5></ImageLoader>'
    f"<ViewSetups>{setups}</ViewSetups></SequenceDescription></SpimData>\n")

# COSEM: a transform at each level, in C order.
for l, step in enumerate((1, 2)):
    array(f"cosem.n5/em/s{l}", values((4, 6, 8), "u1")[::step, ::step, ::step], (4, 4, 4), numcodecs.GZip(1),
          transform={"axes": ["z", "y", "x"], "units": ["nm"] * 3, "scale": [5.24 * step, 4.0 * step, 4.0 * step], "translate": [2.62 * l, 2.0 * l, 2.0 * l]})
