package engine

import (
	"bufio"
	"fmt"
	"os"
)

// machineMemory is the memory of the machine in bytes; 8 GiB if the system does not say.
func machineMemory() int64 {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 8 << 30
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var kb int64
		if n, _ := fmt.Sscanf(s.Text(), "MemTotal: %d kB", &kb); n == 1 {
			return kb << 10
		}
	}
	return 8 << 30
}
