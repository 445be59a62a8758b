package viewer

import (
	"image"

	"lamella/lazy"
)

// An Action is a pure function from what is on view to what is on view next. Whatever it asks for
// is brought back to what exists afterwards, so an Action need not check bounds.
type Action func(sc *Scene, s State) State

// Resize tells how large the viewport is, in device pixels.
func Resize(w, h int) Action {
	return func(_ *Scene, s State) State {
		s.Size = image.Pt(max(0, w), max(0, h))
		return s
	}
}

// Step moves n voxels along an axis: planes of Z, time points of T, channels of C.
func Step(a lazy.Axis, n int) Action {
	return func(_ *Scene, s State) State {
		s.At[a] += n
		return s
	}
}

// MoveTo goes to one voxel of an axis.
func MoveTo(a lazy.Axis, i int) Action {
	return func(_ *Scene, s State) State {
		s.At[a] = i
		return s
	}
}

// Select shows another image of the dataset. A Session starts such a view afresh.
func Select(img int) Action {
	return func(_ *Scene, s State) State {
		s.Image = img
		return s
	}
}

// Turn cuts the volume another way, through the same voxel, in a single picture with the whole plane on view.
func Turn(o Orientation) Action {
	return func(_ *Scene, s State) State {
		s.Arrangement, s.Cut, s.Fitted = Alone, o, true
		return s
	}
}

// ZoomAt scales the view about a point of the viewport, whose voxel stays where it is.
func ZoomAt(px, py, factor float64) Action {
	return func(sc *Scene, s State) State {
		before := sc.Geometry(s)
		a, d := before.Position(px, py)
		s.Fitted = false
		s.Zoom *= factor
		s.Zoom = max(min(minZoom, sc.fit(s)), min(maxZoom, s.Zoom))
		after := sc.Geometry(s)
		s.Center[after.Across] = a - (px-float64(after.W)/2)/after.Pixels[0]
		s.Center[after.Down] = d - (py-float64(after.H)/2)/after.Pixels[1]
		return s
	}
}

// Zoom scales the view about its middle.
func Zoom(factor float64) Action {
	return func(sc *Scene, s State) State {
		return ZoomAt(float64(s.Size.X)/2, float64(s.Size.Y)/2, factor)(sc, s)
	}
}

// Pan moves the picture by device pixels: to the right and down.
func Pan(dx, dy float64) Action {
	return func(sc *Scene, s State) State {
		g := sc.Geometry(s)
		s.Fitted = false
		s.Center[g.Across] -= dx / g.Pixels[0]
		s.Center[g.Down] -= dy / g.Pixels[1]
		return s
	}
}

// Fit puts the whole plane on view and keeps it there when the window changes its size.
func Fit() Action {
	return func(_ *Scene, s State) State {
		s.Fitted = true
		return s
	}
}

// OneToOne shows one voxel along X on one device pixel, about the middle of the view.
func OneToOne() Action {
	return func(_ *Scene, s State) State {
		s.Fitted, s.Zoom = false, 1
		return s
	}
}

// SetSampling chooses what stands between voxel centres.
func SetSampling(v Sampling) Action {
	return func(_ *Scene, s State) State {
		s.Sampling = v
		return s
	}
}

// ShowScaleBar switches the scale bar.
func ShowScaleBar(on bool) Action {
	return func(_ *Scene, s State) State {
		s.ScaleBar = on
		return s
	}
}
