package ui

// causeForms are the forms of the errors that users meet most: of files that are not there, cannot be read or written, or are none that
// can be opened. They are said like remarks; what the system and the packages of the program say of rarer things stays in English.
var causeForms = []string{
	"no such file or directory", "permission denied", "operation not permitted", "no space left on device", "disk quota exceeded", "read-only file system",
	"is a directory", "not a directory", "file exists", "file name too long", "too many open files", "input/output error", "cannot allocate memory",
	"context canceled", "context deadline exceeded", "connection refused", "connection reset by peer", "network is unreachable", "no such host", "unexpected EOF",
	"choose a rectangle, an ellipse or a polygon first", "there is no voxel in it", "that is all of the image",
	"%d of %d regions are not read, such as %s", "a region of several parts is not read", "a freehand line is not read", "a segmented line is not read",
	"a text is not read, it measures nothing", "a picture as overlay is not read, it measures nothing",
	"not a format that can be read", "not supported", "damaged", "its folder", "memory", "connect",
	"its content is of no kind that is known here; convert it with bioformats2raw (to OME-Zarr) or bfconvert (to OME-TIFF), or give its layout if it is raw: not a format that can be read",
	"%d bytes at %d lie beyond the end at %d, the file is cut short",
	"given up after %d attempts in %s",
	"%s; check the network and the server, or try again later",
	"%s needs %s, has %s: allow more memory or ask for less at once",
	"opening %s", "reading %s", "writing %s", "open %s", "stat %s", "read %s", "write %s", "mkdir %s", "lstat %s", "rename %s", "remove %s", "dial tcp %s",
}
