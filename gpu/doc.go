// Package gpu runs stencils, and ops that bring their own shaders such as a deconvolution, as OpenGL compute shaders.
//
//	d, err := gpu.Open()
//	if err != nil { ... } // no device: compute on the processor
//	defer d.Close()
//	fmt.Println(d.Info().Renderer)
//	e := engine.New(engine.Options{Device: d}) // tasks run there, and blocks stay there
//
// A Device owns one OpenGL 4.3 context, current on one operating-system thread that nothing else uses. On Linux the
// context comes from EGL without any window or display, so the command line can use it too. libEGL is looked for at
// run time; a machine without it still starts the program. macOS stops at OpenGL 4.1, which has no compute shaders.
//
// Blocks are buffers. Package engine requests Upload, Make, Read and Free through its interface Keeper. Inputs are
// gathered on the device (gather.go), large work is cut (slab.go), and a block is read back without making the thread
// wait (read.go). Blocks may take half of the bytes that were free when the device was opened, if its driver tells
// (NVX_gpu_memory_info, ATI_meminfo), otherwise 512 MiB. SetRoom changes that. If the context is lost, every call
// fails, and the engine continues without the device.
//
// The shader of a kernel is made from the kernel (stencil.Kernel.GLSL), with the arithmetic of the processor's program.
// GLSL does not promise an exact root or quotient, so the last bits of these may differ on a device. No other step of a
// kernel differs. Every device is tested against the processor before it is used (SelfTest).
package gpu
