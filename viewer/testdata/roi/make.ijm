// Writes what ImageJ makes of shapes on the image of ../measure.py: the regions of interest beside this file, and
// measured.txt, a line each. ImageJ 1.52i:  imagej -b make.ijm FOLDER
dir = getArgument() + "/";
newImage("measurable", "16-bit black", 21, 15, 1);
for (y = 0; y < 15; y++) for (x = 0; x < 21; x++) setPixel(x, y, (x*37 + y*91 + (x*y)%13*17) % 1000);
var text = "";
function keep(name) {
	getStatistics(area, mean, min, max, sd);
	text = text + name + " " + d2s(area, 6) + " " + d2s(mean, 6) + " " + min + " " + max + " " + d2s(sd, 6) + "\n";
	saveAs("Selection", dir + name + ".roi");
}
makeRectangle(3, 4, 9, 6); keep("rectangle");
makeOval(4, 2, 13, 9); keep("ellipse");
makePolygon(5, 2, 15, 3, 18, 9, 10, 13, 3, 9); keep("polygon");
makeLine(2, 1, 17, 11); saveAs("Selection", dir + "line.roi");
makePoint(7, 5); saveAs("Selection", dir + "point.roi");
makeSelection("angle", newArray(2, 10, 15), newArray(3, 9, 2)); saveAs("Selection", dir + "angle.roi");
File.saveString(text, dir + "measured.txt");
run("Quit");
