"""Writes objects.json: what scikit-image says of the objects of a small volume, for objects_test.go.

    /usr/bin/python3 objects.py > objects.json
"""
import json
import numpy as np
from skimage.measure import regionprops

D, H, W = 7, 15, 21
z, y, x = np.mgrid[0:D, 0:H, 0:W]
labels = np.where((x + y) % 5 == 0, 0, 1 + (x // 4) + 7 * (y // 6) + 300 * (z // 3))
values = ((x * 37 + y * 91 + z * 13 + (x * y) % 13 * 17) % 1000).astype(float)

out = []
for p in regionprops(labels, intensity_image=values):
    out.append(dict(label=int(p.label), voxels=int(p.area), centroid=list(p.centroid), bbox=[int(v) for v in p.bbox],
                    mean=float(p.mean_intensity), min=float(p.min_intensity), max=float(p.max_intensity)))
print(json.dumps(out, indent=1))
