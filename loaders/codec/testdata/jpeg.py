#!/usr/bin/python3
"""Makes the JPEG pictures of this folder and what libjpeg decodes them to, without its colour conversion
(python3-pil 9.4 of Debian 12, libjpeg-turbo 2.1). Sizes are odd, so that blocks stick out."""
import os
import numpy
from PIL import Image

os.chdir(os.path.dirname(os.path.abspath(__file__)))
y, x = numpy.mgrid[0:29, 0:37]
noise = numpy.random.default_rng(5).integers(0, 60, (29, 37, 3))
rgb = numpy.stack([x * 6, y * 8, (x * y) % 256], axis=-1)
rgb = numpy.clip(rgb + noise, 0, 255).astype("uint8")
for name, subsampling in {"444": "4:4:4", "422": "4:2:2", "420": "4:2:0", "411": "4:1:1"}.items():
    Image.fromarray(rgb).save(f"jpeg_{name}.jpg", quality=70, subsampling=subsampling)
Image.fromarray(rgb[..., 0]).save("jpeg_grey.jpg", quality=60)
Image.fromarray(rgb).save("jpeg_best.jpg", quality=100, subsampling="4:2:0", optimize=True)
Image.fromarray(rgb).save("jpeg_progressive.jpg", quality=70, subsampling="4:2:0", progressive=True)
Image.fromarray(rgb).save("jpeg_progressive444.jpg", quality=95, subsampling="4:4:4", progressive=True)
Image.fromarray(rgb[..., 0]).save("jpeg_progressivegrey.jpg", quality=85, progressive=True)
for name in ("444", "422", "420", "411", "grey", "best", "progressive", "progressive444", "progressivegrey"):
    im = Image.open(f"jpeg_{name}.jpg")
    if im.mode == "RGB":
        im.draft("YCbCr", im.size)
    with open(f"jpeg_{name}.raw", "wb") as f:
        f.write(numpy.asarray(im).tobytes())
