"""Writes the files of this folder with nibabel, and what it reads from them into expect.json.

    python3 make.py        (Debian's python3-nibabel 5.0, python3-numpy)
"""
import gzip, hashlib, json, os

import nibabel as nib
import numpy as np

os.chdir(os.path.dirname(os.path.abspath(__file__)))
expect = []
rng = np.random.default_rng(5)


def note(file, a, scale, **more):
    while a.ndim < 4:
        a = a[..., None]
    b = np.ascontiguousarray(a.transpose(3, 2, 1, 0)[:, :, None])
    expect.append(dict(file=file, shape=b.shape, dtype=b.dtype.name,
                       sha256=hashlib.sha256(b.astype(b.dtype.newbyteorder("<")).tobytes()).hexdigest(), scale=scale, **more))


mm = {"x": 500, "y": 250, "z": 1500}
affine = np.diag([0.5, 0.25, 1.5, 1])
for dtype in ("u1", "i2", "i4", "f4"):
    a = (rng.random((5, 4, 3)) * 200).astype(dtype)
    for end in ("mgh", "mgz"):
        nib.save(nib.MGHImage(a, affine), f"{dtype}.{end}")
        note(f"{dtype}.{end}", np.asarray(nib.load(f"{dtype}.{end}").dataobj), mm)
a = (rng.random((4, 3, 2, 5)) * 30000).astype("i2")
im = nib.MGHImage(a, affine)
im.header.set_zooms((0.5, 0.25, 1.5, 2500))  # TR is in milliseconds
nib.save(im, "frames.mgh")
note("frames.mgh", np.asarray(nib.load("frames.mgh").dataobj), {**mm, "t": 2.5})
raw = open("frames.mgh", "rb").read()
with gzip.GzipFile("frames.mgh.gz", "wb", mtime=0) as f:
    f.write(raw)
note("frames.mgh.gz", a, mm)
head = bytearray(raw)
head[28:30] = bytes(2)  # goodRASFlag: nothing behind it counts
open("no_ras.mgh", "wb").write(head)
note("no_ras.mgh", a, {"t": 2.5}, says="does not state how large")
head = bytearray(raw)
head[20:24] = bytes([0, 0, 0, 2])  # MRI_LONG
open("long.mgh", "wb").write(head)
expect.append(dict(file="long.mgh", refuse="type 2"))

with open("expect.json", "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(e, default=int) for e in expect) + "\n]\n")
