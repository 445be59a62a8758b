package store

import (
	"archive/zip"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
)

// maxUnpacked is the largest compressed member that is unpacked whole, as Get does.
const maxUnpacked = 512 << 20

// maxAtOnce is the largest compressed member that is unpacked whole where it is read at random. What is larger is unpacked as
// far as it is read, and kept as a stream is: see Unpacked.
const maxAtOnce = 1 << 20

// maxDeflate is the most that deflate can grow: 1032 bytes for one.
const maxDeflate = 1032

// Zip is the store of the members of an archive, which it closes with itself. Stored members are
// read in place. Members whose names lead out of the archive are not in it.
func Zip(ctx context.Context, f File) (Store, error) {
	r, err := within(ctx, func() (*zip.Reader, error) {
		return zip.NewReader(ReaderAt(context.WithoutCancel(ctx), f), f.Size())
	})
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, fmt.Errorf("store: %s: zip archive: %w", f.Name(), err)
	}
	z := &archive{file: f, members: map[string]*zip.File{}, sizes: map[string]int64{}}
	for _, m := range r.File {
		if strings.HasSuffix(m.Name, "/") || CheckKey(m.Name) != nil {
			continue
		}
		z.members[m.Name] = m
		z.sizes[m.Name] = int64(m.UncompressedSize64)
	}
	return z, nil
}

type archive struct {
	file    File
	members map[string]*zip.File
	sizes   map[string]int64

	mu      sync.Mutex
	streams map[*streamed]bool // that are open
}

func (z *archive) Name() string { return z.file.Name() }
func (z *archive) ID() string   { return z.file.ID() }

func (z *archive) Close() error {
	z.mu.Lock()
	open := slices.Collect(maps.Keys(z.streams))
	z.mu.Unlock()
	for _, s := range open {
		s.Close()
	}
	return z.file.Close()
}

func (z *archive) List(ctx context.Context, prefix string) ([]Entry, error) {
	return children(maps.Keys(z.sizes), prefix)
}

func (z *archive) Get(ctx context.Context, key string, max int64) ([]byte, error) {
	f, m, err := z.part(ctx, key)
	if err != nil {
		return nil, err
	}
	if size := m.UncompressedSize64; size > uint64(max) {
		return nil, fmt.Errorf("store: %s: %d bytes, at most %d were expected", f.Name(), size, max)
	}
	if m.Method == zip.Deflate {
		if m.UncompressedSize64 > maxUnpacked {
			return nil, fmt.Errorf("store: %s: %d bytes unpacked, more than %d: unpack the archive first", f.Name(), m.UncompressedSize64, maxUnpacked)
		}
		u := &unpacked{name: f.Name(), id: z.ID(), member: m}
		return within(ctx, func() ([]byte, error) { return u.inflate(ctx) })
	}
	p := make([]byte, f.Size())
	if err := f.ReadAt(ctx, p, 0); err != nil {
		return nil, err
	}
	if crc32.ChecksumIEEE(p) != z.members[key].CRC32 {
		return nil, fmt.Errorf("store: %s: %w", f.Name(), zip.ErrChecksum)
	}
	return p, nil
}

func (z *archive) Open(ctx context.Context, key string) (File, error) {
	f, m, err := z.part(ctx, key)
	switch {
	case err != nil:
		return nil, err
	case m.Method == zip.Store:
		return f, nil
	case m.UncompressedSize64 <= maxAtOnce:
		return &unpacked{name: f.name, id: z.ID(), member: m}, nil
	}
	size := int64(m.UncompressedSize64)
	s := &streamed{z, Unpacked(f, size, "deflate", func(r io.Reader) (io.Reader, error) {
		return &summed{from: flate.NewReader(r), sum: crc32.NewIEEE(), want: m.CRC32, left: size}, nil
	})}
	z.mu.Lock()
	defer z.mu.Unlock()
	if z.streams == nil {
		z.streams = map[*streamed]bool{}
	}
	z.streams[s] = true
	return s, nil
}

// streamed is a deflated member that is unpacked as far as it is read, until it or its archive is closed.
type streamed struct {
	of *archive
	File
}

func (s *streamed) Close() error {
	s.of.mu.Lock()
	delete(s.of.streams, s)
	s.of.mu.Unlock()
	return s.File.Close()
}

// summed reads a member to its end and compares it with the checksum and the length that the archive says.
type summed struct {
	from io.Reader
	sum  hash.Hash32
	want uint32
	left int64
}

func (s *summed) Read(p []byte) (int, error) {
	n, err := s.from.Read(p)
	s.sum.Write(p[:n])
	if s.left -= int64(n); s.left < 0 {
		return n, errors.New("longer than the archive says")
	}
	if err == io.EOF && s.left == 0 && s.sum.Sum32() != s.want {
		err = zip.ErrChecksum
	}
	return n, err
}

// part is where a member lies as it is packed.
func (z *archive) part(ctx context.Context, key string) (part, *zip.File, error) {
	if err := CheckKey(key); err != nil {
		return part{}, nil, fmt.Errorf("store: %s: %w", z.Name(), err)
	}
	m, ok := z.members[key]
	if !ok {
		return part{}, nil, fmt.Errorf("store: %s/%s: %w", z.Name(), key, fs.ErrNotExist)
	}
	name := z.Name() + "/" + key
	size, packed := m.UncompressedSize64, m.CompressedSize64
	start, err := z.offset(ctx, m)
	if err != nil {
		return part{}, nil, fmt.Errorf("store: %s: %w", name, err)
	}
	// Nothing is allocated by a claimed size before it is held against what the archive can hold.
	if packed > uint64(z.file.Size()) || start > z.file.Size()-int64(packed) {
		return part{}, nil, fmt.Errorf("store: %s: reaches beyond the end of the archive: %w", name, io.ErrUnexpectedEOF)
	}
	switch {
	case m.Method == zip.Store && size == packed:
	case m.Method != zip.Deflate:
		return part{}, nil, fmt.Errorf("store: %s: packed by method %d, not stored or deflated", name, m.Method)
	case size > packed*maxDeflate+maxDeflate:
		return part{}, nil, fmt.Errorf("store: %s: claims %d bytes from %d packed ones", name, size, packed)
	}
	return part{z.file, name, start, int64(packed)}, m, nil
}

// offset is where a member's data lie, which the archive says just before them.
func (z *archive) offset(ctx context.Context, m *zip.File) (int64, error) {
	if _, slow := z.file.(*remote); slow {
		return within(ctx, m.DataOffset)
	}
	return m.DataOffset()
}

// part is a range of a file that is a file itself.
type part struct {
	file        File
	name        string
	start, size int64
}

func (p part) Name() string { return p.name }
func (p part) ID() string   { return fmt.Sprintf("%s|%s|%d", p.file.ID(), p.name, p.start) }
func (p part) Size() int64  { return p.size }
func (p part) Close() error { return nil }

func (p part) ReadAt(ctx context.Context, b []byte, off int64) error {
	if err := inside(p.name, off, len(b), p.size); err != nil {
		return err
	}
	return p.file.ReadAt(ctx, b, p.start+off)
}

// unpacked is a deflated member, inflated whole at its first read.
type unpacked struct {
	name, id string
	member   *zip.File

	mu   sync.Mutex
	data []byte
}

func (u *unpacked) Name() string { return u.name }
func (u *unpacked) ID() string   { return u.id + "|" + u.name }
func (u *unpacked) Size() int64  { return int64(u.member.UncompressedSize64) }

func (u *unpacked) Close() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.data = nil
	return nil
}

func (u *unpacked) ReadAt(ctx context.Context, p []byte, off int64) error {
	data, err := within(ctx, func() ([]byte, error) { return u.inflate(ctx) })
	if err != nil {
		return err
	}
	return bytesFile{u.name, data}.ReadAt(ctx, p, off)
}

func (u *unpacked) inflate(ctx context.Context) ([]byte, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.data != nil {
		return u.data, nil
	}
	r, err := u.member.Open()
	if err != nil {
		return nil, fmt.Errorf("store: %s: %w", u.name, err)
	}
	defer r.Close()
	data := make([]byte, u.Size())
	for done := 0; done < len(data); {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := io.ReadFull(r, data[done:min(done+step, len(data))])
		if done += n; err != nil {
			return nil, fmt.Errorf("store: %s: unpacking: %w", u.name, err)
		}
	}
	// The checksum is looked at only at the end of the stream.
	if _, err := r.Read(make([]byte, 1)); err != io.EOF {
		return nil, fmt.Errorf("store: %s: unpacking: %w", u.name, errors.Join(err, errors.New("longer than the archive says")))
	}
	u.data = data
	return data, nil
}
