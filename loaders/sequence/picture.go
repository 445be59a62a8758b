package sequence

import (
	"context"
	"fmt"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/store"
)

// Picture reads one PNG, JPEG, BMP, GIF or WebP file as an image of one plane; of a GIF with several
// frames the first. Samples are given as stored: palette indices stay indices, with the palette as
// LUT, and the samples of colour pictures are channels. Pictures do not say how large a pixel is.
type Picture struct{}

// A shape is what the header of a picture says, and how to decode it.
type shape struct {
	width, height, samples int
	dtype                  lazy.DType
	rgb                    bool
	lut                    [][3]uint8
	codec                  string

	// decode fills dst, one plane for each sample, from the whole file.
	decode func(ctx context.Context, raw []byte, dst *lazy.Block) error
}

// maxDecoded bounds a picture: it is decoded as a whole.
const maxDecoded = 4 << 30

// Name is "picture".
func (Picture) Name() string { return "picture" }

// Sniff knows pictures by their first bytes.
func (Picture) Sniff(_ context.Context, in loaders.Input) bool {
	return in.Key != "" && len(in.Keys) == 0 && kindOf(in.Head) != ""
}

func kindOf(head []byte) string {
	s := string(head[:min(len(head), 16)])
	switch {
	case strings.HasPrefix(s, pngMagic):
		return "png"
	case strings.HasPrefix(s, "\xFF\xD8\xFF"):
		return "jpeg"
	case strings.HasPrefix(s, "GIF87a"), strings.HasPrefix(s, "GIF89a"):
		return "gif"
	case strings.HasPrefix(s, "BM") && len(head) >= 26:
		return "bmp"
	case strings.HasPrefix(s, "RIFF") && len(s) == 16 && s[8:12] == "WEBP":
		return "webp"
	}
	return ""
}

// Open reads the header.
func (Picture) Open(ctx context.Context, in loaders.Input) (lazy.Dataset, error) {
	f, err := in.Store.Open(ctx, in.Key)
	if err != nil {
		return lazy.Dataset{}, fmt.Errorf("picture: opening %s: %w", in.Path, err)
	}
	s, err := header(ctx, f, kindOf(in.Head))
	if err == nil {
		err = s.check(f.Size())
	}
	if err != nil {
		f.Close()
		if ctx.Err() != nil {
			return lazy.Dataset{}, ctx.Err()
		}
		return lazy.Dataset{}, fmt.Errorf("picture: opening %s: %w", in.Path, err)
	}
	full := lazy.Shape{1, 1, s.samples, s.height, s.width}
	src := pictureSource{file: f, shape: s, meta: lazy.Meta{Shape: full, Chunk: full, DType: s.dtype}}
	image := lazy.Image{RGB: s.rgb, Channels: s.channels(),
		Levels: []lazy.Level{{Array: lazy.FromSource(src), Codec: s.codec}}}
	if s.codec == "png" {
		image.Recipe = readNote(ctx, f)
	}
	d := lazy.Dataset{Source: in.Path, Format: s.codec, Images: []lazy.Image{image}, Close: f.Close}
	d.Lazy.By = "plane"
	return d, nil
}

func header(ctx context.Context, f store.File, kind string) (shape, error) {
	switch kind {
	case "png":
		return readPNG(ctx, f)
	case "jpeg":
		if s, ok := readJPEG(ctx, f); ok {
			return s, nil
		}
	case "bmp":
		return readBMP(ctx, f)
	}
	return readOther(ctx, f, kind)
}

// check refuses what does not fit in memory, and headers that claim more than the file can hold.
func (s shape) check(stored int64) error {
	if s.width < 1 || s.height < 1 {
		return fmt.Errorf("%d x %d pixels: %w", s.width, s.height, loaders.ErrDamaged)
	}
	pixels := float64(s.width) * float64(s.height)
	bytes := pixels * float64(s.samples*s.dtype.Size())
	if bytes > maxDecoded {
		return fmt.Errorf("%d x %d pixels need %.1f GiB at once, at most %d GiB are decoded: %w",
			s.width, s.height, bytes/(1<<30), maxDecoded>>30, loaders.ErrUnsupported)
	}
	// Deflate shrinks nothing to less than 1/1032, and one bit of a picture may stand for a byte here.
	if bytes > 1040*8*float64(stored)+1<<20 {
		return fmt.Errorf("%d x %d pixels in a file of %d bytes: %w", s.width, s.height, stored, loaders.ErrDamaged)
	}
	return nil
}

func (s shape) channels() []lazy.Channel {
	switch {
	case s.lut != nil:
		return []lazy.Channel{{LUT: s.lut, Limits: &[2]float64{0, float64(max(1, len(s.lut)-1))}}}
	case s.rgb:
		return []lazy.Channel{{Name: "red", Color: "#ff0000"}, {Name: "green", Color: "#00ff00"}, {Name: "blue", Color: "#0000ff"}, {Name: "alpha"}}[:s.samples]
	case s.samples == 2:
		return []lazy.Channel{{Name: "grey"}, {Name: "alpha"}}
	case s.samples == 4:
		return []lazy.Channel{{Name: "cyan"}, {Name: "magenta"}, {Name: "yellow"}, {Name: "black"}}
	}
	return nil
}

// A pictureSource decodes the whole file at once.
type pictureSource struct {
	file  store.File
	shape shape
	meta  lazy.Meta
}

func (s pictureSource) Meta() lazy.Meta          { return s.meta }
func (s pictureSource) ID() string               { return s.file.ID() }
func (s pictureSource) Stored(lazy.Region) int64 { return s.file.Size() }

// maxFile bounds the file of one picture.
const maxFile = 2 << 30

func (s pictureSource) Read(ctx context.Context, dst *lazy.Block) (int64, error) {
	if s.file.Size() > maxFile {
		return 0, fmt.Errorf("picture: %s: a file of %d bytes: %w", s.file.Name(), s.file.Size(), loaders.ErrUnsupported)
	}
	raw := make([]byte, s.file.Size())
	if err := s.file.ReadAt(ctx, raw, 0); err != nil {
		return 0, err
	}
	if err := s.shape.decode(ctx, raw, dst); err != nil {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		return 0, fmt.Errorf("picture: %s: %w", s.file.Name(), err)
	}
	return s.file.Size(), nil
}
