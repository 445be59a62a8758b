package loaders_test

import (
	"encoding/json"
	"testing"

	"lamella/loaders"
)

func TestNumbersThatAreNoJSONAreReadAsPythonWritesThem(t *testing.T) {
	for _, c := range []struct{ text, plain, quoted string }{
		{`{"a": 1}`, `{"a": 1}`, `{"a": 1}`},
		{`{"a": NaN}`, `{"a": null}`, `{"a": "NaN"}`},
		{`[-Infinity, Infinity,NaN]`, `[null, null,null]`, `["-Infinity", "Infinity","NaN"]`},
		{`{"NaN": "to Infinity", "b": NaN}`, `{"NaN": "to Infinity", "b": null}`, `{"NaN": "to Infinity", "b": "NaN"}`},
		{`{"a\"": NaN, "NaN\\": NaN`, `{"a\"": null, "NaN\\": null`, `{"a\"": "NaN", "NaN\\": "NaN"`},
		{`"NaN`, `"NaN`, `"NaN`},
		{`NaN\`, `null\`, `"NaN"\`},
	} {
		if got := string(loaders.PlainJSON([]byte(c.text))); got != c.plain {
			t.Errorf("%s becomes %s, want %s", c.text, got, c.plain)
		}
		if got := string(loaders.QuotedJSON([]byte(c.text))); got != c.quoted {
			t.Errorf("%s becomes %s with texts, want %s", c.text, got, c.quoted)
		}
	}
}

func TestWhatIsWrongWithJSONIsToldInItsOwnWords(t *testing.T) {
	type scale struct {
		Scale []float64 `json:"scale"`
		Name  string    `json:"name"`
		Size  int64     `json:"size"`
	}
	for _, c := range []struct{ text, want string }{
		{`{"scale": "x"}`, `"scale" is a text where a list is expected`},
		{`{"scale": ["x"]}`, `"scale" is a text where a number is expected`},
		{`{"name": {}}`, `"name" is an object where a text is expected`},
		{`{"size": 4.5}`, `"size" is the number 4.5 where a whole number is expected`},
		{`[]`, `it is a list where an object is expected`},
		{`{"size": 4`, `it is no JSON at byte 10: unexpected end of JSON input`},
	} {
		var into scale
		err := json.Unmarshal([]byte(c.text), &into)
		if got := loaders.ReasonJSON(err); got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}
