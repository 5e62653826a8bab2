package sqlite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bateleur/adapters/driven/sqlite"
	"bateleur/core/fault"
	"bateleur/core/model"
)

// Proves: BA-17-001
func TestPathFollowsTheTemplate(t *testing.T) {
	here, err := os.Getwd()
	must(t, err)
	const slug = "alice-17e4e973850d16be5438b6eeaad74c36"
	for _, c := range []struct{ name, url, want string }{
		{"absolute", "sqlite:////data/app.sqlite", "/data/app-SLUG.sqlite"},
		{"relative", "sqlite:///rel/app.sqlite", here + "/rel/app-SLUG.sqlite"},
		{"no folder", "sqlite:///app.sqlite", here + "/app-SLUG.sqlite"},
		{"no extension", "sqlite:////data/app", "/data/app-SLUG"},
		{"several dots", "sqlite:////data/a.b.db", "/data/a.b-SLUG.db"},
		{"dot file", "sqlite:////data/.store", "/data/.store-SLUG"},
		{"escapes", "sqlite:////da%23ta/a%20%3f.db", "/da#ta/a ?-SLUG.db"},
		{"memory", "sqlite:///:memory:", ":memory:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := sqlite.Path(c.url, alice)
			must(t, err)
			same(t, strings.Replace(c.want, "SLUG", slug, 1), got)
			same(t, got, open(t, c.url).Location(alice))
		})
	}
}

func TestURLOfAPath(t *testing.T) {
	for _, folder := range []string{"/data", "/a b", "/50%", "/%41", "/a#b", "/a?b=c", "/é", "/a:b", "/'\""} {
		got, err := sqlite.Path(sqlite.URL(folder+"/app.sqlite"), alice)
		must(t, err)
		same(t, folder, filepath.Dir(got))
	}
	// SQLite reads a name as a URL too.
	s := open(t, sqlite.URL(filepath.Join(t.TempDir(), "a b#c?d%41é", "app.sqlite")))
	put(t, create(t, s, alice), "x")
	if _, err := os.Stat(s.Location(alice)); err != nil {
		t.Error(err)
	}
}

func TestMalformedTemplates(t *testing.T) {
	for _, c := range []struct{ name, url string }{
		{"empty", ""}, {"other scheme", "postgres:///x"}, {"host", "sqlite://host/x"}, {"no name", "sqlite:////data/"},
		{"nothing", "sqlite:///"}, {"options", "sqlite:////x?mode=ro"}, {"fragment", "sqlite:////x#y"},
		{"bad escape", "sqlite:////x%zz"}, {"NUL", "sqlite:////x%00"}, {"parent", "sqlite:////x/.."},
		{"endless", "sqlite:////" + strings.Repeat("x", 200)},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := sqlite.Open(c.url)
			wantCode(t, err, fault.Invalid)
			_, err = sqlite.Path(c.url, alice)
			wantCode(t, err, fault.Invalid)
		})
	}
	_, err := sqlite.Path("sqlite:////x", model.ActorID{})
	wantCode(t, err, fault.Invalid)
}

// Names of any two actors differ, stay in the folder and differ by more than
// letter case.
//
// Proves: BA-17-001
func TestNamesOfActors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) model.ActorID {
			segment := rapid.StringMatching(`[a-zA-Z0-9._~%!$&'()*+,;=:@/\\é-]{1,60}`).Draw(t, label)
			id, err := model.ParseActorID("https://a.example/" + segment)
			if err != nil {
				t.Skip("not an actor's id")
			}
			return id
		}
		one, other := draw("one"), draw("other")
		name := func(a model.ActorID) string {
			path, err := sqlite.Path("sqlite:////data/app.sqlite", a)
			if err != nil || filepath.Dir(path) != "/data" {
				t.Fatalf("%s lies at %q (%v)", a, path, err)
			}
			return filepath.Base(path)
		}
		if n := name(one); n != strings.ToLower(n) || len(n) > 120 {
			t.Fatalf("%q is not a short lower-case name", n)
		}
		if (name(one) == name(other)) != (one == other) {
			t.Fatalf("%s and %s lie at %q and %q", one, other, name(one), name(other))
		}
	})
}

func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{"sqlite:////data/app.sqlite", "sqlite:///:memory:", "sqlite:///%2e%2e/x", "x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, url string) {
		path, err := sqlite.Path(url, alice)
		switch {
		case err != nil:
			wantCode(t, err, fault.Invalid)
		case path != ":memory:" && (!filepath.IsAbs(path) || !strings.Contains(filepath.Base(path), "alice-")):
			t.Errorf("%q leads to %q", url, path)
		}
	})
}
