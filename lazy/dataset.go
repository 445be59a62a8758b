package lazy

// A Dataset is what one file, folder or address holds: a list of images and what the reader had
// to say about them.
type Dataset struct {
	Source   string // as the user named it
	Format   string // "ome-zarr", "tiff", "npy", ...
	Images   []Image
	Warnings []string // what is missing, assumed or left out; one sentence each

	// Lazy says how little of it can be read at a time: By is "chunk", "strip", "plane" or
	// "whole", and Note says what that costs where it costs much.
	Lazy struct{ By, Note string }

	// Files are those that the voxels lie in, by the paths that messages have, where the reader found others than Source
	// names: the members of a set of OME-TIFF. They are not to be written over.
	Files []string

	// Close releases files; nil if there is nothing to release. Reads that are under way end with
	// an error.
	Close func() error
}

// An Image is one series of a dataset: the same scene at one or more resolutions.
type Image struct {
	Name     string
	Path     string // place in its container; "" if the dataset is the image
	Levels   []Level
	Channels []Channel // one for each voxel along C, or none
	RGB      bool      // the channels are the samples of a colour picture
	Assumed  string    // axes that the file did not name, such as "z"; "" if it named all
	Recipe   Recipe    // how the voxels were made, where the file is an export that says so
	Made     string    // the filters that make it of an image of the file, where a program has made it; "" for one of the file
	Order    Order     // how the dimensions lie in the file, where a user may say otherwise
	Metadata []Entry   // what else the file says, by its own names, in its own order
}

// An Entry is one thing that a file says, by the name that the file gives it. Names may come again.
type Entry struct{ Name, Value string }

// An Order is how the dimensions of an image lie in its file.
type Order struct {
	Axes  string // a letter for each dimension, slowest first, such as "tczyx"; "" if it cannot be stated
	Fixed int    // so many of the last are rows and columns, whatever a user says
	Words string // the same in words, where letters alone do not say it: "(zc3)yx", or a pattern of the names of files
	About string // of a sequence of files: what its names count, the first and the last, and how many are missing
}

// A Recipe says how the voxels of an export were made: enough to make them again.
type Recipe struct {
	Source  string // as the user named it
	Chain   string // the filters, as text
	Version string // of the program
}

// A Level is one resolution of an image; level 0 is the finest.
type Level struct {
	Array Array
	Path  string
	Codec string // "raw", "deflate", "blosc-lz4", ...
}

// A Channel is how a file wants one channel named and shown.
type Channel struct {
	Name   string
	Color  string      // "#rrggbb", or "" if the file does not say
	Limits *[2]float64 // contrast limits, nil if the file does not say
	LUT    [][3]uint8  // a palette of the file's own, nil if there is none
}
