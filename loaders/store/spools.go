package store

import (
	"container/list"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Bounds of what all streams of the process keep together: so much in memory, and as many files. A stream
// that finds no room makes some: the one that was not read for longest starts anew at its next read.
const (
	spoolSmall  = 32 << 20 // a larger stream goes to a file
	spoolMemory = 128 << 20
	spoolFiles  = 32
)

var spools = keeper{small: spoolSmall, memory: spoolMemory, files: spoolFiles}

// A keeper gives each stream a spool within the bounds.
type keeper struct {
	small, memory int64
	files         int

	mu    sync.Mutex
	used  int64     // bytes promised to spools in memory
	open  int       // files
	idle  list.List // of *stream with a spool that nobody uses, longest idle first
	swept bool
}

// acquire is the spool of s, which stays until release.
func (k *keeper) acquire(s *stream) (*spool, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if s.closed {
		return nil, ErrClosed
	}
	if s.spool == nil {
		made, err := k.create(s.size)
		if err != nil {
			return nil, err
		}
		s.spool = made
	} else if s.spool.users == 0 {
		k.forget(s)
	}
	s.spool.users++
	return s.spool, nil
}

func (k *keeper) create(size int64) (*spool, error) {
	if size <= k.small {
		for k.used+size > k.memory && k.evict(func(o *spool) bool { return o.file == nil }) {
		}
		if k.used+size <= k.memory {
			k.used += size
			return &spool{pages: make([][]byte, (size+unpackStep-1)/unpackStep), memory: size}, nil
		}
	}
	for k.open >= k.files && k.evict(func(o *spool) bool { return o.file != nil }) {
	}
	if !k.swept {
		k.swept = true
		sweep(cacheFolder())
	}
	f, err := nameless()
	if err != nil {
		return nil, err
	}
	k.open++
	return &spool{file: f}, nil
}

// evict drops the spool that was idle longest of those that fit, if there is one.
func (k *keeper) evict(fits func(*spool) bool) bool {
	for e := k.idle.Front(); e != nil; e = e.Next() {
		if s := e.Value.(*stream); fits(s.spool) {
			k.idle.Remove(e)
			k.drop(s)
			return true
		}
	}
	return false
}

func (k *keeper) drop(s *stream) {
	if f := s.spool.file; f != nil {
		f.Close()
		os.Remove(f.Name())
		k.open--
	}
	k.used -= s.spool.memory
	s.spool = nil
}

func (k *keeper) forget(s *stream) {
	for e := k.idle.Front(); e != nil; e = e.Next() {
		if e.Value == any(s) {
			k.idle.Remove(e)
			return
		}
	}
}

func (k *keeper) release(s *stream, used *spool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if used.users--; used.users > 0 {
		return
	}
	if s.closed {
		k.drop(s)
	} else {
		k.idle.PushBack(s)
	}
}

func (k *keeper) close(s *stream) {
	k.mu.Lock()
	defer k.mu.Unlock()
	s.closed = true
	if s.spool != nil && s.spool.users == 0 {
		k.forget(s)
		k.drop(s)
	}
}

func (k *keeper) ended(s *stream) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return s.closed
}

// cacheFolder is where files of unpacked bytes are made.
func cacheFolder() string {
	if dir, err := os.UserCacheDir(); err == nil {
		dir = filepath.Join(dir, "lamella")
		if os.MkdirAll(dir, 0o700) == nil {
			return dir
		}
	}
	return os.TempDir()
}

const spoolName = "unpacked-*.tmp"

// nameless makes a file that only this process can read. Where the system lets an open file go, it loses its
// name at once, so that nothing is left behind whatever ends the process.
func nameless() (*os.File, error) {
	f, err := os.CreateTemp(cacheFolder(), spoolName)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoFolder, cause(err))
	}
	os.Remove(f.Name())
	return f, nil
}

// sweep removes files that a process which is no more has left. A day is longer than any of them stays
// without being written or read under a name.
func sweep(dir string) {
	left, _ := filepath.Glob(filepath.Join(dir, spoolName))
	for _, name := range left {
		if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > 24*time.Hour {
			os.Remove(name)
		}
	}
}
