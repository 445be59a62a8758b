package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// Exit codes.
const (
	done       = 0
	couldNot   = 1
	wrongWords = 2
)

// Main runs one verb and gives the exit code of the process. An interrupt stops it.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	defer stop()
	return Run(ctx, args, stdin, stdout, stderr)
}

// Run is Main that is stopped by a context instead of a signal.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	verb := "lamella"
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(stderr, "%s: stopped by a fault of its own: %s\n", verb, oneLine(fmt.Sprint(r)))
			code = couldNot
		}
	}()
	programs := newPrograms(stderr)
	defer programs.Close()
	ctx = context.WithValue(ctx, programsOf{}, programs)
	root := newRoot(&session{stdin: stdin, stdout: stdout, stderr: stderr})
	root.SetArgs(filesAfterFlags(root, args))
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	profiled := profileFlag(root)
	ran, err := root.ExecuteContextC(ctx)
	if bad := profiled(); err == nil {
		err = bad
	}
	if ran != nil {
		verb = ran.CommandPath()
	}
	switch {
	case err == nil:
		return done
	case ctx.Err() != nil && errors.As(err, new(unfinished)):
		var left unfinished
		errors.As(err, &left)
		fmt.Fprintf(stderr, "%s: interrupted; %s\n", verb, left.what())
		return couldNot
	case ctx.Err() != nil:
		fmt.Fprintf(stderr, "%s: interrupted; no unfinished file was left\n", verb)
		return couldNot
	}
	// The package that refused may be called like the verb.
	why := strings.TrimPrefix(oneLine(err.Error()), verb[strings.LastIndexByte(verb, ' ')+1:]+": ")
	fmt.Fprintf(stderr, "%s: %s\n", verb, why)
	if errors.As(err, new(usage)) {
		return wrongWords
	}
	return couldNot
}

// usage is an error of words: the user asked for something that cannot be meant.
type usage struct{ error }

func (u usage) Unwrap() error { return u.error }

func usagef(format string, args ...any) error { return usage{fmt.Errorf(format, args...)} }

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
