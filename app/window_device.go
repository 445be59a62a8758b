//go:build !headless

package main

import (
	"errors"
	"slices"
	"strings"

	"lamella/gpu"
	"lamella/lazy/engine"
	"lamella/viewer/ui"
)

// The graphics card is opened at its first use, beside the window: a driver may take a second to start. It
// stays open until the program ends.

// chooseDevice has something compute, and remembers that it was chosen.
func (w *window) chooseDevice(d ui.Device) {
	w.remind(map[string]any{"device": string(d)})
	w.compute(d)
}

// lastDevice is the device that was chosen last.
func (w *window) lastDevice() ui.Device {
	d := ui.Device(w.settings.text("device", string(ui.Automatic)))
	if !slices.Contains(ui.Devices[:], d) { // written by another version
		return ui.Automatic
	}
	return d
}

// compute turns to a device. What has been computed stays: voxels do not depend on where.
func (w *window) compute(d ui.Device) {
	w.device = d
	if d == ui.Processor {
		w.engine.Use(nil)
		w.view.SetDevice(d, processor, ui.Say("app.device.cpu"))
		return
	}
	w.view.SetDevice(d, processor, ui.Say("app.device.trying"))
	w.asked.Store(true)
	go func() {
		card, err := w.card()
		if room := w.preferences().Video; err == nil && room > 0 {
			card.SetRoom(room)
		}
		w.view.Do(func() {
			if w.device == d { // nothing else was chosen meanwhile
				w.opened(d, card, err)
			}
		})
	}()
}

// processor is what the window calls it.
const processor = "CPU"

// opened uses a card that has been opened, or says why not.
func (w *window) opened(d ui.Device, card *gpu.Device, err error) {
	switch {
	case err != nil:
		why := ui.Say("app.device.none", "Why", reason(err))
		w.engine.Use(nil)
		w.view.SetDevice(d, processor, why)
		if d == ui.Graphics { // it was asked for
			w.view.Fail(errors.New(why))
		}
	case d == ui.Automatic && card.Info().Software():
		w.engine.Use(nil)
		w.view.SetDevice(d, processor, ui.Say("app.device.software", "Name", card.Info().Renderer))
	default:
		w.engine.Use(executor(d, card))
		w.view.SetDevice(d, shortName(card.Info().Renderer), card.Info().Renderer+"\n"+ui.Say("app.device.gpu"))
	}
}

// executor is the card as the choice means it: for everything it can do, or where it is faster.
func executor(d ui.Device, card *gpu.Device) engine.Executor {
	if d == ui.Automatic {
		return engine.Cheaper(card)
	}
	return card
}

// unwell tells that the card failed. The engine goes on with the processor by itself, and tells of it once.
func (w *window) unwell(err error) {
	w.view.Do(func() {
		why := ui.Say("app.device.unwell", "Why", reason(err))
		w.view.SetDevice(w.device, processor, why)
		w.view.Fail(errors.New(why))
	})
}

// closeCard ends the card, if it was ever opened. The engine must have been closed.
func (w *window) closeCard() {
	if !w.asked.Load() {
		return
	}
	if card, err := w.card(); err == nil {
		card.Close()
	}
}

// reason is an error without the names of packages before it.
func reason(err error) string {
	text := err.Error()
	for _, pkg := range []string{"engine: ", "gpu: "} {
		text = strings.TrimPrefix(text, pkg)
	}
	return text
}

// shortName is the name of a renderer without what drivers put behind it: "llvmpipe (LLVM 15.0.6, 256 bits)"
// and "NVIDIA GeForce RTX 4090/PCIe/SSE2" name a device and then much else.
func shortName(renderer string) string {
	name, _, _ := strings.Cut(renderer, " (")
	name, _, _ = strings.Cut(name, "/")
	return strings.TrimSpace(name)
}
