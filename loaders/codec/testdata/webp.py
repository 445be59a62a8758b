#!/usr/bin/python3
"""Makes the WebP pictures of this folder and what libwebp decodes them to (python3-pil 9.4 of Debian 12, libwebp
1.2.4): lossy ones of odd and even size, one with an opacity, and a lossless one."""
import os
import numpy
from PIL import Image

os.chdir(os.path.dirname(os.path.abspath(__file__)))


def picture(height, width, samples):
    y, x = numpy.mgrid[0:height, 0:width]
    noise = numpy.random.default_rng(7).integers(0, 60, (height, width, samples))
    planes = [x * 6, y * 8, (x * y) % 256, 255 - (x + y) % 200]
    return numpy.clip(numpy.stack(planes[:samples], axis=-1) + noise, 0, 255).astype("uint8")


for name, shape, options in (("odd", (29, 37, 3), dict(quality=70)), ("even", (30, 38, 3), dict(quality=95)),
                             ("opacity", (17, 20, 4), dict(quality=80)), ("lossless", (13, 11, 3), dict(lossless=True))):
    Image.fromarray(picture(*shape)).save(f"webp_{name}.webp", **options)
    with open(f"webp_{name}.raw", "wb") as f:
        f.write(numpy.asarray(Image.open(f"webp_{name}.webp")).tobytes())
