package filters

import "lamella/lazy"

// A motion is the buffers of acceleration (accelerate.go): where the estimate was before, its last step, how far it moved
// now, sums of that, and how far to go on, with the square of the last step's length.
type motion struct{ before, step, moved, sums, pace int }

// beginMotion makes them for an estimate that has not moved yet.
func (p *lucyProgram) beginMotion() {
	n, rows, planes := size(p.estimate), p.rows(p.estimate), p.estimate[0].Max
	for _, b := range []*int{&p.motion.before, &p.motion.step, &p.motion.moved} {
		*b = p.buffer(lazy.ProgramBuffer{Words: n})
	}
	p.motion.sums = p.buffer(lazy.ProgramBuffer{Words: 2 * (rows + planes)})
	p.motion.pace = p.buffer(begun([]float32{0, 0}))
	p.pass(stillText, n, []int{p.motion.before, p.motion.step, estimateBuffer}, n)
}

// predict moves the estimate on in the direction in which it went, and puts it into the spectrum.
func (p *lucyProgram) predict() {
	n := size(p.estimate)
	p.pass(predictText, n, []int{estimateBuffer, p.motion.before, p.motion.pace}, n)
	p.load()
}

// measure finds from the last two steps how far the next goes on.
func (p *lucyProgram) measure() {
	rows, planes := p.rows(p.estimate), p.estimate[0].Max
	p.pass(motionText, rows, []int{p.motion.sums, p.motion.step, p.motion.moved}, rows, p.estimate[2].Max)
	p.pass(motionsText, planes, []int{p.motion.sums}, planes, rows/planes, rows)
	p.pass(paceText, 1, []int{p.motion.pace, p.motion.sums}, 1, planes, rows)
}

var (
	stillText = single("an estimate that has not moved", `layout(std430, binding = 0) writeonly buffer Before { float before[]; };
layout(std430, binding = 1) writeonly buffer Step { float step[]; };
layout(std430, binding = 2) readonly buffer Estimate { float estimate[]; };
`, `	before[id] = estimate[id];
	step[id] = 0.0;
`)
	predictText = single("an estimate moved on", `layout(std430, binding = 0) buffer Estimate { float estimate[]; };
layout(std430, binding = 1) buffer Before { float before[]; };
layout(std430, binding = 2) readonly buffer Pace { float pace[]; };
`, `	float u = estimate[id];
	estimate[id] = max(0.0, u + pace[0] * (u - before[id]));
	before[id] = u;
`)
	// Sums are two numbers each: of the products of a step and the one before it, and of its squares; of each row, then of
	// each plane.
	motionText = single("a step and the one before, by rows", `layout(std430, binding = 0) writeonly buffer Sums { float sums[]; };
layout(std430, binding = 1) buffer Step { float step[]; };
layout(std430, binding = 2) readonly buffer Moved { float moved[]; };
`, `	float along = 0.0, squares = 0.0;
	for (int i = 0; i < n[1]; i++) {
		float s = moved[id * n[1] + i];
		along += s * step[id * n[1] + i];
		squares += s * s;
		step[id * n[1] + i] = s;
	}
	sums[2 * id] = along;
	sums[2 * id + 1] = squares;
`)
	motionsText = single("a step and the one before, by planes", `layout(std430, binding = 0) buffer Sums { float sums[]; };
`, `	float along = 0.0, squares = 0.0;
	for (int i = 0; i < n[1]; i++) {
		along += sums[2 * (id * n[1] + i)];
		squares += sums[2 * (id * n[1] + i) + 1];
	}
	sums[2 * (n[2] + id)] = along;
	sums[2 * (n[2] + id) + 1] = squares;
`)
	paceText = single("how far the next step goes on", `layout(std430, binding = 0) buffer Pace { float pace[]; };
layout(std430, binding = 1) readonly buffer Sums { float sums[]; };
`, `	float along = 0.0, squares = 0.0;
	for (int i = 0; i < n[1]; i++) {
		along += sums[2 * (n[2] + i)];
		squares += sums[2 * (n[2] + i) + 1];
	}
	pace[0] = pace[1] > 0.0 ? clamp(along / pace[1], 0.0, 1.0) : 0.0;
	pace[1] = squares;
`)
)
