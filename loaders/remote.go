package loaders

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync/atomic"

	"lamella/lazy"
	"lamella/loaders/store"
)

// folders are the endings of what is a folder of objects on the web, although nothing can be listed there.
var folders = []string{".zarr", ".n5"}

// openRemote opens an address. What looks like a folder is asked for the objects that formats of folders begin with; anything else
// is a file, unless there is none or a web page is in its place: then it may be a folder all the same.
func (r Registry) openRemote(ctx context.Context, name string, o Options) (lazy.Dataset, error) {
	plain := store.Plain(name)
	if looksLikeFolder(plain) {
		set, err := r.openBelow(ctx, name, o)
		if err == nil || ctx.Err() != nil || !errors.Is(err, ErrFormat) {
			return set, err
		}
		file, other := r.openObject(ctx, name, o)
		if other == nil || ctx.Err() != nil || !errors.Is(other, fs.ErrNotExist) {
			return file, other
		}
		return set, nothing(plain)
	}
	set, err := r.openObject(ctx, name, o)
	if err == nil || ctx.Err() != nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errPage) {
		return set, err
	}
	folder, other := r.openBelow(ctx, name, o)
	switch {
	case other == nil || ctx.Err() != nil || !errors.Is(other, ErrFormat):
		return folder, other
	case errors.Is(err, errPage):
		return set, err
	}
	return set, nothing(plain)
}

// nothing is about an address where neither a file nor the beginning of a folder is.
func nothing(address string) error {
	return fmt.Errorf("loaders: %s: no file is there (404), and no Zarr or N5; a folder of other files cannot be listed on a web server; check the address: %w", address, fs.ErrNotExist)
}

func looksLikeFolder(address string) bool {
	address = strings.TrimSuffix(address, "?…")
	_, below, _ := strings.Cut(address, "://")
	if strings.HasSuffix(address, "/") || !strings.Contains(below, "/") {
		return true
	}
	for _, f := range folders {
		if strings.HasSuffix(strings.ToLower(address), f) {
			return true
		}
	}
	return false
}

// Inside is the name of what lies at a slash-separated path in a source.
func Inside(source, at string) string {
	if store.IsAddress(source) {
		source, query, ok := strings.Cut(source, "?")
		if source = strings.TrimSuffix(source, "/") + "/" + at; ok {
			source += "?" + query
		}
		return source
	}
	return filepath.Join(source, filepath.FromSlash(at))
}

// errPage is about an address that shows a page to people.
var errPage = fmt.Errorf("is a web page; give the address of the data themselves: %w", ErrFormat)

// openObject opens an address as a file. What belongs to it is looked for beside it.
func (r Registry) openObject(ctx context.Context, name string, o Options) (lazy.Dataset, error) {
	s, key, err := store.Remote(name, o.Web)
	if err != nil {
		return lazy.Dataset{}, fmt.Errorf("loaders: %w", err)
	}
	if key == "" {
		s.Close()
		return lazy.Dataset{}, fmt.Errorf("loaders: %s: names no file: %w", store.Plain(name), fs.ErrNotExist)
	}
	head, err := readHead(ctx, s, key)
	if err == nil && IsPage(head) {
		err = fmt.Errorf("%s: %w", store.Plain(name), errPage)
	}
	if err != nil {
		s.Close()
		return lazy.Dataset{}, fmt.Errorf("loaders: %w", err)
	}
	return r.finishRemote(ctx, s, Input{Path: store.Plain(name), Store: s, Key: key, Options: o})
}

// openBelow opens an address as a folder.
func (r Registry) openBelow(ctx context.Context, name string, o Options) (lazy.Dataset, error) {
	s, err := store.RemoteFolder(name, o.Web)
	if err != nil {
		return lazy.Dataset{}, fmt.Errorf("loaders: %w", err)
	}
	return r.finishRemote(ctx, s, Input{Path: store.Plain(name), Store: s, Options: o})
}

// finishRemote asks the drivers. A server that could not be read is the reason for whatever they did not find.
func (r Registry) finishRemote(ctx context.Context, s store.Store, in Input) (lazy.Dataset, error) {
	set, err := r.ask(ctx, in, 0)
	if trouble := store.Trouble(s); err != nil && trouble != nil && ctx.Err() == nil && !strings.Contains(err.Error(), trouble.Error()) {
		err = fmt.Errorf("loaders: %w", trouble)
	}
	set, err = r.finish(in.Path, s)(set, err)
	for _, image := range set.Images {
		for i, l := range image.Levels {
			if source := l.Array.Node().Source; source != nil {
				image.Levels[i].Array = lazy.FromSource(metered(source))
			}
		}
	}
	return set, err
}

// metered is a source that says how many bytes came over the network for a read, whatever they are of: a block that
// was at hand costs nothing, one that was fetched for a few bytes of it costs all.
func metered(of lazy.Source) lazy.Source {
	m := meter{of}
	grainer, grains := of.(lazy.Grainer)
	sizer, sizes := of.(lazy.Sizer)
	switch {
	case grains && sizes:
		return struct {
			meter
			lazy.Grainer
			lazy.Sizer
		}{m, grainer, sizer}
	case grains:
		return struct {
			meter
			lazy.Grainer
		}{m, grainer}
	case sizes:
		return struct {
			meter
			lazy.Sizer
		}{m, sizer}
	}
	return m
}

type meter struct{ lazy.Source }

// Distant tells the engine that many reads may go on at a time.
func (meter) Distant() {}

func (m meter) Read(ctx context.Context, dst *lazy.Block) (int64, error) {
	var fetched atomic.Int64
	_, err := m.Source.Read(store.Metered(ctx, &fetched), dst)
	return fetched.Load(), err
}

// IsAddress reports whether a name is an address of the web, not a path of this machine.
func IsAddress(name string) bool { return store.IsAddress(name) }

// Shown is a name for messages: an address is without what is secret in it.
func Shown(name string) string {
	if !IsAddress(name) {
		return name
	}
	return store.Plain(name)
}
