#!/usr/bin/env python3
"""Expected automatic limits, computed by NumPy apart from the program: python3 auto.py > auto.json

robust is a sort and two indices. imagej follows the description of the rule in viewer/auto_imagej.go,
written with NumPy's own histogram where its bins are the same.
"""
import json
import numpy as np


def planes():
    r = np.random.default_rng(7)
    yield "noise u8", r.integers(0, 256, (40, 50)).astype(np.uint8)
    yield "dark u8", r.poisson(3, (64, 64)).astype(np.uint8)
    yield "saturated u8", np.where(r.random((50, 50)) < 0.3, 255, r.integers(10, 90, (50, 50))).astype(np.uint8)
    yield "noise u16", r.normal(1000, 200, (80, 90)).clip(0, 65535).astype(np.uint16)
    yield "spots u16", (100 + r.poisson(5, (100, 100)) + 30000 * (r.random((100, 100)) < 0.004)).astype(np.uint16)
    yield "signed i16", r.normal(-300, 1000, (70, 70)).astype(np.int16)
    yield "float", r.normal(0, 1, (60, 70)).astype(np.float32)
    yield "float with gaps", np.where(r.random((60, 70)) < 0.2, np.nan, r.exponential(5, (60, 70))).astype(np.float32)
    yield "double", r.normal(1e6, 1, (30, 30))
    yield "two values", np.where(r.random((40, 40)) < 0.5, 7, 9).astype(np.uint16)
    yield "wide u32", r.integers(0, 2**32, (40, 40)).astype(np.uint32)


def robust(v, tail):
    v = np.sort(v[np.isfinite(v)])
    drop = int(np.floor(tail * len(v)))
    return [float(v[drop]), float(v[len(v) - 1 - drop])]


def imagej(a, press):
    v = a[np.isfinite(a)].astype(np.float64).ravel()
    low, high, width = (0.0, 255.0, 1.0) if a.dtype == np.uint8 else (v.min(), v.max(), (v.max() - v.min()) / 256)
    index = np.minimum(255, ((1.0 / width) * (v - low)).astype(np.int64))
    count = np.bincount(index, minlength=256)
    threshold = 5000
    for _ in range(press):
        threshold //= 2
    count = np.where(count > len(v) // 10, 0, count)
    over = np.flatnonzero(count > len(v) // threshold)
    if len(over) == 0:
        # Both searches run to the far end: below any real first bin there is none to find.
        return [low, high]
    lo, hi = low + over[0] * width, low + over[-1] * width
    if lo == hi:
        lo, hi = v.min(), v.max()
    return [float(lo), float(hi)]


cases = []
for name, a in planes():
    values = [None if not np.isfinite(x) else float(x) for x in a.ravel()]
    cases.append({
        "name": name, "dtype": a.dtype.name, "shape": a.shape, "values": [v if v is None or not float(v).is_integer() else int(v) for v in values],
        "robust": [robust(a.ravel(), t) for t in (0.001, 0.0035, 0.01, 0.02)],
        "imagej": [imagej(a, p) for p in range(10)],
    })
print(json.dumps(cases))
