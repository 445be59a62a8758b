package store

import (
	"context"
	"crypto/tls"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// passing is a failure that another attempt may mend.
type passing struct {
	err   error
	after time.Duration // the server asks to wait for so long
	few   bool          // more than some attempts are of no use
	moved bool          // part of what was asked for has come
	mute  bool          // there was no answer at all
}

func (p passing) Error() string { return p.err.Error() }
func (p passing) Unwrap() error { return p.err }

// An s3Error is what S3 writes into the body of a refusal.
type s3Error struct {
	Code, Message, Region string
}

// errDenied is S3's refusal, which also stands for what is not there.
var errDenied = fmt.Errorf("access denied: %w", fs.ErrPermission)

// refusal is the error of an answer that is none of 200, 206, 304 and 416.
func refusal(r *http.Response, name string) error {
	var why s3Error
	xml.NewDecoder(io.LimitReader(r.Body, 16<<10)).Decode(&why) // whatever else it is says nothing
	said := r.Status
	if why.Code != "" {
		said += " (" + strings.TrimSpace(why.Code+" "+strings.ReplaceAll(why.Message, "\n", " ")) + ")"
	}
	switch code := r.StatusCode; {
	case code >= 300 && code < 400:
		to := ""
		if u, err := url.Parse(r.Header.Get("Location")); err == nil && u.Host != "" {
			to = " to " + u.Host
		}
		return fmt.Errorf("store: %s: the server sends elsewhere%s (%s), where the credentials do not go; name that address, region or endpoint (AWS_REGION, AWS_ENDPOINT_URL)", name, to, said)
	case why.Code == "NoSuchBucket":
		return fmt.Errorf("store: %s: there is no such bucket: %s; check its name, and region and endpoint (AWS_REGION, AWS_ENDPOINT_URL)", name, said)
	case code == http.StatusNotFound || code == http.StatusGone:
		return fmt.Errorf("store: %s: %s: %w", name, r.Status, fs.ErrNotExist)
	case code == http.StatusForbidden && (why.Code == "RequestTimeTooSkewed"):
		return fmt.Errorf("store: %s: %s; set this computer's clock", name, said)
	case code == http.StatusForbidden && why.Code == "AccessDenied":
		return fmt.Errorf("store: %s: %w: %s", name, errDenied, said)
	case code == http.StatusUnauthorized || code == http.StatusForbidden || code == http.StatusProxyAuthRequired:
		return fmt.Errorf("store: %s: %w: %s", name, fs.ErrPermission, said)
	case code == http.StatusRequestTimeout || code == http.StatusTooEarly || code == http.StatusTooManyRequests || code >= 500 && code != http.StatusNotImplemented:
		return passing{err: fmt.Errorf("the server answers %s", said), after: retryAfter(r.Header.Get("Retry-After"), time.Now())}
	}
	return fmt.Errorf("store: %s: the server answers %s", name, said)
}

// retryAfter is the wait that a server asks for, in seconds or as a date (RFC 9110, section 10.2.3).
func retryAfter(text string, now time.Time) time.Duration {
	if n, err := strconv.Atoi(text); err == nil {
		return time.Duration(min(max(n, 0), 1<<20)) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// unsent is the error of a request that got no answer. What another attempt cannot mend is said as it is.
func unsent(err error, name string) error {
	if !errors.Is(err, errAddress) {
		err = unwrapURL(err)
	}
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &dns) && dns.IsNotFound:
		return fmt.Errorf("store: %s: there is no server %q; check the address and the network", name, dns.Name)
	case errors.As(err, &certificate):
		return fmt.Errorf("store: %s: the server cannot be trusted: %w", name, certificate.Err)
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return fmt.Errorf("store: %s: the server does not speak https; try http", name)
	case errors.Is(err, errRedirect), errors.Is(err, errAddress):
		return fmt.Errorf("store: %s: %w", name, err)
	}
	return passing{err: err, few: errors.Is(err, syscall.ECONNREFUSED), mute: true}
}

// unwrapURL is err without the address that packages net/url and net/http add: it may hold a password.
func unwrapURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// contentRange reads "bytes 0-99/1000" as the half-open range 0, 100 of 1000; an unknown length, "*", is -1
// (RFC 9110, section 14.4).
func contentRange(text string) (from, to, size int64, ok bool) {
	text, ok = strings.CutPrefix(text, "bytes ")
	part, whole, cut := strings.Cut(strings.TrimSpace(text), "/")
	if !ok || !cut {
		return 0, 0, 0, false
	}
	size = -1
	if whole != "*" {
		n, err := strconv.ParseUint(whole, 10, 63)
		if err != nil {
			return 0, 0, 0, false
		}
		size = int64(n)
	}
	if part == "*" { // of an answer that satisfies nothing
		return 0, 0, size, true
	}
	a, b, cut := strings.Cut(part, "-")
	low, err := strconv.ParseUint(a, 10, 63)
	high, err2 := strconv.ParseUint(b, 10, 62)
	if !cut || err != nil || err2 != nil || low > high || size >= 0 && high >= uint64(size) {
		return 0, 0, 0, false
	}
	return int64(low), int64(high) + 1, size, true
}
