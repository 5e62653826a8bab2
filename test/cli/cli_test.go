// Package cli runs the program as its users do: by the scripts under testdata.
package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"bateleur/test/program"
)

// binary is the program under test, built once.
var binary string

func TestMain(m *testing.M) { os.Exit(program.Run(m, &binary)) }

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", filepath.Dir(binary)+string(os.PathListSeparator)+e.Getenv("PATH"))
			e.Values[runningKey{}] = map[string]*running{}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"node": startNode, "end": endNode, "get": get, "post": post,
			"snapshot": snapshot, "same": same, "overwrite": overwrite, "replace": replace, "cut": cut, "place": place,
			"events": events,
		},
	})
}
