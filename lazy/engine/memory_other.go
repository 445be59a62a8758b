//go:build !linux

package engine

// machineMemory is a guess that suits a machine bought to look at volumes.
func machineMemory() int64 { return 16 << 30 }
