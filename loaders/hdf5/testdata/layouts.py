#!/usr/bin/python3
"""Writes small files in the layouts of BigDataViewer and Imaris with the HDF5 library.

Voxels follow a rule that the test knows: the one at t, c (or setup), z, y, x of level l is
(1000 t + 300 c + 40 z + 5 y + x + 7000 l) % 65536.
"""
import os, sys

import h5py
import numpy as np

os.chdir(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__)))


def voxels(shape, t, c, l, top=0):
    z, y, x = np.indices(shape)
    return ((1000 * t + 300 * c + 40 * z + 5 * y + x + 7000 * l + top) % 65536).astype("u2")


def bdv(name, xml, times, setups, partition=None, missing=(), dtype="<i2"):
    with h5py.File(name, "w", libver="earliest") as f:
        for s in setups:
            f[f"s{s:02d}/resolutions"] = np.array([[1.0, 1, 1], [2, 2, 1]])
            f[f"s{s:02d}/subdivisions"] = np.array([[8, 8, 4], [8, 8, 4]], "i4")
        for t in times:
            for s in setups:
                if (t, s) in missing:
                    continue
                for l, shape in enumerate(((4, 12, 18), (4, 6, 9))):
                    # From timepoint 1 on chunks are others, as after an export that was continued.
                    chunk = (2, 5, 7) if t else (3, 6, 9)
                    path = f"t{t:05d}/s{s:02d}/{l}/cells"
                    v = voxels(shape, t, s, l, 40000).view("i2").astype(dtype)
                    if partition:
                        with h5py.File(partition, "a", libver="earliest") as p:
                            p.create_dataset(path, data=v, chunks=chunk, compression="gzip")
                    else:
                        f.create_dataset(path, data=v, chunks=chunk, compression="gzip")
                if partition:
                    f[f"t{t:05d}/s{s:02d}"] = h5py.ExternalLink(partition, f"/t{t:05d}/s{s:02d}")
    with open(name.replace(".h5", ".xml"), "w") as out:
        out.write(xml)


def spim(file, setups, timepoints, extra="", unit="nm", base="."):
    views = "".join(f"""<ViewSetup><id>{s}</id><name>{n}</name><size>18 12 4</size>
      <voxelSize><unit>{unit}</unit><size>200 250.0 1000</size></voxelSize>
      <attributes><channel>{s}</channel><displaysettings>{s}</displaysettings></attributes></ViewSetup>""" for s, n in setups)
    channels = "".join(f"<Channel><id>{s}</id><name>dye {s}</name></Channel>" for s, _ in setups)
    shown = "".join(f"<Displaysettings><id>{s}</id><isset>true</isset><color>255 {s} 0 255</color><min>10.0</min><max>900</max></Displaysettings>" for s, _ in setups)
    places = "".join(f"""<ViewRegistration timepoint="{t}" setup="{s}">
      <ViewTransform type="affine"><Name>shift</Name><affine>1 0 0 {100 * s} 0 1 0 50 0 0 1 0</affine></ViewTransform>
      <ViewTransform type="affine"><affine>200 0 0 0 0 250 0 0 0 0 1000 0</affine></ViewTransform></ViewRegistration>"""
                     for t in range(3) for s, _ in setups)
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<SpimData version="0.2"><BasePath type="relative">{base}</BasePath><SequenceDescription>
  <ImageLoader format="bdv.hdf5"><hdf5 type="relative">{file}</hdf5></ImageLoader>
  <ViewSetups>{views}
    <Attributes name="channel">{channels}</Attributes><Attributes name="displaysettings">{shown}</Attributes></ViewSetups>
  {timepoints}{extra}</SequenceDescription>
  <ViewRegistrations>{places}</ViewRegistrations></SpimData>
"""


RANGE = '<Timepoints type="range"><first>0</first><last>2</last></Timepoints>'
bdv("bdv.h5", spim("bdv.h5", ((0, "left"), (3, "right")), RANGE, '<MissingViews><MissingView timepoint="1" setup="3"/></MissingViews>'),
    (0, 1, 2), (0, 3), missing=((1, 3),))
if os.path.exists("bdv_part.h5"):
    os.unlink("bdv_part.h5")
bdv("bdv_parts.h5", spim("bdv_parts.h5", ((0, "only"),), '<Timepoints type="pattern"><integerpattern>0-2:2</integerpattern></Timepoints>'),
    (0, 2), (0,), partition="bdv_part.h5")


def letters(o, **notes):
    for k, v in notes.items():
        o.attrs[k] = np.frombuffer(v.encode(), "S1")


def imaris(name, size, padded, chunk):
    with h5py.File(name, "w", libver="earliest") as f:
        letters(f, ImarisDataSet="ImarisDataSet", ImarisVersion="5.5.0", DataSetInfoDirectoryName="DataSetInfo")
        for t in range(2):
            for c in range(3):
                for l in range(2):
                    shape = tuple(n // 2 if l and i else n for i, n in enumerate(padded))
                    real = tuple(n // 2 if l and i else n for i, n in enumerate(size))
                    v = np.full(shape, 0xdead, "u2")
                    v[:real[0], :real[1], :real[2]] = voxels(real, t, c, l)
                    g = f.create_group(f"DataSet/ResolutionLevel {l}/TimePoint {t}/Channel {c}")
                    g.create_dataset("Data", data=v, chunks=chunk, compression="gzip")
                    letters(g, ImageSizeX=str(real[2]), ImageSizeY=str(real[1]), ImageSizeZ=str(real[0]), HistogramMin="0")
                    g["Histogram"] = np.zeros(256, "u8")
        image = f.create_group("DataSetInfo/Image")
        letters(image, Name="an embryo", Unit="mm", ExtMin0="-0.001", ExtMin1="0", ExtMin2="0", ExtMax0="0.0026", ExtMax1="0.0022", ExtMax2="0.005",
                X=str(size[2]), Y=str(size[1]), Z=str(size[0]))
        for c, colour in enumerate(("1.000 0.500 0.000", "0 1 0", "0 0 1")):
            letters(f.create_group(f"DataSetInfo/Channel {c}"), Name=f"dye {c}", Color=colour, ColorMode="TableColor" if c == 2 else "BaseColor",
                    ColorRange="10.000 900.000")
        letters(f.create_group("DataSetInfo/TimeInfo"), TimePoint1="2020-02-29 23:59:58.000", TimePoint2="2020-03-01 00:00:00.500", DatasetTimePoints="2")


imaris("imaris.ims", (5, 11, 18), (6, 12, 20), (3, 6, 10))
