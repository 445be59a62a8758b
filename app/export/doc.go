// Package export brings a region of an array into a file: computed piece by piece, handed to a
// writer in the cells it wants, and cancelled without a trace. The command line and the window both
// export through it.
//
//	job := export.Job{Array: edges, Region: region, View: export.XZ, Name: "embryo"}
//	file, err := tiff.Create("embryo_xz.tif", job.For(e))
//	stats, err := export.Run(ctx, e, job, file, progress)
//
// A Job whose Way is not loaders.Afresh goes on with what earlier runs have finished, if the format can be written in
// several (loaders.Part), and leaves what it has finished when it fails.
//
// A Job with a View other than XY turns the region, so that the rows and columns of the file are
// those of the plane as it is seen.
package export
