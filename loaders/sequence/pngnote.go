package sequence

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/png"
	"io"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/store"
)

// noteStart begins the text chunk that holds the recipe of an export: a keyword, not compressed, in no language
// (ISO/IEC 15948, section 11.3.4.5).
const noteStart = "Comment\x00\x00\x00\x00\x00"

// noteOf is the data of the text chunk of a recipe, nil if it is empty.
func noteOf(r lazy.Recipe) []byte {
	if text := loaders.RecipeLine(r); text != "" {
		return []byte(noteStart + text)
	}
	return nil
}

// pngHead is the bytes before the second chunk: what a reader takes for the file's kind, and its header.
const pngHead = 33

// EncodePNG writes a picture with its recipe in a text chunk behind the header.
func EncodePNG(out io.Writer, picture image.Image, r lazy.Recipe) error {
	note := noteOf(r)
	if note == nil {
		return png.Encode(out, picture)
	}
	return png.Encode(&noted{out: out, note: pngChunk("iTXt", note)}, picture)
}

// noted puts a chunk behind the header of a PNG that goes through it.
type noted struct {
	out  io.Writer
	note []byte
	head bytes.Buffer
}

func (n *noted) Write(p []byte) (int, error) {
	if n.note == nil {
		return n.out.Write(p)
	}
	n.head.Write(p)
	if n.head.Len() < pngHead {
		return len(p), nil
	}
	all := n.head.Bytes()
	_, err := n.out.Write(append(append(append([]byte(nil), all[:pngHead]...), n.note...), all[pngHead:]...))
	n.note = nil
	return len(p), err
}

// maxNote is the longest recipe that is read.
const maxNote = 1 << 20

// readNote is the recipe in a PNG's text chunk behind the header; empty if there is none.
func readNote(ctx context.Context, f store.File) lazy.Recipe {
	head := make([]byte, 8)
	if f.Size() < pngHead+12 || f.ReadAt(ctx, head, pngHead) != nil || string(head[4:]) != "iTXt" {
		return lazy.Recipe{}
	}
	n := int64(binary.BigEndian.Uint32(head))
	if n > maxNote || n > f.Size()-pngHead-8 {
		return lazy.Recipe{}
	}
	data := make([]byte, n)
	if f.ReadAt(ctx, data, pngHead+8) != nil {
		return lazy.Recipe{}
	}
	text, ok := strings.CutPrefix(string(data), noteStart)
	if !ok {
		return lazy.Recipe{}
	}
	return loaders.FindRecipe(text)
}
