//go:build !darwin && (!cgo || headless)

package gpu

const whyNone = "this program was built without OpenGL"
