package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayImport says which of our packages each package may import. The row with the longest matching
// name counts; "x/*" stands for every package directly below x. What a row does not name is forbidden.
var mayImport = map[string][]string{
	"assets":                           {},
	"lazy":                             {},
	"lazy/lazytest":                    {"lazy"},
	"lazy/engine":                      {"lazy"},
	"filters/stencil":                  {"lazy"},
	"filters/stencil/internal/loops":   {}, // writes loops, and is no part of the program
	"filters/internal/orders":          {}, // likewise
	"filters/fft":                      {"lazy"},
	"filters/fft/internal/butterflies": {}, // writes loops, and is no part of the program
	"filters":                          {"lazy", "filters/stencil", "filters/fft"},
	"filters/filtertest":               {"lazy", "lazy/lazytest", "lazy/engine", "filters", "filters/stencil"},
	"gpu":                              {"lazy", "filters/stencil", "filters/fft"},
	"loaders":                          {"lazy", "loaders/store"},
	"loaders/store":                    {"lazy"},
	"loaders/codec":                    {"lazy"},
	"loaders/loadertest":               {"lazy", "loaders", "loaders/store"},
	"loaders/*":                        {"lazy", "loaders", "loaders/store", "loaders/codec"},
	"viewer":                           {"lazy", "lazy/engine", "filters", "assets"},
	"viewer/ui":                        {"lazy", "viewer", "assets"},
	"app/export":                       {"lazy", "lazy/engine", "filters", "loaders"},
	"app/extern":                       {"lazy"},
	"app/quiet":                        {},
	"app/movie":                        {},
	"app/formats":                      {"lazy", "loaders", "loaders/*"},
	"app/cli":                          {"assets", "lazy", "lazy/engine", "filters", "filters/stencil", "gpu", "loaders", "viewer", "app/export", "app/extern", "app/formats"},
	"app":                              {"*"},
}

// Packages that may know the window's toolkit or OpenGL, themselves or through what they import.
var (
	mayUseFyne = []string{"app", "viewer/ui"}
	mayUseGL   = []string{"app", "app/cli", "viewer/ui", "gpu"}
)

// Packages, with all below them, that may start goroutines and take locks.
var (
	mayStart = []string{"lazy/engine", "loaders/store", "loaders/loadertest", "gpu", "viewer", "app"}
	mayLock  = []string{"lazy/engine", "loaders/store", "loaders/loadertest", "gpu", "viewer", "app"}
)

// pure packages build without cgo, and lazy itself touches neither clock, lock nor file.
var (
	pure       = []string{"lazy", "filters", "loaders"}
	notForLazy = []string{"time", "os", "io/fs", "net", "net/http", "sync", "sync/atomic", "os/exec", "syscall"}
)

// longestFile is the most lines of a file that holds one idea.
const longestFile = 500

// A goPackage is what the go command knows of a package.
type goPackage struct {
	ImportPath, Dir                  string
	GoFiles, CgoFiles, Imports, Deps []string
	IgnoredGoFiles                   []string
	DepOnly, Standard                bool
}

const module = "lamella/"

// ourPackages lists every package of the module, built with the tags.
func ourPackages(t *testing.T, tags string) []goPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-json", "-tags", tags, module+"...")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v: %s", err, stderr.String())
	}
	var all []goPackage
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		p.ImportPath = strings.TrimPrefix(p.ImportPath, module)
		all = append(all, p)
	}
}

func TestPackagesImportWhatTheTableAllows(t *testing.T) {
	for _, tags := range []string{"", "headless"} {
		for _, p := range ourPackages(t, tags) {
			row, allowed := rowOf(p.ImportPath)
			if row == "" {
				t.Errorf("%s is in no row of the table", p.ImportPath)
			}
			for _, imported := range p.Imports {
				if ours, ok := strings.CutPrefix(imported, module); ok && !slices.ContainsFunc(allowed, func(a string) bool { return matches(a, ours) }) {
					t.Errorf("%s imports %s, which the row %q does not allow", p.ImportPath, ours, row)
				}
				if p.ImportPath == "lazy" && slices.Contains(notForLazy, imported) {
					t.Errorf("lazy imports %s: it must not lock, read a clock or do I/O", imported)
				}
			}
			for _, dep := range p.Deps {
				if strings.HasPrefix(dep, "fyne.io/") && !slices.Contains(mayUseFyne, p.ImportPath) {
					t.Errorf("%s reaches the toolkit: %s", p.ImportPath, dep)
					break
				}
				if strings.HasPrefix(dep, "github.com/go-gl/") && !slices.Contains(mayUseGL, p.ImportPath) {
					t.Errorf("%s reaches OpenGL: %s", p.ImportPath, dep)
					break
				}
				if tags == "headless" && p.ImportPath == "app" && (strings.HasPrefix(dep, "fyne.io/") || strings.HasPrefix(dep, "github.com/go-gl/")) {
					t.Errorf("the headless program reaches %s", dep)
					break
				}
			}
			if under(p.ImportPath, pure) && len(p.CgoFiles) > 0 {
				t.Errorf("%s uses cgo in %v", p.ImportPath, p.CgoFiles)
			}
		}
	}
}

// rowOf is the row of the table that a package belongs to, and what it allows.
func rowOf(pkg string) (row string, allowed []string) {
	if allowed, ok := mayImport[pkg]; ok {
		return pkg, allowed
	}
	row = filepath.ToSlash(filepath.Dir(pkg)) + "/*"
	if allowed, ok := mayImport[row]; ok {
		return row, allowed
	}
	return "", nil
}

func matches(pattern, pkg string) bool {
	if pattern == "*" {
		return true
	}
	if above, ok := strings.CutSuffix(pattern, "/*"); ok {
		return filepath.ToSlash(filepath.Dir(pkg)) == above
	}
	return pattern == pkg
}

// under reports whether a package is one of these or lies below one.
func under(pkg string, these []string) bool {
	return slices.ContainsFunc(these, func(p string) bool { return pkg == p || strings.HasPrefix(pkg, p+"/") })
}

// Every file counts, whatever system or build it is for.
func TestFilesKeepTheRules(t *testing.T) {
	for _, p := range ourPackages(t, "") {
		documented := false
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.IgnoredGoFiles) {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			path := filepath.Join(p.Dir, name)
			files := token.NewFileSet()
			f, err := parser.ParseFile(files, path, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			documented = documented || f.Doc != nil
			where := func(n ast.Node) string {
				return p.ImportPath + "/" + name + ":" + strconv.Itoa(files.Position(n.Pos()).Line)
			}
			if lines := files.File(f.Pos()).LineCount(); lines > longestFile {
				t.Errorf("%s/%s has %d lines; a file is one idea of at most %d", p.ImportPath, name, lines, longestFile)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt:
					if !under(p.ImportPath, mayStart) {
						t.Errorf("%s starts a goroutine; the engine does that", where(n))
					}
				case *ast.SelectorExpr:
					x, ok := n.X.(*ast.Ident)
					if ok && x.Name == "sync" && slices.Contains([]string{"Mutex", "RWMutex", "Cond", "WaitGroup", "Map"}, n.Sel.Name) && !under(p.ImportPath, mayLock) {
						t.Errorf("%s uses sync.%s; the engine does that", where(n), n.Sel.Name)
					}
				}
				return true
			})
		}
		if !documented {
			t.Errorf("%s has no package comment", p.ImportPath)
		}
	}
}

// The top level of the repository is known in advance.
func TestTheTopLevelHoldsNothingElse(t *testing.T) {
	known := []string{
		"app", "viewer", "lazy", "filters", "gpu", "loaders", "assets", "docs", ".ci", ".git", ".gitignore",
		"go.mod", "go.sum", "FyneApp.toml", "README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "staticcheck.conf",
		"build", "lamella", "shared", // made or linked, and ignored by git
	}
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains(known, e.Name()) && filepath.Ext(e.Name()) != ".test" {
			t.Errorf("%s stands at the top level", e.Name())
		}
	}
}
