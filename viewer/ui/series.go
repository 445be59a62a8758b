package ui

import (
	"fyne.io/fyne/v2"

	"lamella/lazy"
)

// seriesChoice chooses among the images of a file, above the picture. With one image it is not there.
type seriesChoice struct {
	box    *fyne.Container
	choice *choice
	set    *lazy.Dataset
	image  int
}

func newSeriesChoice(of *tips, show func(int)) *seriesChoice {
	c := &seriesChoice{}
	c.choice = newChoice(of, nil, Say("series.tip"), nil)
	c.choice.OnChanged = func(string) {
		if i := c.choice.SelectedIndex(); i >= 0 && i != c.image {
			show(i)
		}
	}
	c.box = fixed(240, around(nil, nil, nil, fixed(12, small("")), c.choice))
	c.box.Hide()
	return c
}

// update shows which of a dataset's images is on view.
func (c *seriesChoice) update(set *lazy.Dataset, img int) {
	if c.set != set {
		c.set, c.choice.Options = set, nil
		for i := range set.Images {
			c.choice.Options = append(c.choice.Options, group(i+1)+"  "+imageName(set, i))
		}
	}
	c.image = img
	c.choice.set(c.choice.Options[img])
	c.box.Hidden = len(set.Images) < 2
}

// imageName is what an image of a dataset is called, by its number if it has no name. Where others have the name too, as the
// fields of a plate do, its place in the file goes before it: "A/1/0  plate".
func imageName(set *lazy.Dataset, i int) string {
	img := set.Images[i]
	if img.Name != "" {
		if img.Path != "" && img.Path != img.Name && namedAlike(set, i) {
			return img.Path + "  " + img.Name
		}
		return img.Name
	}
	return Say("menu.series.nth", "N", group(i+1))
}

func namedAlike(set *lazy.Dataset, i int) bool {
	for k := range set.Images {
		if k != i && set.Images[k].Name == set.Images[i].Name {
			return true
		}
	}
	return false
}
