// Says what ImageJ sees in the files whose paths are the argument, a line each: name, width, height, channels, slices,
// frames, voxel size and unit, contrast limits and last LUT colour of each channel; and below the values of each plane.
//
//     java -cp ij.jar ij.ImageJ -batch interop.ijm "OUT a.tif b.tif"
setBatchMode(true);
paths = split(getArgument(), "\n");
out = File.open(paths[0]);
for (i = 1; i < paths.length; i++) {
	open(paths[i]);
	getDimensions(w, h, c, z, t);
	getVoxelSize(vw, vh, vd, unit);
	line = File.getName(paths[i]) + " " + w + " " + h + " " + c + " " + z + " " + t + " " + vw + " " + vh + " " + vd + " " + replace(unit, " ", "_");
	for (k = 1; k <= c && bitDepth() != 24; k++) {
		if (c > 1) Stack.setChannel(k);
		getMinAndMax(low, high);
		getLut(r, g, b);
		line = line + " " + low + ".." + high + "#" + r[255] + "," + g[255] + "," + b[255];
	}
	print(out, line);
	for (n = 1; n <= nSlices; n++) {
		setSlice(n);
		line = "";
		for (y = 0; y < h; y++) for (x = 0; x < w; x++) line = line + getValue(x, y) + " ";
		print(out, line);
	}
	close();
}
File.close(out);
