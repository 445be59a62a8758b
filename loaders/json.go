package loaders

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// PlainJSON gives JSON that others can read of what Python writes: NaN, Infinity and -Infinity, which are no JSON, become
// null. A text without them is given back as it is.
func PlainJSON(text []byte) []byte { return bareNumbers(text, func([]byte) string { return "null" }) }

// QuotedJSON is PlainJSON with the names kept as texts, for a value that may be one of them.
func QuotedJSON(text []byte) []byte {
	return bareNumbers(text, func(name []byte) string { return `"` + string(name) + `"` })
}

var bare = [][]byte{[]byte("NaN"), []byte("Infinity"), []byte("-Infinity")}

func bareNumbers(text []byte, instead func(name []byte) string) []byte {
	if !bytes.Contains(text, bare[0]) && !bytes.Contains(text, bare[1]) {
		return text
	}
	var out []byte
	done, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch {
		case quoted && text[i] == '\\':
			i++
		case text[i] == '"':
			quoted = !quoted
		case !quoted:
			for _, name := range bare {
				if bytes.HasPrefix(text[i:], name) {
					out = append(append(out, text[done:i]...), instead(name)...)
					i += len(name) - 1
					done = i + 1
					break
				}
			}
		}
	}
	return append(out, text[done:]...)
}

// ReasonJSON says why JSON could not be decoded in the words of the file, not of the program.
func ReasonJSON(err error) string {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &kind):
		name := strings.TrimSpace(kind.Field)
		if name == "" {
			name = "it"
		} else {
			name = `"` + name + `"`
		}
		return fmt.Sprintf("%s is %s where %s is expected", name, jsonWords(kind.Value), jsonKinds[kind.Type.Kind()])
	case errors.As(err, &syntax):
		return fmt.Sprintf("it is no JSON at byte %d: %v", syntax.Offset, syntax)
	}
	return err.Error()
}

// jsonWords is a value as the decoder tells it: "string", "number 4.5", "object", "array", "bool".
func jsonWords(value string) string {
	switch value {
	case "string":
		return "a text"
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "bool":
		return "true or false"
	case "number":
		return "a number"
	}
	return "the " + value
}

var jsonKinds = map[reflect.Kind]string{
	reflect.String: "a text", reflect.Slice: "a list", reflect.Array: "a list", reflect.Struct: "an object", reflect.Map: "an object",
	reflect.Bool: "true or false", reflect.Float64: "a number", reflect.Int: "a whole number", reflect.Int64: "a whole number", reflect.Pointer: "another value",
}
