#!/usr/bin/env python3
"""Prints the light of a point below a cover glass by Gibson and Lanni at some voxels, as psf_test.go has them: by scipy's
quadrature and Bessel function, with the focus found by scipy's minimiser. /usr/bin/python3 gibsonlanni.py"""
import numpy as np
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.special import j0

DZ, DY, DX = 0.3, 0.11, 0.1


def amplitude(na, length, ni, ns, depth, z, r):
    k, top = 2 * np.pi / length, min(1, ns / na)
    root = lambda n, p: np.sqrt(np.maximum(0, n * n - (na * p) ** 2))
    way = lambda p: (z - depth * ni / ns) * (root(ni, p) - ni) + depth * (root(ns, p) - ns)
    q = dict(limit=4000, epsabs=1e-11)
    re = quad(lambda p: j0(k * na * r * p) * np.cos(k * way(p)) * p, 0, top, **q)[0]
    im = quad(lambda p: j0(k * na * r * p) * np.sin(k * way(p)) * p, 0, top, **q)[0]
    return re * re + im * im


def focus(*optics):
    zs = np.arange(-30, 30, 0.05)
    best = zs[np.argmax([amplitude(*optics, z, 0) for z in zs])]
    found = minimize_scalar(lambda z: -amplitude(*optics, z, 0), bounds=(best - 0.1, best + 0.1), method="bounded", options=dict(xatol=1e-9))
    return found.x


for na, length, ni, ns, depth in [(1.4, 0.52, 1.518, 1.33, 5), (1.2, 0.5, 1.33, 1.38, 30), (1.2, 0.5, 1.33, 1.33, 10), (0.8, 0.6, 1, 1.45, 20)]:
    optics = na, length, ni, ns, depth
    f = focus(*optics)
    print(f"{optics}: focus {f:.4f}")
    for z, y, x in [(0, 0, 0), (0, 0, 2), (0, 3, 0), (1, 1, 1), (-2, 0, 0), (3, 4, -2), (-4, -6, 3)]:
        print("{[3]int{%d, %d, %d}, %.6g}," % (z, y, x, amplitude(*optics, f + z * DZ, np.hypot(y * DY, x * DX))))
