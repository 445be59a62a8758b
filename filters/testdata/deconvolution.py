#!/usr/bin/env python3
"""Makes deconvolution.json.gz: what skimage.restoration gives, and what the formulas of docs/DECONVOLUTION.md give when
they are written straight down in numpy with float64, for the cases that deconvolution_test.go runs.

    /usr/bin/python3 deconvolution.py       (needs numpy, scipy and skimage; writes beside itself)

Images and PSFs are formulas that the test repeats.
"""
import base64, gzip, json, os
import numpy as np
import skimage
from scipy.signal import fftconvolve, convolve, correlate
from skimage.restoration import richardson_lucy


def noise(shape, seed):
    n = np.arange(np.prod(shape), dtype=np.uint64) + np.uint64(seed)
    h = (n * np.uint64(2654435761) + np.uint64(12345)) % np.uint64(2**32)
    h ^= h >> np.uint64(15)
    h = (h * np.uint64(2246822519)) % np.uint64(2**32)
    h ^= h >> np.uint64(13)
    return (h.astype(np.float64) / 2**32).reshape(shape).astype(np.float32).astype(np.float64)


def image(shape):
    """Bright lines and dots on a dim ground."""
    z, y, x = np.meshgrid(*(np.arange(n) for n in shape), indexing="ij")
    v = 0.05 + 0.1 * noise(shape, 7)
    v[(2 * y + 3 * z) % 11 == 4] += 0.5
    v[(x + 2 * y + z) % 17 == 5] += 0.8
    return v.astype(np.float32).astype(np.float64)


def psf(shape):
    """A bell that leans, with noise: no symmetry. It does not sum to 1."""
    z, y, x = np.meshgrid(*(np.arange(n) - n // 2 for n in shape), indexing="ij")
    p = np.exp(-0.5 * ((z / 1.2) ** 2 + ((y - 0.3 * z) / 1.1) ** 2 + ((x - 0.2) / 0.9) ** 2)) + 0.02 * noise(shape, 99)
    return p.astype(np.float32).astype(np.float64)


def unseen(d, h, iterations, accelerate=False, tv=0.0, background=0.0, edges="noncirculant"):
    """Richardson-Lucy on the data's surroundings too, by the formulas; even PSFs have their origin at n // 2."""
    h = h / h.sum()
    after = [n // 2 for n in h.shape]
    before = [n - 1 - n // 2 for n in h.shape]
    seen = [slice(b, b + n) for b, n in zip(before, d.shape)]
    if edges == "mirror":
        raise ValueError("mirror the image yourself")
    shape = [n + k - 1 for n, k in zip(d.shape, h.shape)]
    blur = lambda u: convolve(u, h, mode="valid", method="direct")
    back = lambda r: correlate(r, h, mode="full", method="direct")
    w = back(np.ones(d.shape))
    change = w >= 1e-4
    u = np.full(shape, d.mean())
    was, last, step, far = u, 0.0, np.zeros(shape), 0.0
    for _ in range(iterations):
        y = np.maximum(0, u + far * (u - was)) if accelerate else u
        f = back(d / (blur(y) + background))
        if tv:
            f = f * calm(y, tv)
        now = np.where(change, y * np.maximum(0, f) / np.where(change, w, 1), y)
        s = now - y
        if accelerate:
            far = min(1, max(0, (s * step).sum() / last)) if last > 0 else 0.0
            last, step = (s * s).sum(), s
        was, u = u, now
    return u[tuple(seen)]


def calm(u, tv):
    """1 / (1 - tv div(grad u / |grad u|)): differences forward, the divergence backward."""
    g = [np.diff(u, axis=a, append=np.take(u, [-1], axis=a)) for a in range(3)]
    n = np.sqrt(sum(x * x for x in g))
    div = 0
    for a in range(3):
        p = np.divide(g[a], n, out=np.zeros_like(n), where=n > 0)
        div = div + np.diff(p, axis=a, prepend=np.zeros_like(np.take(p, [0], axis=a)))
    return 1 / np.maximum(0.1, 1 - tv * div)


CASES = []


def case(chain, shape, kernel, want):
    CASES.append({"chain": chain, "shape": shape, "psf": kernel,
                  "want": base64.b64encode(np.asarray(want).astype("<f4").tobytes()).decode()})


for shape, kernel in [((10, 21, 24), (5, 7, 3)), ((1, 30, 17), (1, 5, 9)), ((6, 9, 40), (7, 3, 13)), ((4, 5, 6), (9, 3, 11))]:
    d, h = image(shape), psf(kernel)
    for n in (1, 2, 10, 40):
        want = richardson_lucy(d, h / h.sum(), num_iter=n, clip=False)
        case("iterations=%d start=0.5 edges=zero" % n, shape, kernel, want)
for shape, kernel in [((10, 21, 24), (5, 7, 3)), ((8, 12, 15), (4, 6, 2)), ((1, 1, 40), (1, 1, 8))]:
    d, h = image(shape), psf(kernel)
    for n in (1, 10):
        case("iterations=%d" % n, shape, kernel, unseen(d, h, n))
    case("iterations=10 accelerate=true", shape, kernel, unseen(d, h, 10, accelerate=True))
    case("iterations=10 tv=0.05", shape, kernel, unseen(d, h, 10, tv=0.05))
    case("iterations=10 background=0.04", shape, kernel, unseen(d, h, 10, background=0.04))
    r = [max(k // 2, k - 1 - k // 2) for k in kernel]
    wide = np.pad(d, [(n, n) for n in r], mode="symmetric")
    inner = tuple(slice(n, n + m) for n, m in zip(r, shape))
    case("iterations=10 edges=mirror halo=%d,%d,%d" % tuple(r), shape, kernel, unseen(wide, h, 10)[inner])

text = '{"skimage": "%s", "cases": [\n' % skimage.__version__ + ",\n".join(json.dumps(c) for c in CASES) + "\n]}\n"
out = os.path.join(os.path.dirname(os.path.abspath(__file__)), "deconvolution.json.gz")
with open(out, "wb") as f:
    f.write(gzip.compress(text.encode(), mtime=0))
print(out, len(CASES), "cases")
