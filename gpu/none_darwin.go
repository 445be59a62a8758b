//go:build darwin

package gpu

const whyNone = "macOS has no compute shaders of OpenGL (it stops at 4.1)"
