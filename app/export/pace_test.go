package export

import (
	"fmt"
	"testing"
	"time"
)

func TestThePaceIsThatOfThisRunAlone(t *testing.T) {
	var p Pace
	at := time.Unix(1000, 0)
	for _, c := range []struct {
		done, total, second int
		want                string
	}{
		{600, 1000, 0, "0s false"}, // an earlier run did them
		{600, 1000, 9, "0s false"},
		{610, 1000, 10, "6m30s true"},
		{700, 1000, 50, "2m30s true"},
		{1000, 1000, 200, "0s true"},
		{0, 1110, 200, "0s false"}, // verifying
		{111, 1110, 201, "9s true"},
	} {
		left, known := p.Left(c.done, c.total, at.Add(time.Duration(c.second)*time.Second))
		if got := fmt.Sprint(left, known); got != c.want {
			t.Errorf("%d of %d after %d s: %s, want %s", c.done, c.total, c.second, got, c.want)
		}
	}
	if r := p.Rate(); r != 111 {
		t.Errorf("%v parts a second", r)
	}
}
