#!/usr/bin/env python3
"""Makes reference.json and reference-NAME.json.gz: what scipy.ndimage gives for each case that
reference_test.go runs, a file for each family of filters.

    /usr/bin/python3 reference.py [NAME ...]     (needs numpy, scipy and skimage; writes beside itself)

statistics.json is what skimage and numpy find from the same volumes, or from filtered ones.

The volumes are a formula that the test repeats, so that no input has to be stored. Expected values are
scipy's on the array cast to float64, as float32 in base64: the whole volume for each case.
"""
import base64, gzip, json, os, sys
import numpy as np
import scipy
import skimage
import skimage.measure
from scipy import ndimage as nd
from skimage.filters.rank import equalize
from skimage.filters import threshold_li, threshold_mean, threshold_otsu, threshold_triangle

SHAPE = (7, 9, 11)


def volume(dtype):
    z, y, x = np.meshgrid(*(np.arange(n) for n in SHAPE), indexing="ij")
    n = ((z * 9 + y) * 11 + x).astype(np.uint64)
    h = (n * np.uint64(2654435761) + np.uint64(12345)) % np.uint64(2**32)
    h ^= h >> np.uint64(15)
    h = (h * np.uint64(2246822519)) % np.uint64(2**32)
    h ^= h >> np.uint64(13)
    if dtype == "float32":
        return (h.astype(np.float64) / 2**32 * 4 - 1).astype(np.float32)
    info = np.iinfo(dtype)
    return (h % np.uint64(info.max - info.min + 1)).astype(np.int64).__add__(info.min).astype(dtype)


MODES = {"reflect": {}, "mirror": {}, "nearest": {}, "wrap": {}, "constant:0": {"cval": 0.0}, "constant:3.5": {"cval": 3.5}}


def kw(border):
    mode = border.split(":")[0]
    return dict(mode=mode, **MODES[border])


def scharr(v, axis, **how):
    for a in [axis] + [a for a in range(v.ndim) if a != axis]:
        v = nd.correlate1d(v, [-1, 0, 1] if a == axis else [3, 10, 3], axis=a, **how)
    return v


def magnitude(v, axes, norm, border, derivative=nd.sobel):
    g = [derivative(v, axis=a, **kw(border)) for a in axes]
    if axes == (1, 2):     # each plane by itself
        g = []
        for a in (0, 1):
            g.append(np.stack([derivative(p, axis=a, **kw(border)) for p in v]))
    return sum(abs(x) for x in g) if norm == "l1" else np.sqrt(sum(x * x for x in g))


def tap(v, border, dz, dy, dx):
    w = np.zeros((3, 3, 3))
    w[dz + 1, dy + 1, dx + 1] = 1
    return nd.correlate(v, w, **kw(border))


FILTERS = {
    "mean": lambda v, b: nd.uniform_filter(v, 3, **kw(b)),
    "mean size=2": lambda v, b: nd.uniform_filter(v, 2, **kw(b)),
    "mean size=1,4,5": lambda v, b: nd.uniform_filter(v, (1, 4, 5), **kw(b)),
    "mean size=15": lambda v, b: nd.uniform_filter(v, 15, **kw(b)),
    "gaussian": lambda v, b: nd.gaussian_filter(v, 1, **kw(b)),
    "gaussian sigma=0,1.3,0.7": lambda v, b: nd.gaussian_filter(v, (0, 1.3, 0.7), **kw(b)),
    "gaussian sigma=3 truncate=3": lambda v, b: nd.gaussian_filter(v, 3, truncate=3, **kw(b)),
    "sobel": lambda v, b: magnitude(v, (0, 1, 2), "l2", b),
    "sobel norm=l1": lambda v, b: magnitude(v, (0, 1, 2), "l1", b),
    "sobel dims=2": lambda v, b: magnitude(v, (1, 2), "l2", b),
    "sobel axis=z": lambda v, b: nd.sobel(v, axis=0, **kw(b)),
    "sobel axis=y": lambda v, b: nd.sobel(v, axis=1, **kw(b)),
    "sobel axis=x": lambda v, b: nd.sobel(v, axis=2, **kw(b)),
    # the user's own stencils: neighbours are correlations with a single 1
    'stencil "x[-1,0,0] - 2*x + x[1,0,0] + abs(x[0,1] - x[0,-1])"':
        lambda v, b: tap(v, b, -1, 0, 0) - 2 * v + tap(v, b, 1, 0, 0) + abs(tap(v, b, 0, 0, 1) - tap(v, b, 0, 0, -1)),
    'stencil "sqrt(x[0,1]**2 + x[1,0]**2) / 3"':
        lambda v, b: np.sqrt(tap(v, b, 0, 0, 1) ** 2 + tap(v, b, 0, 1, 0) ** 2) / 3,
}

EDGES = {
    "prewitt": lambda v, b: magnitude(v, (0, 1, 2), "l2", b, nd.prewitt),
    "prewitt norm=l1": lambda v, b: magnitude(v, (0, 1, 2), "l1", b, nd.prewitt),
    "prewitt dims=2": lambda v, b: magnitude(v, (1, 2), "l2", b, nd.prewitt),
    "prewitt axis=y": lambda v, b: nd.prewitt(v, axis=1, **kw(b)),
    "scharr": lambda v, b: magnitude(v, (0, 1, 2), "l2", b, scharr),
    "scharr dims=2 norm=l1": lambda v, b: magnitude(v, (1, 2), "l1", b, scharr),
    "scharr axis=x": lambda v, b: scharr(v, 2, **kw(b)),
}



def planes(f, v):
    return np.stack([f(p) for p in v])


def unsharp(v, sigma, amount, b):
    return v + amount * (v - nd.gaussian_filter(v, sigma, **kw(b)))


BELLS = {
    "laplace": lambda v, b: nd.laplace(v, **kw(b)),
    "log": lambda v, b: nd.gaussian_laplace(v, 1, **kw(b)),
    "log sigma=0.7,1.3,2 truncate=3": lambda v, b: nd.gaussian_laplace(v, (0.7, 1.3, 2), truncate=3, **kw(b)),
    "log sigma=0,1.5,1": lambda v, b: planes(lambda p: nd.gaussian_laplace(p, (1.5, 1), **kw(b)), v),
    "gradient": lambda v, b: nd.gaussian_gradient_magnitude(v, 1, **kw(b)),
    "gradient sigma=0,1.5,0.8": lambda v, b: planes(lambda p: nd.gaussian_gradient_magnitude(p, (1.5, 0.8), **kw(b)), v),
    "dog": lambda v, b: nd.gaussian_filter(v, 1, **kw(b)) - nd.gaussian_filter(v, 1.6, **kw(b)),
    "dog sigma1=0 sigma2=0,1,2": lambda v, b: v - nd.gaussian_filter(v, (0, 1, 2), **kw(b)),
    "unsharp": lambda v, b: unsharp(v, 1, 1, b),
    "unsharp sigma=0.5,1,0 amount=0.6": lambda v, b: unsharp(v, (0.5, 1, 0), 0.6, b),
}

RANKS = {
    "median": lambda v, b: nd.median_filter(v, 3, **kw(b)),
    "median size=1,3,3": lambda v, b: nd.median_filter(v, (1, 3, 3), **kw(b)),
    "median size=2,4,1": lambda v, b: nd.median_filter(v, (2, 4, 1), **kw(b)),
    "median size=1,5,7": lambda v, b: nd.median_filter(v, (1, 5, 7), **kw(b)),
    "median size=5,6,7": lambda v, b: nd.median_filter(v, (5, 6, 7), **kw(b)),
    "minimum": lambda v, b: nd.minimum_filter(v, 3, **kw(b)),
    "minimum size=4,1,6": lambda v, b: nd.minimum_filter(v, (4, 1, 6), **kw(b)),
    "maximum size=2,5,9": lambda v, b: nd.maximum_filter(v, (2, 5, 9), **kw(b)),
    "percentile percentile=20": lambda v, b: nd.percentile_filter(v, 20, 3, **kw(b)),
    "percentile percentile=100 size=1,2,3": lambda v, b: nd.percentile_filter(v, 100, (1, 2, 3), **kw(b)),
    "percentile percentile=80 size=4,5,6": lambda v, b: nd.percentile_filter(v, 80, (4, 5, 6), **kw(b)),
}

MORPHOLOGY = {
    "erosion size=3": lambda v, b: nd.grey_erosion(v, (3, 3, 3), **kw(b)),
    "erosion size=2,3,4": lambda v, b: nd.grey_erosion(v, (2, 3, 4), **kw(b)),
    "dilation size=2,3,4": lambda v, b: nd.grey_dilation(v, (2, 3, 4), **kw(b)),
    "opening size=1,3,4": lambda v, b: nd.grey_opening(v, (1, 3, 4), **kw(b)),
    "closing": lambda v, b: nd.grey_closing(v, (3, 3, 3), **kw(b)),
    "white-tophat size=2,3,3": lambda v, b: nd.white_tophat(v, (2, 3, 3), **kw(b)),
    "black-tophat size=1,2,5": lambda v, b: nd.black_tophat(v, (1, 2, 5), **kw(b)),
}

def outliers(v, size, threshold, which, b):
    m = nd.median_filter(v, size, **kw(b))
    far = {"bright": v - m > threshold, "dark": m - v > threshold, "both": abs(v - m) > threshold}[which]
    return np.where(far, m, v)


def contrast(v, size, b):
    mean = nd.uniform_filter(v, size, **kw(b))
    sd = nd.generic_filter(v, np.std, size, **kw(b))
    return np.where(sd > 0, (v - mean) / np.where(sd > 0, sd, 1), 0)


def equalized(v, size, slope, low, high, b):
    size = np.broadcast_to(size, 3)
    pop, middle = int(np.prod(size)), np.ravel_multi_index(tuple(s // 2 for s in size), tuple(size))
    most = max(1, np.floor(slope * pop / 256 + 0.5))

    def one(box):
        g = np.floor(np.clip((box - low) / (high - low) * 255, 0, 255) + 0.5).astype(int)
        counts = np.minimum(np.bincount(g, minlength=256), most)
        return (counts[:g[middle] + 1].sum() + (g[middle] + 1) * (pop - counts.sum()) / 256) / pop

    return low + nd.generic_filter(v, one, size, **kw(b)) * (high - low)


def check_equalized():
    """Without a limit and away from the edges it is skimage's, which gives whole numbers rounded down."""
    plane = volume("uint8")[0]
    ours = equalized(plane[None].astype(np.float64), (1, 5, 5), 256, 0, 255, "reflect")[0]
    theirs = equalize(plane, np.ones((5, 5), np.uint8))
    assert (np.floor(ours[2:-2, 2:-2] + 1e-9) == theirs[2:-2, 2:-2]).all()


check_equalized()

LOCAL = {
    "clahe size=5 slope=1.5 low=0 high=200": lambda v, b: equalized(v, 5, 1.5, 0, 200, b),
    "clahe size=1,4,7 slope=30 low=-2 high=5000 dtype=float32": lambda v, b: equalized(v, (1, 4, 7), 30, -2, 5000, b),
    "clahe size=3 slope=256 low=-1 high=3": lambda v, b: equalized(v, 3, 256, -1, 3, b),
    "gaussian-derivative": lambda v, b: nd.gaussian_filter(v, 1, order=(0, 0, 1), **kw(b)),
    "gaussian-derivative sigma=0,1.3,0.7 order=1,2,1": lambda v, b: nd.gaussian_filter(v, (0, 1.3, 0.7), order=(1, 2, 1), **kw(b)),
    "gaussian-derivative sigma=1.5 truncate=3 order=2,1,0": lambda v, b: nd.gaussian_filter(v, 1.5, truncate=3, order=(2, 1, 0), **kw(b)),
    "remove-outliers": lambda v, b: outliers(v, 3, 50, "bright", b),
    "remove-outliers size=1,3,3 threshold=0.75 which=dark": lambda v, b: outliers(v, (1, 3, 3), 0.75, "dark", b),
    "remove-outliers size=2,3,4 threshold=1.25 which=both": lambda v, b: outliers(v, (2, 3, 4), 1.25, "both", b),
    "variance": lambda v, b: nd.generic_filter(v, np.var, 3, **kw(b)),
    "local-sd size=1,4,5": lambda v, b: nd.generic_filter(v, np.std, (1, 4, 5), **kw(b)),
    "local-contrast size=3": lambda v, b: contrast(v, 3, b),
    "local-contrast size=1,5,6": lambda v, b: contrast(v, (1, 5, 6), b),
}


def less_paraboloid(v, radius, smooth, b, height=None):
    height = height or radius[-1]
    far = [int(np.floor(r + 0.5)) for r in radius]
    d = np.meshgrid(*(np.arange(-f, f + 1) for f in far), indexing="ij")
    fall = sum(height * x ** 2 / (2 * r * r) for x, r in zip(d, radius) if r)
    under = nd.uniform_filter(v, [smooth if f else 1 for f in far], **kw(b))
    return v - nd.grey_opening(under, structure=-fall, **kw(b))


def less_box(v, size, smooth, b):
    under = nd.uniform_filter(v, smooth, **kw(b))
    return v - nd.grey_opening(under, size, **kw(b))


def less_gaussian(v, sigma, smooth, b):
    return v - nd.gaussian_filter(nd.uniform_filter(v, smooth, **kw(b)), sigma, **kw(b))


BACKGROUND = {
    "subtract-background radius=8": lambda v, b: less_paraboloid(v, (0, 8, 8), 3, b),
    "subtract-background radius=3": lambda v, b: less_paraboloid(v, (0, 3, 3), 3, b),
    "subtract-background radius=1.6,2.3,4 dims=3 smooth=1 height=20": lambda v, b: less_paraboloid(v, (1.6, 2.3, 4), 1, b, 20),
    "subtract-background radius=2,1,3 dims=3 smooth=2": lambda v, b: less_paraboloid(v, (2, 1, 3), 2, b),
    "subtract-background radius=2 method=opening": lambda v, b: less_box(v, (1, 5, 5), (1, 3, 3), b),
    "subtract-background radius=1 method=opening dims=3 smooth=1 dtype=float32": lambda v, b: less_box(v, 3, 1, b),
    "subtract-background radius=1.5 method=gaussian dtype=float32": lambda v, b: less_gaussian(v, (0, 1.5, 1.5), (1, 3, 3), b),
}

def gamma(v, power, b):
    top = {"uint8": 255, "uint16": 65535, "int16": 32767, "float32": 1}[b]
    return (np.maximum(v, 0) / top) ** power * top


def around(v, axis, n, how):
    slabs = [how(v.take(range(max(0, i - n), min(v.shape[axis], i + n + 1)), axis), axis) for i in range(v.shape[axis])]
    return np.stack(slabs, axis)


# These have no border: the second argument is the name of the type.
POINTWISE = {
    "threshold": lambda v, b: v > 0,
    "threshold value=99.5": lambda v, b: v > 99.5,
    "threshold value=0.1 dtype=float32": lambda v, b: v > 0.1,
    "threshold value=-1000": lambda v, b: v > -1000,
    "clip low=-3.25 high=100": lambda v, b: np.clip(v, -3.25, 100),
    "clip low=0.25 high=99.5": lambda v, b: np.clip(v, 0.25, 99.5),
    "rescale low=-1 high=200 newlow=2 newhigh=-3": lambda v, b: 2 - 5 * (np.clip(v, -1, 200) + 1) / 201,
    "gamma gamma=0.6": lambda v, b: gamma(v, 0.6, b),
    "gamma gamma=2.2 dtype=float32": lambda v, b: gamma(v, 2.2, b),
    "invert": lambda v, b: {"uint8": 255, "uint16": 65535, "int16": -1, "float32": 1}[b] - v,
    "cast dtype=uint8": lambda v, b: np.clip(v, 0, 255),
    "cast": lambda v, b: v,
    "project": lambda v, b: v.max(0),
    "project how=min axis=y": lambda v, b: v.min(1),
    "project how=mean range=2:6": lambda v, b: v[2:6].mean(0),
    "project how=sum axis=x range=3:": lambda v, b: v[:, :, 3:].sum(2),
    "project how=sd": lambda v, b: v.std(0),
    "project how=sd axis=y range=:100": lambda v, b: v.std(1),
    "project around=1": lambda v, b: around(v, 0, 1, np.max),
    "project around=2 axis=x how=min": lambda v, b: around(v, 2, 2, np.min),
    "project around=3 how=mean axis=y": lambda v, b: around(v, 1, 3, np.mean),
    "project around=20 how=sum dtype=int32": lambda v, b: around(v, 0, 20, np.sum),
}

def binned(v, size, how):
    whole = v[tuple(slice(0, n // k * k) for n, k in zip(v.shape, size))]
    return skimage.measure.block_reduce(whole, size, how)


def resampled(v, ratio, order=1):
    """Voxel i of the result is at (i + 1/2) * ratio - 1/2 of the image."""
    places = [(np.arange(max(1, int(np.floor(n / r + 0.5)))) + 0.5) * r - 0.5 for n, r in zip(v.shape, ratio)]
    if order == 0:
        places = [np.floor(np.clip(p, 0, n - 1) + 0.5) for p, n in zip(places, v.shape)]
    return nd.map_coordinates(v, np.meshgrid(*places, indexing="ij"), order=order, mode="nearest")


GEOMETRY = {
    "crop x=2:7 y=3:": lambda v, b: v[:, 3:, 2:7],
    "crop z=1:4 x=:100": lambda v, b: v[1:4],
    "flip": lambda v, b: np.flip(v, 2),
    "flip axis=z": lambda v, b: np.flip(v, 0),
    "rotate": lambda v, b: np.rot90(v, -1, (1, 2)),
    "rotate by=180": lambda v, b: np.rot90(v, -2, (1, 2)),
    "rotate by=270": lambda v, b: np.rot90(v, -3, (1, 2)),
    "rotate axis=y": lambda v, b: np.rot90(v, -1, (0, 2)),
    "rotate axis=x by=270": lambda v, b: np.rot90(v, -3, (0, 1)),
    "bin": lambda v, b: binned(v, (2, 2, 2), np.mean),
    "bin size=1,3,4": lambda v, b: binned(v, (1, 3, 4), np.mean),
    "bin size=3,1,2 how=sum": lambda v, b: binned(v, (3, 1, 2), np.sum),
    "bin size=2,4,5 how=max": lambda v, b: binned(v, (2, 4, 5), np.max),
    "bin size=7,9,11 how=min dtype=float32": lambda v, b: binned(v, (7, 9, 11), np.min),
    "resample voxel=0.5": lambda v, b: resampled(v, (0.5, 0.5, 0.5)),
    "resample voxel=0.4,1,1.7": lambda v, b: resampled(v, (0.4, 1, 1.7)),
    "resample voxel=1,2.3,0.35 order=nearest": lambda v, b: resampled(v, (1, 2.3, 0.35), 0),
    "resample voxel=20": lambda v, b: resampled(v, (20, 20, 20)),
    "crop x=1:10 | rotate | flip axis=y": lambda v, b: np.flip(np.rot90(v[:, :, 1:10], -1, (1, 2)), 1),
}

STEPS = {"": lambda v: v, "gaussian dtype=float64": lambda v: nd.gaussian_filter(v.astype(np.float64), 1),
         "variance dtype=float64": lambda v: nd.generic_filter(v.astype(np.float64), np.var, 3)}
FOUND = {
    "threshold method=otsu": threshold_otsu, "threshold method=triangle": threshold_triangle,
    "threshold method=li": threshold_li, "threshold method=mean": threshold_mean,
    "rescale method=minmax": lambda v: np.percentile(v, [0, 100]),
    "rescale method=percentile": lambda v: np.percentile(v, [0.5, 99.5]),
    "rescale method=percentile below=12.3 above=76.5": lambda v: np.percentile(v, [12.3, 76.5]),
}


def statistics():
    cases = []
    for dtype in ("uint8", "uint16", "int16", "float32"):
        v = volume(dtype)
        v = v.astype(np.float64 if dtype == "float32" else np.int64)
        for before, f in STEPS.items():
            for text, find in FOUND.items():
                found = [float(x) for x in np.atleast_1d(find(f(v).copy()))]
                cases.append({"dtype": dtype, "before": before, "filter": text, "found": found})
    out = os.path.join(os.path.dirname(os.path.abspath(__file__)), "statistics.json")
    with open(out, "w") as f:
        f.write('{"skimage": "%s", "cases": [\n%s\n]}\n' % (skimage.__version__, ",\n".join(map(json.dumps, cases))))


FAMILIES = {"": FILTERS, "edges": EDGES, "bells": BELLS, "ranks": RANKS, "morphology": MORPHOLOGY, "pointwise": POINTWISE,
            "local": LOCAL, "background": BACKGROUND, "geometry": GEOMETRY}

for name in sys.argv[1:] or [*FAMILIES, "statistics"]:
    if name == "statistics":
        statistics()
        continue
    cases = []
    for dtype in ("uint8", "uint16", "int16", "float32"):
        v = volume(dtype).astype(np.float64)
        for text, f in FAMILIES[name].items():
            for border in [""] if name in ("pointwise", "geometry") else MODES:
                want = np.asarray(f(v, border or dtype)).astype("<f4")
                cases.append({"dtype": dtype, "filter": text, "border": border,
                              "want": base64.b64encode(want.tobytes()).decode()})
    text = '{"scipy": "%s", "shape": %s, "cases": [\n' % (scipy.__version__, list(SHAPE))
    text += ",\n".join(json.dumps(c) for c in cases) + "\n]}\n"
    out = os.path.join(os.path.dirname(os.path.abspath(__file__)), "reference-%s.json.gz" % name if name else "reference.json")
    data = text.encode()
    if name:
        data = gzip.compress(data, mtime=0)
    with open(out, "wb") as f:
        f.write(data)
    print(out, len(cases), "cases,", len(data), "bytes")
