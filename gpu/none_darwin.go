//go:build darwin

package gpu

const whyNone = "macOS stops at OpenGL 4.1"
