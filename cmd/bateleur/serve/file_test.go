package serve

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"bateleur/cmd/bateleur/exit"
	"bateleur/core/fault"
)

// parse reads a command line as main does.
func parse(t *testing.T, args ...string) (Settings, error) {
	t.Helper()
	var c struct {
		Serve Command `cmd:""`
	}
	k, err := kong.New(&c)
	if err != nil {
		t.Fatal(err)
	}
	_, err = k.Parse(append([]string{"serve"}, args...))
	return c.Serve.Settings, err
}

func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "node.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Each source wins over those below it, whatever they say.
//
// Proves: CFG-02-004
func TestWhereASettingComesFrom(t *testing.T) {
	both := "listen: file:1\nactor:\n  - segment: file\n"
	cases := []struct {
		name, file, env string
		args            []string
		want            string
	}{
		{"the default", "{}", "", nil, ""},
		{"the file over the default", both, "", nil, "file:1"},
		{"the environment over the file", both, "env:1", nil, "env:1"},
		{"the environment over the default", "{}", "env:1", nil, "env:1"},
		{"a flag over the environment", both, "env:1", []string{"--listen", "flag:1"}, "flag:1"},
		{"a flag over the file", both, "", []string{"--listen", "flag:1"}, "flag:1"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.env != "" {
				t.Setenv("BATELEUR_LISTEN", c.env)
			}
			got, err := parse(t, append(c.args, "--config", written(t, c.file))...)
			if err != nil || got.Listen != c.want {
				t.Errorf("listen is %q, want %q (%v)", got.Listen, c.want, err)
			}
		})
	}
}

func TestTheFileMayBeNamedInTheEnvironment(t *testing.T) {
	t.Setenv("BATELEUR_CONFIG", written(t, "log-level: warn"))
	got, err := parse(t)
	if err != nil || got.LogLevel.String() != "WARN" {
		t.Errorf("%+v %v", got, err)
	}
}

func TestEverySettingStandsInAFile(t *testing.T) {
	got, err := parse(t, "--config", written(t, `
base-url: http://localhost:7000/v/
listen: 127.0.0.1:7001
data: /d
store: "sqlite:////s/x.sqlite"
actor:
  - segment: vendor
    type: Organization
    name: "Vendor, Inc.; of old"
    roles: [vendor, coordinator]
    manager: http://localhost:7000/v/actors/boss
    keep-reports: true
  - segment: boss
    manages-cases: true
case-manager: boss
no-case-manager: true
delivery-attempts: 3
log-level: error
log-format: json
`))
	if err != nil {
		t.Fatal(err)
	}
	want := Settings{BaseURL: "http://localhost:7000/v/", Listen: "127.0.0.1:7001", Data: "/d", Store: "sqlite:////s/x.sqlite",
		Actor: []Actor{{Segment: "vendor", Type: "Organization", Name: "Vendor, Inc.; of old", Roles: []string{"vendor", "coordinator"},
			Manager: "http://localhost:7000/v/actors/boss", KeepReports: true}, {Segment: "boss", ManagesCases: true}},
		CaseManager: "boss", NoCaseManager: true, DeliveryAttempts: 3, LogLevel: 8, LogFormat: "json"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A file that was named and is not right ends the start, with its line and the
// key at fault.
//
// Proves: CFG-02-007
func TestFilesThatAreNotRight(t *testing.T) {
	cases := []struct {
		name, text string
		line       string
		field      string
	}{
		{"an unknown key", "listen: 127.0.0.1:1\ncolour: red\n", ":2", "colour"},
		{"an unknown key of an actor", "actor:\n  - segment: a\n    colour: red\n", ":3", "colour"},
		{"a key twice", "listen: 127.0.0.1:1\nlisten: 127.0.0.1:2\n", ":2", ""},
		{"a wrong type", "data: x\ndelivery-attempts: often\n", ":2", ""},
		{"a wrong level", "data: x\nlog-level: loud\n", "", ""},
		{"a list for a text", "listen: [a, b]\n", ":1", ""},
		{"an actor that is none", "actor:\n  - vendor\n", ":2", ""},
		{"a value out of bounds", "data: x\n\ndelivery-attempts: 0\n", ":3", "delivery-attempts"},
		{"an address without a port", "listen: localhost\n", ":1", "listen"},
		{"a base URL of another scheme", "base-url: ftp://x/\n", ":1", "base-url"},
		{"an unknown type of actor", "actor:\n  - segment: a\n  - segment: b\n    type: Robot\n", ":4", "actor[1].type"},
		{"an actor without a segment", "data: x\nactor:\n  - name: a\n", ":3", "actor[0].segment"},
		{"an unknown role", "actor:\n  - segment: a\n    roles:\n      - vendor\n      - king\n", ":5", "actor[0].roles[1]"},
		{"a segment twice", "actor:\n  - segment: a\n  - segment: a\n", ":2", "actor"},
		{"no YAML", "listen: [\n", "", ""},
		{"two documents", "data: x\n---\ndata: y\n", "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := written(t, c.text)
			_, err := parse(t, "--config", path)
			got := []string{string(fault.CodeOf(err)), fault.FieldOf(err)}
			if diff := cmp.Diff([]string{string(fault.Invalid), c.field}, got); diff != "" {
				t.Errorf("%v\n%s", err, diff)
			}
			if err != nil && !strings.Contains(err.Error(), path+c.line+":") {
				t.Errorf("%v does not name %s%s", err, path, c.line)
			}
		})
	}
	t.Run("not there", func(t *testing.T) {
		if _, err := parse(t, "--config", filepath.Join(t.TempDir(), "nowhere")); fault.CodeOf(err) != fault.NotFound {
			t.Error(err)
		}
	})
}

// What flags and the environment say wrongly is refused by its name, before
// anything is opened.
func TestSettingsThatAreNotRight(t *testing.T) {
	cases := []struct {
		name  string
		args  []string
		field string
	}{
		{"base URL", []string{"--base-url", "127.0.0.1:7999"}, "base-url"},
		{"base URL with a query", []string{"--base-url", "http://127.0.0.1:1/?x"}, "base-url"},
		{"address", []string{"--listen", "localhost:http"}, "listen"},
		{"store", []string{"--store", "postgres://x"}, "store"},
		{"attempts", []string{"--delivery-attempts", "1001"}, "delivery-attempts"},
		{"segment", []string{"--actor", "a/b"}, "actor[0].segment"},
		{"type", []string{"--actor", "a,type=Robot"}, "actor[0].type"},
		{"manager", []string{"--actor", "a,manager=boss"}, "actor[0].manager"},
		{"twice", []string{"--actor", "a;a,type=Person"}, "actor"},
		{"case manager", []string{"--case-manager", ".x"}, "case-manager"},
		{"nobody", []string{"--no-case-manager"}, "actor"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, err := parse(t, append(c.args, "--data", t.TempDir())...)
			if err != nil {
				t.Fatal(err)
			}
			err = (&Command{Settings: s}).Run(t.Context(), nil)
			if asked, _ := errors.AsType[exit.Error](err); fault.FieldOf(err) != c.field || asked.Code != exit.Usage {
				t.Errorf("%v names %q, want %q", err, fault.FieldOf(err), c.field)
			}
		})
	}
}

func FuzzParseFile(f *testing.F) {
	for _, seed := range []string{"", "{}", "actor:\n- segment: a\n  roles: [vendor]\n", "listen: 1\n", "a: &a [*a]", "---\n---\n", "? x\n: y"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) > 4096 {
			return
		}
		if _, err := parseFile("f", raw, Settings{BaseURL: "http://127.0.0.1:1/", Data: "d", CaseManager: "c", DeliveryAttempts: 1,
			LogFormat: "text"}); err != nil && fault.CodeOf(err) != fault.Invalid {
			t.Error(err)
		}
	})
}

// The example that the README gives is one that a node starts with.
func TestTheReadmesFile(t *testing.T) {
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "```yaml\n")
	example, _, found := strings.Cut(rest, "```")
	got, err := parse(t, "--config", written(t, example))
	want := []Actor{{Segment: "vendor", Name: "Vendor Inc.", Roles: []string{"vendor", "coordinator"}}}
	if diff := cmp.Diff(want, got.Actor); !found || err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if err := got.check(); err != nil {
		t.Error(err)
	}
}
