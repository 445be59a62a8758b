package engine

import "testing"

func TestWhatIsNeededAndWhatThereIsAreToldInOneUnit(t *testing.T) {
	for want, e := range map[string]MemoryError{
		"engine: memory: x needs 512 bytes, has 0: allow more memory or ask for less at once":   {"x", 512, -3},
		"engine: memory: x needs 163.0 KiB, has 0.5: allow more memory or ask for less at once": {"x", 163 << 10, 512},
		"engine: memory: x needs 8.0 MiB, has 0.2: allow more memory or ask for less at once":   {"x", 8 << 20, 200 << 10},
		"engine: memory: x needs 1.5 GiB, has 0.5: allow more memory or ask for less at once":   {"x", 3 << 29, 1 << 29},
	} {
		if got := e.Error(); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
