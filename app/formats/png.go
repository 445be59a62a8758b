package formats

import (
	"image"
	"io"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/sequence"
)

// CreatePNG begins a PNG of the values of one plane, in 8 or 16 bits. It is not among the endings of Create, since a
// file of that ending is a picture unless its values are asked for.
func CreatePNG(path string, d loaders.Description) (loaders.Writer, error) {
	return sequence.CreatePNG(path, d)
}

// EncodePNG writes a picture and how it was made.
func EncodePNG(out io.Writer, picture image.Image, r lazy.Recipe) error {
	return sequence.EncodePNG(out, picture, r)
}
