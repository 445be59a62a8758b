module lamella

go 1.26
