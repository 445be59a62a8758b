"""Write vectors.json: bytes packed by libtiff and numcodecs, with what they unpack to.

    LAMELLA_SHARED=... /usr/bin/python3 vectors.py

Needs python3-pil (libtiff), python3-numcodecs, python3-numpy and libtiff-tools. Each entry has a
name, the packed bytes in base64, the key of the raw ones among "raws", and what the test needs to know about them.
"""
import base64, hashlib, json, lzma, os, subprocess, tempfile, zlib

import numcodecs
import numpy as np
from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))
out, raws = [], {}


def add(name, packed, raw, **more):
    b64 = lambda b: base64.b64encode(bytes(b)).decode()
    key = hashlib.sha256(raw).hexdigest()[:12]
    raws[key] = b64(raw)
    out.append(dict(name=name, packed=b64(packed), raw=key, **more))


def field(dtype, rows=29, columns=36, samples=1):
    """A smooth picture with texture, so that every codec has both runs and surprises."""
    y, x, s = np.mgrid[:rows, :columns, :samples]
    v = 40 * y + 3 * x * x + 1000 * s + (x * 7919 + y * 104729) % 13
    v = np.where((y > 14) & (x < 12), 7, v)
    v = v[:, :, 0] if samples == 1 else v
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return (v / 7 - 100).astype(dtype)
    return (v % (1 << min(8 * dtype.itemsize - 1, 40))).astype(dtype)


def strips(path):
    with Image.open(path) as im:
        offsets, counts = im.tag_v2[273], im.tag_v2[279]
    with open(path, "rb") as f:
        b = f.read()
    return [b[o:o + c] for o, c in zip(offsets, counts)]


with tempfile.TemporaryDirectory() as tmp:
    plain, packed = os.path.join(tmp, "a.tif"), os.path.join(tmp, "b.tif")
    for dtype in ("u1", "<u2"):
        a = field(dtype)
        Image.fromarray(a).save(plain)
        for option, name in (("lzw", "lzw"), ("packbits", "packbits")):
            subprocess.run(["tiffcp", "-r", "1000", "-c", option, plain, packed], check=True)
            add(f"{name} {dtype}", strips(packed)[0], a.tobytes())
        subprocess.run(["tiffcp", "-r", "1000", "-c", "zip:2", plain, packed], check=True)
        add(f"undiff {dtype}", zlib.decompress(strips(packed)[0]), a.tobytes(), row=a.strides[0], samples=1, size=a.itemsize)
    rgb = field("u1", samples=3)
    Image.fromarray(rgb).save(plain)
    subprocess.run(["tiffcp", "-r", "1000", "-c", "zip:2", plain, packed], check=True)
    add("undiff rgb", zlib.decompress(strips(packed)[0]), rgb.tobytes(), row=rgb.strides[0], samples=3, size=1)
    a = field("<f4")
    Image.fromarray(a).save(plain)
    subprocess.run(["tiffcp", "-r", "1000", "-c", "zip:3", plain, packed], check=True)
    add("float f4", zlib.decompress(strips(packed)[0]), a.tobytes(), row=a.strides[0], samples=1, size=4)

    old = os.path.join(os.environ["LAMELLA_SHARED"], "data/tiff/ir_quad-lzw-compat.tiff")
    with Image.open(old) as im:
        raw = np.asarray(im).tobytes()
    add("lzw old", strips(old)[0][:600], raw[:700])

a = field("<u2")
raw = a.tobytes()
for name, codec in {
    "zlib": numcodecs.Zlib(level=6), "gzip": numcodecs.GZip(level=6), "bz2": numcodecs.BZ2(level=9),
    "zstd": numcodecs.Zstd(level=3), "lz4": numcodecs.LZ4(), "lzma": numcodecs.LZMA(),
}.items():
    add(name, codec.encode(raw), raw)
LZMA2, LZMA1, DELTA = ({"id": i} for i in (lzma.FILTER_LZMA2, lzma.FILTER_LZMA1, lzma.FILTER_DELTA))
add("lzmafile", numcodecs.LZMA(format=lzma.FORMAT_ALONE).encode(raw), raw)
add("lzmaraw", numcodecs.LZMA(format=lzma.FORMAT_RAW, filters=[dict(DELTA, dist=2), LZMA2]).encode(raw), raw)
add("lzmaold", numcodecs.LZMA(format=lzma.FORMAT_RAW, filters=[dict(LZMA1, lc=1, lp=1, pb=1)]).encode(raw), raw)
add("shuffle", numcodecs.Shuffle(2).encode(raw), raw, size=2)
add("delta i2", numcodecs.Delta("<i2").encode(a.view("<i2")).tobytes(), raw, size=2)
codec = numcodecs.Delta("<f4")
add("delta f4", codec.encode(field("<f4")).tobytes(), codec.decode(codec.encode(field("<f4"))).tobytes(), size=4)
flags = field("u1").ravel()[:1437] % 3 == 0
add("packbools", numcodecs.PackBits().encode(flags), flags.tobytes())
scaled = np.round(np.linspace(-3, 9, 500), 2)
codec = numcodecs.FixedScaleOffset(offset=-3, scale=100, dtype="<f8", astype="<u2")
add("scaleoffset", codec.encode(scaled).tobytes(), codec.decode(codec.encode(scaled)).tobytes(), offset=-3, scale=100)

numcodecs.blosc.use_threads = False
for cname in ("blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"):
    if cname not in numcodecs.blosc.list_compressors():
        continue
    for shuffle in (0, 1, 2):
        for dtype in ("u1", "<u2", "<f4", "<f8"):
            for rows, blocksize in ((29, 0), (1, 0), (29, 1024)):
                if blocksize == 0 and (cname != "lz4" or dtype not in ("<u2", "<f8")):
                    continue
                a = field(dtype, rows=rows)
                codec = numcodecs.Blosc(cname=cname, clevel=5, shuffle=shuffle, blocksize=blocksize)
                add(f"blosc {cname} {shuffle} {dtype} {rows}x36 {blocksize}", codec.encode(a), a.tobytes(), size=a.itemsize)
noise = np.random.default_rng(1).integers(0, 256, 3000, dtype="u1")
add("blosc lz4 0 noise", numcodecs.Blosc(cname="lz4", shuffle=0).encode(noise), noise.tobytes(), size=1)
add("blosc lz4 1 empty", numcodecs.Blosc(cname="lz4").encode(b""), b"", size=1)

with open(os.path.join(HERE, "vectors.json"), "w") as f:
    lines = lambda rows: ",\n".join(rows)
    f.write('{"raws": {\n' + lines(f'"{k}": "{v}"' for k, v in raws.items()) + '\n},\n"vectors": [\n'
            + lines(json.dumps(o) for o in out) + "\n]}\n")
