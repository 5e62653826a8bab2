package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// snapshot is "snapshot DIR": it remembers every name and byte of a folder.
func snapshot(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: snapshot DIR")
	}
	ts.Setenv("SNAPSHOT", contents(ts, args[0]))
}

// same is "same DIR": it demands that the folder is as it was remembered.
func same(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: same DIR")
	}
	if contents(ts, args[0]) != ts.Getenv("SNAPSHOT") {
		ts.Fatalf("%s was touched", args[0])
	}
}

func contents(ts *testscript.TestScript, dir string) string {
	sum := sha256.New()
	ts.Check(filepath.WalkDir(ts.MkAbs(dir), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		sum.Write([]byte(path + "\n"))
		if d.IsDir() {
			return nil
		}
		raw, err := os.ReadFile(path)
		sum.Write([]byte(strconv.Itoa(len(raw)) + "\n"))
		sum.Write(raw)
		return err
	}))
	return hex.EncodeToString(sum.Sum(nil))
}

// change rewrites the one file that a pattern names.
func change(ts *testscript.TestScript, pattern string, f func([]byte) []byte) {
	found, err := filepath.Glob(ts.MkAbs(pattern))
	ts.Check(err)
	if len(found) != 1 {
		ts.Fatalf("%s names %d files", pattern, len(found))
	}
	raw, err := os.ReadFile(found[0])
	ts.Check(err)
	ts.Check(os.WriteFile(found[0], f(raw), 0o600))
}

// overwrite is "overwrite FILE OFFSET HEX".
func overwrite(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: overwrite FILE OFFSET HEX")
	}
	offset, err := strconv.Atoi(args[1])
	ts.Check(err)
	bytes, err := hex.DecodeString(args[2])
	ts.Check(err)
	change(ts, args[0], func(raw []byte) []byte {
		copy(raw[offset:], bytes)
		return raw
	})
}

// replace is "replace FILE OLD NEW": as many bytes as there were, wherever they
// stand.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 || len(args[1]) != len(args[2]) {
		ts.Fatalf("usage: replace FILE OLD NEW, of one length")
	}
	change(ts, args[0], func(raw []byte) []byte {
		if !bytes.Contains(raw, []byte(args[1])) {
			ts.Fatalf("%s does not hold %q", args[0], args[1])
		}
		return bytes.ReplaceAll(raw, []byte(args[1]), []byte(args[2]))
	})
}

// cut is "cut FILE LENGTH": no more of it is left.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: cut FILE LENGTH")
	}
	length, err := strconv.Atoi(args[1])
	ts.Check(err)
	change(ts, args[0], func(raw []byte) []byte { return raw[:min(length, len(raw))] })
}

// place is "place FROM TO": it copies the one file of a pattern over that of
// another.
func place(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: place FROM TO")
	}
	found, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(found) != 1 {
		ts.Fatalf("%s names %d files", args[0], len(found))
	}
	from, err := os.ReadFile(found[0])
	ts.Check(err)
	change(ts, args[1], func([]byte) []byte { return from })
}

// events is "events FILE": every line of it is a JSON object that says which
// event it is; the ids of the actors that it begins with become $FINDER, $VENDOR
// and $MANAGER.
func events(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: events FILE")
	}
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		var e struct{ Event, Finder, Vendor, CaseManager string }
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Event == "" {
			ts.Fatalf("%q is no event: %v", line, err)
		}
		if e.Event == "begin" {
			ts.Setenv("FINDER", e.Finder)
			ts.Setenv("VENDOR", e.Vendor)
			ts.Setenv("MANAGER", e.CaseManager)
		}
	}
}
