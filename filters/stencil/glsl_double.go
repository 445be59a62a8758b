package stencil

import (
	"fmt"
	"strconv"
	"strings"
)

// What the processor computes of float32 in float64 a shader does in double, which GLSL has since 4.00. Devices may
// take numbers below 2^-126 for 0 when they convert, so these are put together from their bits.

// widenFunction is float64 of a float32.
const widenFunction = `double widen(float x) {
	uint bits = floatBitsToUint(x), size = bits & 0x7fffffffu;
	precise double tiny = double(size) * 1.40129846432481707e-45lf;
	return size >= 0x00800000u ? double(x) : (bits >> 31) != 0u ? -tiny : tiny;
}
`

// double is a constant that reads back as the same float64.
func double(v float64) string {
	s := strconv.FormatFloat(v, 'g', 17, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return "(" + s + "lf)"
}

// series is the steps of a polynomial of x, from the highest power down.
func series(name string, terms []float64, x string) string {
	var s strings.Builder
	fmt.Fprintf(&s, "\tprecise double %s = %s;\n", name, double(terms[0]))
	for _, c := range terms[1:] {
		fmt.Fprintf(&s, "\t%[1]s = %[1]s * %[2]s;\n\t%[1]s = %[1]s + %[3]s;\n", name, x, double(c))
	}
	return s.String()
}

// powerFunction is pow32 step by step.
func powerFunction() string {
	return `float power(float x, float y) {
	precise double exponent = widen(y);
	precise double a = abs(widen(x));
	uvec2 bits = unpackDouble2x32(a);
	precise double e = double(int(bits.y >> 20) - 1023);
	precise double m = packDouble2x32(uvec2(bits.x, (bits.y & 0x000fffffu) | 0x3ff00000u));
	bool above = m > ` + double(1.4142135623730951) + `;
	m = m * (above ? 0.5lf : 1.0lf);
	e = e + (above ? 1.0lf : 0.0lf);
	precise double less = m - 1.0lf, more = m + 1.0lf;
	precise double s = less / more;
	precise double z = s * s;
` + series("p", log2Terms[:], "z") + `	precise double l = p * s;
	l = l + e;
	double infinity = packDouble2x32(uvec2(0u, 0x7ff00000u));
	l = a == 0.0lf ? -infinity : a == infinity ? infinity : l;
	precise double t = l * exponent;
	t = l == 0.0lf ? 0.0lf : max(min(t, ` + double(powerReach) + `), ` + double(-powerReach) + `);
	precise double k = t + 0.5lf;
	k = floor(k);
	precise double f = t - k;
` + series("q", exp2Terms[:], "f") + `	q = q * packDouble2x32(uvec2(0u, uint(int(k) + 1023) << 20));
	precise double steps = q * ` + double(0x1p149) + `;
	float size = q < ` + double(0x1p-126) + ` ? uintBitsToFloat(uint(roundEven(steps))) : q >= ` + double(0x1.ffffffp127) + ` ? uintBitsToFloat(0x7f800000u) : float(q);
	bool whole = floor(y) == y, odd = whole && floor(0.5 * y) != 0.5 * y;
	uint sign = odd ? floatBitsToUint(x) & 0x80000000u : 0u;
	bool broken = isnan(x) || isnan(y) || x < 0.0 && !isinf(x) && !whole;
	return y == 0.0 || x == 1.0 ? 1.0 : broken ? uintBitsToFloat(0x7fc00000u) : uintBitsToFloat(floatBitsToUint(size) | sign);
}
`
}

// quotientFunction is floorDiv of float32. The quotient is that of double, which rounded twice is that of float32, and
// where products with the divisor are exact it does not rely on a device to divide as exactly as the processor.
const quotientFunction = `float floorQuotient(float x, float y) {
	precise double a = widen(x), b = widen(y);
	precise double exact = a / b;
	precise float q = floor(float(exact));
	precise double back = double(q) * b;
	precise double next = (double(q) + 1.0lf) * b;
	bool up = b > 0.0lf, small = abs(q) < 16777216.0;
	return (up ? back > a : back < a) ? q - 1.0 : small && (up ? next <= a : next >= a) ? q + 1.0 : q;
}
`
