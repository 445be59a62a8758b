#!/usr/bin/env bash
# Makes the pictures of README.md and of the pages in docs/window from the real window, on a screen of its own.
#
#   docs/images/screenshots.sh PROGRAM [NAME ...]
#
# OUT is the folder that they go to (here), LOOK dark or light, LANG the language, FYNE_SCALE how large all is drawn: with 2,
# the window has twice the pixels.
set -euo pipefail
program=$(realpath "$1"); shift
here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-$here} look=${LOOK:-dark} scale=${FYNE_SCALE:-1}
export LANG=${LANG:-en_US.UTF-8} LC_ALL= FYNE_SCALE=$scale
wide=$((1120 * scale)) high=$((720 * scale))
work=$(mktemp -d)
mkdir -p "$out"
out=$(realpath "$out")
cd / # dialogs show the folder

display=:$((100 + RANDOM % 400))
Xvfb $display -screen 0 ${wide}x$((high + 80))x24 -noreset >/dev/null 2>&1 &
server=$! window=""
trap 'kill $window $server 2>/dev/null; rm -rf "$work"' EXIT
export DISPLAY=$display XDG_CONFIG_HOME=$work/config
mkdir -p "$work/config/fyne/io.github.lamella"
echo "{\"look\":\"$look\",\"width\":1120,\"height\":720,\"device\":\"cpu\"}" >"$work/config/fyne/io.github.lamella/preferences.json"

# opens SESSION [SOURCE]: starts the window on the text of a session's State and waits until it has come to rest.
opens() {
	echo "{\"Lamella\":1,\"Sources\":[\"${2:-sample:cells}\"],\"State\":{\"Fitted\":true,\"Zoom\":1,\"ScaleBar\":true,\"Overview\":true,\"At\":[0,32,0,256,256]$1}}" >"$work/cells.lamella"
	"$program" "$work/cells.lamella" >/dev/null 2>&1 &
	window=$!
	for _ in $(seq 400); do
		id=$(LC_ALL=C.UTF-8 xdotool search --onlyvisible --name "Lamella$" 2>/dev/null | head -n 1) && [ -n "$id" ] && break
		sleep 0.1
	done
	xdotool windowfocus "$id"
	xdotool windowmove "$id" 0 0
	at 0.5 0.45
	rests
}

# rests waits until two pictures of the screen are the same.
rests() {
	local before now=""
	for _ in $(seq 60); do
		before=$now
		sleep 0.5
		now=$(import -window root rgb:- | sha256sum)
		[ "$before" = "$now" ] && return
	done
}

at() { xdotool mousemove "$(printf %.0f "$(echo "$1*$wide" | bc -l)")" "$(printf %.0f "$(echo "$2*$high" | bc -l)")"; }
keys() { xdotool key --delay 80 "$@"; rests; }

# shot NAME keeps what is on the screen, and ends the window.
shot() {
	import -window root -crop ${wide}x$high+0+0 +repage -strip -define png:compression-level=9 "$out/$1.png"
	kill $window
	wait $window 2>/dev/null || true
}

# adds a filter by its name in chains, in any language.
adds() { keys f; xdotool type --delay 40 "$1"; sleep 0.5; keys Return; }

look() { opens ',"Arrangement":"three-up"'; shot look; }
channels() { opens ',"Arrangement":"by-channel"'; shot channels; }
contrast() { opens ',"Legend":true'; shot contrast; }
filters() { opens ''; adds gaussian; adds sobel; shot filters; }
find() { opens ''; keys f; xdotool type --delay 40 gradient; rests; shot find; }
compare() { opens ''; adds sobel; keys ctrl+shift+b; adds "white-tophat"; keys k; at 0.9 0.3; shot compare; }
measure() {
	opens ',"Chosen":0,"Shapes":[{"Kind":"line","At":[0,32,0,0,0],"Points":[[120,150],[240,200]]},{"Kind":"ellipse","At":[0,32,0,0,0],"Points":[[270,130],[330,190]]}]'
	keys m
	shot measure
}
objects() {
	opens ',"Overlay":{"On":true,"Image":1,"Opacity":0.5}' sample:labels
	keys ctrl+j
	at 0.92 0.658
	xdotool click 1
	rests
	rests # all of the volume is read
	at 0.5 0.3
	rests
	shot objects
}
picker() { opens ''; adds gaussian; at 0.913 0.293; xdotool click 1; rests; shot picker; }
excerpt() { opens ''; adds gaussian; keys ctrl+s shift+Tab shift+Tab shift+Tab Down Tab ctrl+a 8; shot excerpt; }
export_picture() { opens ',"Stamp":true'; keys ctrl+shift+s; shot export; }
values() { opens ',"Solo":true,"Fitted":false,"Zoom":40,"Values":true,"Center":[0,32,0,160,280]'; shot values; }
watch() { opens ',"Fitted":false,"Zoom":2.5,"Center":[0,32,0,200,330]'; keys ctrl+d; sleep 6; keys k; at 0.5 0.45; shot watch; }
stencil() { opens ''; keys ctrl+e; at 0.695 0.188; xdotool click 1; rests; keys Up; keys Return; at 0.8 0.56; xdotool click --repeat 5 --delay 100 5; rests; shot stencil; }
# window shows a scanned slide, if the files with known contents are there.
window() {
	local slide=${LAMELLA_SHARED:-$here/../../../shared}/data/tiff/CMU-1-Small-Region.svs
	[ -f "$slide" ] || { echo "no $slide: window.png stays as it is"; return; }
	opens ',"Fitted":false,"Zoom":0.9,"Center":[0,0,0,1400,1050]' "$(realpath "$slide")"
	shot window
}

for name in "${@:-look channels contrast filters picker find compare measure objects excerpt export_picture values watch stencil window}"; do
	for one in $name; do
		$one
	done
done
