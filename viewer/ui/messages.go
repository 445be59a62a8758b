package ui

import (
	"strings"
	"time"
)

// Fail puts up what could not be done and why.
func (v *View) Fail(err error) {
	v.stay()
	v.noted++
	v.notice.show(plain(err), true)
	v.notices.Refresh()
}

// plain is an error for people: without the name of the package that it comes from, and in the language of the window as far as
// its form is known.
func plain(err error) string {
	text := err.Error()
	if pkg, rest, ok := strings.Cut(text, ": "); ok && rest != "" && strings.Trim(pkg, "abcdefghijklmnopqrstuvwxyz") == "" {
		text = rest
	}
	return Remark(text)
}

// Note puts up what has been done, for as long as it takes to read.
func (v *View) Note(text string) {
	v.Busy(text)
	v.noted++
	n := v.noted
	v.after(reading(text), func() {
		v.Do(func() {
			if v.noted == n && v.notice.text() == text {
				v.hush()
			}
		})
	})
}

// reading is how long a message stands that nobody has to answer: longer than people take to see and to read it.
func reading(text string) time.Duration {
	letters := 0
	for _, r := range text {
		if letters++; r > 0x2e80 { // says more than a letter
			letters += 2
		}
	}
	return 6*time.Second + time.Duration(letters)*60*time.Millisecond
}

// Busy puts up what goes on, until something else is to be said.
func (v *View) Busy(text string) {
	v.noted++
	v.notice.show(text, false)
	v.notices.Refresh()
}

// Offer puts up a message with something that can be done about it.
func (v *View) Offer(text, label string, do func()) { v.offer(text, label, false, do) }

// FailOffer puts up what could not be done, and what can be done instead.
func (v *View) FailOffer(err error, label string, do func()) { v.offer(plain(err), label, true, do) }

func (v *View) offer(text, label string, failed bool, do func()) {
	v.noted++
	v.notice.offer(text, label, failed, func() {
		v.hush()
		do()
	})
	v.notices.Refresh()
}

// hush takes the message away.
func (v *View) hush() {
	if v.notice.visible() {
		v.notice.hide()
		v.notices.Refresh()
	}
}
