package store_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lamella/loaders/store"
)

// A storage is a small S3: objects of one bucket, by range, signed or not, with listings of a few names a page.
type storage struct {
	*httptest.Server
	objects    map[string][]byte // by key
	region     string
	id, secret string // "" lets everybody read
	listing    bool   // may be listed; if not, 403 stands for what is missing
	writable   bool
	elsewhere  string // sends all requests there
}

func newStorage(t *testing.T, s *storage) *storage {
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	for _, name := range []string{"AWS_PROFILE", "AWS_DEFAULT_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
		"AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL_S3", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_NO_SIGN_REQUEST"} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("AWS_ENDPOINT_URL", s.URL)
	return s
}

func (s *storage) refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, `<?xml version="1.0"?><Error><Code>%s</Code><Message>because
of the test</Message></Error>`, code)
}

func (s *storage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	signed := r.Header.Get("Authorization") != ""
	switch {
	case s.elsewhere != "":
		http.Redirect(w, r, s.elsewhere, http.StatusTemporaryRedirect)
		return
	case signed && s.id == "":
		s.refuse(w, 403, "InvalidAccessKeyId")
		return
	case s.id != "" && !signed:
		s.refuse(w, 403, "AccessDenied")
		return
	case signed:
		if want := signature(r, s.id, s.secret, s.region); r.Header.Get("Authorization") != want {
			s.refuse(w, 403, "SignatureDoesNotMatch")
			return
		}
	}
	key, ok := strings.CutPrefix(r.URL.Path, "/bucket/")
	if !ok && r.URL.Path != "/bucket" {
		s.refuse(w, 404, "NoSuchBucket")
		return
	}
	if r.URL.Query().Get("list-type") == "2" {
		s.list(w, r)
		return
	}
	if r.Method == http.MethodPut || r.Method == http.MethodDelete {
		s.change(w, r, key)
		return
	}
	p, ok := s.objects[key]
	switch {
	case !ok && s.listing:
		s.refuse(w, 404, "NoSuchKey")
	case !ok:
		s.refuse(w, 403, "AccessDenied")
	default:
		w.Header().Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(p)))
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(p))
	}
}

// change puts an object, if its body is what was signed, or deletes it.
func (s *storage) change(w http.ResponseWriter, r *http.Request, key string) {
	p, err := io.ReadAll(r.Body)
	switch sum := r.Header.Get("X-Amz-Content-Sha256"); {
	case !s.writable:
		s.refuse(w, 403, "AccessDenied")
	case err != nil || int64(len(p)) != r.ContentLength:
		s.refuse(w, 400, "IncompleteBody")
	case sum != "" && sum != fmt.Sprintf("%x", sha256.Sum256(p)):
		s.refuse(w, 400, "XAmzContentSHA256Mismatch")
	case r.Method == http.MethodDelete:
		delete(s.objects, key)
		w.WriteHeader(http.StatusNoContent)
	default:
		s.objects[key] = p
	}
}

// list gives three names a page.
func (s *storage) list(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if !s.listing {
		s.refuse(w, 403, "AccessDenied")
		return
	}
	type object struct {
		Key  string
		Size int
	}
	type folder struct{ Prefix string }
	var answer struct {
		XMLName               xml.Name `xml:"ListBucketResult"`
		IsTruncated           bool
		NextContinuationToken string `xml:",omitempty"`
		Contents              []object
		CommonPrefixes        []folder
	}
	var keys []string
	for k := range s.objects {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	last := ""
	for _, k := range keys {
		rest, ok := strings.CutPrefix(k, q.Get("prefix"))
		if !ok {
			continue
		}
		name := k
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			name = q.Get("prefix") + rest[:i+1]
		}
		if name == last || name <= q.Get("continuation-token") {
			continue
		}
		if len(answer.Contents)+len(answer.CommonPrefixes) == 3 {
			answer.IsTruncated, answer.NextContinuationToken = true, last
			break
		}
		if last = name; strings.HasSuffix(name, "/") {
			answer.CommonPrefixes = append(answer.CommonPrefixes, folder{name})
		} else {
			answer.Contents = append(answer.Contents, object{k, len(s.objects[k])})
		}
	}
	xml.NewEncoder(w).Encode(answer)
}

// signature is the Authorization header that belongs to a request, made from what was received: written from Amazon's description of
// Signature Version 4, apart from the library that signs, and held against Amazon's own examples below.
func signature(r *http.Request, id, secret, region string) string {
	_, list, _ := strings.Cut(r.Header.Get("Authorization"), "SignedHeaders=")
	list, _, _ = strings.Cut(list, ",")
	var canonical strings.Builder
	query := strings.ReplaceAll(r.URL.Query().Encode(), "+", "%20")
	fmt.Fprintf(&canonical, "%s\n%s\n%s\n", r.Method, r.URL.EscapedPath(), query)
	for _, name := range strings.Split(list, ";") {
		value := strings.Join(strings.Fields(r.Header.Get(name)), " ")
		if name == "host" {
			value = r.Host
		}
		fmt.Fprintf(&canonical, "%s:%s\n", name, value)
	}
	payload := r.Header.Get("X-Amz-Content-Sha256")
	fmt.Fprintf(&canonical, "\n%s\n%s", list, payload)
	when := r.Header.Get("X-Amz-Date")
	scope := fmt.Sprintf("%.8s/%s/s3/aws4_request", when, region)
	text := fmt.Sprintf("AWS4-HMAC-SHA256\n%s\n%s\n%x", when, scope, sha256.Sum256([]byte(canonical.String())))
	key := []byte("AWS4" + secret)
	for _, step := range []string{when[:min(8, len(when))], region, "s3", "aws4_request"} {
		key = mac(key, step)
	}
	return fmt.Sprintf("AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%s", id, scope, list, hex.EncodeToString(mac(key, text)))
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// The examples are those of the Amazon S3 API Reference, "Authenticating Requests: Using the Authorization Header": GET Object with a
// range, GET Bucket (List Objects), and GET Bucket lifecycle.
func TestTheFakeStorageSignsAsAmazonsExamplesDo(t *testing.T) {
	const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	for _, c := range []struct{ address, headers, signature string }{
		{"https://examplebucket.s3.amazonaws.com/test.txt", "host;range;x-amz-content-sha256;x-amz-date", "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"},
		{"https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J", "host;x-amz-content-sha256;x-amz-date", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"},
		{"https://examplebucket.s3.amazonaws.com/?lifecycle", "host;x-amz-content-sha256;x-amz-date", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"},
	} {
		r := httptest.NewRequest(http.MethodGet, c.address, nil)
		r.Header.Set("Range", "bytes=0-9")
		r.Header.Set("X-Amz-Date", "20130524T000000Z")
		r.Header.Set("X-Amz-Content-Sha256", empty)
		r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=, SignedHeaders="+c.headers+", Signature=")
		got := signature(r, "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "us-east-1")
		if !strings.HasSuffix(got, "Signature="+c.signature) {
			t.Errorf("%s: %s, want %s", c.address, got, c.signature)
		}
	}
}

func bucket(t *testing.T, address string) store.Store {
	t.Helper()
	s, err := store.RemoteFolder(address, quick())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// images is a bucket with odd names in it.
func images() map[string][]byte {
	return map[string][]byte{
		"x.zarr/.zgroup": []byte("{}"), "x.zarr/0/.zarray": []byte("[]"), "x.zarr/0/0.0": noise(300_000), "x.zarr/10": nil, "x.zarr/9": nil,
		"x.zarr/a b+ü:@'(1)~%20.tif": []byte("odd"), "x.zarr/1/.zarray": nil, "y": nil,
	}
}

func TestABucketIsReadSignedAndAnonymously(t *testing.T) {
	for name, c := range map[string]struct {
		storage storage
		set     map[string]string
		files   map[string]string
	}{
		"public":                                {storage{}, nil, nil},
		"public, with a stranger's credentials": {storage{}, map[string]string{"AWS_ACCESS_KEY_ID": "me", "AWS_SECRET_ACCESS_KEY": "shh"}, nil},
		"public, and told not to sign":          {storage{}, map[string]string{"AWS_ACCESS_KEY_ID": "me", "AWS_SECRET_ACCESS_KEY": "shh", "AWS_NO_SIGN_REQUEST": "YES"}, nil},
		"with credentials of the environment": {storage{id: "me", secret: "s/h+h", region: "eu-west-9"},
			map[string]string{"AWS_ACCESS_KEY_ID": "me", "AWS_SECRET_ACCESS_KEY": "s/h+h", "AWS_REGION": "eu-west-9"}, nil},
		"with a session": {storage{id: "me", secret: "shh", region: "us-east-1"},
			map[string]string{"AWS_ACCESS_KEY_ID": "me", "AWS_SECRET_ACCESS_KEY": "shh", "AWS_SESSION_TOKEN": "to/ken=="}, nil},
		"with a profile": {storage{id: "lab", secret: "shh", region: "eu-1"}, map[string]string{"AWS_PROFILE": "lab"}, map[string]string{
			".aws/credentials": "# keys\n[default]\naws_access_key_id = no\naws_secret_access_key = no\n\n[lab]\naws_access_key_id=lab\naws_secret_access_key = shh\n",
			".aws/config":      "[default]\nregion=us-1\n[profile  lab]\nregion = eu-1\ns3 =\n  addressing_style = path\n  region = nested\n",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			c.storage.objects, c.storage.listing = images(), true
			newStorage(t, &c.storage)
			for k, v := range c.set {
				t.Setenv(k, v)
			}
			for k, v := range c.files {
				write(t, filepath.Join(os.Getenv("HOME"), k), v)
			}
			s := bucket(t, "s3://bucket/x.zarr/")
			if p, err := read(s, "0/0.0", 200_000, 100_000); err != nil || !bytes.Equal(p, noise(300_000)[200_000:]) {
				t.Fatal(err)
			}
			if p, err := s.Get(ctx, "a b+ü:@'(1)~%20.tif", 10); err != nil || string(p) != "odd" {
				t.Errorf("an odd name: %q, %v", p, err)
			}
			if _, err := s.Open(ctx, "none"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a missing object: %v", err)
			}
			list, err := s.List(ctx, "")
			if got := fmt.Sprint(list); err != nil || got != `[{.zgroup false true} {0 true false} {1 true false} {9 false true} {10 false true} {a b+ü:@'(1)~%20.tif false true}]` {
				t.Errorf("listed %s, %v", got, err)
			}
			if _, err := s.List(ctx, "none"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a missing folder: %v", err)
			}
		})
	}
}

func TestABucketThatMayNotBeListedAnswers403ForWhatIsMissing(t *testing.T) {
	newStorage(t, &storage{objects: images()})
	s := bucket(t, "s3://bucket/x.zarr")
	if _, err := s.Open(ctx, "zarr.json"); !errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "AWS_PROFILE") {
		t.Errorf("before anything was read: %v", err)
	}
	if _, err := s.Open(ctx, ".zgroup"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Open(ctx, "0/0.1"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "403") {
		t.Errorf("a missing chunk: %v", err)
	}
	if _, err := s.List(ctx, ""); !errors.Is(err, errors.ErrUnsupported) || !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a listing: %v", err)
	}
}

func TestRefusalsOfABucketAreSaid(t *testing.T) {
	for name, c := range map[string]struct {
		storage storage
		address string
		set     map[string]string
		want    string
	}{
		"wrong secret":   {storage{id: "me", secret: "right", region: "us-east-1"}, "s3://bucket", map[string]string{"AWS_ACCESS_KEY_ID": "me", "AWS_SECRET_ACCESS_KEY": "wrong"}, "SignatureDoesNotMatch because of the test"},
		"no credentials": {storage{id: "me", secret: "right"}, "s3://bucket", nil, "AccessDenied"},
		"sent elsewhere": {storage{elsewhere: "http://other.example.org/"}, "s3://bucket", map[string]string{"AWS_ACCESS_KEY_ID": "me", "AWS_SECRET_ACCESS_KEY": "shh"},
			"sends elsewhere to other.example.org"},
		"another bucket":  {storage{}, "s3://bouquet", nil, "there is no such bucket"},
		"no such profile": {storage{id: "me", secret: "right"}, "s3://bucket", map[string]string{"AWS_PROFILE": "ghost"}, "AccessDenied"},
	} {
		t.Run(name, func(t *testing.T) {
			c.storage.objects, c.storage.listing = images(), true
			newStorage(t, &c.storage)
			for k, v := range c.set {
				t.Setenv(k, v)
			}
			_, err := bucket(t, c.address).Open(ctx, "y")
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	t.Setenv("AWS_ENDPOINT_URL", "storage.example.org")
	if _, err := store.RemoteFolder("s3://bucket/x", quick()); err == nil || !strings.Contains(err.Error(), "AWS_ENDPOINT_URL") {
		t.Errorf("an endpoint without a scheme: %v", err)
	}
}
