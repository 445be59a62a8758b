"""Writes dictionary.txt: tag, VR and name of the elements of PS3.6 that images have, one a line, in order of
their tags. Run with Debian's python3-pydicom: /usr/bin/python3 dictionary.py"""
import os
from pydicom._dicom_dict import DicomDictionary

GROUPS = {0x02, 0x08, 0x10, 0x12, 0x18, 0x20, 0x28, 0x32, 0x40, 0x48, 0x50, 0x54, 0x62, 0x70, 0x2050, 0x3004, 0x5200}
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "dictionary.txt"), "w") as out:
    for tag, (vr, _, name, retired, _) in sorted(DicomDictionary.items()):
        if tag >> 16 in GROUPS and name and not (retired and tag >> 16 not in {0x08, 0x18, 0x20, 0x28}):
            out.write("%08X %s %s\n" % (tag, vr[:2], name))
