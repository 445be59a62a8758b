package loaders

import (
	"bytes"
	"fmt"
)

// A kind is a sort of file known by its first bytes, with what to do about it.
type kind struct {
	at     int
	magic  string
	name   string
	advice string
}

const convert = "convert it with bioformats2raw (to OME-Zarr) or bfconvert (to OME-TIFF)"

// others are kinds of file that have no driver, so that a message says more than that no driver
// knew them. Containers of one maker come first.
var others = []kind{
	{0, "ZISRAWFILE", "a Zeiss CZI file", convert},
	{0, "\xda\xce\xbe\x0a", "a Nikon ND2 file", convert},
	{8, "\x2a", "a Leica LIF file", convert}, // after the four bytes of leicaBlock
	{0, "OLYMPUSRAWFORMAT", "an Olympus OIR file", convert},
	{0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an OLE container such as Olympus OIB or Zeiss ZVI", convert},
	{0, "version https://git-lfs", "a Git LFS pointer and not the data", `fetch the data with "git lfs pull"`},
	{0, "\x89HDF\r\n\x1a\n", "an HDF5 file", "convert it to OME-Zarr or OME-TIFF"},
	{0, "\x00\x00\x00\x0cjP  \r\n\x87\n", "a JPEG 2000 file", "convert it to TIFF"},
	{0, "\x89PNG\r\n\x1a\n", "a PNG file", ""},
	{0, "\xff\xd8\xff", "a JPEG file", ""},
	{0, "PK\x03\x04", "a zip archive", "unpack it"},
	{0, "\x1f\x8b", "a gzip file", "unpack it"},
	{0, "%PDF", "a PDF document", ""},
	{0, "<!DOCTYPE html", "a web page", "download the data themselves"},
	{0, "<html", "a web page", "download the data themselves"},
}

const leicaBlock = "\x70\x00\x00\x00"

// Unreadable says what a file is whose first bytes no driver knows, as the end of a sentence: "is a
// Zeiss CZI file; convert it …". It is "" when nothing is known.
func Unreadable(head []byte) string {
	if len(head) == 0 {
		return "is empty"
	}
	for _, k := range others {
		if len(head) < k.at || !bytes.HasPrefix(head[k.at:], []byte(k.magic)) {
			continue
		}
		if k.at > 0 && !bytes.HasPrefix(head, []byte(leicaBlock)) {
			continue
		}
		if k.advice == "" {
			return "is " + k.name
		}
		return fmt.Sprintf("is %s; %s", k.name, k.advice)
	}
	return ""
}
