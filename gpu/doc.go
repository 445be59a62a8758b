// Package gpu runs stencils as OpenGL compute shaders.
//
//	d, err := gpu.Open()
//	if err != nil { ... } // no device: compute on the processor
//	defer d.Close()
//	fmt.Println(d.Info().Renderer)
//	e := engine.New(engine.Options{Device: d}) // tasks run there, and blocks stay there
//
// A Device owns one OpenGL 4.3 context, current on one operating-system thread that nothing else uses. On
// Linux the context comes from EGL without any window or display, so the command line has it too; libEGL
// is looked for when the program runs, and a machine without it still starts. macOS stops at OpenGL 4.1,
// which has no compute shaders.
//
// Blocks are buffers. Upload, Make, Read and Free are what package engine asks for by its interface Keeper;
// inputs are gathered on the device (gather.go), large work is cut (slab.go), and a block is read back without
// the thread waiting for it (read.go). The bytes that blocks may take are half of those that were free when
// the device was opened, where its driver tells (NVX_gpu_memory_info, ATI_meminfo), else 512 MiB; SetRoom
// changes that. A context that is lost makes every call fail, and the engine goes on without it.
//
// The shader of a kernel is made from the kernel (stencil.Kernel.GLSL), with the arithmetic of the
// processor's program. GLSL does not promise an exact root or quotient, so a device may differ in the last
// bits there, and nowhere else. Every device is tested against the processor before it is used (SelfTest).
package gpu
