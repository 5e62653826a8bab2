package serve

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

func TestParseActor(t *testing.T) {
	cases := []struct {
		name, in string
		want     Actor
		field    string
	}{
		{name: "a segment", in: "vendor", want: Actor{Segment: "vendor"}},
		{name: "everything", in: "vendor, type=Person,name=V = W,roles=vendor+coordinator,manager=http://x/a,manages-cases,keep-reports=false",
			want: Actor{Segment: "vendor", Type: "Person", Name: "V = W", Roles: []string{"vendor", "coordinator"}, Manager: "http://x/a", ManagesCases: true}},
		{name: "unknown key", in: "vendor,colour=red", field: "colour"},
		{name: "a key twice", in: "vendor,name=a,name=b", field: "name"},
		{name: "no value", in: "vendor,name", field: "name"},
		{name: "empty roles", in: "vendor,roles=", field: "roles"},
		{name: "a switch that is neither", in: "vendor,keep-reports=maybe", field: "keep-reports"},
		{name: "nothing behind a comma", in: "vendor,", field: ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := ParseActor(c.in)
			if diff := cmp.Diff(c.want, got); diff != "" || fault.FieldOf(err) != c.field {
				t.Errorf("%v\n%s", err, diff)
			}
			if c.want.Segment == "" && fault.CodeOf(err) != fault.Invalid {
				t.Errorf("taken: %v", err)
			}
		})
	}
}

func FuzzParseActor(f *testing.F) {
	for _, seed := range []string{"", "vendor", "v,type=Person", "v,roles=a+b,manages-cases", ",,=,", "v,name=\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		a, err := ParseActor(in)
		switch {
		case err != nil && fault.CodeOf(err) != fault.Invalid:
			t.Error(err)
		case err == nil && !strings.HasPrefix(strings.TrimSpace(in), a.Segment):
			t.Errorf("%q hosts %q", in, a.Segment)
		}
	})
}

// A node hosts what it is told and a case manager beside, whom its actors propose
// their cases to unless they name another.
func TestProfiles(t *testing.T) {
	id := func(segment string) model.ActorID {
		id, err := model.HostedActorID("http://h/v/", segment)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	vendor := ports.Profile{Actor: model.Actor{ID: "http://h/v/actors/vendor", Type: "Organization", Name: "vendor"}, Manager: id("boss")}
	boss := ports.Profile{Actor: model.Actor{ID: "http://h/v/actors/boss", Type: "Service", Name: "Case manager"}, Manager: id("boss"), ManagesCases: true}
	own := ports.Profile{Actor: model.Actor{ID: "http://h/v/actors/boss", Type: "Person", Name: "B"}, Manager: id("boss"), ManagesCases: true}
	elsewhere := vendor
	elsewhere.Manager, elsewhere.Roles = id("x"), []model.Role{model.RoleVendor, model.RoleCoordinator}
	cases := []struct {
		name   string
		actors []string
		none   bool
		want   []ports.Profile
	}{
		{"a vendor", []string{"vendor"}, false, []ports.Profile{vendor, boss}},
		{"nobody else", nil, false, []ports.Profile{boss}},
		{"no case manager", []string{"vendor"}, true, []ports.Profile{vendor}},
		{"the case manager as configured", []string{"boss,type=Person,name=B,manages-cases"}, false, []ports.Profile{own}},
		{"another manager", []string{"vendor,manager=http://h/v/actors/x,roles=vendor+coordinator"}, true, []ports.Profile{elsewhere}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := Settings{BaseURL: "http://h/v/", CaseManager: "boss", NoCaseManager: c.none}
			for _, text := range c.actors {
				a, err := ParseActor(text)
				if err != nil {
					t.Fatal(err)
				}
				s.Actor = append(s.Actor, a)
			}
			got, err := s.profiles()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got, cmp.Comparer(func(a, b model.ActorID) bool { return a == b })); diff != "" {
				t.Error(diff)
			}
		})
	}
}
