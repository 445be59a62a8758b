package loaders

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"lamella/loaders/store"
)

// Beside opens a file that a header names: a relative path from the header's own folder to something in that
// folder or below it. A path that leads elsewhere, whatever is there, is refused with store.ErrOutside.
func (in Input) Beside(ctx context.Context, name string) (store.File, error) {
	clean := path.Clean(strings.TrimSpace(name))
	if !fs.ValidPath(clean) || clean == "." || path.IsAbs(name) {
		return nil, fmt.Errorf("the header names the file %.200q, which %w of the header; put both into one folder and name the file alone", name, store.ErrOutside)
	}
	f, err := in.Store.Open(ctx, path.Join(path.Dir(in.Key), clean))
	if err != nil {
		return nil, fmt.Errorf("opening what the header names: %w", err)
	}
	return f, nil
}

// Instead opens the files that a header names in its place, takes from each the part that holds voxels, and gives
// them as one. It takes over f, the file of the header, and part the file that it is given, unless they fail.
func (in Input) Instead(ctx context.Context, f store.File, names []string, part func(store.File) (store.File, error)) (store.File, error) {
	var parts []store.File
	for _, name := range names {
		data, err := in.Beside(ctx, name)
		var voxels store.File
		if err == nil {
			if voxels, err = part(data); err != nil {
				data.Close()
			}
		}
		if err != nil {
			store.Concat("", parts).Close()
			return nil, err
		}
		parts = append(parts, voxels)
	}
	all := parts[0]
	if len(parts) > 1 {
		all = store.Concat(f.Name(), parts)
	}
	f.Close()
	return all, nil
}

// Numbered is the names that a pattern such as "slice%03d.raw" stands for, one for each number from first to
// last, of which there are at most most. A pattern holds exactly one of %d, %0Nd and %Nd (also with i or u),
// and %% for a percent sign.
func Numbered(pattern string, first, last, step, most int) ([]string, error) {
	if step == 0 || (last-first)/step < 0 || (last-first)/step >= most {
		return nil, fmt.Errorf("files %q from %d to %d by %d are none, or more than %d: %w", pattern, first, last, step, most, ErrDamaged)
	}
	var out []string
	for n := first; step > 0 && n <= last || step < 0 && n >= last; n += step {
		name, err := numbered(pattern, n)
		if err != nil {
			return nil, err
		}
		out = append(out, name)
	}
	return out, nil
}

// numbered fills in one number, as printf of C does.
func numbered(pattern string, n int) (string, error) {
	var b strings.Builder
	verbs := 0
	for i := 0; i < len(pattern); i++ {
		if pattern[i] != '%' {
			b.WriteByte(pattern[i])
			continue
		}
		end := i + 1
		for end < len(pattern) && pattern[end] >= '0' && pattern[end] <= '9' {
			end++
		}
		width := pattern[i+1 : end]
		switch {
		case end < len(pattern) && pattern[end] == '%' && width == "":
			b.WriteByte('%')
		case end < len(pattern) && strings.IndexByte("diu", pattern[end]) >= 0 && len(width) <= 2:
			fmt.Fprintf(&b, "%"+width+"d", n)
			verbs++
		default:
			return "", fmt.Errorf("the pattern %q holds more than %%d: %w", pattern, ErrUnsupported)
		}
		i = end
	}
	if verbs != 1 {
		return "", fmt.Errorf("the pattern %q holds no number, or several: %w", pattern, ErrUnsupported)
	}
	return b.String(), nil
}
