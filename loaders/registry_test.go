package loaders_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
)

var ctx = context.Background()

// toy reads files that begin with its word, folders that hold such a file, and stacks of them. Its
// image is called after what it was given.
type toy struct{ word string }

func (d toy) Name() string { return d.word }

func (d toy) Sniff(ctx context.Context, in loaders.Input) bool {
	if in.Key == "" && in.Keys == nil {
		l, _ := in.Store.List(ctx, "")
		return len(l) > 0 && strings.HasPrefix(l[0].Name, d.word)
	}
	return in.Keys != nil && d.word == "stack" || bytes.HasPrefix(in.Head, []byte(d.word))
}

func (d toy) Open(ctx context.Context, in loaders.Input) (lazy.Dataset, error) {
	name := in.Key
	for _, k := range in.Keys {
		inner, err := in.Open(ctx, k)
		if err != nil {
			return lazy.Dataset{}, err
		}
		name += " " + inner.Images[0].Name
	}
	if bytes.Contains(in.Head, []byte("again")) {
		return in.Open(ctx, in.Key)
	}
	return lazy.Dataset{Format: d.word, Images: []lazy.Image{{Name: name}}}, nil
}

type scheme struct{ toy }

func (scheme) Scheme() string { return "sample" }

var registry = loaders.Registry{scheme{toy{"scheme"}}, toy{"stack"}, toy{"abc"}, toy{"xyz"}}

func files(t *testing.T, named map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range named {
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o777)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestASourceIsOpenedByWhatItHolds(t *testing.T) {
	dir := files(t, map[string]string{
		"a.tif": "abc", "b.tif": "xyz", "100%25 #1 [x]*.tif": "xyz", "t 12:30": "abc", "-s": "abc", "sample:file": "xyz",
		"folder/xyz1": "", "many/s (10)": "abc", "many/s (2)": "xyz", "many/s (1)": "abc",
	})
	os.Symlink(filepath.Join(dir, "b.tif"), filepath.Join(dir, "folder", "zlink"))
	for _, c := range []struct{ source, format, image string }{
		{"a.tif", "abc", "a.tif"},
		{"b.tif", "xyz", "b.tif"},
		{"100%25 #1 [x]*.tif", "xyz", "100%25 #1 [x]*.tif"},
		{"t 12:30", "abc", "t 12:30"},
		{"-s", "abc", "-s"},
		{"sample:file", "xyz", "sample:file"},
		{"folder", "xyz", ""},
		{"folder/zlink", "xyz", "b.tif"},
		{"many/s*", "stack", " s (1) s (2) s (10)"},
		{"fold?r", "xyz", ""},
	} {
		source := filepath.Join(dir, c.source)
		set, err := registry.Open(ctx, source, loaders.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.source, err)
			continue
		}
		if set.Format != c.format || set.Images[0].Name != c.image || set.Source != source {
			t.Errorf("%s: %s %q of %s, want %s %q", c.source, set.Format, set.Images[0].Name, set.Source, c.format, c.image)
		}
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	}
	if set, err := registry.Open(ctx, "sample:cells", loaders.Options{}); err != nil || set.Format != "scheme" {
		t.Errorf("sample:cells: %v, %v", set, err)
	}
	set, err := registry.OpenMany(ctx, []string{filepath.Join(dir, "many/s (10)"), filepath.Join(dir, "a.tif")}, loaders.Options{})
	if want := " a.tif many/s (10)"; err != nil || set.Images[0].Name != want {
		t.Errorf("files of two folders: %v, %v; want %q", set.Images, err, want)
	}
}

func TestRefusalsNameTheSourceAndTheReason(t *testing.T) {
	dir := files(t, map[string]string{
		"none": "??", "empty": "", "a.czi": "ZISRAWFILE\x00", "a.nd2": "\xda\xce\xbe\x0a", "a.lif": "\x70\x00\x00\x00????\x2a",
		"a.oir": "OLYMPUSRAWFORMAT", "a.h5": "\x89HDF\r\n\x1a\n", "lfs.tif": "version https://git-lfs.github.com/spec/v1",
		"loop": "abc again", "dull/readme": "hello", "zeiss/a.czi": "ZISRAWFILE\x00", "zeiss/readme": "hello",
	})
	if err := os.Mkdir(filepath.Join(dir, "bare"), 0o755); err != nil {
		t.Fatal(err)
	}
	for source, want := range map[string]string{
		"none":    "of no kind that is known here",
		"empty":   "is empty",
		"a.czi":   "Zeiss CZI file; convert it with bioformats2raw",
		"a.nd2":   "Nikon ND2",
		"a.lif":   "Leica LIF",
		"a.oir":   "Olympus OIR",
		"a.h5":    "HDF5",
		"lfs.tif": "git lfs pull",
		"loop":    "deep",
		"dull":    "no image that can be read, but readme",
		"zeiss":   "a.czi is a Zeiss CZI file; convert it",
		"bare":    "the folder is empty",
		"missing": "no such file",
		"x*":      "no file matches",
		"[":       "glob",
	} {
		_, err := registry.Open(ctx, filepath.Join(dir, source), loaders.Options{})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), source) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", source, err, want)
		}
	}
	if _, err := registry.Open(ctx, filepath.Join(dir, "missing"), loaders.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v, want fs.ErrNotExist", err)
	}
	if _, err := registry.OpenMany(ctx, nil, loaders.Options{}); err == nil {
		t.Error("no files gave no error")
	}
}

func TestBR024WhatIsNoFileIsLeftOutOfAStackAndNamed(t *testing.T) {
	dir := files(t, map[string]string{"a1": "abc", "a2": "abc", "a4/x": "abc"})
	if err := os.Symlink("nowhere", filepath.Join(dir, "a3")); err != nil {
		t.Skipf("no links on this system: %v", err)
	}
	set, err := registry.Open(ctx, filepath.Join(dir, "a*"), loaders.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(set.Images[0].Name, set.Warnings); got != " a1 a2[a3 was left out: it is not a file. a4 was left out: it is not a file.]" {
		t.Error(got)
	}
}
