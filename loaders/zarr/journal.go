package zarr

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"lamella/loaders"
)

// inside is the folder of a part that is no piece of the image, and is gone before the part has its name:
//
//	request        what the part is to become; a run that is asked for something else does not go on with it
//	shares         how many there are; a share of another division does not go on with it
//	run-3/journal  what the third run wrote, a line an object: CRC-32C, length and name
//	run-3/17       an object that it is writing
//	done-2-of-64   share 2 is there
//
// A part has its request from the moment at which it appears until all of the image is there, and none after it: so a
// run can tell a part that only lacks its name. An object is noted before it gets its name, and it gets its name when it is whole: what has its name and the
// length that was noted is finished. Runs never write into each other's folders.
const inside = ".lamella"

// castagnoli is the polynomial of the checksums.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A request is what a part is to become, as far as it tells one from another.
type request struct {
	Source  string `json:"source"`
	Chain   string `json:"chain"`
	Version string `json:"version"`
	Part    string `json:"part"`   // of the source
	Voxels  string `json:"voxels"` // names them
	Objects string `json:"objects"`
}

func requestOf(d loaders.Description, objects map[string][]byte) request {
	h := sha256.New()
	for _, key := range slices.Sorted(maps.Keys(objects)) {
		fmt.Fprintf(h, "%s %d %s", key, len(objects[key]), objects[key])
	}
	return request{d.Recipe.Source, d.Recipe.Chain, d.Recipe.Version, d.Run.Part, d.Run.Voxels, fmt.Sprintf("%x", h.Sum(nil)[:16])}
}

// differs says why a part that was begun for one request is not the other's; nil if it is.
func (r request) differs(now request) error {
	switch {
	case r == now:
		return nil
	case r.Source != now.Source:
		return fmt.Errorf("it was begun from %s, not from %s", r.Source, now.Source)
	case r.Chain != now.Chain:
		return fmt.Errorf("it was begun with the filters %q, not with %q", r.Chain, now.Chain)
	case r.Version != now.Version:
		return fmt.Errorf("it was begun by version %s, this is %s", r.Version, now.Version)
	case r.Part != now.Part:
		return fmt.Errorf("it was begun for %s, not for %s", r.Part, now.Part)
	case r.Voxels != now.Voxels && strings.Contains(now.Chain, `"`): // the filters name a file or a program
		return fmt.Errorf("%s, or a file or program that its filters name, has changed since it was begun", now.Source)
	case r.Voxels != now.Voxels:
		return fmt.Errorf("%s has changed since it was begun", now.Source)
	}
	return errors.New("it was begun with another layout, other names or other voxel sizes")
}

// request reads that of the part; fs.ErrNotExist if there is none.
func (g *growing) request() (r request, err error) {
	text, err := os.ReadFile(filepath.Join(g.part, inside, "request"))
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("its journal is damaged: %w", err)
	}
	return r, nil
}

// divide says into how many shares the part is divided, if no share has said so yet.
func (g *growing) divide() error {
	if err := g.agree("shares", []byte(strconv.Itoa(g.of)+"\n")); err != nil {
		return err
	}
	of, err := g.division()
	if err == nil && of != g.of {
		err = fmt.Errorf("%s was begun in %d shares, not in %d: --shard I/%d goes on with it, --resume without shares too", filepath.Base(g.part), of, g.of, of)
	}
	return err
}

// division is the number of shares of the part.
func (g *growing) division() (int, error) {
	text, err := os.ReadFile(filepath.Join(g.part, inside, "shares"))
	if err != nil {
		return 0, err
	}
	of, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || of < 1 {
		return 0, errors.New("its journal is damaged: it names no number of shares")
	}
	return of, nil
}

// agree puts an object into the journal, whole, if it is not there: of runs that begin together one is heard.
func (g *growing) agree(name string, text []byte) error {
	draft := filepath.Join(g.own, name)
	if err := os.WriteFile(draft, text, 0o666); err != nil {
		return err
	}
	defer os.Remove(draft)
	at := filepath.Join(g.part, inside, name)
	err := os.Link(draft, at)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	if _, e := os.Lstat(at); errors.Is(e, fs.ErrNotExist) { // a file system without links
		err = os.Rename(draft, at)
	}
	return err
}

// enter makes the folder of this run and its journal. The error wraps fs.ErrNotExist if the part has been finished since
// it was found.
func (g *growing) enter() error {
	all := filepath.Join(g.part, inside)
	there, err := os.ReadDir(all)
	if err != nil {
		return err
	}
	for n := len(there) + 1; ; n++ {
		g.own = filepath.Join(all, "run-"+strconv.Itoa(n))
		if err = os.Mkdir(g.own, 0o777); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return err
	}
	g.log, err = os.OpenFile(filepath.Join(g.own, "journal"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	return err
}

// A note is what the journal says of an object.
type note struct {
	sum    uint32
	length int64
}

// note is written before the object has its name.
func (g *growing) note(key string, n note) error {
	_, err := g.log.WriteString(n.line(key))
	return err
}

// line is the note of an object as it is written down.
func (n note) line(key string) string { return fmt.Sprintf("%08x %d %s\n", n.sum, n.length, key) }

// of reports whether bytes are those that were noted.
func (n note) of(p []byte) bool { return int64(len(p)) == n.length && crc(p) == n.sum }

func crc(p []byte) uint32 { return crc32.Checksum(p, castagnoli) }

// readNotes adds the notes of a journal to others. The last line of a run that was killed may be torn; it is not read.
func readNotes(all map[string]note, text []byte) {
	for line := range bytes.Lines(text) {
		words := strings.SplitN(string(line), " ", 3)
		if len(words) != 3 || !strings.HasSuffix(words[2], "\n") {
			continue
		}
		sum, err := strconv.ParseUint(words[0], 16, 32)
		length, e := strconv.ParseInt(words[1], 10, 64)
		if err == nil && e == nil {
			all[strings.TrimSuffix(words[2], "\n")] = note{uint32(sum), length}
		}
	}
}

// notes are those of all runs. The last line of a run that was killed may be torn; it is not read. The error wraps
// fs.ErrNotExist if another run has finished the part.
func (g *growing) notes() (map[string]note, error) {
	logs, err := fs.Glob(g.held.FS(), inside+"/run-*/journal")
	if err != nil {
		return nil, err
	}
	all := map[string]note{}
	for _, log := range logs {
		text, err := g.held.ReadFile(log)
		if err != nil {
			return nil, err
		}
		readNotes(all, text)
	}
	// The journals go after the request: if that is still there, they all were.
	_, err = g.held.Lstat(inside + "/request")
	return all, err
}

// escaped is a path as a pattern that means it alone.
func escaped(path string) string {
	if filepath.Separator == '\\' {
		return path // there no pattern can escape; names with brackets find no journals
	}
	return strings.NewReplacer(`\`, `\\`, `[`, `\[`, `*`, `\*`, `?`, `\?`).Replace(path)
}

// finished reports whether an object is there as it was noted.
func (g *growing) finished(key string, n note) bool {
	at, err := os.Lstat(filepath.Join(g.part, filepath.FromSlash(key)))
	return err == nil && at.Mode().IsRegular() && at.Size() == n.length
}

// mark says that this share is there. It may be said twice.
func (g *growing) mark(r loaders.Run) error {
	f, err := os.OpenFile(filepath.Join(g.part, inside, "done-"+shareName(r.Share, r.Of)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// undone says which shares have not been marked.
func (g *growing) undone() string {
	of, err := g.division()
	if err != nil {
		return "no share is done"
	}
	there, err := os.ReadDir(filepath.Join(g.part, inside))
	if err != nil {
		return "no share is done"
	}
	done := map[string]bool{}
	for _, e := range there {
		done[e.Name()] = true
	}
	return missingShares(of, func(share int) bool { return done["done-"+shareName(share, of)] })
}
