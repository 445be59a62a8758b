// Command batch writes a whole level of an image, filters applied, as an Apache Beam pipeline, so that a cluster can
// do it:
//
//	batch --source embryo.ome.zarr --filter 'gaussian sigma=0.4um | sobel' --out edges.ome.zarr
//
// What travels in the pipeline are numbers of shares, which are runs of the output's chunks (or shards), and no
// voxel is in it:
//
//	shares → reshuffle → read the slab, run the chain, write the chunks → reshuffle → verify → count → close
//
// A share that a runner gives to two workers, or once more after a failure, changes nothing: a chunk that is finished
// is not computed again, and appears whole or not at all (package lamella/app/export). The bytes are those of `lamella
// export` with the same words, and either goes on with what the other began.
//
// Without Beam's flags it runs in this process, on Prism. With them it runs anywhere that Beam does:
// --runner=flink --endpoint=HOST:8099 --environment_type=..., --runner=dataflow --project=... Workers need no C
// library (CGO_ENABLED=0), see the source and the folder of the result under the same names as the one that submits, and hold
// no more voxels than --memory says.
package main
