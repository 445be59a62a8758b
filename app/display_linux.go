//go:build !headless

package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"
)

// display reports why no window can be opened here, nil if one can. The toolkit itself ends with a
// panic where there is no display.
func display() error {
	name := os.Getenv("DISPLAY")
	if name == "" {
		if os.Getenv("WAYLAND_DISPLAY") != "" {
			return errors.New("this desktop is Wayland without XWayland, and the window needs X11 (DISPLAY is not set)")
		}
		return errors.New("there is no display here (DISPLAY is not set)")
	}
	host, rest, ok := strings.Cut(name, ":")
	number, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(number)
	if !ok || err != nil || n < 0 || n > 59535 {
		return fmt.Errorf("DISPLAY is %q, which names no display", name)
	}
	var tries [][2]string
	if host == "" || host == "unix" {
		socket := "/tmp/.X11-unix/X" + number
		tries = [][2]string{{"unix", socket}, {"unix", "@" + socket}}
	} else {
		tries = [][2]string{{"tcp", net.JoinHostPort(host, strconv.Itoa(6000+n))}}
	}
	for _, t := range tries {
		var c net.Conn
		if c, err = net.DialTimeout(t[0], t[1], 3*time.Second); err == nil {
			return c.Close()
		}
	}
	return fmt.Errorf("the display %s cannot be reached: %w", name, err)
}
