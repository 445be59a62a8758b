#!/usr/bin/env python3
"""Writes the DICOM files of the tests with pydicom (python3-pydicom) and packs some of them with DCMTK (dcmtk).

    cd loaders/dicom/testdata && python3 make.py

The sample of row y and column x of slice z is 100 z + 8 y + x, unless it is said otherwise.
"""
import os, shutil, subprocess
import numpy as np
import pydicom
from pydicom.dataset import Dataset, FileDataset, FileMetaDataset
from pydicom.encaps import encapsulate
from pydicom.sequence import Sequence
from pydicom.uid import DeflatedExplicitVRLittleEndian, ExplicitVRBigEndian, ExplicitVRLittleEndian, ImplicitVRLittleEndian, RLELossless

BASE = "1.2.826.0.1.3680043.9.9999."
counter = 0


def plane(z=0, dtype="u2"):
    return (100 * z + 8 * np.arange(6)[:, None] + np.arange(8)).astype(dtype)


def new(pixels, series=1, syntax=ExplicitVRLittleEndian, **more):
    global counter
    counter += 1
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID = more.pop("SOPClassUID", "1.2.840.10008.5.1.4.1.1.7")
    meta.MediaStorageSOPInstanceUID = f"{BASE}9.{counter}"
    meta.TransferSyntaxUID = syntax
    meta.ImplementationClassUID = BASE + "1"
    d = FileDataset("", {}, file_meta=meta, preamble=b"\0" * 128)
    d.is_little_endian = syntax != ExplicitVRBigEndian
    d.is_implicit_VR = syntax == ImplicitVRLittleEndian
    d.SOPClassUID, d.SOPInstanceUID = meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID
    d.SeriesInstanceUID, d.SeriesNumber = f"{BASE}{series}", series
    d.PatientName, d.PatientID = "", ""
    if pixels is not None:
        a = np.asarray(pixels)
        d.SamplesPerPixel, d.PhotometricInterpretation = 1, "MONOCHROME2"
        d.Rows, d.Columns = a.shape[-2:]
        d.BitsAllocated = d.BitsStored = 8 * a.dtype.itemsize
        d.HighBit, d.PixelRepresentation = d.BitsStored - 1, int(a.dtype.kind == "i")
        if a.ndim == 3:
            d.NumberOfFrames = len(a)
        d.PixelData = a.astype(a.dtype.newbyteorder(">" if syntax == ExplicitVRBigEndian else "<")).tobytes()
        d["PixelData"].VR = "OW" if a.dtype.itemsize > 1 else "OB"
    for k, v in more.items():
        setattr(d, k, v)
    return d


def save(d, name, like_original=False):
    if os.path.dirname(name):
        os.makedirs(os.path.dirname(name), exist_ok=True)
    d.save_as(name, write_like_original=like_original)


def placed(z, step=2.5, **more):
    return dict(ImagePositionPatient=[10, 20, 30 + step * z], ImageOrientationPatient=[1, 0, 0, 0, 1, 0], PixelSpacing=[0.4, 0.3], SliceThickness=9, **more)


def item(**more):
    d = Dataset()
    for k, v in more.items():
        setattr(d, k, v)
    return d


for name in os.listdir("."):
    if name != "make.py" and name != "fuzz":
        (shutil.rmtree if os.path.isdir(name) else os.remove)(name)

# Series: names and numbers against the order of the places; a gap; two files with one place; two times; two echoes.
for z in range(4):
    save(new(plane(z), InstanceNumber=9 - z, **placed(z)), f"sorted/{(z * 3) % 4}.dcm")
for z in (0, 1, 2, 5):
    save(new(plane(z), InstanceNumber=z, **placed(z)), f"gap/{z}.dcm")
for n, z in enumerate((0, 1, 1, 2)):
    save(new(plane(n), InstanceNumber=n, **placed(z)), f"twice/{n}.dcm")
for t in range(2):
    for z in range(3):
        save(new(plane(10 * t + z), AcquisitionNumber=t, InstanceNumber=z, **placed(z)), f"times/{t}{z}")
        save(new(plane(10 * t + z), EchoTime=20 - 10 * t, InstanceNumber=z, **placed(z)), f"echoes/{t}{z}.dcm")
for z in range(3):
    save(new(plane(z), InstanceNumber=z), f"unplaced/{'cab'[z]}.dcm")
    save(new(plane(z), series=1 + z % 2, InstanceNumber=z, **placed(z)), f"two/{z}.dcm")
save(new(plane(0), InstanceNumber=0, **placed(0)), "partly/0.dcm")
with open("partly/0.dcm", "rb") as f:
    whole = f.read()
with open("partly/1.dcm", "wb") as f:
    f.write(whole[:-10])
with open("partly/notes.txt", "w") as f:
    f.write("not DICOM")

# How samples are written.
stack = np.stack([plane(z) for z in range(3)])
save(new(stack, syntax=ImplicitVRLittleEndian), "implicit.dcm")
save(new(stack, syntax=ExplicitVRBigEndian), "big.dcm")
save(new(stack, syntax=DeflatedExplicitVRLittleEndian), "deflated.dcm")
words = new(plane(0, "u1"), syntax=ExplicitVRBigEndian)
words.PixelData = plane(0, "u1").view(">u2").astype("<u2").tobytes()
words["PixelData"].VR = "OW"
save(words, "bigwords.dcm")
bare = new(stack, syntax=ImplicitVRLittleEndian)
bare.preamble, bare.file_meta = None, FileMetaDataset()
save(bare, "bare.dcm", like_original=True)
bits = new(((plane(0).astype("i4") - 20) << 3 & 0x7FF8).astype("u2") | 0x8005, BitsStored=12, HighBit=14, PixelRepresentation=1)
save(bits, "bits.dcm")  # value - 20, signed, in bits 3 to 14, with other bits set around them
one = np.arange(3 * 5 * 7) % 3 == 0  # 35 bits a frame
save(new(None, Rows=5, Columns=7, NumberOfFrames=3, SamplesPerPixel=1, PhotometricInterpretation="MONOCHROME2", BitsAllocated=1, BitsStored=1,
         HighBit=0, PixelRepresentation=0, PixelData=np.packbits(one, bitorder="little").tobytes()), "onebit.dcm")
real = new(None, Rows=6, Columns=8, SamplesPerPixel=1, PhotometricInterpretation="MONOCHROME2", BitsAllocated=32)
real.FloatPixelData = (plane(0).astype("<f4") / 4).tobytes()
save(real, "float.dcm")
save(new(plane(0), RescaleSlope="0.5", RescaleIntercept="-3", WindowCenter="10", WindowWidth="21"), "rescaled.dcm")
save(new(plane(0), PhotometricInterpretation="MONOCHROME1"), "dark.dcm")

# Colours: the samples of a pixel are v, v + 1, v + 2.
rgb = np.stack([plane(0, "u1") + k for k in range(3)])
colour = dict(SamplesPerPixel=3, PhotometricInterpretation="RGB", Rows=6, Columns=8)
def coloured(a, **more):
    d = new(a.reshape(-1, 8)[:6], **colour)
    d.PixelData = a.tobytes()
    for k, v in more.items():
        setattr(d, k, v)
    return d
save(coloured(np.moveaxis(rgb, 0, -1).copy(), PlanarConfiguration=0), "rgb.dcm")
save(coloured(rgb, PlanarConfiguration=1), "planar.dcm")
ybr = np.zeros((6, 8, 3), "u1")
ybr[..., 0], ybr[..., 1], ybr[..., 2] = 76, 85, 255  # red
save(coloured(ybr, PlanarConfiguration=0, PhotometricInterpretation="YBR_FULL"), "ybr.dcm")
palette = new(plane(0, "u1") % 4, PhotometricInterpretation="PALETTE COLOR")
for name, table in {"Red": [0, 255, 0, 9], "Green": [0, 0, 255, 9], "Blue": [7, 0, 0, 9]}.items():
    setattr(palette, name + "PaletteColorLookupTableDescriptor", [4, 0, 16])
    setattr(palette, name + "PaletteColorLookupTableData", (np.array(table, "<u2") * 257).tobytes())
save(palette, "palette.dcm")

# Multi-frame objects: slices between z = 0 and 2, twice, the time running fastest in the file; and in time.
frames, groups = [], []
for z in range(3):
    for t in range(2):
        frames.append(plane(10 * t + z))
        groups.append(item(
            FrameContentSequence=Sequence([item(DimensionIndexValues=[1, z + 1, t + 1])]),
            PlanePositionSequence=Sequence([item(ImagePositionPatient=[0, 0, 1.5 * z])]),
            PixelValueTransformationSequence=Sequence([item(RescaleSlope="1", RescaleIntercept=str(t))])))
enhanced = new(np.stack(frames), SOPClassUID="1.2.840.10008.5.1.4.1.1.4.1")
enhanced.DimensionIndexSequence = Sequence([item(DimensionIndexPointer=p) for p in (0x00209056, 0x00209057, 0x00209128)])
enhanced.SharedFunctionalGroupsSequence = Sequence([item(
    PixelMeasuresSequence=Sequence([item(PixelSpacing=[0.2, 0.1], SliceThickness="7")]),
    PlaneOrientationSequence=Sequence([item(ImageOrientationPatient=[1, 0, 0, 0, 1, 0])]))])
enhanced.PerFrameFunctionalGroupsSequence = Sequence(groups)
save(enhanced, "enhanced.dcm")
save(new(stack, FrameTime="40", FrameIncrementPointer=0x00181063), "cine.dcm")

# Packed: in fragments of which the offset table says which belong together, and by DCMTK.
rle = new(stack, syntax=RLELossless)
packed = []
for z in range(3):
    one = new(plane(z))
    one.compress(RLELossless, encoding_plugin="pydicom")
    packed.append(next(pydicom.encaps.generate_pixel_data_frame(one.PixelData, 1)))
rle.PixelData = encapsulate(packed, fragments_per_frame=2, has_bot=True)
rle["PixelData"].is_undefined_length = True
save(rle, "fragments.dcm")
save(new(stack), "plain.dcm")
for tool, flags, name in (("dcmcrle", [], "rle"), ("dcmcjpeg", ["+el", "+sv", "6"], "lossless"), ("dcmcjpeg", ["+e1"], "sv1"), ("dcmcjpls", [], "jpegls")):
    subprocess.run([tool] + flags + ["plain.dcm", name + ".dcm"], check=True)
for flags, name in ((["+il"], "jpegls_line"), (["+is"], "jpegls_sample")):
    subprocess.run(["dcmcjpls"] + flags + ["rgb.dcm", name + ".dcm"], check=True)
