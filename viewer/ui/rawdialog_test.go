package ui

import (
	"errors"
	"image"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

func TestARawFileIsOpenedAsItIsSaidToBe(t *testing.T) {
	english(t)
	s := newStage(t)
	s.ImportRaw(RawFile{Path: "/data/stack.raw", Bytes: 2*10*20*30 + 8, Width: 30, Height: 20, Depth: 10, Channels: 1, Times: 1, DType: "uint16", Offset: 8})
	r := s.raw
	if r.fits.words != "12,008 bytes, the whole file" || r.open.Disabled() {
		t.Errorf("the guess is told by %q", r.fits.words)
	}
	if len(s.previews) != 1 {
		t.Fatalf("%d previews were asked for", len(s.previews))
	}
	for _, c := range []struct {
		entry      int
		text, says string
		opens      bool
	}{
		{2, "11", "13,208 bytes, 1,200 more than the file has", false},
		{2, "9", "10,808 bytes; 1,200 at the end are not used", true},
		{2, "0", "Lengths and header bytes are whole numbers.", false},
		{2, "4000000000000000000", "Lengths and header bytes are whole numbers.", false},
		{2, "many", "Lengths and header bytes are whole numbers.", false},
		{2, "5", "6,008 bytes; 6,000 at the end are not used", true},
		{3, "2", "12,008 bytes, the whole file", true},
	} {
		r.lengths[c.entry].SetText(c.text)
		if r.fits.words != c.says || r.open.Disabled() == c.opens {
			t.Errorf("%s: %q, can be opened %v", c.text, r.fits.words, !r.open.Disabled())
		}
	}
	give := s.previews[len(s.previews)-1]
	give(nil, errors.New("raw: broken"))
	if !strings.Contains(r.wrong.rich.String(), "broken") {
		t.Errorf("what is wrong is told by %q", r.wrong.rich.String())
	}
	img := image.NewGray(image.Rect(0, 0, 3, 3))
	s.previews[0](img, nil)
	if r.picture.Image == image.Image(img) {
		t.Error("the picture of an earlier guess is shown")
	}
	r.lengths[2].SetText("0")
	r.offset.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if len(s.imported) != 0 {
		t.Fatal("Enter opened what makes no image")
	}
	r.lengths[2].SetText("5")
	r.offset.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if len(s.imported) != 1 {
		t.Fatal("it was not opened")
	}
	if words, axes := s.imported[0].Words(); words != "shape=5x2x20x30,dtype=uint16,offset=8,order=little" || axes != "zcyx" {
		t.Errorf("it was opened as %s %s", words, axes)
	}
}

func TestWordsForRawData(t *testing.T) {
	f := RawFile{Width: 4, Height: 3, Depth: 2, Channels: 5, Times: 6, DType: "float32", Big: true, Volumes: true}
	if words, axes := f.Words(); words != "shape=6x5x2x3x4,dtype=float32,offset=0,order=big" || axes != "tczyx" {
		t.Errorf("%s %s", words, axes)
	}
	f = RawFile{Width: 4, Height: 1, Depth: 1, Channels: 1, Times: 1, DType: "uint8"}
	if words, axes := f.Words(); words != "shape=1x4,dtype=uint8,offset=0,order=little" || axes != "yx" {
		t.Errorf("%s %s", words, axes)
	}
}

func TestANoticeOffersWhatCanBeDone(t *testing.T) {
	s := withVolume(t)
	done := 0
	s.Offer("it is large", "Convert", func() { done++ })
	if !s.notice.act.Visible() || s.notice.act.Text != "Convert" {
		t.Fatal("nothing is offered")
	}
	test.Tap(s.notice.act)
	if done != 1 || s.notice.visible() {
		t.Errorf("done %d times, still there %v", done, s.notice.visible())
	}
	s.Note("something else")
	if s.notice.act.Visible() {
		t.Error("a note without an offer offers the last one")
	}
}
