package tiff

import (
	"context"
	"fmt"
)

// subLevels are the levels that hang in the SubIFDs of a series' pages: level n is the n-th SubIFD of
// each page. A level that is not whole is left out with a warning.
func (t *file) subLevels(ctx context.Context, r *reader, planes []plane) ([][]plane, error) {
	depth := 0
	for _, p := range planes {
		if p.page != nil {
			depth = len(p.page.subs)
			break
		}
	}
	if depth == 0 {
		return nil, nil
	}
	levels := make([][]plane, depth)
	for n := range levels {
		levels[n] = make([]plane, len(planes))
	}
	seen := map[int64]bool{}
	for i, p := range planes {
		if p.page == nil {
			for n := range levels {
				levels[n][i] = plane{file: absent}
			}
			continue
		}
		seen[p.page.at] = true
		subs, err := t.subPages(ctx, r, p.page, seen)
		if err != nil {
			return nil, err
		}
		for n := range levels {
			if n < len(subs) {
				levels[n][i] = plane{page: subs[n]}
			}
		}
	}
	for n, level := range levels {
		if err := whole(planes, level); err != nil {
			t.warnings = append(t.warnings, fmt.Sprintf("resolution level %d is left out: %v", n+1, err))
			return levels[:n], nil
		}
	}
	return levels, nil
}

// whole says why a level cannot be shown.
func whole(top, level []plane) error {
	var l *layout
	for i, p := range level {
		switch {
		case p.file == absent:
		case p.page == nil:
			return fmt.Errorf("page %d has none", i)
		case p.page.bad != nil:
			return fmt.Errorf("page %d: %w", i, p.page.bad)
		case l == nil:
			if l = p.page.layout; top[i].page != nil && (l.samples != top[i].page.layout.samples || l.dtype() != top[i].page.layout.dtype()) {
				return fmt.Errorf("its samples are of another kind")
			}
		case !l.alike(p.page.layout):
			return fmt.Errorf("page %d differs from the others", i)
		}
	}
	return nil
}
