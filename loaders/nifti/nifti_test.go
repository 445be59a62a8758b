package nifti_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
)

func TestFilesOfNibabelHaveItsVoxels(t *testing.T) { loadertest.Golden(t, registry, "testdata") }

func TestEveryLawOfTheDoor(t *testing.T) {
	for _, name := range []string{"i2_be_n1.nii", "4d_ms.nii.gz", "rgb.nii", "scaled_i2.nii", "scaled_u1.nii.gz", "5d.nii"} {
		t.Run(name, func(t *testing.T) {
			loadertest.Run(t, loadertest.Case{Registry: registry, Path: "testdata/" + name})
		})
	}
}

// edited is a file of testdata with some bytes changed.
func edited(t *testing.T, name string, at int, bytes ...byte) string {
	t.Helper()
	p, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	copy(p[at:], bytes)
	path := filepath.Join(t.TempDir(), "bad.nii")
	if err := os.WriteFile(path, p, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestWhatCannotBeIsRefusedWithItsReason(t *testing.T) {
	for _, c := range []struct {
		name, want string
		at         int
		bytes      []byte
	}{
		{"no dimension", "dim[0]", 40, []byte{0, 0}},
		{"eight dimensions", "dim[0]", 40, []byte{8, 0}},
		{"a negative length", "dim[1] is -5", 42, []byte{0xfb, 0xff}},
		{"a length of 0", "dim[2] is 0", 44, []byte{0, 0}},
		{"seven dimensions", "dim[7] is 2", 40, []byte{7, 0, 5, 0, 4, 0, 3, 0, 1, 0, 1, 0, 1, 0, 2, 0}},
		{"more voxels than bytes", "need more than the file's", 42, []byte{0xff, 0x7f}},
		{"a type that is none", "datatype 77", 70, []byte{77, 0}},
		{"single bits", "one bit a voxel", 70, []byte{1, 0}},
		{"complex numbers", "complex numbers", 70, []byte{32, 0}},
		{"numbers of 128 bits", "128 bits", 70, []byte{0, 6}},
		{"an offset that is no number", "vox_offset is NaN", 108, []byte{0, 0, 0xc0, 0x7f}},
		{"a negative offset", "vox_offset is -", 108, []byte{0, 0, 0, 0xc0}},
		{"half an offset", "vox_offset is 0.5", 108, []byte{0, 0, 0, 0x3f}},
		{"an offset beyond all files", "vox_offset is", 108, []byte{0, 0, 0, 0x7f}},
		{"an offset beyond this file", "need more than the file's", 108, []byte{0, 0, 0x80, 0x4b}},
		{"voxels in a file that is not there", "file beside the header", 344, []byte("ni1")},
	} {
		_, err := registry.Open(context.Background(), edited(t, "i2_le_n1.nii", c.at, c.bytes...), loaders.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "bad.nii") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestWhatIsOddOpensAndIsSaid(t *testing.T) {
	for _, c := range []struct {
		name, want string
		at         int
		bytes      []byte
	}{
		{"a voxel of no size", "pixdim is", 80, []byte{0, 0, 0, 0}},
		{"a negative size", "without its sign", 80, []byte{0, 0, 0, 0xbf}},
		{"a size that is no number", "pixdim is [NaN", 80, []byte{0, 0, 0xc0, 0x7f}},
		{"bits of another type", "bitpix is 32", 72, []byte{32, 0}},
		{"an offset within the header", "within the header", 108, []byte{0, 0, 0x80, 0x3f}},
		{"a sform of other voxels", "sform has voxels of 0.25", 280, []byte{0, 0, 0x80, 0x3e}},
	} {
		set, err := registry.Open(context.Background(), edited(t, "i2_le_n1.nii", c.at, c.bytes...), loaders.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if said := strings.Join(set.Warnings, " "); !strings.Contains(said, c.want) {
			t.Errorf("%s: it says %q, want %q", c.name, said, c.want)
		}
		m := set.Images[0].Levels[0].Array.Meta()
		if x := m.Scale[lazy.X]; c.at == 80 && x != 0 && !(c.bytes[3] == 0xbf && x == 500) {
			t.Errorf("%s: the size along x is %v", c.name, x)
		}
		set.Close()
	}
}

func TestLabelsAreKnownByTheirIntent(t *testing.T) {
	set, err := registry.Open(context.Background(), edited(t, "i2_le_n1.nii", 68, 0xea, 0x03), loaders.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	if !set.Images[0].Levels[0].Array.Meta().Labels {
		t.Error("intent 1002 is not taken for labels")
	}
}

func TestTheUsersAxesWin(t *testing.T) {
	set, err := registry.Open(context.Background(), "testdata/4d_ms.nii.gz", loaders.Options{Axes: "czyx"})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	if m := set.Images[0].Levels[0].Array.Meta(); m.Shape != (lazy.Shape{1, 2, 5, 3, 4}) || m.Scale[lazy.C] != 0 || m.Scale[lazy.T] != 0 {
		t.Errorf("%v, %v apart", m.Shape, m.Scale)
	}
}

func FuzzOpenNeverPanics(f *testing.F) {
	for _, name := range []string{"i2_be_n1.nii", "f8_le_n2.nii", "4d_ms.nii.gz", "rgb_4d.nii", "scaled_i2.nii", "oblique_qform.nii", "5d.nii"} {
		p, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p []byte) { loadertest.Hostile(t, registry, "f.nii", p) })
}
