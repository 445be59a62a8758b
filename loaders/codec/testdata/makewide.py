#!/usr/bin/env python3
"""Takes the streams of JPEG lossless and JPEG-LS out of files that DCMTK packed (loaders/dicom/testdata/make.py).

    cd loaders/codec/testdata && python3 makewide.py
"""
import pydicom
from pydicom.encaps import generate_pixel_data_frame

for name, ending in (("lossless", "jpg"), ("sv1", "jpg"), ("jpegls", "jls"), ("jpegls_line", "jls"), ("jpegls_sample", "jls")):
    d = pydicom.dcmread(f"../../dicom/testdata/{name}.dcm")
    n = int(d.get("NumberOfFrames", 1))
    open(f"wide_{name}.{ending}", "wb").write(next(generate_pixel_data_frame(d.PixelData, n)))
