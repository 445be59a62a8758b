//go:build unix

package extern

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"lamella/lazy"
)

// A program that works on a block for ever, and what it has started, do not outlive the one that asked.
func TestClosingEndsProgramsThatAreStillAtWork(t *testing.T) {
	needs(t, "numpy")
	told := filepath.Join(t.TempDir(), "pids")
	command := script(t, `
    import subprocess
    child = subprocess.Popen(["sleep", "600"])
    open("`+told+`.new", "w").write(f"{os.getpid()} {child.pid}")
    os.rename("`+told+`.new", "`+told+`")
    while True: pass`)
	p := newPrograms(t, nil, command)
	s := lazy.Shape{1, 1, 1, 4, 4}
	op := applied(t, p, Program{Command: command, Out: lazy.U8}, volume(lazy.U8, s, s)).Node().Op
	ctx, cancel := context.WithCancel(context.Background())
	end := make(chan error)
	go func() {
		end <- op.Compute(ctx, lazy.NewBlock(s.Whole(), lazy.U8), []*lazy.Block{lazy.NewBlock(s.Whole(), lazy.U8)})
	}()
	var pids []int
	for len(pids) < 2 {
		time.Sleep(10 * time.Millisecond)
		text, _ := os.ReadFile(told)
		for _, word := range strings.Fields(string(text)) {
			pid, err := strconv.Atoi(word)
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
	}
	cancel()
	if err := <-end; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	p.Close()
	for _, pid := range pids {
		for running(pid) {
			time.Sleep(10 * time.Millisecond) // the test's own limit ends this
		}
	}
}

// running reports whether a process is there and has not ended; one that nobody has waited for may still be listed.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}
