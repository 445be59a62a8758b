package store

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

// client is shared, so that connections outlive a dataset. Its own patience is that of a network; silent
// servers are given up by attempt.
var client = sync.OnceValue(func() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         (&net.Dialer{Timeout: time.Minute, KeepAlive: 15 * time.Second}).DialContext,
			TLSHandshakeTimeout: time.Minute,
			MaxIdleConnsPerHost: 2 * atOnceDefault,
			IdleConnTimeout:     30 * time.Second,
			ForceAttemptHTTP2:   true,
			DisableCompression:  true, // ranges are those of the bytes as they are stored

			MaxResponseHeaderBytes: 1 << 20,
		},
		CheckRedirect: redirect,
	}
})

var errAddress = errors.New("no address that can be asked")

var errRedirect = errors.New("sends in circles, or to an address without encryption")

// redirect follows a server that sends elsewhere. A signature is good for one address alone, and a password goes to no other
// server than the one it was given for.
func redirect(r *http.Request, via []*http.Request) error {
	first := via[0]
	switch {
	case first.Header.Get("X-Amz-Content-Sha256") != "", first.Method != http.MethodGet: // which might become a GET
		return http.ErrUseLastResponse
	case len(via) >= 10, first.URL.Scheme == "https" && r.URL.Scheme != "https":
		return errRedirect
	}
	if r.URL.Scheme != first.URL.Scheme || r.URL.Host != first.URL.Host {
		r.Header.Del("Authorization")
	}
	return nil
}

// An ask is one GET.
type ask struct {
	key            string
	list           url.Values // asks a bucket for a listing instead
	from, to       int64      // bytes, half-open; the whole if to is 0
	etag, modified string     // of what is known already: a 304 says that it is still so
}

// send gives an answer of the status 200, 206, 304 or 416, whose body the caller closes. Other answers are errors.
func (w *web) send(ctx context.Context, q ask) (*http.Response, error) {
	name := w.called(q.key)
	for moves := 0; ; moves++ {
		r, signed, err := w.knock(ctx, q, true)
		b := w.at.bucket
		if err == nil && r.StatusCode == http.StatusForbidden && signed && !b.tried() {
			// Public buckets refuse the credentials of strangers.
			if open, _, err := w.knock(ctx, q, false); err == nil && open.StatusCode < 300 {
				r.Body.Close()
				r, signed = open, false
			} else if err == nil {
				open.Body.Close()
			}
		}
		if err != nil {
			return nil, unsent(err, name)
		}
		switch r.StatusCode {
		case http.StatusOK, http.StatusPartialContent, http.StatusNotModified, http.StatusRequestedRangeNotSatisfiable:
			if b != nil {
				b.prove(signed)
			}
			w.answered.Store(true)
			return r, nil
		}
		if b != nil && b.endpoint == nil && moves < 2 && b.moved(r.Header.Get("X-Amz-Bucket-Region")) {
			r.Body.Close()
			continue
		}
		err = refusal(r, name)
		io.CopyN(io.Discard, r.Body, 64<<10) // a connection that was read to the end is used again
		r.Body.Close()
		return nil, err
	}
}

// knock sends a request once, with credentials if there are some and they are wanted.
func (w *web) knock(ctx context.Context, q ask, login bool) (*http.Response, bool, error) {
	traffic.requests.Add(1)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.address(q), nil)
	if err != nil {
		return nil, false, fmt.Errorf("%w: %w", errAddress, unwrapURL(err))
	}
	r.Header.Set("User-Agent", "lamella")
	r.Header.Set("Accept-Encoding", "identity")
	if q.to > 0 {
		r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", q.from, q.to-1))
	}
	if q.etag != "" {
		r.Header.Set("If-None-Match", q.etag)
	} else if q.modified != "" {
		r.Header.Set("If-Modified-Since", q.modified)
	}
	sum := ""
	if login {
		sum = emptyPayload
	}
	return w.dispatch(ctx, r, sum)
}

// dispatch sends a request, to a server with the name and password of its address, to a bucket signed, unless sum is "": it is
// the SHA-256 of what is sent, as the signature wants it.
func (w *web) dispatch(ctx context.Context, r *http.Request, sum string) (_ *http.Response, signed bool, err error) {
	if b := w.at.bucket; b != nil && sum != "" {
		signed, err = b.sign(ctx, r, sum)
	} else if u := w.at.login; u != nil {
		password, _ := u.Password()
		r.Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(u.Username()+":"+password)))
	}
	if err != nil {
		return nil, signed, err
	}
	answer, err := client().Do(r)
	return answer, signed, err
}

// Attempts at one request, and at one whose server refuses connections.
const (
	attempts    = 6
	fewAttempts = 3
)

var errSilent = errors.New("no answer")

// persist makes attempts until one succeeds or fails for good: with pauses that double, or as long as the
// server asks for, and no longer than the patience. do calls alive whenever something came.
func (w *web) persist(ctx context.Context, name string, do func(ctx context.Context, alive func()) error) error {
	begun := time.Now()
	pause := w.o.Pause
	for n := 1; ; n++ {
		if err := w.down(); err != nil {
			return err
		}
		err := w.attempt(ctx, do)
		var p passing
		if err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil || !errors.As(err, &p) {
			return err
		}
		if p.moved {
			begun, n, pause = time.Now(), 0, w.o.Pause
		}
		wait := max(p.after, pause/2+rand.N(pause/2+1))
		if n >= attempts || p.few && n >= fewAttempts || time.Since(begun)+wait > w.o.Patience {
			asked := ""
			if p.after > 0 {
				asked = fmt.Sprintf(", and asks to wait %s", p.after)
			}
			err = fmt.Errorf("store: %s: given up after %d attempts in %s: %w%s; check the network and the server, or try again later",
				name, max(n, 1), time.Since(begun).Round(time.Millisecond), p.err, asked)
			if p.mute {
				w.fell(err)
			}
			return err
		}
		traffic.retries.Add(1)
		if err := sleep(ctx, wait); err != nil {
			return err
		}
		pause *= 2
	}
}

// attempt runs do with one of the places for requests in flight. It ends do when nothing came for half the patience, so
// that a server that fell asleep is asked once more.
func (w *web) attempt(ctx context.Context, do func(ctx context.Context, alive func()) error) error {
	select {
	case w.slots <- struct{}{}:
		defer func() { <-w.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	silence := w.o.Patience / 2
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(silence, func() { cancel(errSilent) })
	defer watch.Stop()
	heard := false
	err := do(ctx, func() {
		heard = true
		watch.Reset(silence)
	})
	if err != nil && context.Cause(ctx) == errSilent {
		moved := false
		if p := (passing{}); errors.As(err, &p) {
			moved = p.moved
		}
		return passing{err: fmt.Errorf("%w for %s", errSilent, silence), mute: !heard, moved: moved}
	}
	return err
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A pulse reads a body and tells of every piece.
type pulse struct {
	from  io.Reader
	alive func()
}

func (p pulse) Read(b []byte) (int, error) {
	n, err := p.from.Read(b)
	if n > 0 {
		p.alive()
		traffic.bytes.Add(int64(n))
	}
	return n, err
}

var traffic struct{ requests, retries, bytes, cached atomic.Int64 }

// Traffic is what all addresses together have cost since the program began.
type Traffic struct {
	Requests, Retries int64
	Bytes             int64 // that came over the network
	Cached            int64 // bytes that the cache on disk had instead
}

// NetworkTraffic is the traffic so far.
func NetworkTraffic() Traffic {
	return Traffic{traffic.requests.Load(), traffic.retries.Load(), traffic.bytes.Load(), traffic.cached.Load()}
}
