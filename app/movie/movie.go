// Package movie writes pictures one after another as a movie: an animated GIF, an animated PNG, an AVI of JPEG
// pictures, or an MP4 where the program ffmpeg is installed. Frames are handed over one at a time, so a movie may be longer than memory.
//
//	m, err := movie.New(ctx, ".avi", file, image.Pt(512, 512), 25)
//	for _, frame := range frames {
//		err = m.Add(frame)
//	}
//	err = m.Close()
package movie

import (
	"context"
	"fmt"
	"image"
	"io"
	"math"
)

// A Writer takes the frames of a movie. Close ends the movie, also one that has failed; the file stays open.
type Writer interface {
	Add(frame *image.RGBA) error
	Close() error
}

// Endings are those of the kinds of movies, in the order in which they are offered.
func Endings() []string { return []string{".gif", ".apng", ".avi", ".mp4"} }

// New begins a movie of a kind, of frames of one size, so many a second. Without ffmpeg an MP4 is refused with ErrNoFFmpeg; the context
// ends that program.
func New(ctx context.Context, ending string, out io.WriteSeeker, size image.Point, perSecond float64) (Writer, error) {
	if size.X < 1 || size.Y < 1 || size.X > 32767 || size.Y > 32767 {
		return nil, fmt.Errorf("movie: frames of %d × %d pixels cannot be written", size.X, size.Y)
	}
	if !(perSecond >= 0.01 && perSecond <= 1000) {
		return nil, fmt.Errorf("movie: %v frames a second cannot be written", perSecond)
	}
	switch ending {
	case ".gif":
		return newGIF(out, size, perSecond), nil
	case ".apng":
		return newAPNG(out, size, perSecond), nil
	case ".avi":
		return newAVI(out, size, perSecond)
	case ".mp4":
		return newMP4(ctx, out, size, perSecond)
	}
	return nil, fmt.Errorf("movie: %q is the ending of no movie that is written", ending)
}

// fits reports what is wrong with a frame of another size.
func fits(frame *image.RGBA, size image.Point) error {
	if frame.Rect.Size() != size {
		return fmt.Errorf("movie: a frame of %v among frames of %v", frame.Rect.Size(), size)
	}
	return nil
}

// delay is how long a frame stands, in parts of a second.
func delay(perSecond float64, parts float64) int {
	return int(max(1, min(65535, math.Round(parts/perSecond))))
}
