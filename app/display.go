//go:build !headless

package main

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"os"
	"runtime"
	"strings"

	_ "lamella/app/quiet" // the toolkit's start is not for the user to read
)

// Everything has started: the log may speak again.
func init() { log.SetOutput(os.Stderr) }

// display reports why no window can be opened here, as far as the environment says. Whether the display
// answers only the toolkit finds out: an X server that starts for one program alone ends with the first
// connection that is closed, so it must not be tried.
func display() error {
	if runtime.GOOS != "linux" || os.Getenv("DISPLAY") != "" {
		return nil
	}
	if os.Getenv("WAYLAND_DISPLAY") != "" {
		return errors.New("this desktop is Wayland without XWayland, and the window needs X11 (DISPLAY is not set)")
	}
	return errors.New("there is no display here (DISPLAY is not set)")
}

// A startLog holds what the toolkit logs until its window is up: if it never is, the last of it is the
// reason.
type startLog struct{ bytes.Buffer }

// hold keeps the log back.
func (s *startLog) hold() { log.SetOutput(s) }

// release passes on what was held back and lets the rest through.
func (s *startLog) release() {
	log.SetOutput(os.Stderr)
	os.Stderr.Write(s.Bytes())
	s.Reset()
}

// reason is why the window did not come up, in one line, given what the toolkit's panic said.
func (s *startLog) reason(panicked any) string {
	log.SetOutput(os.Stderr)
	for line := range strings.Lines(s.String()) {
		if _, why, ok := strings.Cut(line, "PlatformError: "); ok {
			return strings.TrimSpace(why)
		}
	}
	return fmt.Sprint(panicked)
}
