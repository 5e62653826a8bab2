// Command bateleur runs nodes of coordinated vulnerability disclosure, shows a
// case from report to closure, and looks into stores.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"bateleur/cmd/bateleur/demo"
	"bateleur/cmd/bateleur/exit"
	"bateleur/cmd/bateleur/serve"
	"bateleur/cmd/bateleur/store"
	"bateleur/cmd/bateleur/terminal"
)

// cli is the command line: one field a command.
type cli struct {
	Demo    demo.Command  `cmd:"" help:"Work one case between two organisations, from report to closure."`
	Serve   serve.Command `cmd:"" help:"Run a node."`
	Store   store.Command `cmd:"" help:"Look into an actor's store without changing it."`
	Version version       `cmd:"" help:"Print the version."`

	AsFlag versionFlag `name:"version" help:"Print the version."`
}

func main() {
	signal.Ignore(syscall.SIGPIPE) // that nobody reads on is no reason to leave things lying about
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is main with everything a test wants to see; the result is the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := -1
	parser, err := kong.New(&cli{}, kong.Name("bateleur"), kong.Writers(stdout, stderr),
		kong.Description("Coordinated vulnerability disclosure, one store per actor."),
		kong.Exit(func(c int) { code = c }),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.BindTo(stdout, (*io.Writer)(nil)))
	if err != nil {
		return report(exit.Error{Code: exit.Usage, Err: err}, stderr)
	}
	parsed, err := parser.Parse(args)
	switch {
	case code >= 0: // help was asked for
		return code
	case err != nil:
		return report(exit.Error{Code: exit.Usage, Err: err}, stderr)
	}
	return report(parsed.Run(), stderr)
}

// report prints an error and gives the exit code it asks for.
func report(err error, stderr io.Writer) int {
	if err == nil {
		return 0
	}
	var asked exit.Error
	if !errors.As(err, &asked) {
		asked = exit.Error{Code: exit.Failed, Err: err}
	}
	if asked.Err != nil {
		fmt.Fprintln(stderr, "bateleur:", terminal.Text(asked.Err.Error()))
	}
	return asked.Code
}
