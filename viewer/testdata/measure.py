"""Writes measure.json: what numpy and scipy say of shapes on a small image, for measure_test.go.

    /usr/bin/python3 measure.py > measure.json
"""
import json
import numpy as np
from scipy import ndimage, special

H, W = 15, 21
SX, SY = 0.1, 0.25  # µm a voxel
y, x = np.mgrid[0:H, 0:W]
image = (x * 37 + y * 91 + (x * y) % 13 * 17) % 1000


def stats(mask):
    v = image[mask].astype(float)
    return dict(voxels=int(v.size), mean=v.mean(), sd=v.std(ddof=1), min=v.min(), max=v.max(), sum=v.sum(), area=v.size * SX * SY)


def convex(points):
    """Inside a convex polygon: on the same side of all of its edges."""
    sides = []
    for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1]):
        sides.append((bx - ax) * (y - ay) - (by - ay) * (x - ax))
    s = np.array(sides)
    return np.all(s > 0, axis=0) | np.all(s < 0, axis=0)


out = {}
out["rectangle"] = dict(points=[[2.5, 3.5], [11.5, 9.5]], **stats((x > 2.5) & (x < 11.5) & (y > 3.5) & (y < 9.5)))
lo, hi = (3.5, 1.5), (16.5, 10.5)
cx, cy, rx, ry = 10, 6, 6.5, 4.5
a, b = rx * SX, ry * SY
big, small = max(a, b), min(a, b)
around = 4 * big * special.ellipe(1 - (small / big) ** 2)
out["ellipse"] = dict(points=[lo, hi], length=around, **stats(((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 < 1))
five = [[4.2, 1.3], [14.7, 2.6], [17.1, 8.4], [9.9, 13.2], [2.4, 7.7]]
n = len(five)
around = sum(float(np.hypot((five[i][0] - five[(i + 1) % n][0]) * SX, (five[i][1] - five[(i + 1) % n][1]) * SY)) for i in range(n))
out["polygon"] = dict(points=five, length=around, **stats(convex(five)))
p, q = (2.3, 1.7), (17.6, 11.2)
length = float(np.hypot((q[0] - p[0]) * SX, (q[1] - p[1]) * SY))
n = int(np.ceil(length / min(SX, SY))) + 1
f = np.linspace(0, 1, n)
line = ndimage.map_coordinates(image.astype(float), [p[1] + f * (q[1] - p[1]), p[0] + f * (q[0] - p[0])], order=1, mode="nearest")
out["line"] = dict(points=[p, q], length=length, angle=float(np.degrees(np.arctan2(-(q[1] - p[1]) * SY, (q[0] - p[0]) * SX))),
                   at=(f * length).tolist(), values=line.tolist(), mean=line.mean(), sd=line.std(ddof=1), min=line.min(), max=line.max())
print(json.dumps(out, default=float))
