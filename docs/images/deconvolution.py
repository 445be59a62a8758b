#!/usr/bin/env python3
"""Makes deconvolution.png and prints how far each picture is from the truth:

    /usr/bin/python3 deconvolution.py LAMELLA      (the program; needs numpy, scipy and PIL)

A specimen is made up, blurred by the PSF of a water objective (NA 1.0, 520 nm), recorded with 300 photons in its
brightest voxel on a background of 20, and deconvolved by the program. Rows: the middle plane, and a side view.
"""
import os, subprocess, sys, tempfile
import numpy as np
from PIL import Image
from scipy.signal import fftconvolve
from scipy.special import j0

STEP = (0.2, 0.08, 0.08)        # um along z, y, x
SHAPE = (48, 200, 200)
NA, LENGTH, INDEX = 1.0, 0.52, 1.33


def psf(shape):
    z, y, x = (np.arange(n) - n // 2 for n in shape)
    r = np.hypot(y[:, None] * STEP[1], x[None, :] * STEP[2])
    rho = (np.arange(400) + 0.5) / 400
    k = 2 * np.pi / LENGTH
    bessel = j0(k * NA * r[..., None] * rho) * rho
    out = np.stack([abs((bessel * np.exp(-1j * k * NA**2 * a * STEP[0] * rho**2 / (2 * INDEX))).mean(-1)) ** 2 for a in z])
    return (out / out.sum()).astype(np.float32)


def specimen():
    r = np.random.default_rng(3)
    z, y, x = np.meshgrid(*(np.arange(n) * s for n, s in zip(SHAPE, STEP)), indexing="ij")
    v = np.zeros(SHAPE)
    size = [n * s for n, s in zip(SHAPE, STEP)]
    for _ in range(5):                                    # shells
        c, radius = r.uniform(0.2, 0.8, 3) * size, r.uniform(1.2, 2.2)
        d = np.sqrt((z - c[0]) ** 2 + (y - c[1]) ** 2 + (x - c[2]) ** 2)
        v += 0.5 * np.exp(-0.5 * ((d - radius) / 0.07) ** 2) + 0.06 * (d < radius)
    for _ in range(12):                                   # threads
        at, way = r.uniform(0, 1, 3) * size, r.normal(size=3) * (0.3, 1, 1)
        way /= np.linalg.norm(way)
        p = np.stack([z, y, x], -1) - at
        along = (p * way).sum(-1)
        d2 = (p * p).sum(-1) - along**2
        v += 0.6 * np.exp(-0.5 * d2 / 0.06**2)
    for _ in range(60):                                   # spots
        i = tuple(int(q) for q in r.uniform(0.05, 0.95, 3) * SHAPE)
        v[i] += 12
    return v


def main(lamella):
    truth, h = specimen(), psf((33, 65, 65))
    blurred = np.maximum(0, fftconvolve(np.pad(truth, 32, mode="edge"), h, mode="same")[32:-32, 32:-32, 32:-32])
    scale = 300 / blurred.max()
    recorded = np.random.default_rng(4).poisson(blurred * scale + 20).astype(np.uint16)
    with tempfile.TemporaryDirectory() as d:
        file = lambda name: os.path.join(d, name)
        np.save(file("image.npy"), recorded)
        np.save(file("psf.npy"), h)
        shown = [("truth", truth * scale), ("recorded", recorded - 20.0)]
        for how in ("iterations=20", "iterations=60", "iterations=60 tv=0.01", "iterations=15 accelerate=true"):
            chain = "richardson-lucy psf=%s background=20 %s" % (file("psf.npy"), how)
            subprocess.run([lamella, "export", file("image.npy"), "--filter", chain, "--out", file("out.npy"), "--overwrite", "--quiet"], check=True)
            shown.append((how, np.load(file("out.npy"))[0, :, 0].astype(float)))
    rows = [[], []]
    for name, v in shown:
        blur = lambda a: fftconvolve(a, np.ones((3, 3, 3)) / 27, mode="same")      # as fine as any of them can be
        print("%-32s correlation with the truth %.3f" % (name, np.corrcoef(blur(v).ravel(), blur(truth).ravel())[0, 1]))
        top = np.quantile(v, 0.9985)
        grey = lambda a: Image.fromarray((np.clip(a / top, 0, 1) ** 0.7 * 255).astype(np.uint8))
        rows[0].append(grey(v[SHAPE[0] // 2]))
        rows[1].append(grey(v[:, SHAPE[1] // 2]).resize((SHAPE[2], int(SHAPE[0] * STEP[0] / STEP[2])), Image.BILINEAR))
    gap = 4
    out = Image.new("L", (len(shown) * (SHAPE[2] + gap) - gap, rows[0][0].height + gap + rows[1][0].height), 255)
    for r, pictures in enumerate(rows):
        for i, p in enumerate(pictures):
            out.paste(p, (i * (SHAPE[2] + gap), r * (rows[0][0].height + gap)))
    out.save(os.path.join(os.path.dirname(os.path.abspath(__file__)), "deconvolution.png"), optimize=True)


main(sys.argv[1])
