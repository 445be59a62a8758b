package viewer

// A Preset is a stencil to begin with. Its title and what it is for are texts of the window, under its name.
type Preset struct {
	Name   string
	Text   string
	Volume bool // it looks along z too
}

// Presets are stencils to begin with, in the order of the menu: those of every plane, then those of the
// volume. Divisions make real numbers, so that differences keep their sign.
func Presets() []Preset {
	return []Preset{
		{Name: "mean", Text: `(x[-1,-1] + x[-1,0] + x[-1,1]
 + x[0,-1] + x[0,0] + x[0,1]
 + x[1,-1] + x[1,0] + x[1,1]) / 9`},
		{Name: "meanwhole", Text: `(x[-1,-1] + x[-1,0] + x[-1,1]
 + x[0,-1] + x[0,0] + x[0,1]
 + x[1,-1] + x[1,0] + x[1,1]) // 9`},
		{Name: "sharpen", Text: `@param k = 0.5 0..2
m = (x[-1,0] + x[0,-1] + x[0,1] + x[1,0]) / 4
x + k * (x - m)`},
		{Name: "laplacian", Text: `(x[-1,0] + x[0,-1] - 4*x
 + x[0,1] + x[1,0]) / 1`},
		{Name: "sobelx", Text: `(x[-1,1] + 2*x[0,1] + x[1,1]
 - x[-1,-1] - 2*x[0,-1] - x[1,-1]) / 8`},
		{Name: "sobel", Text: `gx = (x[-1,1] + 2*x[0,1] + x[1,1]
    - x[-1,-1] - 2*x[0,-1] - x[1,-1]) / 8
gy = (x[1,-1] + 2*x[1,0] + x[1,1]
    - x[-1,-1] - 2*x[-1,0] - x[-1,1]) / 8
norm(gx, gy)`},
		{Name: "variance", Text: `m = (x[-1,-1] + x[-1,0] + x[-1,1]
   + x[0,-1] + x + x[0,1]
   + x[1,-1] + x[1,0] + x[1,1]) / 9
((x[-1,-1]-m)**2 + (x[-1,0]-m)**2
 + (x[-1,1]-m)**2 + (x[0,-1]-m)**2
 + (x-m)**2 + (x[0,1]-m)**2
 + (x[1,-1]-m)**2 + (x[1,0]-m)**2
 + (x[1,1]-m)**2) / 9`},
		{Name: "threshold", Text: `# what is k times as bright as around
@param k = 1.2 0.5..3
m = (x[-4,0] + x[4,0] + x[0,-4] + x[0,4]) / 4
where(x > k * m, x, 0)`},
		{Name: "peaks", Text: `# what is brighter than all around it
around = max(x[-1,-1], x[-1,0], x[-1,1],
             x[0,-1], x[0,1],
             x[1,-1], x[1,0], x[1,1])
where(x > around, x, 0)`},
		{Name: "mean3", Volume: true, Text: `# along z, then y, then x
a = x[-1,0,0] + x[0,0,0] + x[1,0,0]
b = a[-1,0] + a[0,0] + a[1,0]
(b[0,-1] + b[0,0] + b[0,1]) / 27`},
		{Name: "gradient", Volume: true, Text: `# grey values a micrometre
gz = (x[1,0,0] - x[-1,0,0]) / (2*dz)
gy = (x[0,1,0] - x[0,-1,0]) / (2*dy)
gx = (x[0,0,1] - x[0,0,-1]) / (2*dx)
norm(gz, gy, gx)`},
		{Name: "medianz", Volume: true, Text: `# the middle one of three planes
a = x[-1,0,0]
b = x[0,0,0]
c = x[1,0,0]
max(min(a, b), min(max(a, b), c))`},
		{Name: "bilateral", Volume: true, Text: `# neighbours count the less, the more
# they differ; s is how much is little
@param s = 100 1..2000
a = exp(-((x[-1,0,0] - x) / s)**2)
b = exp(-((x[1,0,0] - x) / s)**2)
c = exp(-((x[0,-1,0] - x) / s)**2)
d = exp(-((x[0,1,0] - x) / s)**2)
e = exp(-((x[0,0,-1] - x) / s)**2)
f = exp(-((x[0,0,1] - x) / s)**2)
sum = (x + a*x[-1,0,0] + b*x[1,0,0]
     + c*x[0,-1,0] + d*x[0,1,0]
     + e*x[0,0,-1] + f*x[0,0,1])
sum / (1 + a + b + c + d + e + f)`},
	}
}
