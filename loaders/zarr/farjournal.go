package zarr

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"lamella/loaders"
	"lamella/loaders/store"
)

// divide says into how many shares the part is divided, or finds it out.
func (f *far) divide(ctx context.Context) error {
	text, err := f.get(ctx, f.journal+"/shares")
	switch {
	case err == nil:
		if f.of, err = strconv.Atoi(strings.TrimSpace(string(text))); err != nil || f.of < 1 {
			return errors.New("its journal is damaged: it names no number of shares")
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	case f.run.Way == loaders.Share:
		f.of = f.run.Of
		return f.put(ctx, f.journal+"/shares", []byte(strconv.Itoa(f.of)+"\n"))
	}
	if f.run.Way == loaders.Share && f.of != f.run.Of {
		return fmt.Errorf("it was begun in %d shares, not in %d: --shard I/%d goes on with it, --resume without shares too", f.of, f.run.Of, f.of)
	}
	return nil
}

// recollect reads what earlier runs have noted: of other shares only if this run goes over theirs.
func (f *far) recollect(ctx context.Context) error {
	for share := range f.of {
		ours := f.run.Way == loaders.Share && share == f.run.Share
		if f.run.Way == loaders.Share && !ours {
			continue
		}
		text, err := f.get(ctx, f.journal+"/done-"+shareName(share, f.of))
		if err == nil {
			f.marked[share] = true
			readNotes(f.all, text)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		n, err := f.reread(ctx, shareName(share, f.of))
		if err != nil {
			return err
		}
		if ours {
			f.lines = n
		}
	}
	n, err := f.reread(ctx, "run")
	if f.run.Way != loaders.Share {
		f.lines = n
	}
	return err
}

// reread reads the journal of one kind of run, and gives how many objects it has.
func (f *far) reread(ctx context.Context, of string) (int, error) {
	for n := 0; ; n++ {
		key := fmt.Sprintf("%s/%s-%d", f.journal, of, n)
		text, err := f.get(ctx, key)
		if errors.Is(err, fs.ErrNotExist) {
			return n, nil
		}
		if err != nil {
			return 0, err
		}
		f.logs = append(f.logs, key)
		readNotes(f.all, text)
	}
}

// flush writes a journal object.
func (f *far) flush(ctx context.Context) error {
	if len(f.fresh) == 0 {
		return nil
	}
	name := "run"
	if f.run.Way == loaders.Share {
		name = shareName(f.run.Share, f.run.Of)
	}
	key := fmt.Sprintf("%s/%s-%d", f.journal, name, f.lines)
	if err := f.put(ctx, key, f.text(f.fresh)); err != nil {
		return err
	}
	f.logs = append(f.logs, key)
	f.lines++
	f.fresh = nil
	return nil
}

// text is notes as they are written down.
func (f *far) text(keys []string) []byte {
	var p []byte
	for _, key := range keys {
		p = append(p, f.all[key].line(key)...)
	}
	return p
}

func (f *far) mark(r loaders.Run) error {
	if _, err := f.notes(); err != nil {
		return err
	}
	return f.put(f.ctx, f.journal+"/done-"+shareName(r.Share, r.Of), f.text(slices.Sorted(maps.Keys(f.all))))
}

func (f *far) undone() string {
	if f.of == 0 {
		return "no share is done"
	}
	return missingShares(f.of, func(share int) bool { return f.marked[share] })
}

// journals are the objects beside the image, the request last.
func (f *far) journals(ctx context.Context) []string {
	var keys []string
	if f.ctx.Err() != nil { // somebody waits for the end
		var done context.CancelFunc
		ctx, done = context.WithTimeout(ctx, grace)
		defer done()
	}
	if there, err := store.Sizes(ctx, f.to); err == nil {
		for key := range there {
			if strings.HasPrefix(key, inside+"/") {
				keys = append(keys, key)
			}
		}
		return deepestFirst(keys)
	}
	keys = append(keys, f.logs...)
	for share := range f.of {
		keys = append(keys, f.journal+"/done-"+shareName(share, f.of))
	}
	return append(keys, f.journal+"/shares", inside+"/request")
}
