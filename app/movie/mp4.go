package movie

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// ErrNoFFmpeg is why no MP4 can be written.
var ErrNoFFmpeg = errors.New("movie: MP4 is written by the program ffmpeg, which is not installed: install it (apt install ffmpeg, brew install ffmpeg, winget install ffmpeg), or write an AVI")

// HasFFmpeg reports whether ffmpeg is there.
func HasFFmpeg() bool {
	_, err := exec.LookPath("ffmpeg")
	return err == nil
}

// encoders are those of ffmpeg that are used, the better ones first, each with how good its pictures are to be. The first ones write H.264,
// which every player knows; the last is part of every ffmpeg.
var encoders = [...][]string{
	{"libx264", "-crf", "18", "-preset", "medium"},
	{"libopenh264", "-b:v", "12M"},
	{"h264_videotoolbox", "-q:v", "70"},
	{"h264_mf", "-quality", "90"},
	{"mpeg4", "-q:v", "2"},
}

// An mp4Writer hands frames to ffmpeg as they are and copies what that wrote: an MP4 needs a file to go back and forth in, whose
// front tells of its end.
type mp4Writer struct {
	out    io.Writer
	size   image.Point
	ffmpeg *exec.Cmd
	frames io.WriteCloser
	told   bytes.Buffer // what ffmpeg complained of
	made   string       // the file that it writes
	any    bool
}

func newMP4(ctx context.Context, out io.Writer, size image.Point, perSecond float64) (*mp4Writer, error) {
	if !HasFFmpeg() {
		return nil, ErrNoFFmpeg
	}
	known, err := exec.CommandContext(ctx, "ffmpeg", "-hide_banner", "-encoders").Output()
	if err != nil {
		return nil, fmt.Errorf("movie: asking ffmpeg what it writes: %w", err)
	}
	var encoder []string
	for _, e := range encoders {
		if bytes.Contains(known, []byte(" "+e[0]+" ")) {
			encoder = e
			break
		}
	}
	if encoder == nil {
		return nil, errors.New("movie: this ffmpeg writes neither H.264 nor MPEG-4")
	}
	made, err := os.CreateTemp("", "lamella-*.mp4")
	if err != nil {
		return nil, fmt.Errorf("movie: %w", err)
	}
	made.Close()
	m := &mp4Writer{out: out, size: size, made: made.Name()}
	args := []string{"-hide_banner", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", fmt.Sprintf("%dx%d", size.X, size.Y),
		"-r", strconv.FormatFloat(perSecond, 'f', -1, 64), "-i", "-", "-an",
		"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", // colours are kept for every second pixel
		"-c:v", encoder[0]}
	args = append(append(args, encoder[1:]...), "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4", "-y", m.made)
	m.ffmpeg = exec.CommandContext(ctx, "ffmpeg", args...)
	m.ffmpeg.Stderr = &m.told
	if m.frames, err = m.ffmpeg.StdinPipe(); err == nil {
		err = m.ffmpeg.Start()
	}
	if err != nil {
		os.Remove(m.made)
		return nil, fmt.Errorf("movie: starting ffmpeg: %w", err)
	}
	return m, nil
}

// Add hands a frame over.
func (m *mp4Writer) Add(frame *image.RGBA) error {
	if err := fits(frame, m.size); err != nil {
		return err
	}
	for y := range m.size.Y {
		row := frame.Pix[y*frame.Stride:][:4*m.size.X]
		if _, err := m.frames.Write(row); err != nil {
			return fmt.Errorf("movie: handing a frame to ffmpeg: %w", m.why(err))
		}
	}
	m.any = true
	return nil
}

// why is what ffmpeg said went wrong, in place of that it is gone.
func (m *mp4Writer) why(err error) error {
	m.ffmpeg.Wait() // after which all that it said is there
	if said := strings.TrimSpace(m.told.String()); said != "" {
		return errors.New(strings.ReplaceAll(said, "\n", "; "))
	}
	return err
}

// Close has ffmpeg finish, and copies what it wrote. Nothing of it stays behind.
func (m *mp4Writer) Close() error {
	defer os.Remove(m.made)
	m.frames.Close()
	if err := m.ffmpeg.Wait(); err != nil {
		return fmt.Errorf("movie: ffmpeg: %w", m.why(err))
	}
	if !m.any {
		return errors.New("movie: there are no frames")
	}
	in, err := os.Open(m.made)
	if err != nil {
		return fmt.Errorf("movie: %w", err)
	}
	defer in.Close()
	if _, err := io.Copy(m.out, in); err != nil {
		return fmt.Errorf("movie: %w", err)
	}
	return nil
}
