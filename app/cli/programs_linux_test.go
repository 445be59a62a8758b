package cli

import (
	"os"
	"strings"
	"testing"
	"time"
)

// A program that pays no heed to the end of its input does not outlive a Lamella that was killed.
func TestAKilledExportLeavesNoProgramBehind(t *testing.T) {
	t.Chdir(t.TempDir())
	const deaf = "#!/bin/sh\necho $$ >pid.new; mv pid.new pid\nwhile :; do sleep 1; done\n"
	if err := os.WriteFile("deaf.sh", []byte(deaf), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := program(t, "export", "sample:ones?shape=8x16x16", "--filter", `external "./deaf.sh"`, "--out", "a.zarr", "--quiet")
	pid := ""
	for ; pid == ""; time.Sleep(5 * time.Millisecond) {
		text, _ := os.ReadFile("pid")
		pid = strings.TrimSpace(string(text))
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	for {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(5 * time.Millisecond) // the test's own limit ends this
	}
}
