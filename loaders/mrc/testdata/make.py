"""Writes the files of this folder with mrcfile, and what it reads from them into expect.json.

    python3 make.py        (Debian's python3-mrcfile 1.4, python3-numpy)

mrcfile 1.4 knows no modes 16 and 101 and no flags of IMOD: those files are made by changing words of the header by
hand, and their values by the rules of IMOD's page "MRC file format".
"""
import bz2, gzip, hashlib, json, os, struct

import mrcfile
import numpy as np

os.chdir(os.path.dirname(os.path.abspath(__file__)))
expect = []
rng = np.random.default_rng(3)


def values(shape, dtype):
    d = np.dtype(dtype)
    if d.kind == "f":
        return (rng.random(shape) * 100 - 50).astype(d)
    i = np.iinfo(d)
    return rng.integers(i.min, i.max, shape, dtype=d, endpoint=True)


def note(file, a, scale, **more):
    """a is t, z, c, y, x, of which the first may be missing."""
    b = np.ascontiguousarray(a)
    if b.ndim < 4:
        b = b.reshape((1,) * (3 - b.ndim) + b.shape)[None, :, None]
    elif b.ndim == 4:
        b = b[:, :, None]
    expect.append(dict(file=file, shape=b.shape, dtype=b.dtype.name,
                       sha256=hashlib.sha256(b.astype(b.dtype.newbyteorder("<")).tobytes()).hexdigest(), scale=scale, **more))


def new(name, a, size=(2.5, 3, 4), prepare=None, swap=False):
    with mrcfile.new(name, overwrite=True) as m:
        m.set_data(a)
        if prepare:
            prepare(m)
        m.voxel_size = size
    raw = bytearray(open(name, "rb").read())
    # The only label holds the time of writing.
    raw[220:224] = struct.pack("<i", 0)
    raw[224:304] = bytes(80)
    open(name, "wb").write(raw)
    return raw


um = {"x": 2.5e-4, "y": 3e-4, "z": 4e-4}
for dtype in "i1 i2 f4 u2 f2".split():
    new(f"{dtype}.mrc", values((3, 4, 5), dtype))
    a = mrcfile.read(f"{dtype}.mrc")
    note(f"{dtype}.mrc", a.astype("f4") if dtype == "f2" else a, um)


def swapped(name, a, mode_size):
    raw = new(name, a)
    words = np.frombuffer(bytes(raw[:1024]), "<u4").byteswap().tobytes()
    head = bytearray(words)
    head[104:108], head[208:212], head[212:216] = raw[104:108], b"MAP ", bytes([0x11, 0x11, 0, 0])
    head[224:] = raw[224:1024]
    open(name, "wb").write(bytes(head) + np.frombuffer(bytes(raw[1024:]), f"<u{mode_size}").byteswap().tobytes())
    back = mrcfile.read(name)
    assert (back == a).all()
    return back


note("be_i2.mrc", swapped("be_i2.mrc", values((3, 4, 5), "i2"), 2), um)
note("be_f4.mrc", swapped("be_f4.mrc", values((3, 4, 5), "f4"), 4), um)
note("be_f2.mrc", swapped("be_f2.mrc", values((3, 4, 5), "f2"), 2).astype("f4"), um)

a = values((4, 5), "f4")
new("one_picture.mrc", a)
note("one_picture.mrc", a, um)
a = values((6, 4, 5), "i2")
new("pictures.mrcs", a, prepare=lambda m: m.set_image_stack())
note("pictures.mrcs", mrcfile.read("pictures.mrcs"), um)
a = values((2, 3, 4, 5), "i2")
new("volumes.mrc", a)
assert mrcfile.read("volumes.mrc").shape == (2, 3, 4, 5)
note("volumes.mrc", mrcfile.read("volumes.mrc"), um)
a = values((3, 4, 5), "i2")
new("extended.mrc", a, prepare=lambda m: m.set_extended_header(np.frombuffer(bytes(range(256)) * 5, "V80")))
note("extended.mrc", mrcfile.read("extended.mrc"), um)

# the size of a voxel
new("no_cell.mrc", a, size=(0, 0, 0))
note("no_cell.mrc", a, {})
raw = new("no_grid.mrc", a)
raw[28:40] = bytes(12)
open("no_grid.mrc", "wb").write(raw)
note("no_grid.mrc", a, {})

# axes: columns along y, rows along z, sections along x of the cell
raw = new("axes_231.mrc", a)
raw[64:76] = struct.pack("<3i", 2, 3, 1)
raw[28:40] = struct.pack("<3i", 3, 5, 4)
raw[40:52] = struct.pack("<3f", 3 * 2.0, 5 * 3.0, 4 * 7.0)
open("axes_231.mrc", "wb").write(raw)
note("axes_231.mrc", mrcfile.read("axes_231.mrc"), {"x": 3e-4, "y": 7e-4, "z": 2e-4}, says="stored along y, z and x")

# packed
new("packed.mrc", a)
raw = open("packed.mrc", "rb").read()
os.remove("packed.mrc")
with gzip.GzipFile("packed.mrc.gz", "wb", mtime=0) as f:
    f.write(raw)
note("packed.mrc.gz", mrcfile.read("packed.mrc.gz"), um)
open("packed.mrc.bz2", "wb").write(bz2.compress(raw))
note("packed.mrc.bz2", mrcfile.read("packed.mrc.bz2"), um)

# bytes: signed by MRC2014; with IMOD's stamp its flag tells; without, a range beyond 127 does
a = values((3, 4, 5), "i1")
u = a.view("u1")


def words(name, a, changes):
    raw = new(name, a)
    for word, text in changes.items():
        raw[4 * word - 4:4 * word - 4 + len(text)] = text
    open(name, "wb").write(raw)


stamp = struct.pack("<i", 1146047817)
words("imod_unsigned.mrc", a, {39: stamp, 40: struct.pack("<i", 0)})
note("imod_unsigned.mrc", u, um)
words("imod_signed.mrc", a, {39: stamp, 40: struct.pack("<i", 1), 20: struct.pack("<2f", 0, 255)})
note("imod_signed.mrc", a, um)
words("range_unsigned.mrc", a, {20: struct.pack("<2f", 0, 250)})
note("range_unsigned.mrc", u, um, says="Bytes are taken as 0 to 255")
words("range_signed.mrc", a, {20: struct.pack("<2f", -128, 127)})
note("range_signed.mrc", a, um)
words("no_map.mrc", a, {53: bytes(8)})
note("no_map.mrc", a, um)
words("wrong_stamp.mrc", a, {54: bytes([0x11, 0x11, 0, 0])})
note("wrong_stamp.mrc", a, um)

# halves of bytes, the lower first, each row begins with a new byte; colours
v = rng.integers(0, 16, (3, 4, 5), dtype="u1")
padded = np.concatenate([v, np.full((3, 4, 1), 9, "u1")], axis=2)
halves = padded[:, :, 0::2] | padded[:, :, 1::2] << 4
words("halves.mrc", np.zeros((3, 4, 5), "i1"), {4: struct.pack("<i", 101)})
raw = open("halves.mrc", "rb").read()[:1024]
open("halves.mrc", "wb").write(raw + halves.tobytes())
note("halves.mrc", v, um)
with gzip.GzipFile("halves.mrc.gz", "wb", mtime=0) as f:
    f.write(raw + halves.tobytes())
note("halves.mrc.gz", v, um)
c = values((3, 4, 5, 3), "u1")
words("colours.mrc", np.zeros((3, 4, 5), "i1"), {4: struct.pack("<i", 16)})
raw = open("colours.mrc", "rb").read()[:1024]
open("colours.mrc", "wb").write(raw + c.tobytes())
note("colours.mrc", np.transpose(c, (0, 3, 1, 2))[None], um, rgb=True)

new("complex.mrc", values((3, 4, 5), "f4").astype("c8"))
expect.append(dict(file="complex.mrc", refuse="complex numbers (mode 4)"))

with open("expect.json", "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(e, default=int) for e in expect) + "\n]\n")
