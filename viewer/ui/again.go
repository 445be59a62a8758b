package ui

import "lamella/viewer"

// Again applies the filters once more, when what they depend on beside the picture has changed.
func (v *View) Again() {
	if v.session == nil {
		return
	}
	chain := v.session.State().Chain
	v.drag(viewer.SetChain(nil))
	v.drag(viewer.SetChain(chain))
	v.session.Settle()
}
