package ui

import (
	"fmt"
	"image"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A RawFile is a file without a header that is known, and what a person says that it holds.
type RawFile struct {
	Path  string
	Bytes int64

	Width, Height, Depth, Channels, Times int // at least 1

	DType   string // "uint16"
	Big     bool   // the byte order
	Offset  int64  // bytes before the first voxel
	Volumes bool   // channels follow each other volume by volume, not plane by plane
}

// need is how many bytes it takes, and false if no file has so many.
func (r RawFile) need() (int64, bool) {
	n := int64(rawTypes[r.DType])
	for _, d := range []int{r.Width, r.Height, r.Depth, r.Channels, r.Times} {
		if d < 1 || n > 1<<60/int64(d) {
			return 0, false
		}
		n *= int64(d)
	}
	return n + r.Offset, true
}

// rawTypes are the types of voxels with their sizes in bytes.
var rawTypes = map[string]int{"uint8": 1, "int8": 1, "uint16": 2, "int16": 2, "uint32": 4, "int32": 4, "uint64": 8, "int64": 8, "float32": 4, "float64": 8}

var rawTypeNames = []string{"uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float32", "float64"}

// rawImport is the dialog for such a file.
type rawImport struct {
	view    *View
	file    RawFile
	lengths [5]*dialogEntry // X Y Z C T
	offset  *dialogEntry
	fits    *caption
	picture *canvas.Image
	wrong   paragraph
	open    *dialogButton
	asked   int // previews asked for
	timer   *time.Timer
}

const previewTall = 232

// ImportRaw asks what a file holds, beginning with a guess, and shows the middle plane as it would be.
func (v *View) ImportRaw(guess RawFile) {
	if len(v.dialogs) > 0 {
		return
	}
	r := &rawImport{view: v, file: guess, fits: small(""), picture: &canvas.Image{FillMode: canvas.ImageFillContain, ScaleMode: canvas.ImageScalePixels}}
	name := guess.Path[strings.LastIndexAny(guess.Path, `/\`)+1:]
	lengths := container.NewGridWithColumns(5)
	for i, key := range []string{"raw.width", "raw.height", "raw.depth", "raw.channels", "raw.times"} {
		e := v.newDialogEntry(strconv.Itoa(*r.length(i)))
		e.OnChanged = func(string) { r.read() }
		r.lengths[i] = e
		lengths.Add(labelled(Say(key), e))
	}
	r.offset = v.newHintedEntry(strconv.FormatInt(guess.Offset, 10), Say("raw.offset.tip"))
	r.offset.OnChanged = func(string) { r.read() }
	kind := newChoice(v.tips, rawTypeNames, Say("raw.type.tip"), nil)
	kind.Selected = guess.DType
	kind.OnChanged = func(t string) { r.file.DType = t; r.read() }
	order := newChoice(v.tips, []string{Say("raw.order.little"), Say("raw.order.big")}, Say("raw.order.tip"), nil)
	order.Selected = order.Options[0]
	if guess.Big {
		order.Selected = order.Options[1]
	}
	order.OnChanged = func(string) { r.file.Big = order.SelectedIndex() == 1; r.read() }
	axes := newChoice(v.tips, []string{Say("raw.axes.planes"), Say("raw.axes.volumes")}, Say("raw.axes.tip"), nil)
	axes.Selected = axes.Options[0]
	axes.OnChanged = func(string) { r.file.Volumes = axes.SelectedIndex() == 1; r.read() }
	r.wrong = newParagraph("", theme.ColorNameError, sizeCaption)
	ground := on(colorGround, r.picture)
	body := container.New(sized{620, 490}, stacked(10,
		newParagraph(Say("raw.about", "Name", name, "Bytes", group(int(guess.Bytes)))+" "+Say("raw.guessed"), theme.ColorNamePlaceHolder, theme.SizeNameText).Container,
		lengths,
		container.NewGridWithColumns(4, labelled(Say("raw.type"), kind), labelled(Say("raw.order"), order), labelled(Say("raw.offset"), r.offset), labelled(Say("raw.axes"), axes)),
		r.fits, heading(Say("raw.preview")), fixedTall(previewTall, ground), r.wrong.Container))
	d := dialog.NewCustomWithoutButtons(Say("raw.title"), padded(8, 8, body), v.window)
	r.open = v.newDialogButton(Say("raw.open"), func() {
		d.Hide()
		v.asks.OpenRaw(r.file)
	})
	r.open.Importance = widget.HighImportance
	for _, e := range append(r.lengths[:], r.offset) {
		e.OnSubmitted = func(string) { r.open.Tapped(nil) } // does nothing while it is disabled
	}
	d.SetButtons([]fyne.CanvasObject{v.newDialogButton(Say("dialog.cancel"), d.Hide), r.open})
	v.raw = r
	v.Ask(d)
	v.window.Canvas().Focus(r.lengths[0])
	r.read()
}

// length is that of the axis with an entry.
func (r *rawImport) length(i int) *int {
	return [...]*int{&r.file.Width, &r.file.Height, &r.file.Depth, &r.file.Channels, &r.file.Times}[i]
}

// read takes the entries over, says how far they fit the file, and asks for the picture if they may.
func (r *rawImport) read() {
	fine := true
	for i, e := range r.lengths {
		n, err := strconv.Atoi(strings.TrimSpace(e.Text))
		fine = fine && err == nil && n >= 1
		*r.length(i) = n
	}
	offset, err := strconv.ParseInt(strings.TrimSpace(r.offset.Text), 10, 64)
	fine = fine && err == nil && offset >= 0
	r.file.Offset = offset
	need, counted := int64(0), false
	if fine {
		need, counted = r.file.need()
	}
	text, ink := Say("raw.number"), theme.ColorNameError
	switch rest := r.file.Bytes - need; {
	case !counted:
		fine = false
	case rest < 0:
		text, fine = Say("raw.more", "Need", group(int(need)), "Rest", group(int(-rest))), false
	case rest == 0:
		text, ink = Say("raw.fits", "Need", group(int(need))), theme.ColorNameForeground
	default:
		text, ink = Say("raw.less", "Need", group(int(need)), "Rest", group(int(rest))), theme.ColorNameWarning
	}
	r.fits.paint(ink)
	r.fits.set(text)
	r.wrong.set("")
	if !fine {
		r.open.Disable()
		r.show(nil)
		return
	}
	r.open.Enable()
	r.ask()
}

// ask has the middle plane read, once the writing rests.
func (r *rawImport) ask() {
	r.asked++
	nth, file := r.asked, r.file
	if r.timer != nil {
		r.timer.Stop()
	}
	r.timer = r.view.tips.after(200*time.Millisecond, func() {
		if nth != r.asked {
			return
		}
		r.view.asks.PreviewRaw(file, func(img image.Image, err error) {
			if nth != r.asked {
				return
			}
			if err != nil {
				r.wrong.set(plain(err))
			}
			r.show(img)
		})
	})
}

func (r *rawImport) show(img image.Image) {
	if img == nil {
		r.asked++ // what was asked for before is of no use
		img = image.NewRGBA(image.Rect(0, 0, 1, 1))
	}
	r.picture.Image = img
	r.picture.Refresh()
}

// Words is what is said, as --raw takes it, and the axes of the lengths. Axes that it does not have are left out.
func (r RawFile) Words() (words, axes string) {
	letters, lengths := "tzcyx", []int{r.Times, r.Depth, r.Channels, r.Height, r.Width}
	if r.Volumes {
		letters, lengths = "tczyx", []int{r.Times, r.Channels, r.Depth, r.Height, r.Width}
	}
	var shape []string
	for i, n := range lengths {
		if n > 1 || i > 2 {
			shape, axes = append(shape, strconv.Itoa(n)), axes+letters[i:i+1]
		}
	}
	order := "little"
	if r.Big {
		order = "big"
	}
	return fmt.Sprintf("shape=%s,dtype=%s,offset=%d,order=%s", strings.Join(shape, "x"), r.DType, r.Offset, order), axes
}
