package viewer

import "lamella/lazy"

// SetVisible shows or hides a channel. It ends Solo, which would hide the effect.
func SetVisible(channel int, on bool) Action {
	return func(_ *Scene, s State) State {
		s.Solo = false
		return s.withChannel(channel, func(c *Channel) { c.Visible = on })
	}
}

// Toggle shows a channel that is hidden and hides one that is shown.
func Toggle(channel int) Action {
	return func(sc *Scene, s State) State {
		if channel < 0 || channel >= len(s.Channels) {
			return s
		}
		return SetVisible(channel, !s.Channels[channel].Visible)(sc, s)
	}
}

// Solo draws one channel alone; asked again for the same one, it draws all visible channels again.
func Solo(channel int) Action {
	return func(_ *Scene, s State) State {
		if channel < 0 || channel >= len(s.Channels) {
			return s
		}
		s.Solo = !(s.Solo && s.At[lazy.C] == channel)
		s.At[lazy.C] = channel
		return s
	}
}

// Activate makes a channel the one whose limits and histogram the window shows.
func Activate(channel int) Action { return MoveTo(lazy.C, channel) }

// SetLimits sets a channel's contrast limits by hand. Limits in the wrong order, or the same, are
// drawn apart: the low one stays.
func SetLimits(channel int, l Limits) Action {
	return func(_ *Scene, s State) State {
		return s.withChannel(channel, func(c *Channel) { c.Limits, c.Rule = l.apart(), Rule{} })
	}
}

// Automatic has a channel's limits found by a rule from the plane on view. Asked again for the same
// rule on the same plane, it saturates more of the voxels, as ImageJ does; after the most it
// begins again. The Session finds the limits and puts them in with Found.
func Automatic(channel int, k RuleKind) Action {
	return func(_ *Scene, s State) State {
		return s.withChannel(channel, func(c *Channel) {
			press := 0
			if c.Rule.Kind == k && !c.Rule.Pending && c.Rule.plane == s.plane() {
				press = c.Rule.Press + 1
			}
			c.Rule = Rule{Kind: k, Press: press, Pending: true, plane: s.plane()}
		})
	}
}

// Found puts in the limits that a rule gave; it does nothing if the channel waits for another
// rule by now.
func Found(channel int, r Rule, l Limits) Action {
	return func(_ *Scene, s State) State {
		if channel < 0 || channel >= len(s.Channels) || s.Channels[channel].Rule != r {
			return s
		}
		r.Pending = false
		return s.withChannel(channel, func(c *Channel) { c.Limits, c.Rule = l, r })
	}
}

// SetGamma sets the exponent of the position between the limits; above 1 darkens the middle.
func SetGamma(channel int, gamma float64) Action {
	return func(_ *Scene, s State) State {
		return s.withChannel(channel, func(c *Channel) { c.Gamma = max(0.1, min(10, gamma)) })
	}
}

// SetLUT shows a channel in the colours of a table of package assets.
func SetLUT(channel int, name string) Action {
	return func(_ *Scene, s State) State {
		return s.withChannel(channel, func(c *Channel) { c.LUT = name })
	}
}

// SetColor shows a channel in a ramp from black to a colour.
func SetColor(channel int, rgb [3]uint8) Action {
	return func(_ *Scene, s State) State {
		return s.withChannel(channel, func(c *Channel) { c.LUT, c.Color = "", rgb })
	}
}
