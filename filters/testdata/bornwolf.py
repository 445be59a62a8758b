#!/usr/bin/env python3
"""Prints the light of a point by Born and Wolf, section 8.8, at some voxels, as psfmodel_test.go has them: by
scipy's quadrature and Bessel function. /usr/bin/python3 bornwolf.py"""
import numpy as np
from scipy.integrate import quad
from scipy.special import j0

NA, LENGTH, INDEX, DZ, DY, DX = 1.2, 0.5, 1.33, 0.3, 0.11, 0.1


def light(z, y, x):
    k, r = 2 * np.pi / LENGTH, np.hypot(y * DY, x * DX)
    phase = lambda p: -k * NA**2 * z * DZ * p * p / (2 * INDEX)
    re = quad(lambda p: j0(k * NA * r * p) * np.cos(phase(p)) * p, 0, 1, limit=400)[0]
    im = quad(lambda p: j0(k * NA * r * p) * np.sin(phase(p)) * p, 0, 1, limit=400)[0]
    return re * re + im * im


for at in [(0, 0, 0), (0, 0, 2), (0, 3, 0), (1, 1, 1), (-2, 0, 0), (3, 4, -2), (0, 5, 7), (-4, -6, 3)]:
    print("{[3]int{%d, %d, %d}, %.7g}," % (*at, light(*at)))
