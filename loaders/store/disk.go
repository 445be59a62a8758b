package store

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// A disk is the cache of blocks in a folder, which several programs may share. An entry is a file of its own:
//
//	"lamella block 1\n"  length of the key (uint32, little-endian)  key  CRC-32C of the data (uint32)  data
//
// It is written beside and renamed, so it is there whole or not; one that a crash tore does not fit its checksum and
// is taken for missing. The key holds everything that tells the data from others: address, tag of the server, length, place.
// What was not used for longest goes first; a file's time of modification says when it was used.
type disk struct {
	dir   string
	limit int64

	mu      sync.Mutex
	counted bool
	used    int64
	broken  bool // nothing could be written: a full or read-only disk is no reason to fail
}

const (
	diskMagic  = "lamella block 1\n"
	diskEnding = ".block"
	diskTemp   = "writing-*.tmp"
	maxEntry   = 2 * blockSize // of a file; keys are far shorter than a block
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var disks = struct {
	sync.Mutex
	by map[string]*disk
}{by: map[string]*disk{}}

// diskAt is the cache in a folder, "" for that of the user. A negative limit, and a system without a folder for caches, give nil.
func diskAt(dir string, limit int64) *disk {
	if limit < 0 {
		return nil
	}
	if dir == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return nil
		}
		dir = filepath.Join(base, "lamella", "remote")
	}
	disks.Lock()
	defer disks.Unlock()
	d := disks.by[dir]
	if d == nil {
		d = &disk{dir: dir}
		disks.by[dir] = d
	}
	d.mu.Lock()
	d.limit = limit
	d.mu.Unlock()
	return d
}

func (d *disk) path(key string) string {
	sum := sha256.Sum256([]byte(key))
	name := hex.EncodeToString(sum[:16])
	return filepath.Join(d.dir, name[:2], name+diskEnding)
}

// get is what was put under a key.
func (d *disk) get(key string) ([]byte, bool) {
	path := d.path(key)
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxEntry {
		return nil, false
	}
	p, err := os.ReadFile(path)
	if err != nil {
		return nil, false
	}
	data, ok := parseEntry(p, key)
	if !ok {
		os.Remove(path)
		return nil, false
	}
	now := time.Now()
	os.Chtimes(path, now, now) // if it fails, the entry goes a little early
	return data, true
}

// parseEntry is the data of an entry, if it is whole and that of the key.
func parseEntry(p []byte, key string) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(p, []byte(diskMagic))
	if !ok || len(rest) < 8 {
		return nil, false
	}
	n := binary.LittleEndian.Uint32(rest)
	if int64(n) != int64(len(key)) || len(rest) < 8+len(key) || string(rest[4:4+n]) != key {
		return nil, false
	}
	sum, data := binary.LittleEndian.Uint32(rest[4+n:]), rest[8+n:]
	return data, crc32.Checksum(data, castagnoli) == sum
}

func formatEntry(key string, data []byte) []byte {
	p := make([]byte, 0, len(diskMagic)+8+len(key)+len(data))
	p = append(p, diskMagic...)
	p = binary.LittleEndian.AppendUint32(p, uint32(len(key)))
	p = append(p, key...)
	p = binary.LittleEndian.AppendUint32(p, crc32.Checksum(data, castagnoli))
	return append(p, data...)
}

// put keeps data under a key, as far as there is room.
func (d *disk) put(key string, data []byte) {
	entry := formatEntry(key, data)
	if len(entry) > maxEntry || !d.reserve(int64(len(entry))) {
		return
	}
	path := d.path(key)
	if old, err := os.Lstat(path); err == nil {
		d.account(-old.Size())
	}
	if err := write(d.dir, path, entry); err != nil {
		d.mu.Lock()
		d.broken = true
		d.mu.Unlock()
	}
}

// write makes a file that appears whole.
func write(dir, path string, p []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, diskTemp)
	if err != nil {
		return err
	}
	_, err = f.Write(p)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

func (d *disk) account(n int64) {
	d.mu.Lock()
	d.used += n
	d.mu.Unlock()
}

// reserve makes room for n bytes, and reports whether there is.
func (d *disk) reserve(n int64) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.broken || n > d.limit {
		return false
	}
	if !d.counted || d.used+n > d.limit {
		d.trim(n)
	}
	d.used += n
	return d.used <= d.limit
}

// trim counts what is there, since other programs write too, and removes what was unused for longest until there is room
// for n bytes and some more, so that this happens seldom.
func (d *disk) trim(n int64) {
	type entry struct {
		path string
		size int64
		used time.Time
	}
	var all []entry
	d.used, d.counted = 0, true
	filepath.WalkDir(d.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return nil
		}
		switch {
		case strings.HasSuffix(path, diskEnding):
			all = append(all, entry{path, info.Size(), info.ModTime()})
			d.used += info.Size()
		case strings.HasSuffix(path, ".tmp") && time.Since(info.ModTime()) > 24*time.Hour: // of a program that is no more
			os.Remove(path)
		}
		return nil
	})
	if d.used+n <= d.limit {
		return
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(a.used.Compare(b.used), strings.Compare(a.path, b.path)) })
	for _, e := range all {
		if d.used+n <= d.limit-d.limit/10 {
			return
		}
		if os.Remove(e.path) == nil {
			d.used -= e.size
		}
	}
}

// A card is what the cache knows of an object.
type card struct {
	ETag, Modified string
	Size           int64
	Ranged         bool
}

func (w *web) card(key string) string { return "object\n" + w.address(ask{key: key}) }

// recall is an object as it was when it was seen last, by whatever program; nil if it never was.
func (w *web) recall(key string) *object {
	if w.cache == nil {
		return nil
	}
	text, ok := w.cache.get(w.card(key))
	var c card
	if !ok || json.Unmarshal(text, &c) != nil || c.Size < 0 || c.ETag == "" && c.Modified == "" {
		return nil
	}
	o := &object{web: w, key: key, name: w.called(key), size: c.Size, etag: c.ETag, modified: c.Modified, ranged: c.Ranged, stable: true, blocks: map[int64]*block{}}
	o.tag = "etag " + c.ETag
	if c.ETag == "" {
		o.tag = "modified " + c.Modified
	}
	return o
}

// record notes an object for later programs.
func (w *web) record(o *object) {
	if w.cache == nil || !o.stable {
		return
	}
	text, err := json.Marshal(card{o.etag, o.modified, o.size, o.ranged})
	if err == nil {
		w.cache.put(w.card(o.key), text)
	}
}

func (o *object) spotKey(n int64) string {
	return fmt.Sprintf("block\n%s\n%s\n%d\n%d+%d", o.web.address(ask{key: o.key}), o.tag, o.size, n*blockSize, blockSize)
}

// saved is a block of the cache on disk.
func (o *object) saved(n int64) ([]byte, bool) {
	if o.web.cache == nil || !o.stable {
		return nil, false
	}
	data, ok := o.web.cache.get(o.spotKey(n))
	if !ok || int64(len(data)) != min(blockSize, o.size-n*blockSize) {
		return nil, false
	}
	traffic.cached.Add(int64(len(data)))
	return data, true
}

func (o *object) save(n int64, data []byte) {
	if o.web.cache != nil && o.stable {
		o.web.cache.put(o.spotKey(n), data)
	}
}
