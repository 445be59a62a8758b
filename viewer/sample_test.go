package viewer

import (
	"sync/atomic"
	"testing"

	"lamella/lazy"
	"pgregory.net/rapid"
)

func TestASampleIsSpreadOverTheImage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60)
		f := zyx("any", lazy.U8, shape(n.Draw(t, "z"), n.Draw(t, "y"), n.Draw(t, "x")), nil)
		f.meta.Shape[lazy.T], f.meta.Shape[lazy.C] = n.Draw(t, "t"), 3
		f.meta.Chunk = lazy.Shape{1, 1, n.Draw(t, "chunk z"), n.Draw(t, "chunk y"), n.Draw(t, "chunk x")}
		for a := range lazy.Rank {
			f.meta.Chunk[a] = min(f.meta.Chunk[a], f.meta.Shape[a])
		}
		sc, err := NewScene(dataset(f), 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		most := rapid.IntRange(1, 200).Draw(t, "most")
		regions, of := sc.strata(1, most)
		if of != f.meta.Shape.Whole().With(lazy.C, 1, 2).Cells(f.meta.Chunk) || len(regions) > most || len(regions) == 0 || of <= most && len(regions) < (of+1)/2 {
			t.Fatalf("%d of %d chunks, at most %d", len(regions), of, most)
		}
		seen := map[lazy.Region]bool{}
		for _, r := range regions {
			if seen[r] || r.Empty() || !f.meta.Shape.Whole().Contains(r) || r.Min[lazy.C] != 1 {
				t.Fatalf("%v twice, or not in the image", r)
			}
			seen[r] = true
		}
	})
}

// A volume of 4000 planes whose values grow with z: a sample finds the range of all of it, and reads few chunks.
func deepRamp() (formula, *atomic.Int64) {
	f := zyx("deep ramp", lazy.U16, shape(4000, 8, 8), func(z, _, _ int) float64 { return float64(10 * z) })
	f.meta.Chunk, f.reads = shape(2, 8, 8), &atomic.Int64{}
	return f, f.reads
}

func TestTheHistogramOfTheWholeImageSaysHowMuchItSaw(t *testing.T) {
	f, reads := deepRamp()
	b := open(t, dataset(f), Options{})
	b.Act(Resize(32, 32))
	b.settled()
	b.Act(SampleWhole(true))
	b.until("the sample", func(_ *Frame, r Report) bool { return r.Sample.Seen == sampleMost })
	if s := b.report.Sample; s.Of != 2000 || s.Histogram.Least > 300 || s.Histogram.Most < 39700 {
		t.Errorf("%d of %d chunks: %v to %v", s.Seen, s.Of, s.Histogram.Least, s.Histogram.Most)
	}
	if n := reads.Load(); n > sampleMost+8 {
		t.Errorf("%d chunks were read", n)
	}
	if h := b.report.Histogram; h.Least != h.Most {
		t.Errorf("the histogram of the plane runs from %v to %v", h.Least, h.Most)
	}
}

func TestAutomaticLimitsOfTheWholeImageFitAllPlanes(t *testing.T) {
	f, reads := deepRamp()
	b := open(t, dataset(f), Options{})
	b.Act(Resize(32, 32))
	b.settled()
	if l := b.State().Channels[0].Limits; l.High > 20001 {
		t.Fatalf("the limits of the middle plane are %v", l)
	}
	b.Act(Automatic(0, Whole))
	b.settled()
	if l := b.State().Channels[0].Limits; l.Low > 4000 || l.High < 36000 {
		t.Errorf("the limits are %v, of 0 to 39990", l)
	}
	if n := reads.Load(); n > sampleFirst+8 {
		t.Errorf("%d chunks were read", n)
	}
}
