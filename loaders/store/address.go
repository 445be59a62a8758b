package store

import (
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
)

// Web says how addresses are read. The zero value holds the defaults, some of which the environment
// changes: LAMELLA_CACHE is the most the cache on disk may hold ("500MB"), or "off"; LAMELLA_CACHE_DIR is
// its folder; LAMELLA_PATIENCE is how long a server may say nothing ("30s").
type Web struct {
	Cache     string        // folder of the cache; "" is LAMELLA_CACHE_DIR, else one in the user's cache folder
	CacheSize int64         // bytes; 0 is LAMELLA_CACHE, else 2 GiB; a negative size switches it off
	Patience  time.Duration // until a server that says nothing is given up; 0 is LAMELLA_PATIENCE, else 30 s
	Pause     time.Duration // before the second attempt, doubled for each further one; 0 is 200 ms
	AtOnce    int           // requests in flight; 0 is 16
}

const (
	cacheDefault    = 2 << 30
	patienceDefault = 30 * time.Second
	pauseDefault    = 200 * time.Millisecond
	atOnceDefault   = 16
)

// complete fills in what the caller left to the environment and the defaults.
func (o Web) complete() (Web, error) {
	if size := os.Getenv("LAMELLA_CACHE"); o.CacheSize == 0 && size != "" {
		n, err := humanize.ParseBytes(size)
		switch {
		case strings.EqualFold(size, "off") || err == nil && n == 0:
			o.CacheSize = -1
		case err != nil || n > 1<<62:
			return o, fmt.Errorf("LAMELLA_CACHE is %q, which is neither a size such as 2GiB nor off", size)
		default:
			o.CacheSize = int64(n)
		}
	}
	if wait := os.Getenv("LAMELLA_PATIENCE"); o.Patience == 0 && wait != "" {
		d, err := time.ParseDuration(wait)
		if err != nil || d <= 0 {
			return o, fmt.Errorf("LAMELLA_PATIENCE is %q, which is no time such as 30s", wait)
		}
		o.Patience = d
	}
	if o.Cache == "" {
		o.Cache = os.Getenv("LAMELLA_CACHE_DIR")
	}
	if o.CacheSize == 0 {
		o.CacheSize = cacheDefault
	}
	if o.Patience == 0 {
		o.Patience = patienceDefault
	}
	if o.Pause == 0 {
		o.Pause = pauseDefault
	}
	if o.AtOnce <= 0 {
		o.AtOnce = atOnceDefault
	}
	return o, nil
}

// IsAddress reports whether a name is an address of the web: http, https, s3 or gs.
func IsAddress(name string) bool {
	scheme, rest, ok := strings.Cut(name, "://")
	if !ok || rest == "" {
		return false
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "s3", "gs":
		return true
	}
	return false
}

// Plain is an address without what is secret in it: the password, and the query, which may be a signature.
func Plain(address string) string {
	address, _, secret := strings.Cut(address, "?")
	if scheme, rest, ok := strings.Cut(address, "://"); ok {
		host, path, below := strings.Cut(rest, "/")
		if below {
			path = "/" + path
		}
		address = scheme + "://" + host[strings.LastIndexByte(host, '@')+1:] + path
	}
	if secret {
		address += "?…"
	}
	return address
}

// Remote is the store that an address lies in, and the key of the address in it: its last part. No request is
// made. The key is "" for the top of a server or bucket.
//
// In http(s):// a name is written as in a browser, "%20" for a space; s3:// and gs:// take the key as it is.
func Remote(address string, o Web) (Store, string, error) {
	o, err := o.complete()
	if err != nil {
		return nil, "", fmt.Errorf("store: %s: %w", Plain(address), err)
	}
	at, err := parseAddress(address)
	if err != nil {
		return nil, "", fmt.Errorf("store: %s: %w", Plain(address), err)
	}
	var last string
	if i := strings.LastIndexByte(strings.TrimSuffix(at.path, "/"), '/'); i >= 0 {
		at.path, last = at.path[:i], strings.Trim(at.path[i:], "/")
	} else {
		at.path, last = "", strings.Trim(at.path, "/")
	}
	if at.escaped {
		if last, err = url.PathUnescape(last); err != nil {
			return nil, "", fmt.Errorf("store: %s: %w", Plain(address), err)
		}
	}
	if last != "" {
		if err := CheckKey(last); err != nil {
			return nil, "", fmt.Errorf("store: %s: %w", Plain(address), err)
		}
	}
	return newWeb(at, o), last, nil
}

// RemoteFolder is the store of what lies below an address.
func RemoteFolder(address string, o Web) (Store, error) {
	o, err := o.complete()
	var at place
	if err == nil {
		at, err = parseAddress(address)
	}
	if err != nil {
		return nil, fmt.Errorf("store: %s: %w", Plain(address), err)
	}
	at.path = strings.TrimSuffix(at.path, "/")
	return newWeb(at, o), nil
}

// A place is a folder on the web.
type place struct {
	scheme  string        // http, https, or s3 for a bucket
	host    string        // of a server, with its port
	login   *url.Userinfo // for that server alone; nil if the address has none
	query   string        // goes with every request, such as a signature for a container
	bucket  *bucket       // nil for a server
	path    string        // "/a/b" without a slash at its end; for a bucket "a/b"
	escaped bool          // path is written as in an address
	name    string        // what comes before path in messages
}

func parseAddress(address string) (place, error) {
	scheme, rest, _ := strings.Cut(address, "://")
	scheme = strings.ToLower(scheme)
	if scheme == "s3" || scheme == "gs" {
		name, path, _ := strings.Cut(rest, "/")
		b, err := newBucket(scheme, name)
		return place{scheme: "s3", bucket: b, path: path, name: scheme + "://" + name}, err
	}
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return place{}, fmt.Errorf("is no address that can be read: %w", unwrapURL(err))
	case u.Host == "":
		return place{}, fmt.Errorf("names no server")
	}
	return place{
		scheme: scheme, host: u.Host, login: u.User, query: u.RawQuery, path: u.EscapedPath(), escaped: true,
		name: scheme + "://" + u.Host,
	}, nil
}

// escape writes a key as part of an address. All but letters, digits and -._~ are escaped, as Amazon's signature
// demands; every server understands that.
func escape(key string) string {
	var b strings.Builder
	for i := range len(key) {
		switch c := key[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~/", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// below joins the parts of an address.
func below(path, key string) string {
	if path == "" || key == "" {
		return path + key
	}
	return path + "/" + key
}
