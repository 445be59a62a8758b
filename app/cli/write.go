package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"lamella/app/export"
	"lamella/app/formats"
	"lamella/lazy/engine"
	"lamella/loaders"
)

// A target is the words that name the file to write.
type target struct {
	out     string
	replace bool
	goesOn  bool // an earlier run may have written some of it, or all
	storage
}

func (t *target) outFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&t.out, "out", "", "`FILE` to write: "+strings.Join(endings(), ", ")+"; - is npy on standard output; a .zarr may be at an address, s3://bucket/key or http(s)://")
	f.BoolVar(&t.replace, "overwrite", false, "replace an existing file (never the source itself)")
	t.storageFlags(cmd)
}

func endings() []string { return append(formats.Endings(), ".png") }

// check refuses, before any work, names that cannot be written: that of the file, and that of the
// stats, which follow the same rules.
func (t *target) check(source, stats string) error {
	if err := t.checkOut(source); err != nil {
		return err
	}
	switch {
	case stats == "":
		return nil
	case stats == "-" && t.out == "-":
		return usagef("--out - and --stats - would mix on standard output; name a file for one of them")
	case stats == "-":
		return nil
	case t.out != "-" && export.Inside(stats, t.out):
		return usagef("--stats %s and --out %s are one place; name two", stats, t.out)
	}
	if err := export.Check(stats, source, t.replace); err != nil {
		return fmt.Errorf("--stats: %w", err)
	}
	return nil
}

func (t *target) checkOut(source string) error {
	switch t.out {
	case "":
		return usagef("--out FILE is missing: what should be written?")
	case "-":
		_, err := t.layout("-")
		return err
	}
	if loaders.IsAddress(t.out) {
		t.out = strings.TrimRight(t.out, "/")
		if !hasEnding(t.out, ".zarr") {
			return usagef("--out %s: only .zarr is written to an address", loaders.Shown(t.out))
		}
	} else {
		t.out = filepath.Clean(t.out) // a folder may be named with a slash at its end
	}
	if !slices.ContainsFunc(endings(), func(e string) bool { return hasEnding(t.out, e) }) {
		return usagef("--out %s: its ending is none of %s", t.out, strings.Join(endings(), ", "))
	}
	if _, err := t.layout(t.out); err != nil {
		return err
	}
	return export.Check(t.out, source, t.replace || t.goesOn)
}

// spare refuses to write over files that are read without being named as the source: another member of a set, a PSF, the
// text of the chain.
func (t *target) spare(in *input, stats string) error {
	for _, flag := range []struct{ name, file string }{{"--out", t.out}, {"--stats", stats}} {
		if loaders.IsAddress(flag.file) {
			continue
		}
		if err := export.Spare(flag.file, "the filters stand in it", in.written); err != nil {
			return fmt.Errorf("%s: %w", flag.name, err)
		}
		if err := export.Spare(flag.file, "a filter reads it", in.chain.Files()); err != nil {
			return fmt.Errorf("%s: %w", flag.name, err)
		}
		if err := export.Spare(flag.file, "it is a part of the source", in.set.Files); err != nil {
			return fmt.Errorf("%s: %w", flag.name, err)
		}
	}
	return nil
}

func hasEnding(path, ending string) bool {
	return len(filepath.Base(path)) > len(ending) && strings.HasSuffix(strings.ToLower(path), ending)
}

// write computes the job and writes it to the target.
func (t *target) write(ctx context.Context, s *session, m *machine, j export.Job) error {
	e, err := m.engine(0)
	if err != nil {
		return err
	}
	defer e.Close()
	j.Replace = t.replace
	if j.Layout, err = t.layout(t.out); err != nil {
		return err
	}
	var stats engine.Stats
	if t.out == "-" {
		stats, err = pour(ctx, s, m, e, j)
	} else if t.values {
		stats, err = run(ctx, s, m, e, j, t.out, here(formats.CreatePNG))
	} else {
		create := formats.Create
		if hasEnding(t.out, ".png") {
			create = here(createPicture)
		}
		stats, err = run(ctx, s, m, e, j, t.out, create)
	}
	if err != nil {
		return err
	}
	return m.tell(stats, s.stdout, t.replace)
}

// A creation begins a file, or an image on a server, which is waited for as long as the context.
type creation = func(ctx context.Context, path string, d loaders.Description) (loaders.Writer, error)

// here is the creation of a file of this machine.
func here(create func(path string, d loaders.Description) (loaders.Writer, error)) creation {
	return func(_ context.Context, path string, d loaders.Description) (loaders.Writer, error) {
		return create(path, d)
	}
}

func run(ctx context.Context, s *session, m *machine, e *engine.Engine, j export.Job, path string, create creation) (engine.Stats, error) {
	stats := engine.Stats{Device: "cpu"}
	w, err := create(ctx, path, j.For(e))
	if err == nil {
		bar := newMeter(s.stderr, filepath.Base(path), m.quiet, j.Region.Voxels()*j.Array.Meta().DType.Size())
		stats, err = export.Run(ctx, e, j, w, crowded(e, j, bar))
		bar.end()
		if err != nil && j.Way != loaders.Afresh && !errors.Is(err, loaders.ErrComplete) {
			err = unfinished{err, path}
		}
	}
	if errors.Is(err, loaders.ErrComplete) {
		if err = nil; !m.quiet {
			fmt.Fprintf(s.stderr, "lamella: %s is complete already\n", loaders.Shown(path))
		}
	}
	return stats, err
}

// pour sends the job to standard output as npy. It is made as a file first, since only then is it
// known to be whole.
func pour(ctx context.Context, s *session, m *machine, e *engine.Engine, j export.Job) (engine.Stats, error) {
	dir, err := os.MkdirTemp("", "lamella-")
	if err != nil {
		return engine.Stats{}, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "out.npy")
	stats, err := run(ctx, s, m, e, j, path, formats.Create)
	if errors.Is(err, syscall.ENOSPC) {
		err = fmt.Errorf("standard output is given what is whole, and there is no room for that in %s; let TMPDIR name another folder: %w", os.TempDir(), err)
	}
	if err != nil {
		return stats, err
	}
	f, err := os.Open(path)
	if err != nil {
		return stats, err
	}
	defer f.Close()
	if _, err := io.Copy(s.stdout, f); err != nil {
		return stats, fmt.Errorf("writing to standard output: %w", err)
	}
	return stats, nil
}

// job is what the flags and the input say about a file, but for the region.
func (in *input) job() export.Job {
	return export.Of(in.set.Source, in.image, in.at, in.chain, in.array)
}
