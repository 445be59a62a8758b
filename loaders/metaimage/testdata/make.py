"""Writes the files of this folder with VTK's MetaIO, or by hand and then read by it, and what it reads from them into
expect.json.

    python3 make.py        (Debian's python3-vtk9 9.1 and python3-numpy)

Where VTK cannot read a file (four dimensions, voxels as text, units), the values are those that were put in.
"""
import hashlib, json, os, zlib

import numpy as np
import vtk
from vtk.util import numpy_support

os.chdir(os.path.dirname(os.path.abspath(__file__)))
vtk.vtkObject.GlobalWarningDisplayOff()
expect = []
rng = np.random.default_rng(13)


def values(shape, dtype):
    d = np.dtype(dtype)
    if d.kind == "f":
        return (rng.random(shape) * 100 - 50).astype(d)
    i = np.iinfo(d)
    return rng.integers(i.min, i.max, shape, dtype=d, endpoint=True)


def vtk_reads(file):
    r = vtk.vtkMetaImageReader()
    r.SetFileName(file)
    r.Update()
    im = r.GetOutput()
    a = numpy_support.vtk_to_numpy(im.GetPointData().GetScalars())
    x, y, z = im.GetDimensions()
    c = im.GetNumberOfScalarComponents()
    return a.reshape((z, y, x, c) if c > 1 else (z, y, x))


def note(file, a, order, scale=None, check=True, **more):
    """a has the slowest axis first; order names its axes."""
    if check:
        got = vtk_reads(file)
        assert got.dtype == a.dtype and got.tobytes() == a.astype(a.dtype.newbyteorder("=")).tobytes(), (file, got.dtype, got.shape)
    b = a.transpose([order.index(x) for x in "tzcyx" if x in order])
    for i, x in enumerate("tzcyx"):
        if x not in order:
            b = np.expand_dims(b, i)
    b = np.ascontiguousarray(b)
    expect.append(dict(file=file, shape=b.shape, dtype=b.dtype.name,
                       sha256=hashlib.sha256(b.astype(b.dtype.newbyteorder("<")).tobytes()).hexdigest(), scale=scale or {}, **more))


noted = dict(unit="-", says="does not state the unit")
half = {"x": .5, "y": .25, "z": 2}


def by_vtk(name, a, compress):
    im = vtk.vtkImageData()
    z, y, x = a.shape[:3]
    im.SetDimensions(x, y, z)
    im.SetSpacing(0.5, 0.25, 2)
    s = numpy_support.numpy_to_vtk(a.reshape(x * y * z, -1) if a.ndim > 3 else a.ravel(), deep=True)
    im.GetPointData().SetScalars(s)
    w = vtk.vtkMetaImageWriter()
    w.SetFileName(name)
    w.SetCompression(compress)
    w.SetInputData(im)
    w.Write()


for d in "i1 u1 i2 u2 i4 u4 f4 f8".split():
    a = values((3, 4, 5), d)
    by_vtk(f"{d}.mha", a, d in ("u2", "f4"))
    note(f"{d}.mha", a, "zyx", half, **noted)
a = values((3, 4, 5), "u2")
by_vtk("plain.mhd", a, False)
note("plain.mhd", a, "zyx", half, **noted)
by_vtk("packed.mhd", a, True)
note("packed.mhd", a, "zyx", half, **noted)
c = values((3, 4, 5, 3), "u1")
by_vtk("vector.mha", c, True)
note("vector.mha", c, "zyxc", half, **noted)

HEAD = "ObjectType = Image\nNDims = 3\n"


def by_hand(name, a, *lines, data=None, kind="MET_USHORT", dims=None, file="LOCAL", head=HEAD, newline="\n", spacing=True):
    dims = dims or a.shape[::-1]
    text = head + "DimSize = " + " ".join(map(str, dims)) + "\nElementType = " + kind + "\n"
    if spacing:
        text += "ElementSpacing = 0.5 0.25 2\n"
    text += "".join(line + "\n" for line in lines) + f"ElementDataFile = {file}\n"
    if data is None:
        data = a.tobytes()
    with open(name, "wb") as f:
        f.write(text.replace("\n", newline).encode() + data)


def raw(name, data):
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    open(name, "wb").write(data)


mm = {"x": 500, "y": 250, "z": 2000}
by_hand("long_long.mha", values((3, 4, 5), "i8"), kind="MET_LONG_LONG")
note("long_long.mha", np.frombuffer(open("long_long.mha", "rb").read()[-480:], "i8").reshape(3, 4, 5), "zyx", half, check=False, **noted)
by_hand("long.mha", a.astype("i4"), kind="MET_LONG", data=a.astype("i4").tobytes())
note("long.mha", a.astype("i4"), "zyx", half, check=False, **noted)
by_hand("msb.mha", a, "BinaryData = True", "BinaryDataByteOrderMSB = True", data=a.astype(">u2").tobytes())
note("msb.mha", a, "zyx", half, **noted)
by_hand("element_msb.mha", a, "ElementByteOrderMSB = True", data=a.astype(">u2").tobytes())
note("element_msb.mha", a, "zyx", half, **noted)
by_hand("units.mha", a, "DistanceUnits = mm")
note("units.mha", a, "zyx", mm)
by_hand("origin.mha", a, "DistanceUnits = um", "Offset = 1 -2 3", "TransformMatrix = 1 0 0 0 1 0 0 0 1")
note("origin.mha", a, "zyx", half, origin={"x": 1, "y": -2, "z": 3})
by_hand("oblique.mha", a, "DistanceUnits = um", "Offset = 1 -2 3", "TransformMatrix = 0.8 0.6 0 -0.6 0.8 0 0 0 1")
note("oblique.mha", a, "zyx", half, says="obliquely")
by_hand("size.mha", a, "DistanceUnits = mm", "ElementSize = 1 1 3", spacing=False)
note("size.mha", a, "zyx", {"x": 1000, "y": 1000, "z": 3000})
by_hand("bare.mha", a, spacing=False, head="NDims = 3\n")
note("bare.mha", a, "zyx")
by_hand("crlf.mha", a, newline="\r\n")
note("crlf.mha", a, "zyx", half, check=False, **noted)
by_hand("odd.mha", a, "Comment = a = b: c", "Modality = MET_MOD_MR", "AnatomicalOrientation = RAI", head="objecttype : image\nNDims=3\n")
note("odd.mha", a, "zyx", half, check=False, **noted)
by_hand("text.mha", a, "BinaryData = False", data=" ".join(map(str, a.ravel())).encode() + b"\n")
note("text.mha", a, "zyx", half, check=False, **noted)
by_hand("no_size.mha", a, "CompressedData = True", data=zlib.compress(a.tobytes()))
note("no_size.mha", a, "zyx", half, check=False, **noted)
by_hand("trailing.mha", a, "CompressedData = True", f"CompressedDataSize = {len(zlib.compress(a.tobytes()))}", data=zlib.compress(a.tobytes()) + b"trailing")
note("trailing.mha", a, "zyx", half, **noted)
t = values((2, 3, 4, 5), "u1")
by_hand("4d.mha", t, kind="MET_UCHAR", head="ObjectType = Image\nNDims = 4\n", spacing=False)
note("4d.mha", t, "tzyx", check=False)
by_hand("2d.mha", t[0, 0], kind="MET_UCHAR", head="ObjectType = Image\nNDims = 2\n", spacing=False)
note("2d.mha", t[0, 0], "yx", check=False)
by_hand("four_channels.mha", values((3, 4, 5, 4), "f4"), "ElementNumberOfChannels = 4", kind="MET_FLOAT", dims=(5, 4, 3))
note("four_channels.mha", vtk_reads("four_channels.mha"), "zyxc", half, **noted)

raw("one.raw", b"header!" + a.tobytes())
by_hand("skip.mhd", a, "HeaderSize = 7", file="one.raw", data=b"")
note("skip.mhd", a, "zyx", half, **noted)
by_hand("tail.mhd", a, "HeaderSize = -1", file="./one.raw", data=b"")
note("tail.mhd", a, "zyx", half, **noted)
raw("a name.raw", a.tobytes())
by_hand("blanks.mhd", a, file="a name.raw", data=b"")
note("blanks.mhd", a, "zyx", half, **noted)
for z in range(3):
    raw(f"slices/s{z:02d}.raw", b"head" + a[z].tobytes())
    raw(f"slices/s{z:02d}.zraw", zlib.compress(a[z].tobytes()))
by_hand("pattern.mhd", a, "HeaderSize = 4", file="slices/s%02d.raw 0 2 1", data=b"")
note("pattern.mhd", a, "zyx", half, **noted)
by_hand("list.mhd", a, "HeaderSize = -1", file="LIST", data=b"slices/s00.raw\nslices/s01.raw\nslices/s02.raw\n")
note("list.mhd", a, "zyx", half, **noted)
by_hand("list_2d.mhd", a, "HeaderSize = 4", file="LIST 2D", data=b"slices/s00.raw\r\nslices/s01.raw\r\nslices/s02.raw")
note("list_2d.mhd", a, "zyx", half, check=False, **noted)
by_hand("packed_list.mhd", a, "CompressedData = True", file="LIST", data=b"slices/s00.zraw\nslices/s01.zraw\nslices/s02.zraw\n")
note("packed_list.mhd", a, "zyx", half, check=False, **noted)

with open("expect.json", "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(e, default=int) for e in expect) + "\n]\n")
