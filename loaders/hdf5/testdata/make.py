#!/usr/bin/python3
"""Writes the files of this folder with the HDF5 library, and expected.json with what it reads back.

Needs Debian's python3-h5py, python3-hdf5plugin, hdf5-filter-plugin, hdf5-filter-plugin-blosc-serial,
hdf5-filter-plugin-zfp-serial, bitshuffle and python3-zstandard. Values are from a fixed seed. For each dataset
expected.json has the type in memory, the shape and the SHA-256 of the values as little-endian bytes in
C order; `null` where a dataset has to be refused.
"""
import ctypes, hashlib, json, os, sys

import bitshuffle.h5, h5py, hdf5plugin, zstandard
import numpy as np
from h5py import h5d, h5p, h5s, h5t

os.chdir(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__)))
rng = np.random.default_rng(7)
expected = {}
REFUSED = set()
BY_HAND = {}
MEMORY = {}


def smooth(shape, dtype, top=1000):
    """Values that compress, and differ everywhere."""
    n = np.indices(shape).astype("f8")
    v = sum((i + 3) * a * 7.25 for i, a in enumerate(n)) % top + rng.integers(0, 5, shape)
    if np.dtype(dtype).kind == "i":
        v = v - top // 2
    return v.astype(dtype)


def low(f, name, values, filetype, memtype=None, **how):
    """A dataset of a type that h5py has no name for."""
    f.require_group(name.rpartition("/")[0])
    plist = h5p.create(h5p.DATASET_CREATE)
    if "chunks" in how:
        plist.set_chunk(how["chunks"])
    if how.get("nbit"):
        plist.set_filter(h5py.h5z.FILTER_NBIT, 0, ())
    if how.get("compact"):
        plist.set_layout(h5d.COMPACT)
    if how.get("early"):
        plist.set_alloc_time(h5d.ALLOC_TIME_EARLY)
    d = h5d.create(f.id, name.encode(), filetype, h5s.create_simple(values.shape), plist)
    d.write(h5s.ALL, h5s.ALL, np.ascontiguousarray(values), memtype)
    MEMORY[name] = values.dtype, memtype


def integer(base, size, precision, offset=0, order=h5t.ORDER_LE):
    t = base.copy()
    t.set_size(size)
    t.set_precision(precision)
    t.set_offset(offset)
    t.set_order(order)
    return t


def floating(size, sign, epos, esize, mpos, msize, bias, order=h5t.ORDER_LE):
    t = h5t.IEEE_F32LE.copy()
    if size > 4:
        t = h5t.IEEE_F64LE.copy()
    t.set_fields(sign, epos, esize, mpos, msize)
    t.set_size(size)
    t.set_ebias(bias)
    t.set_order(order)
    return t


def types(f):
    for t in ("u1", "i1", "<u2", ">u2", "<i2", ">i2", "<u4", ">u4", "<i4", ">i4", "<u8", ">u8", "<i8", ">i8",
              "<f2", ">f2", "<f4", ">f4", "<f8", ">f8"):
        name = t.replace("<", "little_").replace(">", "big_")
        f.create_dataset("types/plain_" + name, data=smooth((5, 7), t, 100 if t[-1] in "12" else 1000))
        f.create_dataset("types/gzip_" + name, data=smooth((5, 7), t, 100), chunks=(3, 4), compression="gzip", shuffle=True)
    f["types/bool"] = smooth((5, 7), "u1") % 2 == 0
    f.create_dataset("types/enum", data=smooth((5, 7), "i2") % 3, dtype=h5py.enum_dtype({"A": 0, "B": 1, "C": 2}, "i2"))
    f["types/float_special"] = np.array([[0, -0.0, np.inf, -np.inf, np.nan, 1e-45, 65504]] * 5, "f4")
    f["types/half_special"] = np.array([[0, -0.0, np.inf, -np.inf, 6e-8, 65504, 0.1]] * 5, "f2")
    low(f, "types/int24", smooth((5, 7), "i4"), integer(h5t.STD_I32LE, 3, 24), h5t.NATIVE_INT32)
    low(f, "types/uint24_big", smooth((5, 7), "u4"), integer(h5t.STD_U32BE, 3, 24, order=h5t.ORDER_BE), h5t.NATIVE_UINT32)
    low(f, "types/uint12", smooth((5, 7), "u2"), integer(h5t.STD_U16LE, 2, 12), h5t.NATIVE_UINT16)
    low(f, "types/int12_offset3", smooth((5, 7), "i2"), integer(h5t.STD_I16LE, 2, 12, 3), h5t.NATIVE_INT16)
    low(f, "types/bits16", smooth((5, 7), "u2"), h5t.STD_B16LE, h5t.STD_B16LE)
    low(f, "types/bfloat16", smooth((5, 7), "f4", 100), floating(2, 15, 7, 8, 0, 7, 127), h5t.NATIVE_FLOAT)
    low(f, "types/float24_big", smooth((5, 7), "f4", 100), floating(3, 23, 16, 7, 0, 16, 63, h5t.ORDER_BE), h5t.NATIVE_FLOAT)
    f.create_dataset("types/array", (5, 7), dtype=np.dtype(("<u2", (6,))))[...] = smooth((5, 7, 6), "<u2")
    f.create_dataset("types/array_gzip", (5, 7), dtype=np.dtype(("<u2", (6,))), chunks=(3, 4), compression="gzip")[...] = smooth((5, 7, 6), "<u2")
    f["types/text"] = "a text beside the images"
    f["types/texts"] = np.array([[b"a", b"b"]])
    f["types/record"] = np.zeros((5, 7), [("a", "u1"), ("b", "f4")])
    f["types/complex"] = np.zeros((5, 7), "c8")
    f["types/named"] = np.dtype(">i2")
    f.create_dataset("types/by_name", data=smooth((5, 7), ">i2"), dtype=f["types/named"])
    REFUSED.update(("types/record", "types/complex"))


def layouts(f):
    low(f, "layouts/compact", smooth((6, 8), "u2"), h5t.STD_U16BE, h5t.NATIVE_UINT16, compact=True)
    f.create_dataset("layouts/never_written", (20, 30), "f4", fillvalue=-2.5)
    f.create_dataset("layouts/never_written_chunks", (20, 30), ">i2", chunks=(7, 8), fillvalue=-3)
    d = f.create_dataset("layouts/sparse", (9, 33, 35), ">u2", chunks=(2, 10, 9), fillvalue=513)
    d[1:3, 5:12, 20:] = smooth((2, 7, 15), "u2")
    low(f, "layouts/early", smooth((20, 24), "u1"), h5t.STD_U8LE, h5t.NATIVE_UINT8, chunks=(6, 7), early=True)
    f.create_dataset("layouts/one_chunk", data=smooth((9, 11), "u2"), chunks=(9, 11))
    f.create_dataset("layouts/one_chunk_gzip", data=smooth((9, 11), "u2"), chunks=(9, 11), compression="gzip")
    f.create_dataset("layouts/raw_chunks", data=smooth((5, 19, 21), "u2"), chunks=(2, 6, 21))
    f.create_dataset("layouts/large_max", data=smooth((10, 12), "u2"), chunks=(3, 4), maxshape=(40, 17), compression="gzip")
    f.create_dataset("layouts/grows_first", data=smooth((11, 13), "u2"), chunks=(2, 3), maxshape=(None, 13), compression="gzip")
    f.create_dataset("layouts/grows_last", data=smooth((11, 13), "u2"), chunks=(2, 3), maxshape=(30, None))
    f.create_dataset("layouts/grows_middle", data=smooth((5, 11, 13), "u2"), chunks=(2, 3, 5), maxshape=(9, None, 20), compression="gzip")
    f.create_dataset("layouts/grows_both", data=smooth((11, 13), "u2"), chunks=(2, 3), maxshape=(None, None), compression="gzip")
    f.create_dataset("layouts/grows_both_raw", data=smooth((11, 13), "u2"), chunks=(2, 3), maxshape=(None, None))
    f.create_dataset("layouts/many_chunks", data=smooth((130 if f.libver[0] == "earliest" else 1500, 2), "u1"), chunks=(1, 2))
    f.create_dataset("layouts/many_grow", data=smooth((130 if f.libver[0] == "earliest" else 1500, 2), "u1"), chunks=(1, 2), maxshape=(None, 2))
    f.create_dataset("layouts/many_grow_both", data=smooth((20, 30), "u1"), chunks=(1, 2), maxshape=(None, None))
    d = f.create_dataset("layouts/many_sparse", (9000, 2), "u1", chunks=(1, 2), maxshape=(10000, 2), fillvalue=3)
    d[1500:1510] = smooth((10, 2), "u1")
    d[8999:9000] = smooth((1, 2), "u1")
    d = f.create_dataset("layouts/many_grow_sparse", (9000, 2), "u1", chunks=(1, 2), maxshape=(None, 2), fillvalue=3)
    d[1500:1510] = smooth((10, 2), "u1")
    d[8999:9000] = smooth((1, 2), "u1")
    f.create_dataset("layouts/shrunk", data=smooth((11, 13), "u2"), chunks=(4, 4), maxshape=(None, None), compression="gzip").resize((6, 9))


def filters(f):
    def add(name, dtype="<u2", shape=(5, 12, 19), top=1000, data=None, **how):
        data = smooth(shape, dtype, top) if data is None else data
        f.create_dataset("filters/" + name, data=data, dtype=dtype, chunks=(3, 5, 8), **how)
    add("gzip9", compression=9)
    add("fletcher32", fletcher32=True)
    add("shuffle_gzip_fletcher32", "<i4", shuffle=True, compression="gzip", fletcher32=True)
    add("lzf", compression="lzf")
    add("lzf_noise", "u1", data=rng.integers(0, 256, (5, 12, 19)).astype("u1"), compression="lzf")
    add("shuffle_lzf", "<f4", shuffle=True, compression="lzf")
    for t in ("u1", "i1", "<u2", "<i2", ">i2", "<u4", ">i4", "<i8"):
        add("scaleoffset_" + t.replace("<", "little_").replace(">", "big_"), t, top=100, scaleoffset=0)
    add("scaleoffset_9_bits", "<u2", top=300, scaleoffset=9)
    add("scaleoffset_constant", "<i2", data=np.full((5, 12, 19), -7, "i2"), scaleoffset=0)
    add("scaleoffset_noise", ">u2", data=rng.integers(0, 65536, (5, 12, 19)).astype("u2"), scaleoffset=0)
    add("scaleoffset_fill", "<i2", data=np.where(smooth((5, 12, 19), "u2") % 3 == 0, 999, smooth((5, 12, 19), "i2", 50)), scaleoffset=0, fillvalue=999)
    add("scaleoffset_gzip", "<u2", scaleoffset=0, compression="gzip", shuffle=True)
    for t in ("<f4", ">f4", "<f8"):
        add("scaleoffset_3_digits_" + t.replace("<", "little_").replace(">", "big_"), t, top=10, scaleoffset=3)
    for order, name in ((h5t.ORDER_LE, "little"), (h5t.ORDER_BE, "big")):
        low(f, f"filters/nbit_12_{name}", smooth((5, 12, 19), "u2"), integer(h5t.STD_U16LE, 2, 12, 3, order), h5t.NATIVE_UINT16, chunks=(3, 5, 8), nbit=True)
        low(f, f"filters/nbit_20_{name}", smooth((5, 12, 19), "i4"), integer(h5t.STD_I32LE, 4, 20, 5, order), h5t.NATIVE_INT32, chunks=(3, 5, 8), nbit=True)
    low(f, "filters/nbit_all", smooth((5, 12, 19), "u2"), h5t.STD_U16LE, h5t.NATIVE_UINT16, chunks=(3, 5, 8), nbit=True)
    if f.libver[0] == "latest":
        return
    for c in ("blosclz", "lz4", "lz4hc", "zlib", "zstd"):
        for s in (0, 1, 2):
            add(f"blosc_{c}_{s}", "<i4", **hdf5plugin.Blosc(cname=c, clevel=5, shuffle=s))
    for pack, block, t in ((0, 0, "<u2"), (2, 0, "<u2"), (2, 64, "<f4"), (2, 0, "u1")):
        add(f"bitshuffle_{pack}_{block}_{t[-2:]}", t, compression=32008, compression_opts=(block, pack))
    add("lz4", "<u2", **hdf5plugin.LZ4())
    add("lz4_blocks", "<u2", **hdf5plugin.LZ4(nbytes=64))
    add("lz4_noise", "u1", data=rng.integers(0, 256, (5, 12, 19)).astype("u1"), **hdf5plugin.LZ4())
    add("bzip2", "<u2", **hdf5plugin.BZip2() if hasattr(hdf5plugin, "BZip2") else {"compression": 307})
    zstd(f, "filters/zstd", smooth((6, 10), "<u2"))
    add("zfp", "<f4", **hdf5plugin.Zfp(rate=8))
    REFUSED.add("filters/zfp")


def zstd(f, name, values):
    """The library has no zstd here, so the chunks are packed by hand and read back by nobody."""
    plist = h5p.create(h5p.DATASET_CREATE)
    plist.set_chunk((3, 10))
    plist.set_filter(32015, h5py.h5z.FLAG_OPTIONAL, (3,))
    d = h5d.create(f.id, name.encode(), h5t.STD_U16LE, h5s.create_simple(values.shape), plist)
    for y in (0, 3):
        d.write_direct_chunk((y, 0), zstandard.ZstdCompressor().compress(values[y:y + 3].tobytes()), 0)
    BY_HAND[name] = values


def groups(f, many):
    base = f.create_dataset("groups/base", data=smooth((4, 5), "u1"))
    for i in range(many):
        f[f"groups/many/name {i:04d}"] = base
    for i in range(40):
        f[f"groups/dozens/{i}"] = base
    f["groups/soft"] = h5py.SoftLink("/groups/base")
    f["groups/circle"] = h5py.SoftLink("/groups/circle")
    f["groups/nowhere"] = h5py.SoftLink("/groups/nothing")
    f["groups/elsewhere"] = h5py.ExternalLink("other.h5", "/vol")
    f["groups/inner/up"] = f["groups"]
    for i in range(30):
        base.attrs[f"note {i}"] = i
    d = f.create_dataset("axes/axistags", data=smooth((2, 3, 4, 5, 6), "u1"))
    d.attrs["axistags"] = json.dumps({"axes": [{"key": k, "typeFlags": 1, "resolution": 0, "description": ""} for k in "tczyx"]})
    d.attrs["element_size_um"] = [3.0, 2.0, 1.5]
    d = f.create_dataset("axes/labels", data=smooth((3, 4, 5), "u1"))
    for i, name in enumerate(("time", "y", "x")):
        d.dims[i].label = name
    for i in range(40):
        d.attrs[f"note {i}"] = "text " * i
    d.attrs["huge"] = np.arange(30000, dtype="u2")[:8000 if f.libver[0] == "earliest" else 30000]
    d.attrs["element_size_um"] = np.array([0.5, 0.25, 0.25], ">f4")
    d = f.create_dataset("axes/colour", data=smooth((8, 9, 3), "u1"))
    for k, v in (("CLASS", b"IMAGE"), ("IMAGE_SUBCLASS", b"IMAGE_TRUECOLOR"), ("INTERLACE_MODE", b"INTERLACE_PIXEL")):
        d.attrs[k] = np.string_(v)


def summary(v):
    return {"type": v.dtype.name, "shape": list(v.shape), "sha256": hashlib.sha256(v.astype(v.dtype.newbyteorder("<")).tobytes()).hexdigest()}


def record(name):
    found = {}

    def visit(path, o):
        if path in MEMORY:
            v = np.empty(o.shape, MEMORY[path][0])
            o.id.read(h5s.ALL, h5s.ALL, v, MEMORY[path][1])
            found[path] = summary(v)
            return
        if o.dtype.kind in "SOV" and not o.dtype.subdtype and path not in REFUSED or o.shape == ():
            return
        if path in REFUSED:
            found[path] = None
            return
        v = BY_HAND[path] if path in BY_HAND else o[...]
        if v.dtype.kind == "b":
            v = v.astype("u1")
        if v.dtype.itemsize == 2 and v.dtype.kind == "f":
            v = v.astype("f4")
        v = v.astype(v.dtype.newbyteorder("="))
        found[path] = summary(v)

    def walk(g, path, seen):
        if g in seen:
            return
        for name in g:
            if isinstance(g.get(name, getlink=True), h5py.HardLink):
                o = g[name]
                if isinstance(o, h5py.Group):
                    walk(o, path + name + "/", seen + [g])
                elif isinstance(o, h5py.Dataset):
                    visit(path + name, o)

    with h5py.File(name, "r") as f:
        walk(f, "", [])
    expected[name] = found


# What h5py does not offer is asked of the library that it has loaded.
library = ctypes.CDLL("libhdf5_serial.so.103")


def small(name, **how):
    fcpl = h5p.create(h5p.FILE_CREATE)
    if "ranks" in how:
        groups_k, leaf_k, chunks_k = how["ranks"]
        assert library.H5Pset_sym_k(ctypes.c_int64(fcpl.id), groups_k, leaf_k) >= 0
        assert library.H5Pset_istore_k(ctypes.c_int64(fcpl.id), chunks_k) >= 0
    if "sizes" in how:
        fcpl.set_sizes(*how["sizes"])
    if "userblock" in how:
        fcpl.set_userblock(how["userblock"])
    fapl = h5p.create(h5p.FILE_ACCESS)
    fapl.set_libver_bounds(*how.get("libver", (h5py.h5f.LIBVER_EARLIEST, h5py.h5f.LIBVER_LATEST)))
    with h5py.File(h5py.h5f.create(name.encode(), h5py.h5f.ACC_TRUNC, fcpl, fapl)) as f:
        f.create_dataset("vol", data=smooth((9, 13, 15), "u2"), chunks=(2, 4, 5), compression="gzip")
        f.create_dataset("plain", data=smooth((9, 13), "u2"))
        for i in range(12):
            f[f"more/{i}"] = f["plain"]
    record(name)


for name, libver, many in (("old.h5", "earliest", 100), ("new.h5", "latest", 300)):
    with h5py.File(name, "w", libver=libver, track_order=False) as f:
        types(f), layouts(f), filters(f), groups(f, many)
    record(name)
with h5py.File("ordered.h5", "w", libver="latest", track_order=True) as f:
    groups(f, 20)
record("ordered.h5")
small("offsets4.h5", sizes=(4, 4))
small("offsets4_latest.h5", sizes=(4, 4), libver=(h5py.h5f.LIBVER_LATEST, h5py.h5f.LIBVER_LATEST))
small("userblock4096.h5", userblock=4096)
small("superblock1.h5", ranks=(2, 1, 2))
small("superblock2.h5", libver=(h5py.h5f.LIBVER_V18, h5py.h5f.LIBVER_V18))
with open("expected.json", "w") as f:
    json.dump(expected, f, indent=0, sort_keys=True)
    f.write("\n")
