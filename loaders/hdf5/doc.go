// Package hdf5 reads HDF5 files, and the layouts that microscopy puts on top of them.
//
//	set, err := hdf5.Driver{}.Open(ctx, in)
//	for _, image := range set.Images {
//		fmt.Println(image.Name, image.Levels[0].Array.Meta().Shape)
//	}
//
// Layouts: BigDataViewer (an .xml with its .h5, or the .h5 alone: one image a setup, its levels, its
// timepoints along T), Imaris (.ims: one image with its levels, timepoints and channels), ilastik (the
// axes from the attribute axistags), and any other file, of which each dataset of numbers is an image.
// How to read a layout stands in imaris.go, bdv.go, bdvxml.go and plain.go; the rest is the container.
//
// Container: the HDF5 File Format Specification, version 3.0 (its sections are cited by their
// numbers): superblocks 0 to 3, object headers of both versions, old and new groups, attributes in
// headers and in heaps, the layouts compact, contiguous and chunked with all six chunk indexes, and the
// filters of filters.go. Links to other files are followed within the folder.
// Virtual datasets and external data are refused by name.
//
// Opening reads metadata alone. Where a chunk lies is looked up when it is read, through the nodes of
// its index; a bounded number of nodes is kept. Every address and length is held against the length of
// the file before memory is taken.
package hdf5
