module lamella

go 1.26.0

require (
	fyne.io/fyne/v2 v2.7.1 // indirect
	github.com/klauspost/compress v1.20.4 // indirect
	github.com/pierrec/lz4/v4 v4.1.33 // indirect
	github.com/ulikunitz/xz v0.5.17 // indirect
	golang.org/x/image v0.48.0 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)
