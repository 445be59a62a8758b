"""Writes the files of this folder with teem's unu, or by hand and then read by unu, and what it reads from them into
expect.json.

    python3 make.py        (Debian's teem-apps 1.12 and python3-numpy)

unu pads nothing and keeps values: what it saves as raw little-endian bytes is what a file holds. Sizes of voxels are by
hand. Files that unu cannot read (-1 behind gzip is pynrrd's) have the values that were put in.
"""
import bz2, gzip, hashlib, json, os, subprocess

import numpy as np

os.chdir(os.path.dirname(os.path.abspath(__file__)))
UNU = "teem-unu"
expect = []
rng = np.random.default_rng(11)


def values(shape, dtype):
    d = np.dtype(dtype)
    if d.kind == "f":
        return (rng.random(shape) * 100 - 50).astype(d)
    i = np.iinfo(d)
    return rng.integers(i.min, i.max, shape, dtype=d, endpoint=True)


def note(file, a, order, scale=None, check=True, **more):
    """a has the slowest axis first; order names its axes."""
    if check:
        raw = subprocess.run([UNU, "save", "-f", "nrrd", "-e", "raw", "-en", "little", "-i", file], check=True, capture_output=True).stdout
        assert raw[raw.index(b"\n\n") + 2:] == a.astype(a.dtype.newbyteorder("<")).tobytes(), file
    b = a.transpose([order.index(x) for x in "tzcyx" if x in order])
    for i, x in enumerate("tzcyx"):
        if x not in order:
            b = np.expand_dims(b, i)
    b = np.ascontiguousarray(b)
    expect.append(dict(file=file, shape=b.shape, dtype=b.dtype.name,
                       sha256=hashlib.sha256(b.astype(b.dtype.newbyteorder("<")).tobytes()).hexdigest(), scale=scale or {}, **more))


TYPES = {"i1": "signed char", "u1": "unsigned char", "i2": "short", "u2": "unsigned short", "i4": "int", "u4": "unsigned int",
         "i8": "long long int", "u8": "unsigned long long int", "f4": "float", "f8": "double"}


def by_hand(name, a, *fields, data=None, end="\n\n", version=5, encoding="raw", endian="little", type=None, newline="\n"):
    d = a.dtype.str[1:]
    lines = [f"NRRD000{version}", f"type: {type or TYPES[d]}", f"dimension: {a.ndim}", "sizes: " + " ".join(str(n) for n in a.shape[::-1]),
             f"encoding: {encoding}"] + ([f"endian: {endian}"] if endian else []) + list(fields)
    if data is None:
        data = a.astype(a.dtype.newbyteorder({"little": "<", "big": ">", None: "<"}[endian])).tobytes()
    with open(name, "wb") as f:
        f.write((newline.join(lines) + end).replace("\n", newline).encode() if newline != "\n" else (newline.join(lines) + end).encode())
        f.write(data)


def raw(name, data):
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    open(name, "wb").write(data)


noted = dict(unit="-", says="does not state the unit")

# every type and every encoding, by unu itself
for d in TYPES:
    a = values((3, 4, 5), d)
    by_hand("in.nrrd", a)
    for encoding in ("raw", "gzip", "bzip2", "ascii", "hex"):
        if encoding != "raw" and d not in ("i1", "u2", "i8", "f4"):
            continue
        for endian in ("little", "big"):
            if endian == "big" and (encoding == "ascii" or d == "i1" or encoding in ("gzip", "bzip2") and d != "u2"):
                continue
            name = f"{d}_{encoding}_{endian}.nrrd"
            subprocess.run([UNU, "save", "-f", "nrrd", "-e", encoding, "-en", endian, "-i", "in.nrrd", "-o", name], check=True)
            b = a
            if encoding == "ascii" and d == "f4":
                out = subprocess.run([UNU, "save", "-f", "nrrd", "-e", "raw", "-en", "little", "-i", name], check=True, capture_output=True).stdout
                b = np.frombuffer(out[out.index(b"\n\n") + 2:], "<f4").reshape(a.shape)  # unu writes few digits
            note(name, b, "zyx")
os.remove("in.nrrd")

# lengths
a = values((3, 4, 5), "u2")
by_hand("spacings.nrrd", a, "spacings: 0.5 0.25 2")
note("spacings.nrrd", a, "zyx", {"x": .5, "y": .25, "z": 2}, **noted)
by_hand("units.nrrd", a, "spacings: 0.5 -0.25 2", 'units: "mm" "mm" "um"')
note("units.nrrd", a, "zyx", {"x": 500, "y": 250, "z": 2})
by_hand("directions.nrrd", a, "space dimension: 3", "space directions: (0.5,0,0) (0,0.25,0) (0,0,2)", 'space units: "mm" "mm" "mm"', "space origin: (1,-2,0.5)")
note("directions.nrrd", a, "zyx", {"x": 500, "y": 250, "z": 2000}, origin={"x": 1000, "y": -2000, "z": 500})
by_hand("oblique.nrrd", a, "space: left-posterior-superior", "space directions: (3,4,0) (-4,3,0) (0,0,2)", 'space units: "um" "um" "um"', "space origin: (1,-2,0.5)")
note("oblique.nrrd", a, "zyx", {"x": 5, "y": 5, "z": 2}, says="obliquely")
by_hand("mixed_units.nrrd", a, "space dimension: 3", "space directions: (1,0,0) (0,1,0) (0,0,1)", 'space units: "um" "nm" "mm"')
note("mixed_units.nrrd", a, "zyx", {"x": 1, "y": 1e-3, "z": 1000})
by_hand("mins.nrrd", a, "axis mins: 0 1 2", "axis maxs: 5 4 2", "centers: cell node ???", 'units: "um" "um" "um"')
note("mins.nrrd", a, "zyx", {"x": 1, "y": 1})
by_hand("nan.nrrd", a, "spacings: nan 0 1", "thicknesses: NaN NaN 1", "kinds: domain domain domain", 'units: "um" "um" "um"')
note("nan.nrrd", a, "zyx", {"z": 1}, check=False)

# spellings
by_hand("crlf.nrrd", a, "spacings: 1 1 1", 'units: "um" "um" "um"', newline="\r\n")
note("crlf.nrrd", a, "zyx", {"x": 1, "y": 1, "z": 1}, check=False)
open("odd.nrrd", "wb").write(b"NRRD0001\n# a comment\nContent: cells\nnumber: 60\nTYPE: UShort\nDimension: 3\nencoding: RAW\nendian: Little\nsizes:   5  4   3\n"
                             b"Axismins: 0 0 0\nkey:=a value: with colons\nsample units: \"counts\"\nold min: 0\nblock size: 2\n\n" + a.tobytes())
note("odd.nrrd", a, "zyx", check=False)
by_hand("int16_t.nrrd", a.view("i2"), type="int16_t")
note("int16_t.nrrd", a.view("i2"), "zyx")
b = values((3, 4, 5), "u1")
by_hand("no_endian.nrrd", b, endian=None)
note("no_endian.nrrd", b, "zyx")

# axes
by_hand("1d.nrrd", values((7,), "u1"))
note("1d.nrrd", np.frombuffer(open("1d.nrrd", "rb").read()[-7:], "u1"), "x")
v = values((2, 3, 4, 5), "u1")
by_hand("4d.nrrd", v)
note("4d.nrrd", v, "tzyx")
by_hand("4d_time.nrrd", v, "kinds: domain domain domain time", "spacings: 1 1 2 100", 'units: "um" "um" "um" "ms"')
note("4d_time.nrrd", v, "tzyx", {"x": 1, "y": 1, "z": 2, "t": .1})
by_hand("2d_time.nrrd", v[0], "kinds: domain domain time")
note("2d_time.nrrd", v[0], "tyx")
by_hand("list_last.nrrd", v, "kinds: domain domain domain list")
note("list_last.nrrd", v, "czyx")
by_hand("none_first.nrrd", values((2, 3, 4, 3), "f4"), "space dimension: 3", "space directions: none (1,0,0) (0,1,0) (0,0,1)", 'space units: "um" "um" "um"')
w = np.frombuffer(open("none_first.nrrd", "rb").read()[-288:], "<f4").reshape(2, 3, 4, 3)
note("none_first.nrrd", w, "zyxc", {"x": 1, "y": 1, "z": 1})
for kind, n, rgb in (("RGB-color", 3, True), ("RGBA-color", 4, True), ("3-vector", 3, False), ("vector", 2, False), ("complex", 2, False)):
    w = values((2, 3, 4, n), "u1")
    by_hand(f"{kind}.nrrd", w, f"kinds: {kind} domain domain domain")
    note(f"{kind}.nrrd", w, "zyxc", rgb=rgb)
w = values((2, 2, 3, 4, 3), "u1")
by_hand("5d.nrrd", w, "kinds: 3-color space space space time")
note("5d.nrrd", w, "tzyxc")
w = values((2, 2, 3, 4, 3), "u1")
by_hand("5d_domains.nrrd", w, "kinds: domain domain domain domain domain")
note("5d_domains.nrrd", w, "ctzyx")

# what lies in front of the voxels
by_hand("byte_skip.nrrd", a, "byte skip: 7", data=b"1234567" + a.tobytes())
note("byte_skip.nrrd", a, "zyx")
by_hand("line_skip.nrrd", a, "line skip: 2", "byte skip: 3", data=b"one\ntwo\n123" + a.tobytes())
note("line_skip.nrrd", a, "zyx")
by_hand("tail.nrrd", a, "byte skip: -1", data=b"whatever\n" + a.tobytes())
note("tail.nrrd", a, "zyx")
by_hand("gz_skip.nrrd", a, "line skip: 1", "byte skip: 5", encoding="gz", data=b"a line\n" + gzip.compress(b"12345" + a.tobytes(), mtime=0))
note("gz_skip.nrrd", a, "zyx")
by_hand("gz_tail.nrrd", a, "byte skip: -1", encoding="gzip", data=gzip.compress(b"1234567" + a.tobytes(), mtime=0))
note("gz_tail.nrrd", a, "zyx", check=False)
by_hand("bz2_tail.nrrd", a, "byte skip: -1", encoding="bz2", data=bz2.compress(b"1234567" + a.tobytes()))
expect.append(dict(file="bz2_tail.nrrd", refuse="does not say how long it is"))

# detached
raw("one.raw", a.tobytes())
by_hand("one.nhdr", a, "data file: one.raw", data=b"", end="\n")
note("one.nhdr", a, "zyx")
by_hand("datafile.nhdr", a, "datafile: ./one.raw", data=b"", end="\n\n")
note("datafile.nhdr", a, "zyx")
raw("a name with blanks.gz", gzip.compress(a.tobytes(), mtime=0))
by_hand("blanks.nhdr", a, "data file: a name with blanks.gz", encoding="gzip", data=b"", end="\n")
note("blanks.nhdr", a, "zyx")
for z in range(3):
    raw(f"slices/s{z + 1:03d}.raw", b"head" + a[z].tobytes())
    raw(f"slices/s{z + 1:03d}.gz", gzip.compress(a[z].tobytes(), mtime=0))
by_hand("pattern.nhdr", a, "byte skip: 4", "data file: slices/s%03d.raw 1 3 1", data=b"", end="\n")
note("pattern.nhdr", a, "zyx")
by_hand("pattern_down.nhdr", a[::-1], "byte skip: -1", "data file: slices/s%03d.raw 3 1 -1 2", data=b"", end="\n")
note("pattern_down.nhdr", a[::-1], "zyx")
by_hand("list.nhdr", a, "data file: LIST", encoding="gzip", data=b"slices/s001.gz\nslices/s002.gz\nslices/s003.gz\n", end="\n")
note("list.nhdr", a, "zyx")
v = values((2, 3, 4, 5), "u1")
for t in range(2):
    for z in range(3):
        raw(f"slices/t{t}z{z}.raw", v[t, z].tobytes())
by_hand("list_2.nhdr", v, "data file: LIST 2", data=b"".join(f"slices/t{t}z{z}.raw\n".encode() for t in range(2) for z in range(3)), end="\n")
note("list_2.nhdr", v, "tzyx")
c = values((4, 4, 5), "u2")
raw("slices/half1.raw", c[:2].tobytes())
raw("slices/half2.raw", c[2:].tobytes())
by_hand("slabs.nhdr", c, "data file: LIST 3", data=b"slices/half1.raw\nslices/half2.raw\n", end="\n")
note("slabs.nhdr", c, "zyx", check=False)

with open("expect.json", "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(e, default=int) for e in expect) + "\n]\n")
