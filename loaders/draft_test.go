package loaders_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/loaders"
)

func TestAFileAppearsWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "100%25 #1.npy")
	names := func() int {
		l, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return len(l)
	}
	write := func(text string, overwrite bool) *loaders.Draft {
		t.Helper()
		d, err := loaders.Create(path, overwrite)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.WriteString(text); err != nil {
			t.Fatal(err)
		}
		return d
	}

	d := write("one", false)
	if _, err := os.Stat(path); err == nil {
		t.Error("the file has its name before it is whole")
	}
	d.Abort()
	d.Abort()
	if names() != 0 {
		t.Error("an aborted file left something")
	}

	d = write("one", false)
	if err := d.Commit(); err != nil {
		t.Fatal(err)
	}
	other := write("other", true)
	d.Abort() // must not take the other's place away
	if names() != 2 {
		t.Errorf("%d files beside each other, want the finished and the unfinished one", names())
	}
	other.Abort()
	if _, err := loaders.Create(path, false); !errors.Is(err, loaders.ErrExists) {
		t.Errorf("an existing file: %v, want ErrExists", err)
	}
	if _, err := loaders.Create(dir, true); !errors.Is(err, loaders.ErrExists) {
		t.Errorf("a folder: %v, want ErrExists", err)
	}
	if err := write("two", true).Commit(); err != nil {
		t.Fatal(err)
	}
	if p, err := os.ReadFile(path); string(p) != "two" || names() != 1 {
		t.Errorf("%q, %v, %d files", p, err, names())
	}

	// A file that came up while another was being written is not replaced.
	os.Remove(path)
	d = write("three", false)
	os.WriteFile(path, []byte("other"), 0o666)
	if err := d.Commit(); !errors.Is(err, loaders.ErrExists) {
		t.Errorf("a file that came up meanwhile: %v, want ErrExists", err)
	} else if n := strings.Count(err.Error(), path); n != 1 || strings.Count(err.Error(), "writing") != 1 {
		t.Errorf("a file that came up meanwhile: %v, which says things %d times", err, n)
	}
	if p, _ := os.ReadFile(path); string(p) != "other" || names() != 1 {
		t.Errorf("%q, %d files", p, names())
	}
	if _, err := loaders.Create(filepath.Join(dir, "none", "f"), false); err == nil {
		t.Error("a file in a folder that does not exist gave no error")
	}
}

func TestALargeWriteStopsInTheMiddle(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	to := writes(func(p []byte) (int, error) {
		if calls++; calls == 2 {
			cancel()
		}
		return len(p), nil
	})
	p := make([]byte, 64<<20)
	if n, err := loaders.WriteContext(ctx, to, p); !errors.Is(err, context.Canceled) || n > 8<<20 || calls != 2 {
		t.Errorf("%d bytes in %d pieces were written, %v", n, calls, err)
	}
	calls = 2
	if n, err := loaders.WriteContext(context.Background(), to, p); n != len(p) || err != nil {
		t.Errorf("%d of %d bytes, %v", n, len(p), err)
	}
	if n, err := loaders.WriteContext(context.Background(), to, nil); n != 0 || err != nil {
		t.Errorf("nothing: %d bytes, %v", n, err)
	}
}

type writes func(p []byte) (int, error)

func (w writes) Write(p []byte) (int, error) { return w(p) }
