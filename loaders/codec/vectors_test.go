package codec_test

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"
)

// A vector is bytes packed by another program, with what they unpack to. See testdata/vectors.py.
type vector struct {
	Name               string
	Packed, Raw        string
	Row, Samples, Size int
	Offset, Scale      float64

	packed, raw []byte
}

var readVectors = sync.OnceValues(func() ([]vector, error) {
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		return nil, err
	}
	var file struct {
		Raws    map[string]string
		Vectors []vector
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, err
	}
	for i := range file.Vectors {
		v := &file.Vectors[i]
		if v.packed, err = base64.StdEncoding.DecodeString(v.Packed); err == nil {
			v.raw, err = base64.StdEncoding.DecodeString(file.Raws[v.Raw])
		}
		if err != nil {
			return nil, err
		}
	}
	return file.Vectors, nil
})

// vectors are those whose name begins with a word.
func vectors(t testing.TB, word string) []vector {
	t.Helper()
	all, err := readVectors()
	if err != nil {
		t.Fatal(err)
	}
	var found []vector
	for _, v := range all {
		if v.Name == word || strings.HasPrefix(v.Name, word+" ") {
			found = append(found, v)
		}
	}
	if len(found) == 0 {
		t.Fatalf("no vectors for %s", word)
	}
	return found
}
