package store

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestContentRangesAreReadAsTheStandardSays(t *testing.T) {
	for text, want := range map[string]string{
		"bytes 0-99/1000": "0 100 1000 true", "bytes 5-5/6": "5 6 6 true", "bytes 0-99/*": "0 100 -1 true", "bytes */1000": "0 0 1000 true",
		"": "0 0 0 false", "bytes 9-5/10": "0 0 0 false", "bytes 0-10/10": "0 0 0 false", "bytes -5/10": "0 0 0 false", "items 0-1/2": "0 0 0 false",
		"bytes 0-1": "0 0 0 false", "bytes 0x1-2/3": "0 0 0 false", "bytes 0-9223372036854775807/*": "0 0 0 false", "bytes +1-2/3": "0 0 0 false",
	} {
		from, to, size, ok := contentRange(text)
		if got := fmt.Sprint(from, to, size, ok); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func FuzzContentRange(f *testing.F) {
	f.Add("bytes 0-99/1000")
	f.Add("bytes */0")
	f.Fuzz(func(t *testing.T, text string) {
		from, to, size, ok := contentRange(text)
		if !ok || from == 0 && to == 0 {
			return
		}
		if from < 0 || to <= from || size >= 0 && to > size {
			t.Fatalf("%q is %d to %d of %d", text, from, to, size)
		}
		again := fmt.Sprintf("bytes %d-%d/%d", from, to-1, size)
		if size < 0 {
			again = fmt.Sprintf("bytes %d-%d/*", from, to-1)
		}
		if a, b, c, ok := contentRange(again); !ok || a != from || b != to || c != size {
			t.Fatalf("%q comes back as %d to %d of %d", text, a, b, c)
		}
	})
}

func FuzzEntry(f *testing.F) {
	f.Add(formatEntry("key", []byte("data")), "key")
	f.Add([]byte(diskMagic), "")
	f.Fuzz(func(t *testing.T, p []byte, key string) {
		if data, ok := parseEntry(p, key); ok && !bytes.Equal(formatEntry(key, data), p) {
			t.Fatal("an entry that is none was read")
		}
		if data, ok := parseEntry(formatEntry(key, p), key); !ok || !bytes.Equal(data, p) {
			t.Fatal("an entry does not come back")
		}
	})
}

func FuzzAddress(f *testing.F) {
	for _, a := range []string{"https://u:p@h/a/b%20c?q", "s3://b/k", "gs://b", "http://[::1]:80/x", "http://h/%2e%2e/x"} {
		f.Add(a)
	}
	f.Fuzz(func(t *testing.T, address string) {
		if !IsAddress(address) {
			return
		}
		s, key, err := Remote(address, Web{CacheSize: -1})
		if err != nil {
			return
		}
		if key != "" && CheckKey(key) != nil {
			t.Fatalf("%q gives the key %q", address, key)
		}
		w := s.(*web)
		if _, err := http.NewRequest("GET", w.address(ask{key: "k/ü %"}), nil); err != nil && w.at.bucket != nil {
			t.Fatalf("%q asks for what is no address: %v", address, err)
		}
		s.Close()
	})
}

func TestRetryAfterIsSecondsOrADate(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, "-3": 0, "soon": 0, "Fri, 02 Jan 2026 03:04:15 GMT": 10 * time.Second, "Fri, 02 Jan 2026 03:00:00 GMT": 0,
	} {
		if got := retryAfter(text, now); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestBucketsOfAmazonHaveAHostEach(t *testing.T) {
	for _, name := range []string{"AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", t.TempDir())
	for _, c := range []struct{ region, name, key, want string }{
		{"", "bucket", "a b", "https://bucket.s3.us-east-1.amazonaws.com/a%20b"},
		{"eu-west-1", "bucket", "a+b", "https://bucket.s3.eu-west-1.amazonaws.com/a%2Bb"},
		{"eu-west-1", "dotted.name", "k", "https://s3.eu-west-1.amazonaws.com/dotted.name/k"},
		{"eu-west-1", "Old_Name", "", "https://s3.eu-west-1.amazonaws.com/Old_Name"},
	} {
		t.Setenv("AWS_REGION", c.region)
		b, err := newBucket("s3", c.name)
		if err != nil || b.address(c.key) != c.want {
			t.Errorf("%s in %q: %s, %v, want %s", c.name, c.region, b.address(c.key), err, c.want)
		}
	}
	t.Setenv("AWS_REGION", "eu-west-1")
	b, _ := newBucket("s3", "bucket")
	if b.moved("eu-west-1") || b.moved("evil.org/") || b.moved("") || !b.moved("us-west-2") || b.address("k") != "https://bucket.s3.us-west-2.amazonaws.com/k" {
		t.Errorf("a bucket that lies elsewhere: %s", b.address("k"))
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "me")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "shh")
	if b, err := newBucket("gs", "bucket"); err != nil || b.login != nil || b.address("k") != "https://storage.googleapis.com/bucket/k" {
		t.Errorf("gs: %v, %v", b, err)
	}
}

func TestASectionOfAnINIFileIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config")
	text := "a = outside\n[one]\na=1\n  a = nested\n# a = 2\n[ two ]\nb = x = y\n[one]\nc = 3"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(readINI(path, "one"), readINI(path, "two"), readINI(path, "three"), readINI(path+"x", "one")); got != "map[a:1 c:3] map[b:x = y] map[] map[]" {
		t.Error(got)
	}
	if strings.Contains(fmt.Sprint(readINI(path, "")), "outside") {
		t.Error("what stands before the first section was read")
	}
}
