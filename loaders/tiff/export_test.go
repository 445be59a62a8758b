package tiff

// ClassicLimit lets a test write a BigTIFF without 4 GB of pixels.
func ClassicLimit(n int64) (restore func()) {
	old := classicLimit
	classicLimit = n
	return func() { classicLimit = old }
}
