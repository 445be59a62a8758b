package ui

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestReasonsThatUsersMeetAreSaidInTheLanguageOfTheWindow(t *testing.T) {
	path := func(op string, err error) error { return &fs.PathError{Op: op, Path: "/data/a.tif", Err: err} }
	for _, c := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("loaders: a.tif: %w", syscall.ENOENT), "a.tif：文件不存在"},
		{fmt.Errorf("tiff: opening a.tif: %w", path("open", syscall.EACCES)), "打开 a.tif：打开 /data/a.tif：没有权限"},
		{fmt.Errorf("writing /data/a.tif: %w", path("write", syscall.ENOSPC)), "写入 /data/a.tif：写入 /data/a.tif：磁盘空间不足"},
		{fmt.Errorf("export: writing /none/x.npy: its folder: %w", &fs.PathError{Op: "stat", Path: "/none", Err: syscall.ENOENT}), "写入 /none/x.npy：所在文件夹：查看 /none：文件不存在"},
		{errors.New("loaders: a.txt: its content is of no kind that is known here; convert it with bioformats2raw (to OME-Zarr) or bfconvert (to OME-TIFF), or give its layout if it is raw: not a format that can be read"), "a.txt：其内容不属于这里已知的任何类型：请用 bioformats2raw（转为 OME-Zarr）或 bfconvert（转为 OME-TIFF）转换，若是原始数据请给出其布局"},
		{errors.New("engine: memory: a plane needs 3.2 GB, has 1.0: allow more memory or ask for less at once"), "内存：a plane 需要 3.2 GB，只有 1.0：请允许使用更多内存，或一次请求更少"},
		{errors.New("viewer: a sentence that nobody knows"), "a sentence that nobody knows"},
	} {
		chinese(t)
		if got := plain(c.err); got != c.want {
			t.Errorf("%q is said as %q, want %q", c.err, got, c.want)
		}
		if err := SetLanguage("en"); err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(c.err.Error(), ": ")
		if got := plain(c.err); got != rest && got != c.err.Error() {
			t.Errorf("in English %q is said as %q", c.err, got)
		}
	}
}

func TestEveryCauseHasAChineseText(t *testing.T) {
	chinese(t)
	for _, form := range causeForms {
		text, ok := spoken[remarkKey+form]
		if !ok {
			t.Errorf("%q has no Chinese text", form)
		}
		for i := range verb.FindAllString(form, -1) {
			if place := "{{." + string(rune('A'+i)) + "}}"; !strings.Contains(text, place) {
				t.Errorf("the Chinese text of %q lacks %s", form, place)
			}
		}
		if slices.Contains(remarkForms, form) {
			t.Errorf("%q is a remark already", form)
		}
	}
}
