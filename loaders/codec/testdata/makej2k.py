#!/usr/bin/env python3
"""Packs pictures by JPEG 2000 with OpenJPEG (through python3-pil), and keeps what OpenJPEG unpacks.

    cd loaders/codec/testdata && python3 makej2k.py
"""
import io
import numpy as np
from PIL import Image

y, x = np.mgrid[:37, :45]
grey = ((np.sin(x / 7) + np.cos(y / 5)) * 16000 + 32000 + (x * 7 + y * 13) % 11 * 40).astype("u2")
rgb = np.stack([(np.sin(x / (5 + k)) * 100 + 128 + (x * y + k) % 9) for k in range(3)], -1).astype("u1")
for name, a, o in (
    ("reversible", grey, dict()),
    ("tiles", rgb, dict(tile_size=(16, 24), mct=1, progression="RPCL", num_resolutions=3)),
    ("precincts", rgb, dict(precinct_size=(32, 32), codeblock_size=(16, 16), progression="PCRL", mct=0, quality_mode="rates", quality_layers=[20, 5, 1])),
    ("irreversible", rgb, dict(irreversible=True, mct=1, progression="CPRL")),
    ("layers", grey, dict(irreversible=True, quality_mode="rates", quality_layers=[20, 8], progression="RLCP")),
):
    b = io.BytesIO()
    Image.fromarray(a).save(b, "JPEG2000", no_jp2=True, **o)
    open(f"j2k_{name}.j2k", "wb").write(b.getvalue())
    np.asarray(Image.open(b)).astype("<u2").tofile(f"j2k_{name}.raw")
