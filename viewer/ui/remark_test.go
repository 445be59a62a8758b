package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// toldByLoaders finds the forms of all remarks in the sources of the loaders and of what joins several files: what is given to say or warn,
// appended to a list of warnings, or written to the note on how a file is read.
func toldByLoaders(t *testing.T) map[string]string {
	t.Helper()
	forms := map[string]string{}
	files, err := filepath.Glob("../../app/several.go")
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir("../../loaders", func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		keep := func(e ast.Expr) {
			if form, ok := formOf(e); ok {
				forms[strings.TrimSuffix(form, ".")] = name
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				switch called := nameOf(n.Fun); {
				case (called == "warn" || called == "say") && len(n.Args) > 0:
					keep(n.Args[0])
				case called == "append" && slices.Contains([]string{"warnings", "Warnings", "said", "odd", "left"}, nameOf(n.Args[0])):
					for _, a := range n.Args[1:] {
						keep(a)
					}
				}
			case *ast.AssignStmt:
				for i, left := range n.Lhs {
					if nameOf(left) == "Note" && len(n.Rhs) == len(n.Lhs) {
						keep(n.Rhs[i])
					}
				}
			case *ast.FuncDecl:
				if slices.Contains([]string{"Why", "PackedNote", "lazyBy", "cut", "place", "gaps", "absent"}, n.Name.Name) {
					ast.Inspect(n, func(n ast.Node) bool {
						if r, ok := n.(*ast.ReturnStmt); ok {
							for _, e := range r.Results {
								keep(e)
							}
						}
						if c, ok := n.(*ast.CallExpr); ok && nameOf(c.Fun) == "append" && slices.Contains([]string{"out"}, nameOf(c.Args[0])) {
							for _, e := range c.Args[1:] {
								keep(e)
							}
						}
						return true
					})
				}
			}
			return true
		})
	}
	return forms
}

func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// formOf is the form that an expression makes a text by, and whether it has words of its own.
func formOf(e ast.Expr) (string, bool) {
	form := "%s"
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			form, _ = strconv.Unquote(e.Value)
		}
	case *ast.BinaryExpr:
		a, _ := formOf(e.X)
		b, _ := formOf(e.Y)
		form = a + b
	case *ast.CompositeLit:
		if len(e.Elts) == 1 {
			return formOf(e.Elts[0])
		}
	case *ast.CallExpr:
		if name := nameOf(e.Fun); (name == "Sprintf" || name == "ReplaceAll") && len(e.Args) > 0 {
			return formOf(e.Args[0])
		}
	}
	return form, strings.Contains(form, " ")
}

// A form that a loader gets is forgotten in the window without this test.
func TestEveryRemarkOfALoaderIsSaidInChinese(t *testing.T) {
	forms := toldByLoaders(t)
	if len(forms) < 80 {
		t.Errorf("only %d remarks were found in the sources", len(forms))
	}
	for form, name := range forms {
		if !slices.Contains(remarkForms, form) {
			t.Errorf("%s says %q, which remarkForms lacks", name, form)
		}
	}
	chinese(t)
	for _, form := range remarkForms {
		if _, ok := forms[form]; !ok && !slices.Contains(remarkParts, form) {
			t.Errorf("no loader says %q", form)
		}
		text, ok := spoken[remarkKey+form]
		if !ok {
			t.Errorf("%q has no Chinese text", form)
		}
		for i := range verb.FindAllString(form, -1) {
			if place := "{{." + string(rune('A'+i)) + "}}"; !strings.Contains(text, place) && !strings.Contains(form, "%d of %d %s as 0") {
				t.Errorf("the Chinese text of %q lacks %s", form, place)
			}
		}
	}
}

func chinese(t *testing.T) {
	t.Helper()
	if err := SetLanguage("zh_Hans"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = SetLanguage("") })
}

func TestRemarksAreSaidInTheLanguageOfTheWindow(t *testing.T) {
	chinese(t)
	for text, want := range map[string]string{
		"12 more were left out.":                            "另有 12 项未打开",
		"a.nii: 12 more were left out.":                     "a.nii：另有 12 项未打开",
		"level 3 was left out: zarr: no such chunk.":        "level 3 未打开：zarr: no such chunk",
		"3 of 9 planes are missing and read as 0: z=1, ...": "9 个平面中有 3 个缺失，读作 0： z=1, ...",
		"a sentence that nobody knows":                      "a sentence that nobody knows",
	} {
		if got := Remark(text); got != want {
			t.Errorf("%q is said as %q, want %q", text, got, want)
		}
	}
	if err := SetLanguage("en"); err != nil {
		t.Fatal(err)
	}
	if text := "12 more were left out."; Remark(text) != text {
		t.Errorf("in English %q is said as %q", text, Remark(text))
	}
}
