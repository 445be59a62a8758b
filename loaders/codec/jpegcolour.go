package codec

// RGB reports whether the three components of a picture are red, green and blue, by Adobe's marker or
// by their names; otherwise they are YCbCr (JFIF 1.02).
func (j *JPEG) RGB() bool {
	if len(j.Components) != 3 {
		return false
	}
	c := j.Components
	return j.Adobe == 0 || j.Adobe < 0 && c[0].ID == 'R' && c[1].ID == 'G' && c[2].ID == 'B'
}

// YCbCrToRGB converts pixels of three samples in place by the rule of JFIF 1.02 (ITU-R BT.601 with the
// full range), in 16 bits of fraction, rounded to nearest.
func YCbCrToRGB(p []byte) {
	for ; len(p) >= 3; p = p[3:] {
		y, cb, cr := int32(p[0])<<16+1<<15, int32(p[1])-128, int32(p[2])-128
		p[0] = clamp8((y + 91881*cr) >> 16)
		p[1] = clamp8((y - 22554*cb - 46802*cr) >> 16)
		p[2] = clamp8((y + 116130*cb) >> 16)
	}
}

func clamp8(v int32) byte { return byte(max(0, min(255, v))) }
