package store_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"lamella/loaders/store"
)

func Example() {
	ctx := context.Background()
	place, err := os.MkdirTemp("", "store")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(place)
	if err := os.WriteFile(filepath.Join(place, "voxels"), []byte("0123456789"), 0o644); err != nil {
		fmt.Println(err)
		return
	}
	dir, err := store.Folder(place)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dir.Close()
	file, err := dir.Open(ctx, "voxels")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	part := make([]byte, 3)
	fmt.Println(file.ReadAt(ctx, part, 4), string(part))

	_, err = dir.Open(ctx, "missing")
	fmt.Println(errors.Is(err, fs.ErrNotExist))
	_, err = dir.Open(ctx, "../voxels")
	fmt.Println(errors.Is(err, store.ErrOutside))
	// Output:
	// <nil> 456
	// true
	// true
}
