//go:build !headless && !linux

package main

// display reports why no window can be opened here. Elsewhere than under X11 the toolkit finds out.
func display() error { return nil }
