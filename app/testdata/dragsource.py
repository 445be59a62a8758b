#!/usr/bin/env python3
"""Offers files for dragging, as a file manager does: dragsource.py PATH...

A small GTK window at the lower left of the screen. Press button 1 on it, move over the target and let go.
Prints "ready" when it can be pressed and "done" when the drag has ended, and stays until it is killed. Needs python3-gi and
gir1.2-gtk-3.0.
"""
import pathlib
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

uris = [pathlib.Path(p).resolve().as_uri() for p in sys.argv[1:]]
handle = Gtk.EventBox()
handle.add(Gtk.Label(label="drag me"))
handle.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
handle.drag_source_add_uri_targets()
handle.connect("drag-data-get", lambda _w, _context, data, _info, _time: data.set_uris(uris))


def ended(*_):
    print("done", flush=True)  # and stay: the target may still answer, and must find the window there


handle.connect("drag-end", ended)
window = Gtk.Window(title="drag source")
window.set_default_size(160, 100)
window.add(handle)
window.connect("destroy", Gtk.main_quit)
window.show_all()
window.move(0, Gdk.Screen.get_default().get_height() - 120)
GLib.timeout_add(300, lambda: print("ready", flush=True))
Gtk.main()
