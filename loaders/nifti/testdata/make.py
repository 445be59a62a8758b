"""Writes the files of this folder with nibabel, and what it reads from them into expect.json.

    python3 make.py        (Debian's python3-nibabel 5.0, python3-numpy)
"""
import gzip, hashlib, json, os, struct

import nibabel as nib
import numpy as np

os.chdir(os.path.dirname(os.path.abspath(__file__)))
expect = []
rng = np.random.default_rng(7)


def values(shape, dtype):
    d = np.dtype(dtype)
    if d.kind == "f":
        return (rng.random(shape) * 100 - 50).astype(d)
    i = np.iinfo(d)
    return rng.integers(i.min, i.max, shape, dtype=d, endpoint=True)


def tzcyx(a, samples=False):
    """nibabel's x, y, z, t, v (and colour samples last) as t, z, c, y, x."""
    if samples:
        while a.ndim < 5:
            a = a[..., None, :]
        x, y, z, t, s = a.shape
        return np.transpose(a, (3, 2, 4, 1, 0))
    while a.ndim < 5:
        a = a[..., None]
    return np.transpose(a[:, :, :, :, :], (3, 2, 4, 1, 0))


def note(file, a, scale, samples=False, **more):
    b = np.ascontiguousarray(tzcyx(np.asarray(a), samples))
    expect.append(dict(file=file, shape=b.shape, dtype=b.dtype.name,
                       sha256=hashlib.sha256(b.astype(b.dtype.newbyteorder("<")).tobytes()).hexdigest(), scale=scale, **more))


def diagonal(*zooms):
    return np.diag(list(zooms) + [1.0])


um = {"x": 500, "y": 250, "z": 1500}
for order in "<>":
    for dtype in "i1 u1 i2 u2 i4 u4 i8 u8 f4 f8".split():
        for cls, n in ((nib.Nifti1Image, 1), (nib.Nifti2Image, 2)):
            if n == 2 and dtype not in ("i2", "f8"):
                continue
            if order == ">" and dtype not in ("i2", "u4", "f8"):
                continue
            a = values((5, 4, 3), dtype)
            h = cls.header_class(endianness=order)
            im = cls(a, diagonal(0.5, 0.25, 1.5), h, dtype=np.dtype(dtype).newbyteorder(order))
            im.header.set_xyzt_units("mm", "sec")
            name = f"{dtype}_{'le' if order == '<' else 'be'}_n{n}.nii"
            nib.save(im, name)
            note(name, np.asarray(nib.load(name).dataobj), um)


def save(name, a, affine=None, units=("mm", "sec"), edit=None, cls=nib.Nifti1Image):
    im = cls(a, diagonal(0.5, 0.25, 1.5) if affine is None else affine)
    im.header.set_xyzt_units(*units)
    if edit:
        edit(im)
    nib.save(im, name)
    return nib.load(name)


# axes
def zooms(*z):
    return lambda im: im.header.set_zooms(z)


note("1d.nii", save("1d.nii", values((7,), "u1")).dataobj, {"x": 500})
note("2d.nii.gz", save("2d.nii.gz", values((7, 5), "u2")).dataobj, {"x": 500, "y": 250})
note("4d_ms.nii.gz", save("4d_ms.nii.gz", values((4, 3, 2, 5), "i2"), units=("micron", "msec"), edit=zooms(1, 2, 3, 250)).dataobj,
     {"x": 1, "y": 2, "z": 3, "t": 0.25}, says="sform has voxels")
note("5d.nii", save("5d.nii", values((4, 3, 2, 3, 2), "f4"), edit=zooms(0.5, 0.25, 1.5, 2, 1)).dataobj, {**um, "t": 2})
note("metre.nii", save("metre.nii", values((4, 3, 2), "u1"), units=("meter", "sec"), affine=diagonal(1e-6, 1e-6, 2e-6)).dataobj, {"x": 1, "y": 1, "z": 2})
note("unitless.nii", save("unitless.nii", values((4, 3, 2), "u1"), units=(0, 0)).dataobj, {"x": .5, "y": .25, "z": 1.5}, unit="-", says="does not state the unit")

# the affine
c, s = np.cos(0.3), np.sin(0.3)
turn = np.array([[c, -s, 0, 5], [s, c, 0, 6], [0, 0, 2, 7], [0, 0, 0, 1.0]])
note("oblique_sform.nii", save("oblique_sform.nii", values((4, 3, 2), "u1"), affine=turn).dataobj, {"x": 1000, "y": 1000, "z": 2000}, says="sform turns the image obliquely")


def only_q(im):
    im.set_qform(turn, 1)
    im.set_sform(None, 0)


note("oblique_qform.nii", save("oblique_qform.nii", values((4, 3, 2), "u1"), affine=turn, edit=only_q).dataobj, {"x": 1000, "y": 1000, "z": 2000}, says="qform turns the image obliquely")
flip = diagonal(-0.5, 0.25, 1.5)
note("flipped.nii", save("flipped.nii", values((4, 3, 2), "u1"), affine=flip).dataobj, um)
shift = diagonal(0.5, 0.25, 1.5)
shift[:3, 3] = 10, -20, 0.25
note("origin.nii", save("origin.nii", values((4, 3, 2), "u1"), affine=shift).dataobj, um, origin={"x": 10000, "y": -20000, "z": 250})

# colours
rgb = np.dtype([("R", "u1"), ("G", "u1"), ("B", "u1")])
rgba = np.dtype([("R", "u1"), ("G", "u1"), ("B", "u1"), ("A", "u1")])
for name, d, n in (("rgb.nii", rgb, 3), ("rgba.nii.gz", rgba, 4)):
    v = values((5, 4, 3, n), "u1")
    save(name, v.view(d)[..., 0])
    back = np.asarray(nib.load(name).dataobj)
    note(name, np.ascontiguousarray(back).view("u1").reshape(5, 4, 3, n), um, samples=True, rgb=True)
v = values((4, 3, 2, 2, 3), "u1")
save("rgb_4d.nii", v.view(rgb)[..., 0], edit=zooms(.5, .25, 1.5, 3))
note("rgb_4d.nii", v, {**um, "t": 3}, samples=True, rgb=True)

# scaling
for name, dtype, slope, inter in (("scaled_i2.nii", "i2", 0.5, -100), ("scaled_u1.nii.gz", "u1", 2, 0), ("scaled_f4.nii", "f4", -3, 1),
                                  ("scaled_f8.nii", "f8", 0.1, 7), ("scaled_inter.nii", "u4", 1, 5), ("scaled_be.nii", ">i4", 0.25, 3)):
    im = nib.Nifti1Image(values((4, 3, 2), np.dtype(dtype).newbyteorder("=")), diagonal(0.5, 0.25, 1.5), dtype=dtype, header=nib.Nifti1Header(endianness=">" if dtype[0] == ">" else "<"))
    im.header.set_xyzt_units("mm", "sec")
    im.header.set_slope_inter(1, 0)
    nib.save(im, name)
    raw = bytearray((gzip.open(name) if name.endswith("gz") else open(name, "rb")).read())
    raw[112:120] = struct.pack((">" if dtype[0] == ">" else "<") + "2f", slope, inter)
    with (gzip.GzipFile(name, "wb", mtime=0) if name.endswith("gz") else open(name, "wb")) as f:
        f.write(raw)
    back = nib.load(name)
    note(name, back.get_fdata(dtype="f8"), um)
    note(name, back.dataobj.get_unscaled(), um, stored=True)
for name, slope, inter in (("scl_zero.nii", 0, 9), ("scl_nan.nii", float("nan"), 0), ("scl_inf.nii", float("inf"), 0)):
    a = values((4, 3, 2), "i2")
    save(name, a)
    raw = bytearray(open(name, "rb").read())
    raw[112:120] = struct.pack("<2f", slope, inter)
    open(name, "wb").write(raw)
    note(name, a, um)

# pairs
nib.save(nib.Nifti1Pair(values((4, 3, 2), "i2"), diagonal(0.5, 0.25, 1.5)), "pair.hdr")
im = nib.load("pair.hdr")
note("pair.hdr", im.dataobj, {"x": .5, "y": .25, "z": 1.5}, unit="-", says="does not state the unit")
note("pair.img", im.dataobj, {"x": .5, "y": .25, "z": 1.5}, unit="-", says="does not state the unit")
nib.save(nib.Nifti1Pair(values((4, 3, 2), "i2"), diagonal(0.5, 0.25, 1.5)), "packed.img.gz")
im = nib.load("packed.img.gz")
note("packed.img.gz", im.dataobj, {"x": .5, "y": .25, "z": 1.5}, unit="-", says="does not state the unit")
note("packed.hdr.gz", im.dataobj, {"x": .5, "y": .25, "z": 1.5}, unit="-", says="does not state the unit")
nib.save(nib.Nifti2Pair(values((4, 3, 2), "f4"), diagonal(0.5, 0.25, 1.5)), "pair2.hdr")
note("pair2.hdr", nib.load("pair2.hdr").dataobj, {"x": .5, "y": .25, "z": 1.5}, unit="-", says="does not state the unit")
nib.save(nib.AnalyzeImage(values((4, 3, 2), "i2"), diagonal(0.5, 0.25, 1.5)), "analyze.hdr")
note("analyze.hdr", np.asarray(nib.load("analyze.hdr").dataobj), {"x": .5, "y": .25, "z": 1.5}, unit="-", says="does not state the unit")

# what cannot be
save("complex.nii", (values((4, 3, 2), "f4") + 1j).astype("c8"))
expect.append(dict(file="complex.nii", refuse="complex numbers"))
save("extended.nii", values((4, 3, 2), "u1"), edit=lambda im: im.header.extensions.append(nib.nifti1.Nifti1Extension("comment", b"some words in front of the voxels")))
note("extended.nii", nib.load("extended.nii").dataobj, um)

with open("expect.json", "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(e, default=int) for e in expect) + "\n]\n")
