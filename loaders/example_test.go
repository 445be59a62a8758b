package loaders_test

import (
	"context"
	"fmt"

	"lamella/loaders"
	"lamella/loaders/sample"
	"lamella/loaders/tiff"
)

func Example() {
	formats := loaders.Registry{sample.Driver{}, tiff.Driver{}}
	set, err := formats.Open(context.Background(), "sample:blobs?shape=64x512x512&chunk=16x64x64", loaders.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	m := set.Images[0].Levels[0].Array.Meta() // no voxel has been read yet
	fmt.Println(m.Shape, m.Chunk, m.DType)
	// Output: 1x64x1x512x512 1x16x1x64x64 uint16
}
