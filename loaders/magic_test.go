package loaders

import (
	"strings"
	"testing"
)

func TestContainersOfMakersAreNamedWithTheWayOut(t *testing.T) {
	pad := strings.Repeat("\x00", 64)
	for _, c := range []struct{ head, says string }{
		{"ZISRAWFILE" + pad, "is a Zeiss CZI file; convert it with bioformats2raw"},
		{"\xda\xce\xbe\x0a" + pad, "Nikon ND2"},
		{"\x70\x00\x00\x00\x10\x00\x00\x00\x2a" + pad, "Leica LIF"},
		{"OLYMPUSRAWFORMAT" + pad, "Olympus OIR"},
		{"SIS\x00" + pad, "VSI"},
		{"OMAS_BF\n\xff\xff" + pad, "OBF"},
		{"Andor Technology Multi-Channel File\n", "SIF"},
		{"PQTTTR\x00\x00" + pad, "PicoQuant"},
		{"\x00\x00\x00\x03\x00\x01\x02\x03\x00\x00\x00\x01" + pad, "DM3"},
		{"\x00\x00\x00\x04\x00\x00\x00\x00\x00\x01\x02\x03\x00\x00\x00\x01" + pad, "DM4"},
		{"\x00\x00\x00\x03\x00\x01\x02\x03\x00\x00\x00\x07" + pad, ""},
		{"\x70\x00\x00\x01\x10\x00\x00\x00\x2a" + pad, ""},
		{"", "is empty"},
		{"<!DOCTYPE html><html>", "is a web page"},
		{"\xef\xbb\xbf\r\n <HTML lang=en>", "is a web page"},
		{"<SpimData version=\"0.2\">", ""},
	} {
		if got := Unreadable([]byte(c.head)); !strings.Contains(got, c.says) || c.says == "" && got != "" {
			t.Errorf("%.20q: %q, want %q", c.head, got, c.says)
		}
	}
}
