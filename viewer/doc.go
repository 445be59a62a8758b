// Package viewer is the window without its widgets: what is on view, how it changes, and the pictures of it. It knows
// no toolkit, so all of it runs and is tested without a display.
//
// The terms:
//
//   - A State is a value that says what is on view.
//   - An Action is a pure function from one State to the next.
//   - A Scene is the arrays to draw: a State's image through its filters.
//   - Geometry maps between device pixels and voxels.
//   - A Cut holds one channel's voxels on the plane on view. Cuts are composed into a picture.
//   - A Session joins them. It takes Actions, requests missing voxels from the engine, cancels what a newer State made
//     useless, and pushes a Frame whenever there is something better to show.
//
// One notch of the wheel:
//
//	s, err := viewer.Open(&set, viewer.Options{Engine: e, Post: fyne.Do, OnFrame: redraw})
//	s.Act(viewer.Resize(1600, 1000))
//	s.Act(viewer.Step(lazy.Z, 1)) // the frame comes when it is ready
//	picture := s.Frame().Image
//
// Positions are in voxels of the finest level, and whole numbers are voxel centres: voxel i covers i-½ to i+½. Device
// pixel p covers p to p+1.
package viewer
