package lazy

import (
	"fmt"
	"math"
)

// A DType is the type of one voxel.
type DType uint8

// The types a voxel can have. The zero DType is none of them.
const (
	U8 DType = iota + 1
	I8
	U16
	I16
	U32
	I32
	U64
	I64
	F32
	F64
)

// Number is the set of Go types that voxels are held in, one for each DType.
type Number interface {
	uint8 | int8 | uint16 | int16 | uint32 | int32 | uint64 | int64 | float32 | float64
}

var dtypes = [...]struct {
	name     string
	size     int
	min, max float64
}{
	U8: {"uint8", 1, 0, math.MaxUint8}, I8: {"int8", 1, math.MinInt8, math.MaxInt8},
	U16: {"uint16", 2, 0, math.MaxUint16}, I16: {"int16", 2, math.MinInt16, math.MaxInt16},
	U32: {"uint32", 4, 0, math.MaxUint32}, I32: {"int32", 4, math.MinInt32, math.MaxInt32},
	U64: {"uint64", 8, 0, math.MaxUint64}, I64: {"int64", 8, math.MinInt64, math.MaxInt64},
	F32: {"float32", 4, -math.MaxFloat32, math.MaxFloat32},
	F64: {"float64", 8, -math.MaxFloat64, math.MaxFloat64},
}

// DTypes lists every type in order.
func DTypes() []DType { return []DType{U8, I8, U16, I16, U32, I32, U64, I64, F32, F64} }

// ParseDType reads a NumPy name such as "uint16".
func ParseDType(name string) (DType, error) {
	for d := U8; d <= F64; d++ {
		if dtypes[d].name == name {
			return d, nil
		}
	}
	return 0, fmt.Errorf("lazy: %q is not a voxel type (uint8, int8, ... uint64, int64, float32, float64)", name)
}

// Valid reports whether d is one of the ten types.
func (d DType) Valid() bool { return d >= U8 && d <= F64 }

// String is NumPy's name of the type.
func (d DType) String() string {
	if !d.Valid() {
		return fmt.Sprintf("dtype(%d)", uint8(d))
	}
	return dtypes[d].name
}

// Size is the number of bytes of one voxel.
func (d DType) Size() int { return dtypes[d].size }

// Float reports whether the type holds real numbers.
func (d DType) Float() bool { return d >= F32 }

// Range is the least and the greatest finite value of the type. For 64-bit integers the
// greatest is rounded to the nearest float64.
func (d DType) Range() (min, max float64) { return dtypes[d].min, dtypes[d].max }

// Real is the type in which expressions with real numbers run for voxels of type d: float32
// for up to 16 bits and for float32, float64 for wider data.
func (d DType) Real() DType {
	switch d {
	case U32, I32, U64, I64, F64:
		return F64
	}
	return F32
}

// TypeOf is the DType of a Go type.
func TypeOf[E Number]() DType {
	var e E
	switch any(e).(type) {
	case uint8:
		return U8
	case int8:
		return I8
	case uint16:
		return U16
	case int16:
		return I16
	case uint32:
		return U32
	case int32:
		return I32
	case uint64:
		return U64
	case int64:
		return I64
	case float32:
		return F32
	}
	return F64
}
