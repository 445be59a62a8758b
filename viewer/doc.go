// Package viewer is the window without its widgets: what is on view, how it changes, and the
// pictures of it. It knows no toolkit, so all of it runs and is tested without a display.
//
// A State is a value that says what is on view. An Action is a pure function from one State to the
// next. A Scene is what a State's image and filters amount to: arrays to draw from. Geometry maps
// between device pixels and voxels. A Cut holds one channel's voxels on the plane on view; Compose
// turns cuts into a picture. A Session joins them: it takes Actions, asks the engine for the
// voxels that are missing, cancels what a newer State made useless, and pushes a Frame whenever
// there is something better to show.
//
//	s := viewer.Open(&set, viewer.Options{Engine: e, OnFrame: func() { window.Redraw() }})
//	s.Act(viewer.Resize(1600, 1000))
//	s.Act(viewer.Step(lazy.Z, 1)) // one wheel notch; the frame comes when it is ready
//	picture := s.Frame().Image
//
// Positions are voxels of the finest level, and whole numbers are voxel centres: voxel i covers
// i-½ to i+½. Device pixel p covers p to p+1.
package viewer
