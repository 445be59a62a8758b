package loaders

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"lamella/loaders/store"
)

// A kind is a sort of file known by the bytes that it begins with, or has at a place, with what to do
// about it.
type kind struct {
	at     int
	magic  string
	name   string
	advice string
	begins string // in addition, where the bytes at a place are too few to tell
}

const convert = "convert it with bioformats2raw (to OME-Zarr) or bfconvert (to OME-TIFF)"

// others are kinds of file that have no driver, so that a message says more than that no driver
// knew them. Containers of one maker come first.
var others = []kind{
	{magic: "ZISRAWFILE", name: "a Zeiss CZI file", advice: convert},
	{magic: "\xda\xce\xbe\x0a", name: "a Nikon ND2 file", advice: convert},
	{at: 8, magic: "\x2a", begins: "\x70\x00\x00\x00", name: "a Leica LIF file", advice: convert},
	{magic: "OLYMPUSRAWFORMAT", name: "an Olympus OIR file", advice: convert},
	{magic: "SIS\x00", name: "the pixels (ETS) of an Olympus VSI file", advice: "convert the .vsi file that it belongs to with bioformats2raw (to OME-Zarr) or bfconvert (to OME-TIFF)"},
	{magic: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", name: "an OLE container such as Olympus OIB or Zeiss ZVI", advice: convert},
	{magic: "OMAS_BF\n", name: "an Imspector OBF or MSR file", advice: convert},
	{magic: "Andor Technology Multi-Channel File", name: "an Andor SIF file", advice: convert},
	{magic: "PQTTTR", name: "a PicoQuant PTU file of photon events", advice: convert},
	{at: 8, magic: "\x00\x00\x00\x01", begins: "\x00\x00\x00\x03", name: "a Gatan DM3 file", advice: convert},
	{at: 12, magic: "\x00\x00\x00\x01", begins: "\x00\x00\x00\x04", name: "a Gatan DM4 file", advice: convert},
	{magic: "version https://git-lfs", name: "a Git LFS pointer and not the data", advice: `fetch the data with "git lfs pull"`},
	{magic: "\x89HDF\r\n\x1a\n", name: "an HDF5 file", advice: "convert it to OME-Zarr or OME-TIFF"},
	{magic: "\x00\x00\x00\x0cjP  \r\n\x87\n", name: "a JPEG 2000 file", advice: "convert it to TIFF"},
	{magic: "\x89PNG\r\n\x1a\n", name: "a PNG file"},
	{magic: "\xff\xd8\xff", name: "a JPEG file"},
	{magic: "PK\x03\x04", name: "a zip archive", advice: "unpack it"},
	{magic: "\x1f\x8b", name: "a gzip file", advice: "unpack it"},
	{magic: "%PDF", name: "a PDF document"},
}

// pages are how web pages begin, in small letters: a server may give one for any name, such as one to log in.
var pages = []string{"<!doctype html", "<html", "<head", "<body"}

// IsPage reports whether a file begins as a web page does.
func IsPage(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	head = bytes.ToLower(head[:min(len(head), 20)])
	return slices.ContainsFunc(pages, func(p string) bool { return bytes.HasPrefix(head, []byte(p)) })
}

// Unreadable says what a file is whose first bytes no driver knows, as the end of a sentence: "is a
// Zeiss CZI file; convert it …". It is "" when nothing is known.
func Unreadable(head []byte) string {
	if len(head) == 0 {
		return "is empty"
	}
	if IsPage(head) {
		return "is a web page; check the address, or download the data themselves"
	}
	for _, k := range others {
		if len(head) < k.at || !bytes.HasPrefix(head[k.at:], []byte(k.magic)) || !bytes.HasPrefix(head, []byte(k.begins)) {
			continue
		}
		if k.advice == "" {
			return "is " + k.name
		}
		return fmt.Sprintf("is %s; %s", k.name, k.advice)
	}
	return ""
}

// namedAtMost is how many entries of a folder are named, and headsAtMost how many are looked into, that holds no image.
const (
	namedAtMost = 3
	headsAtMost = 20
)

// nothingIn says what is in a folder that no driver knew, as the end of a sentence.
func nothingIn(ctx context.Context, s store.Store) string {
	entries, err := s.List(ctx, "")
	if err != nil {
		return "there is no image in it that is known here"
	}
	if len(entries) == 0 {
		return "the folder is empty"
	}
	var names []string
	looked := 0
	for _, e := range entries {
		names = append(names, e.Name)
		if !e.Regular || looked == headsAtMost {
			continue
		}
		looked++
		if head, err := readHead(ctx, s, e.Name); err == nil && len(head) > 0 {
			if why := Unreadable(head); why != "" {
				return fmt.Sprintf("the folder holds no image that can be read: %s %s", e.Name, why)
			}
		}
	}
	if n := len(names) - namedAtMost; n > 0 {
		names = append(names[:namedAtMost], fmt.Sprintf("%d more", n))
	}
	return fmt.Sprintf("the folder holds no image that can be read, but %s: open a file or a folder in it", strings.Join(names, ", "))
}
