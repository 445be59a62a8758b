package sequence

import (
	"bufio"
	"fmt"
	"image"
	"image/png"

	"lamella/loaders"
)

// WritePNG writes a picture, such as an *image.RGBA or *image.Gray16, to path. The file appears whole
// or not at all; an existing one is refused with loaders.ErrExists unless overwrite is set. The same
// picture gives the same bytes.
func WritePNG(path string, picture image.Image, overwrite bool) error {
	draft, err := loaders.Create(path, overwrite)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(draft)
	if err = png.Encode(out, picture); err == nil {
		err = out.Flush()
	}
	if err != nil {
		draft.Abort()
		return fmt.Errorf("png: writing %s: %w", path, err)
	}
	return draft.Commit()
}
