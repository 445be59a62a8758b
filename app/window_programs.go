//go:build !headless

package main

import (
	"errors"

	"lamella/app/extern"
	"lamella/filters"
	"lamella/lazy"
	"lamella/viewer/ui"
)

// runPrograms lets chains run programs that the user has been asked about, each once, wherever the chain came from. What
// a program writes to standard error is said below the picture.
func (w *window) runPrograms() {
	w.programs = extern.New(extern.Options{Said: func(command, line string) {
		w.view.Do(func() { w.view.Note(command + ": " + line) })
	}})
	filters.RunPrograms(func(p filters.Program) (lazy.Op, error) {
		op, err := w.programs.Op(extern.Program(p))
		if errors.Is(err, extern.ErrNotAllowed) {
			w.view.Do(func() { w.askProgram(p.Command) })
		}
		return op, err
	})
}

// askProgram offers to run a program that the chain on view names.
func (w *window) askProgram(command string) {
	if w.programs.Allowed(command) {
		return
	}
	w.view.Offer(ui.Say("app.program", "Command", command), ui.Say("app.program.run"), func() {
		w.programs.Allow(command)
		w.view.Again()
	})
}
