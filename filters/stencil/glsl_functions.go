package stencil

import (
	"fmt"
	"strings"

	"lamella/lazy"
)

// polynomial is the steps of a polynomial of x, from the highest power down.
func polynomial(terms []float32, x string) string {
	var s strings.Builder
	fmt.Fprintf(&s, "\tprecise float p = %s;\n", literal(float64(terms[0]), lazy.F32))
	for _, c := range terms[1:] {
		fmt.Fprintf(&s, "\tp = p * %s;\n\tp = p + %s;\n", x, literal(float64(c), lazy.F32))
	}
	return s.String()
}

// expFunction is exp32 step by step.
func expFunction() string {
	f := func(v float64) string { return literal(v, lazy.F32) }
	return `float exponential(float x) {
	precise float v = min(max(x, ` + f(expLowest) + `), ` + f(expHighest) + `);
	precise float scaled = v * ` + f(1.44269504088896340736) + `;
	scaled = scaled + 0.5;
	precise float k = floor(scaled);
	precise float part = k * ` + f(ln2High) + `;
	precise float r = v - part;
	part = k * ` + f(ln2Low) + `;
	r = r - part;
` + polynomial(expTerms[:], "r") + `	precise float z = r * r;
	p = p * z;
	p = p + r;
	p = p + 1.0;
	int whole = int(k), lower = whole >> 1;
	p = p * intBitsToFloat((lower + 127) << 23);
	p = p * intBitsToFloat((whole - lower + 127) << 23);
	return isnan(x) ? x : x > ` + f(expHighest) + ` ? uintBitsToFloat(0x7f800000u) : x < ` + f(expLowest) + ` ? 0.0 : p;
}
`
}

// logFunction is log32 step by step.
func logFunction() string {
	f := func(v float64) string { return literal(v, lazy.F32) }
	return `float logarithm(float x) {
	bool tiny = x < ` + f(0x1p-126) + `;
	precise float v = tiny ? x * 8388608.0 : x;
	int b = floatBitsToInt(v);
	precise float e = float((b >> 23) - 126);
	e = e - (tiny ? 23.0 : 0.0);
	precise float m = intBitsToFloat((b & 0x007fffff) | 0x3f000000);
	bool below = m < ` + f(0.70710678118654752440) + `;
	e = e - (below ? 1.0 : 0.0);
	m = m + (below ? m : 0.0);
	m = m - 1.0;
	precise float z = m * m;
` + polynomial(logTerms[:], "m") + `	p = p * m;
	p = p * z;
	precise float part = e * ` + f(ln2Low) + `;
	p = p + part;
	part = 0.5 * z;
	p = p - part;
	p = m + p;
	part = e * ` + f(ln2High) + `;
	p = p + part;
	return isnan(x) || x < 0.0 ? uintBitsToFloat(0x7fc00000u) : x == 0.0 ? uintBitsToFloat(0xff800000u) : x > ` + f(3.40282346638528859811704183484516925440e+38) + ` ? x : p;
}
`
}
