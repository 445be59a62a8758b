package viewer

// Blend says how the channels that are drawn together make one picture.
type Blend uint8

// Add sums their light, as in ImageJ's composite; Max takes the strongest of each colour, so that nothing
// saturates where channels overlap.
const (
	Add Blend = iota
	Max
	replace // what is there is painted over
)

// SetBlend chooses how channels are drawn together.
func SetBlend(b Blend) Action {
	return func(_ *Scene, s State) State {
		s.Blend = min(b, Max)
		return s
	}
}

// ShowHiLo switches the highlight of what lies at the limits or beyond.
func ShowHiLo(on bool) Action {
	return func(_ *Scene, s State) State {
		s.HiLo = on
		return s
	}
}

// SetOpacity sets how much of a channel's light is drawn, 0 to 1.
func SetOpacity(channel int, opacity float64) Action {
	return func(_ *Scene, s State) State {
		return s.withChannel(channel, func(c *Channel) { c.Faded = 1 - max(0, min(1, opacity)) })
	}
}

// blendOf is how layer i is drawn: the first one covers what is there.
func blendOf(b Blend, i int) Blend {
	if i == 0 {
		return replace
	}
	return b
}

// lighter is the greater of two colours in each part.
func lighter(a, b uint32) uint32 {
	return max(a&0xff, b&0xff) | max(a&0xff00, b&0xff00) | max(a&0xff0000, b&0xff0000) | 0xff000000
}

// dim takes a share of a colour's light away.
func dim(c uint32, share float64) uint32 {
	if share <= 0 {
		return c
	}
	part := func(shift int) uint32 { return uint32(float64(c>>shift&0xff)*(1-share)+0.5) << shift }
	return part(0) | part(8) | part(16) | 0xff000000
}

// The colours of HiLo, as in ImageJ's LUT of that name.
const (
	atLow  = 0xffff0000 // blue
	atHigh = 0xff0000ff // red
)
