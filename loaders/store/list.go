package store

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// maxListed is how many names below a prefix are read: a folder with more is none that one looks through.
const maxListed = 200_000

// List asks a bucket what it holds (ListObjectsV2). A server of files cannot be asked.
func (w *web) List(ctx context.Context, prefix string) ([]Entry, error) {
	if w.at.bucket == nil {
		return nil, fmt.Errorf("store: %s: a web address cannot be listed, so give that of an image inside, or consolidate the metadata: %w", w.called(prefix), errors.ErrUnsupported)
	}
	if prefix != "" {
		if err := CheckKey(prefix); err != nil {
			return nil, fmt.Errorf("store: %s: %w", w.Name(), err)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(w.life, cancel)()
	folder := strings.TrimPrefix(below(w.at.path, prefix)+"/", "/")
	query := url.Values{"list-type": {"2"}, "delimiter": {"/"}, "prefix": {folder}}
	var entries []Entry
	for {
		page, err := w.page(ctx, query, prefix)
		if errors.Is(err, fs.ErrPermission) {
			err = fmt.Errorf("%w; name an image inside: %w", err, errors.ErrUnsupported)
		}
		if err != nil {
			if w.life.Err() != nil {
				err = ErrClosed
			}
			return nil, err
		}
		for _, f := range page.Folders {
			if name := strings.TrimSuffix(strings.TrimPrefix(f.Prefix, folder), "/"); CheckKey(name) == nil && !strings.Contains(name, "/") {
				entries = append(entries, Entry{Name: name, Dir: true})
			}
		}
		for _, o := range page.Objects {
			// An empty object called like the folder stands for it.
			if name := strings.TrimPrefix(o.Key, folder); CheckKey(name) == nil && !strings.Contains(name, "/") && o.Size >= 0 {
				entries = append(entries, Entry{Name: name, Regular: true})
			}
		}
		if len(entries) > maxListed {
			return nil, fmt.Errorf("store: %s: holds more than %d names: %w", w.called(prefix), maxListed, errors.ErrUnsupported)
		}
		if !page.Truncated {
			break
		}
		if page.Next == "" || page.Next == query.Get("continuation-token") {
			return nil, fmt.Errorf("store: %s: the listing says that it goes on, and not where", w.called(prefix))
		}
		query.Set("continuation-token", page.Next)
	}
	if len(entries) == 0 && prefix != "" {
		return nil, fmt.Errorf("store: %s: %w", w.called(prefix), fs.ErrNotExist)
	}
	slices.SortFunc(entries, func(a, b Entry) int { return NaturalCompare(a.Name, b.Name) })
	return entries, nil
}

// Sizes is all objects of a bucket's folder, by key, and how long they are. Other stores give errors.ErrUnsupported.
func Sizes(ctx context.Context, s Store) (map[string]int64, error) {
	w, ok := s.(*web)
	if !ok || w.at.bucket == nil {
		return nil, fmt.Errorf("store: %s: cannot be listed: %w", s.Name(), errors.ErrUnsupported)
	}
	folder := strings.TrimPrefix(w.at.path+"/", "/")
	query := url.Values{"list-type": {"2"}, "prefix": {folder}}
	all := map[string]int64{}
	for {
		page, err := w.page(ctx, query, "")
		if err != nil {
			return nil, err
		}
		for _, o := range page.Objects {
			all[strings.TrimPrefix(o.Key, folder)] = o.Size
		}
		if !page.Truncated {
			return all, nil
		}
		if page.Next == "" || page.Next == query.Get("continuation-token") {
			return nil, fmt.Errorf("store: %s: the listing says that it goes on, and not where", w.Name())
		}
		query.Set("continuation-token", page.Next)
	}
}

// A listing is one page of an answer of ListObjectsV2 (Amazon S3 API Reference).
type listing struct {
	Truncated bool   `xml:"IsTruncated"`
	Next      string `xml:"NextContinuationToken"`
	Objects   []struct {
		Key  string
		Size int64
	} `xml:"Contents"`
	Folders []struct{ Prefix string } `xml:"CommonPrefixes"`
}

// maxPage is more than a page of a thousand names of the longest kind takes.
const maxPage = 8 << 20

func (w *web) page(ctx context.Context, query url.Values, prefix string) (*listing, error) {
	var p *listing
	name := w.called(prefix)
	err := w.persist(ctx, name, func(ctx context.Context, alive func()) error {
		r, err := w.send(ctx, ask{key: prefix, list: query})
		if err != nil {
			return err
		}
		alive()
		defer r.Body.Close()
		if r.StatusCode != http.StatusOK {
			return fmt.Errorf("store: %s: the server answers %s to a listing", name, r.Status)
		}
		text, err := io.ReadAll(io.LimitReader(pulse{r.Body, alive}, maxPage))
		if err != nil {
			return passing{err: fmt.Errorf("the listing broke off: %w", unexpected(err))}
		}
		p = &listing{}
		if err := xml.Unmarshal(text, p); err != nil {
			return fmt.Errorf("store: %s: the listing cannot be read: %w", name, err)
		}
		return nil
	})
	return p, err
}
