package filters

import "fmt"

// calmDown finds what total variation multiplies each voxel by (calm.go).
func (p *lucyProgram) calmDown() {
	e, n := p.estimate, size(p.estimate)
	p.pass(calmText, n, []int{p.calm, estimateBuffer}, n, e[0].Max, e[1].Max, e[2].Max,
		asInt(float32(p.method.thick[0])), asInt(float32(p.method.thick[1])), asInt(float32(p.method.thick[2])), asInt(float32(p.method.smooth)))
}

var calmText = single("what total variation divides by", `layout(std430, binding = 0) writeonly buffer Calm { float calm[]; };
layout(std430, binding = 1) readonly buffer Estimate { float estimate[]; };

float at(int z, int y, int x) { return estimate[(z * n[2] + y) * n[3] + x]; }

// The unit vector along the gradient, by differences to the next voxel; 0 where it is flat.
vec3 slope(int z, int y, int x) {
	float v = at(z, y, x);
	vec3 d = vec3(x + 1 < n[3] ? at(z, y, x + 1) - v : 0.0, y + 1 < n[2] ? at(z, y + 1, x) - v : 0.0, z + 1 < n[1] ? at(z + 1, y, x) - v : 0.0);
	d /= vec3(intBitsToFloat(n[6]), intBitsToFloat(n[5]), intBitsToFloat(n[4]));
	float l = length(d);
	return l == 0.0 ? vec3(0.0) : d / l;
}
`, fmt.Sprintf(`	int z = id / (n[2] * n[3]), y = id / n[3] %% n[2], x = id %% n[3];
	vec3 d = slope(z, y, x);
	if (x > 0) d.x -= slope(z, y, x - 1).x;
	if (y > 0) d.y -= slope(z, y - 1, x).y;
	if (z > 0) d.z -= slope(z - 1, y, x).z;
	float div = d.x / intBitsToFloat(n[6]) + d.y / intBitsToFloat(n[5]) + d.z / intBitsToFloat(n[4]);
	calm[id] = 1.0 / max(%g, 1.0 - intBitsToFloat(n[7]) * div);
`, leastCalm))
