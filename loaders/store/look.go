package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"sync/atomic"
)

const (
	// maxWhole is the largest object that is read from a server that does not give parts: it comes whole.
	maxWhole = 64 << 20

	// maxAppetite is the most that is asked for when an object is opened.
	maxAppetite = 8 << 20
)

var errPacked = errors.New("a part of what is packed for the transfer")

// look asks for the beginning of an object and learns from the answer what it is: one request, and no HEAD, which
// many servers do not allow. known is the object as it was before, nil if it was never seen; if it is still the
// same, it is given back.
func (w *web) look(ctx context.Context, key string, known *object, meter *atomic.Int64) (*object, error) {
	name := w.called(key)
	if known == nil {
		known = w.recall(key)
	}
	var found *object
	err := w.persist(ctx, name, func(ctx context.Context, alive func()) error {
		q := ask{key: key, to: w.appetite.Load()}
		if known != nil {
			q.etag, q.modified = known.etag, known.modified
		}
		r, err := w.send(ctx, q)
		if err != nil {
			return err
		}
		alive()
		defer r.Body.Close()
		found, err = w.meet(r, key, known, q, pulse{r.Body, alive}, meter)
		return err
	})
	if errors.Is(err, errPacked) {
		err = w.persist(ctx, name, func(ctx context.Context, alive func()) error {
			r, err := w.send(ctx, ask{key: key})
			if err != nil {
				return err
			}
			defer r.Body.Close()
			if r.StatusCode != http.StatusOK {
				return fmt.Errorf("store: %s: the server answers %s to a request for the whole", name, r.Status)
			}
			found, err = w.takeWhole(r, key, known, pulse{r.Body, alive}, meter)
			return err
		})
	}
	if err != nil {
		return nil, w.missing(err, name)
	}
	if found != known {
		w.record(found)
	}
	return found, nil
}

// missing decides what a refusal means. S3 answers 403 for objects that are not there, unless one may list the bucket;
// once something could be read, that is what it says.
func (w *web) missing(err error, name string) error {
	switch {
	case !errors.Is(err, fs.ErrPermission):
	case w.answered.Load() && errors.Is(err, errDenied):
		return fmt.Errorf("store: %s: 403 Forbidden, which S3 also answers for what is not there: %w", name, fs.ErrNotExist)
	case w.at.bucket != nil:
		return fmt.Errorf("%w; check the address, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, if it is not public", err)
	}
	return err
}

// meet makes an object of the answer to a request for its beginning.
func (w *web) meet(r *http.Response, key string, known *object, q ask, body io.Reader, meter *atomic.Int64) (*object, error) {
	name := w.called(key)
	switch r.StatusCode {
	case http.StatusNotModified:
		if known == nil {
			return nil, fmt.Errorf("store: %s: the server says that it has not changed, which nobody asked", name)
		}
		return known, nil
	case http.StatusOK:
		return w.takeWhole(r, key, known, body, meter)
	}
	from, to, size, ok := contentRange(r.Header.Get("Content-Range"))
	if r.StatusCode == http.StatusRequestedRangeNotSatisfiable {
		if ok && size > 0 {
			return nil, fmt.Errorf("store: %s: the server cannot give the first of its %d bytes (416)", name, size)
		}
		o := w.newObject(r, key, 0, nil)
		o.ranged = true
		return o, nil // there is no first byte
	}
	switch {
	case packedAs(r) != "":
		return nil, errPacked
	case !ok || from != 0 || to > q.to:
		return nil, fmt.Errorf("store: %s: asked for its first %d bytes, the server gives %q", name, q.to, r.Header.Get("Content-Range"))
	case size < 0:
		return nil, errPacked // without a length it is read as a stream is
	case r.ContentLength >= 0 && r.ContentLength != to:
		return nil, fmt.Errorf("store: %s: the server announces %q and sends %d bytes", name, r.Header.Get("Content-Range"), r.ContentLength)
	}
	p := make([]byte, to)
	if n, err := io.ReadFull(body, p); err != nil {
		return nil, passing{err: fmt.Errorf("the connection broke off after %d of %d bytes: %w", n, to, unexpected(err))}
	}
	o := w.newObject(r, key, size, p)
	o.ranged = true
	return w.settle(o, known, p, meter), nil
}

// takeWhole makes an object of an answer that is all of it.
func (w *web) takeWhole(r *http.Response, key string, known *object, body io.Reader, meter *atomic.Int64) (*object, error) {
	name := w.called(key)
	if r.ContentLength > maxWhole {
		return nil, fmt.Errorf("store: %s: the server gives files whole only (no range requests), and this one has %d bytes; download it and open the copy", name, r.ContentLength)
	}
	body, err := unpack(r, body, name)
	if err != nil {
		return nil, err
	}
	p, err := io.ReadAll(io.LimitReader(body, maxWhole+1))
	switch {
	case err != nil:
		return nil, passing{err: fmt.Errorf("the connection broke off after %d bytes: %w", len(p), unexpected(err))}
	case len(p) > maxWhole:
		return nil, fmt.Errorf("store: %s: the server gives files whole only (no range requests), and this one has more than %d bytes; download it and open the copy", name, maxWhole)
	}
	return w.settle(w.newObject(r, key, int64(len(p)), p), known, p, meter), nil
}

// settle keeps the bytes that came with an object, which is the known one if that has not changed.
func (w *web) settle(o, known *object, p []byte, meter *atomic.Int64) *object {
	if known != nil && known.tag == o.tag && known.size == o.size && known.ranged == o.ranged {
		o = known
	}
	count(meter, len(p))
	for n := int64(0); n*blockSize < int64(len(p)); n++ {
		end := min((n+1)*blockSize, int64(len(p)))
		if end < o.size && end%blockSize != 0 {
			break // a part of a block
		}
		// What is kept of a long answer must not hold on to all of it.
		b := bytes.Clone(p[n*blockSize : end])
		recents.add(o, n, b)
		o.save(n, b)
	}
	return o
}

// newObject is what an answer says of an object.
func (w *web) newObject(r *http.Response, key string, size int64, beginning []byte) *object {
	o := &object{
		web: w, key: key, name: w.called(key), size: size, blocks: map[int64]*block{},
		etag: r.Header.Get("ETag"), modified: r.Header.Get("Last-Modified"),
	}
	switch {
	case o.etag != "":
		o.tag, o.stable = "etag "+o.etag, true
	case o.modified != "":
		o.tag, o.stable = "modified "+o.modified, true
	default:
		// Nothing but its beginning tells this object from a later one of the name.
		d := sha256.Sum256(beginning[:min(len(beginning), blockSize)])
		o.tag = fmt.Sprintf("sha256 %x", d[:12])
	}
	return o
}

// packedAs is how a server has packed a body for the transfer, although it was asked not to; "" if it has not.
func packedAs(r *http.Response) string {
	how := strings.ToLower(strings.TrimSpace(r.Header.Get("Content-Encoding")))
	if how == "identity" || how == "aws-chunked" {
		return ""
	}
	return how
}

// unpack reads a body as it was before the transfer. What comes out is bounded by the reader.
func unpack(r *http.Response, body io.Reader, name string) (io.Reader, error) {
	switch how := packedAs(r); how {
	case "":
		return body, nil
	case "gzip", "x-gzip":
		z, err := gzip.NewReader(body)
		if err != nil {
			return nil, passing{err: fmt.Errorf("what is called gzip is none: %w", unexpected(err))}
		}
		return z, nil
	default:
		return nil, fmt.Errorf("store: %s: the server sends it packed as %q, which cannot be read; download it and open the copy", name, how)
	}
}
