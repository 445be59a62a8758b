package viewer

import "slices"

// A Display is how an image is shown, to show another one in the same way.
type Display struct {
	Channels []Channel
	Solo     bool
	Blend    Blend
	HiLo     bool
	Sampling Sampling
}

// Display is how s shows its image.
func (s State) Display() Display {
	return Display{slices.Clone(s.Channels), s.Solo, s.Blend, s.HiLo, s.Sampling}
}

// ShowAs shows the image as another one was shown: channel by channel, as many as both have, in the same limits, colours
// and gamma. Names stay, and so does a palette that the file itself gives. Rules that find limits become the limits
// that they found: the same values have the same colours in both images.
func ShowAs(d Display) Action {
	return func(_ *Scene, s State) State {
		for i := range min(len(d.Channels), len(s.Channels)) {
			s = s.withChannel(i, func(c *Channel) {
				name, lut := c.Name, c.LUT
				*c = d.Channels[i]
				c.Name, c.Rule = name, Rule{}
				if c.LUT == FileLUT { // the other file's
					c.LUT = lut
				}
			})
		}
		s.Solo, s.Blend, s.HiLo, s.Sampling = d.Solo, d.Blend, d.HiLo, d.Sampling
		return s
	}
}
