package store

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// A bucket is where objects lie in a storage that speaks Amazon's S3, and who asks for them.
type bucket struct {
	name     string
	endpoint *url.URL // nil for Amazon itself

	mu     sync.Mutex
	region string
	login  *aws.Credentials // nil: anonymous
	proven bool             // something was read, so that the credentials, or their absence, are right
}

// google is where gs:// addresses lie: Google's storage speaks S3 too. Only public buckets are read, since
// what is known of credentials is meant for Amazon.
const google = "https://storage.googleapis.com"

// newBucket takes region, endpoint and credentials from the environment and from Amazon's files.
func newBucket(scheme, name string) (*bucket, error) {
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_") != "" {
		return nil, fmt.Errorf("names no bucket: write %s://bucket/key", scheme)
	}
	c := readAWS()
	if scheme == "gs" {
		c = awsConfig{endpoint: google, region: "auto"}
	}
	b := &bucket{name: name, region: first(c.region, "us-east-1")}
	if c.id != "" {
		b.login = &aws.Credentials{AccessKeyID: c.id, SecretAccessKey: c.secret, SessionToken: c.token}
	}
	if c.endpoint != "" {
		u, err := url.Parse(c.endpoint)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, fmt.Errorf("the endpoint %q is no address such as https://storage.example.org (AWS_ENDPOINT_URL)", Plain(c.endpoint))
		}
		b.endpoint = &url.URL{Scheme: u.Scheme, Host: u.Host, Path: strings.TrimSuffix(u.Path, "/")}
	}
	return b, nil
}

// address is that of an object, or of the bucket itself for "". Amazon's buckets have a host each, unless a dot in
// the name would make the host's certificate wrong; elsewhere the bucket is the first part of the path.
func (b *bucket) address(key string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.endpoint != nil:
		return below(b.endpoint.String()+"/"+b.name, escape(key))
	case strings.Contains(b.name, ".") || strings.Contains(b.name, "_") || strings.ToLower(b.name) != b.name:
		return below("https://s3."+b.region+".amazonaws.com/"+b.name, escape(key))
	}
	return "https://" + b.name + ".s3." + b.region + ".amazonaws.com/" + escape(key)
}

// emptyPayload is the SHA-256 of no bytes, which is what a GET sends.
const emptyPayload = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// sign puts the signature of version 4 on a request with a body of the SHA-256, and reports whether there are credentials to do so.
func (b *bucket) sign(ctx context.Context, r *http.Request, sum string) (bool, error) {
	b.mu.Lock()
	login, region := b.login, b.region
	b.mu.Unlock()
	if login == nil {
		return false, nil
	}
	r.Header.Set("X-Amz-Content-Sha256", sum)
	return true, v4.NewSigner().SignHTTP(ctx, *login, r, sum, "s3", region, time.Now(), func(o *v4.SignerOptions) {
		o.DisableURIPathEscaping = true // S3 signs the path as it is sent
	})
}

// moved takes over the region that an answer names, and reports whether that is another one.
func (b *bucket) moved(region string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if region == "" || region == b.region || strings.Trim(region, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return false
	}
	b.region = region
	return true
}

// prove notes that something was read, with the credentials or without: it stays so from then on.
func (b *bucket) prove(signed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.proven && !signed {
		b.login = nil
	}
	b.proven = true
}

// tried reports whether something was read already.
func (b *bucket) tried() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.proven
}
