# What scipy and numpy make of the stencils that the editor offers, at a few voxels, as presets.json.
# Run with: python3 presets.py > presets.json
import json
import numpy as np
from scipy import ndimage as nd

z, y, x = np.meshgrid(np.arange(6), np.arange(9), np.arange(10), indexing="ij")
v = ((z * 7919 + y * 104729 + x * 1299709) % 1000).astype(np.uint16)
f = v.astype(np.float64)
step = (1.0, 0.25, 0.5)  # micrometres along z, y and x
voxels = [(2, 4, 5), (3, 3, 4), (0, 0, 0), (5, 8, 9), (2, 0, 7)]


def plane(filter, a=f, **how):
    return np.stack([filter(p, **how) for p in a])


def correlate(weights):
    return plane(nd.correlate, weights=np.asarray(weights, float))


square = np.ones((3, 3), bool)
cross4 = np.zeros((9, 9))
cross4[0, 4] = cross4[8, 4] = cross4[4, 0] = cross4[4, 8] = 0.25
ring = np.ones((3, 3), bool)
ring[1, 1] = False


def bilateral():
    p = np.pad(f, 1, mode="symmetric")
    total, weight = f.copy(), np.ones_like(f)
    for axis in range(3):
        for d in (-1, 1):
            n = np.roll(p, -d, axis)[1:-1, 1:-1, 1:-1]
            w = np.exp(-(((n - f) / 100) ** 2))
            total, weight = total + w * n, weight + w
    return total / weight


def gradient():
    p = np.pad(f, 1, mode="symmetric")
    g = np.gradient(p, *step)
    return np.sqrt(sum(c[1:-1, 1:-1, 1:-1] ** 2 for c in g))


sx, sy = plane(nd.sobel, axis=1) / 8, plane(nd.sobel, axis=0) / 8
mean4 = correlate([[0, 0.25, 0], [0.25, 0, 0.25], [0, 0.25, 0]])
results = {
    "mean": plane(nd.uniform_filter, size=3),
    "meanwhole": plane(nd.generic_filter, function=lambda n: int(n.sum()) // 9, footprint=square),
    "sharpen": f + 0.5 * (f - mean4),
    "laplacian": plane(nd.laplace),
    "sobelx": sx,
    "sobel": np.hypot(sx, sy),
    "variance": plane(nd.generic_filter, function=np.var, footprint=square),
    "threshold": np.where(f > 1.2 * correlate(cross4), f, 0),
    "peaks": np.where(f > plane(nd.maximum_filter, footprint=ring), f, 0),
    "mean3": nd.uniform_filter(f, 3),
    "gradient": gradient(),
    "medianz": nd.median_filter(f, size=(3, 1, 1)),
    "bilateral": bilateral(),
}
print(json.dumps({"voxels": voxels, "values": {k: [float(a[p]) for p in voxels] for k, a in results.items()}}, indent=1))
