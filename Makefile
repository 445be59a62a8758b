# Lamella: `make run` and `make test` need Go, git and make; they set up the rest themselves.

GO        ?= go
LEAST_GO  := 1.26
SHARED    := $(or $(LAMELLA_SHARED),../shared)
SOURCE    ?= sample:cells
FOLDERS   := app assets filters gpu lazy loaders viewer
PURE      := ./lazy/... ./filters/... ./loaders/... ./app/cli ./app/export ./app/formats
STATIC    := honnef.co/go/tools/cmd/staticcheck@v0.8.2
XVFB      := xvfb-run -a -s "-screen 0 1600x1000x24"

# A build says which revision it is of, where git can tell (it cannot in a folder that another user owns).
export GOFLAGS := $(strip $(GOFLAGS) -buildvcs=$(if $(shell git status --porcelain=v1 >/dev/null 2>&1 && echo yes),auto,false))

# The vector instructions of amd64 are an experiment of Go 1.26; without them the same rows run as plain Go.
ifeq ($(shell $(GO) env GOARCH 2>/dev/null),amd64)
export GOEXPERIMENT := simd
endif

# What the window is built from and runs on, and what its tests use, by the names of Debian and Ubuntu.
WINDOW_PACKAGES := gcc libc6-dev pkg-config libgl-dev libx11-dev libxrandr-dev libxinerama-dev libxcursor-dev \
                   libxi-dev libxxf86vm-dev libgl1-mesa-dri libegl1
TEST_PACKAGES   := $(WINDOW_PACKAGES) xvfb xauth xdotool openbox imagemagick x11-utils fonts-noto-cjk \
                   python3-numpy python3-scipy python3-skimage python3-tifffile python3-zarr python3-gi gir1.2-gtk-3.0 \
                   libtiff-tools imagej

.PHONY: help run test lamella headless bench screenshots clean
.PHONY: run-window run-headless go-is-there window-packages test-packages interop lint test-all test-headless test-batch test-race report

help:
	@echo "make run       build, and open the window on a sample (SOURCE=... opens something else);"
	@echo "               without a display, compute a Sobel plane of the sample instead"
	@echo "make test      the whole check"
	@echo "make lamella   the program, window included, as ./lamella"
	@echo "make headless  the command line alone, with no window in it, as ./lamella"
	@echo "make bench     the benchmarks; where the kit of peers is, also other programs on the same files"
	@echo "make clean     remove what was built"

# ---- run ----

run: go-is-there
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || [ "$$(uname)" = Darwin ]; then \
		$(MAKE) --no-print-directory run-window; \
	else \
		$(MAKE) --no-print-directory run-headless; \
	fi

run-window: lamella
	./lamella "$(SOURCE)"

run-headless:
	@echo "There is no display here (DISPLAY is not set), so no window can open."
	@echo "Computing a Sobel plane of $(SOURCE) instead; its cost follows."
	@mkdir -p build
	CGO_ENABLED=0 $(GO) build -tags headless -o build/lamella ./app
	build/lamella slice "$(SOURCE)" --filter sobel --out build/sobel.png --overwrite --stats -
	@echo "The plane is build/sobel.png."

# ---- build ----

lamella: go-is-there window-packages
	$(GO) build -o lamella ./app

headless: go-is-there
	CGO_ENABLED=0 $(GO) build -tags headless -o lamella ./app

clean:
	rm -rf build lamella

# ---- test ----

test: go-is-there test-packages interop lint lamella test-all test-headless test-batch test-race report

lint:
	@unformatted=$$("$$($(GO) env GOROOT)/bin/gofmt" -l $(wildcard $(FOLDERS))); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:" $$unformatted >&2; exit 1; fi
	$(GO) vet ./...
	$(GO) run $(STATIC) ./...

test-all:
	LAMELLA_BIN="$(CURDIR)/lamella" $(XVFB) $(GO) test -timeout 25m ./...

test-headless:
	@mkdir -p build
	CGO_ENABLED=0 $(GO) build -tags headless -o build/lamella ./app
	CGO_ENABLED=0 $(GO) vet -tags headless ./app/...
	CGO_ENABLED=0 GOEXPERIMENT= $(GO) test $(PURE)

# The pipeline for Beam is a module of its own, with hundreds of others behind it, none of which is the viewer's.
test-batch:
	@mkdir -p build
	@if cd app/batch && $(GO) list -deps ./... >../../build/batch.log 2>&1; then \
		set -x; \
		CGO_ENABLED=0 $(GO) vet ./... && CGO_ENABLED=0 $(GO) run $(STATIC) ./... && CGO_ENABLED=0 $(GO) test ./...; \
	else \
		echo "The modules of app/batch were not fetched (build/batch.log says why); the pipeline for Beam is not tested."; \
	fi

test-race:
	$(GO) test -race ./lazy/... ./viewer

report:
	@if [ -f "$(SHARED)/data/manifest.json" ]; then \
		echo "All checks passed."; \
	else \
		echo "All checks passed, but for those on files with known contents: there are none at $(SHARED)"; \
		echo "(LAMELLA_SHARED names another place). Not run: conformance, the manifests of the formats."; \
	fi

bench: go-is-there
	$(GO) test -run '^$$' -bench . -benchtime 300ms ./lazy/... ./filters/... ./loaders/... ./viewer
	GO="$(GO)" LAMELLA_SHARED="$(SHARED)" .ci/bench

screenshots: lamella test-packages
	docs/images/screenshots.sh ./lamella

# ---- set-up ----

go-is-there:
	@command -v $(GO) >/dev/null || { echo "Go $(LEAST_GO) or newer is needed: https://go.dev/dl" >&2; exit 1; }
	@have=$$(GOTOOLCHAIN=local $(GO) version | sed 's/.* go\([0-9.]*\).*/\1/'); \
	if [ "$$(printf '%s\n' $(LEAST_GO) "$$have" | sort -V | head -n 1)" != $(LEAST_GO) ]; then \
		echo "Go $(LEAST_GO) or newer is needed, this is $$have: https://go.dev/dl" >&2; exit 1; \
	fi

window-packages:
	$(call packages,$(WINDOW_PACKAGES))

test-packages:
	$(call packages,$(TEST_PACKAGES))

# zarrita reads OME-Zarr in a test. Without npm, or without a network, that test says that it was not run.
interop:
	@if command -v npm >/dev/null && [ ! -d build/interop/node_modules/zarrita ]; then \
		mkdir -p build/interop; \
		timeout 60 npm install --prefix build/interop --no-audit --no-fund --no-save --fetch-retries=1 zarrita@0.7.5 >build/interop/npm.log 2>&1 || \
			echo "zarrita was not fetched (build/interop/npm.log says why); OME-Zarr is not read by it."; \
	fi

# packages installs what is missing on Debian and Ubuntu. Elsewhere it says what is needed, unless the
# headers of the window are there.
define packages
	@if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then \
		there=" $$(dpkg-query -W -f='$${db:Status-Status}=$${Package} ' $(1) 2>/dev/null) "; missing=""; \
		for p in $(1); do case "$$there" in *" installed=$$p "*) ;; *) missing="$$missing $$p";; esac; done; \
		if [ -z "$$missing" ]; then exit 0; fi; \
		echo "Installing:$$missing"; \
		root=""; \
		if [ "$$(id -u)" != 0 ]; then \
			command -v sudo >/dev/null || { echo "Missing, and there is no sudo; as root: apt-get install$$missing" >&2; exit 1; }; \
			root="sudo"; \
		fi; \
		get="$$root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300"; \
		$$get install --no-install-recommends $$missing || { $$get update && $$get install --no-install-recommends $$missing; }; \
	elif [ "$$(uname)" = Darwin ]; then \
		xcode-select -p >/dev/null 2>&1 || { echo "Missing: the command line tools. Run: xcode-select --install" >&2; exit 1; }; \
	elif ! pkg-config --exists gl x11 xrandr xinerama xcursor xi xxf86vm 2>/dev/null; then \
		echo "The window is built with a C compiler and the headers of X11 and OpenGL. Please install" >&2; \
		echo "  Fedora: dnf install gcc pkgconf-pkg-config mesa-libGL-devel libX11-devel libXrandr-devel libXinerama-devel libXcursor-devel libXi-devel libXxf86vm-devel" >&2; \
		echo "  Arch:   pacman -S --needed gcc pkgconf libglvnd mesa libx11 libxrandr libxinerama libxcursor libxi libxxf86vm" >&2; \
		echo "or build the command line alone, which needs none of it: make headless" >&2; \
		exit 1; \
	fi
endef
