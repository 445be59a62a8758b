"""Says as JSON what tifffile and zarr-python see in the files of a folder.

    python3 interop.py FOLDER

Of each: shape and SHA-256 of the values in the order T, Z, C, Y, X (samples of a pixel are channels), low byte first,
the size of a voxel in micrometres, names and colours of channels, and the lengths of coarser levels.
"""
import hashlib
import json
import os
import sys
import xml.etree.ElementTree as ET

import numpy as np
import tifffile
import zarr

UM = {"micron": 1, "\u00b5m": 1, "micrometer": 1}


def about(array, axes):
    """The array with all five axes, and S as C."""
    if "S" in axes:
        array = np.moveaxis(array, axes.index("S"), axes.index("Y"))
        axes = axes.replace("S", "").replace("Y", "CY") if "C" not in axes else axes
    for i, a in enumerate("TZCYX"):
        if a not in axes:
            array, axes = np.expand_dims(array, 0), a + axes
    array = np.transpose(array, [axes.index(a) for a in "TZCYX"])
    little = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False)
    return {"shape": list(array.shape), "dtype": array.dtype.name, "sha256": hashlib.sha256(little.tobytes()).hexdigest()}


def tiff(path):
    with tifffile.TiffFile(path) as f:
        s = f.series[0]
        out = about(s.asarray(), s.axes)
        out["levels"] = [list(l.shape[-2:]) if "S" not in l.axes else list(l.shape[-3:-1]) for l in s.levels[1:]]
        if f.is_ome:
            ns = {"o": "http://www.openmicroscopy.org/Schemas/OME/2016-06"}
            p = ET.fromstring(f.ome_metadata).find(".//o:Pixels", ns)
            out["um"] = [float(p.get("PhysicalSize" + a)) * UM[p.get("PhysicalSize" + a + "Unit")] for a in "ZYX"]
            channels = p.findall("o:Channel", ns)
            out["names"] = [c.get("Name") for c in channels]
            out["colors"] = ["#%06x" % ((int(c.get("Color")) & 0xFFFFFFFF) >> 8) for c in channels if c.get("Color")]
        elif f.is_imagej:
            m, tags = f.imagej_metadata, f.pages[0].tags
            unit = UM[m["unit"]]
            size = lambda name: tags[name].value[1] / tags[name].value[0] * unit
            out["um"] = [m.get("spacing", 0) * unit, size("YResolution"), size("XResolution")]
            out["info"] = m.get("Info", "")
    return out


def zarr2(path):
    g = zarr.open_consolidated(path, mode="r")
    m = g.attrs["multiscales"][0]
    axes = "".join(a["name"] for a in m["axes"]).upper()
    out = about(g[m["datasets"][0]["path"]][:], axes)
    scale = dict(zip(axes, m["datasets"][0]["coordinateTransformations"][0]["scale"]))
    unit = {a["name"].upper(): a.get("unit") for a in m["axes"]}
    out["um"] = [scale[a] * UM[unit[a]] for a in "ZYX"]
    out["levels"] = [list(g[d["path"]].shape[-2:]) for d in m["datasets"][1:]]
    channels = g.attrs.get("omero", {"channels": []})["channels"]
    out["names"] = [c["label"] for c in channels]
    out["colors"] = ["#" + c["color"].lower() for c in channels]
    return out


def main(folder):
    out = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name.endswith(".tif"):
            out[name] = tiff(path)
        elif name.endswith(".npy"):
            out[name] = about(np.load(path), "TZCYX")
        elif name.endswith(".v4.zarr"):
            out[name] = zarr2(path)
    json.dump(out, sys.stdout)


main(sys.argv[1])
