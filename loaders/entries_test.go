package loaders_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"lamella/loaders"
)

func TestEntriesKeepTheFilesNamesAndOrder(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"members keep their order", `{"b":1,"a":"two"}`, "b=1|a=two"},
		{"a member of a member has both names", `{"ome":{"version":"0.5"}}`, "ome.version=0.5"},
		{"a short list is one entry", `{"scale":[1, 0.25,0.25]}`, "scale=1, 0.25, 0.25"},
		{"elements that are objects are counted", `{"axes":[{"name":"y"},{"name":"x"}]}`, "axes[0].name=y|axes[1].name=x"},
		{"an empty text says nothing", `{"a":"","b":null}`, "b=null"},
		{"what breaks off ends it", `{"a":1,"b":`, "a=1"},
		{"control characters are left out", `{"a":"x\u0000y\u001b"}`, "a=xy"},
	} {
		var e loaders.Entries
		e.AddJSON("", json.RawMessage(c.text))
		var got []string
		for _, x := range e.List() {
			got = append(got, x.Name+"="+x.Value)
		}
		if g := strings.Join(got, "|"); g != c.want {
			t.Errorf("%s: %q, want %q", c.name, g, c.want)
		}
	}
}

func TestEntriesAreBounded(t *testing.T) {
	var e loaders.Entries
	e.Add("long", strings.Repeat("µ", 1<<20))
	for i := range 1 << 16 {
		e.Add(fmt.Sprint(i), "x")
	}
	list := e.List()
	if len(list) > 2001 || len(list[0].Value) > 5000 || !strings.Contains(list[0].Value, "of 2097152 bytes") {
		t.Errorf("%d entries, the first of %d bytes", len(list), len(list[0].Value))
	}
	if last := list[len(list)-1]; !strings.Contains(last.Value, "left out") {
		t.Errorf("the last says %q", last.Value)
	}
	e = loaders.Entries{}
	e.AddJSON("", json.RawMessage(strings.Repeat("[[[{\"a\":", 1<<14)))
	if n := len(e.List()); n != 0 {
		t.Errorf("a text without an end gave %d entries", n)
	}
}
