package laws

import (
	"slices"
	"testing"

	"bateleur/core/cases"
	"bateleur/core/ledger"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/semantics"
	"bateleur/test/simnet"
)

// forgery is a Create of a case that the reporter must not take, made of the
// genuine one.
type forgery struct {
	name   string
	from   func(*stage) simnet.Party // the sender, when it is not the manager
	change func(*stage, *model.Activity, *model.VulnerabilityCase)
}

var forgeries = []forgery{
	{"from another sender", stranger, nil},
	{"from a sender that puts itself into the manager's place", stranger, func(g *stage, a *model.Activity, vc *model.VulnerabilityCase) {
		x := stranger(g).URI()
		a.Actor, vc.AttributedTo = x, x
		at(vc, model.RoleCaseManager).AttributedTo = x
		vc.GenesisHash = ledger.Genesis(vc.ID, vc.Published, x)
		at(vc, model.RoleCaseOwner).AttributedTo = g.M.URI() // and the manager into the owner's
	}},
	{"of another report", nil, func(_ *stage, _ *model.Activity, vc *model.VulnerabilityCase) {
		vc.VulnerabilityReports = []model.Item{model.Inline(&model.Report{ID: newID(), Type: model.TypeReport})}
	}},
	{"without a report", nil, func(_ *stage, _ *model.Activity, vc *model.VulnerabilityCase) { vc.VulnerabilityReports = nil }},
	{"with another owner", nil, func(g *stage, _ *model.Activity, vc *model.VulnerabilityCase) {
		at(vc, model.RoleCaseOwner).AttributedTo = stranger(g).URI()
	}},
	{"without an owner", nil, func(_ *stage, _ *model.Activity, vc *model.VulnerabilityCase) {
		at(vc, model.RoleCaseOwner).CaseRoles = []model.Role{model.RoleVendor}
	}},
	{"with its manager as owner", nil, func(_ *stage, _ *model.Activity, vc *model.VulnerabilityCase) {
		at(vc, model.RoleCaseOwner).CaseRoles = []model.Role{model.RoleVendor}
		m := at(vc, model.RoleCaseManager)
		m.CaseRoles = append([]model.Role{model.RoleCaseOwner}, m.CaseRoles...)
	}},
	{"of another offer", nil, func(_ *stage, a *model.Activity, _ *model.VulnerabilityCase) { a.OfferID = newID() }},
	{"as a stub", nil, func(_ *stage, a *model.Activity, vc *model.VulnerabilityCase) {
		a.Object = model.Inline(&model.VulnerabilityCase{ID: vc.ID, Type: model.TypeCase})
	}},
	{"by its id alone", nil, func(_ *stage, a *model.Activity, vc *model.VulnerabilityCase) { a.Object = model.Link(vc.ID) }},
	{"without the reporter in it", nil, func(g *stage, _ *model.Activity, vc *model.VulnerabilityCase) {
		at(vc, model.RoleReporter).AttributedTo = stranger(g).URI()
	}},
	{"with a participant as a bare id", nil, func(_ *stage, _ *model.Activity, vc *model.VulnerabilityCase) {
		vc.CaseParticipants = append(vc.CaseParticipants, model.Link(newID()))
	}},
	{"with a genesis hash of another case", nil, func(g *stage, _ *model.Activity, vc *model.VulnerabilityCase) {
		vc.GenesisHash = ledger.Genesis(newID(), vc.Published, g.M.URI())
	}},
	{"attributed to its owner", nil, func(g *stage, _ *model.Activity, vc *model.VulnerabilityCase) { vc.AttributedTo = g.V.URI() }},
	{"with a participant twice", nil, func(_ *stage, _ *model.Activity, vc *model.VulnerabilityCase) {
		vc.CaseParticipants = append(vc.CaseParticipants, vc.CaseParticipants[1])
	}},
}

func stranger(g *stage) simnet.Party { return g.net.Party(simnet.Actor("x", "stranger")) }

// at is the participant that holds a role in a case as told.
func at(vc *model.VulnerabilityCase, role model.Role) *model.CaseParticipant {
	for _, item := range vc.CaseParticipants {
		if p, ok := model.InlineAs[*model.CaseParticipant](item); ok {
			if slices.Contains(p.CaseRoles, role) {
				return p
			}
		}
	}
	return &model.CaseParticipant{}
}

// A reporter takes a case from the manager named for its own report, and from
// nobody else: report and offer are its own and the owner is the receiver to whom
// it offered. Every other Create seeds nothing at all, and the genuine one is
// still taken afterwards.
//
// Proves: CBT-01-004, CBT-02-001, CBT-01-006, CLP-08-003, MV-01-005
func TestAReporterTakesTheCaseOfItsReportFromItsManagerAlone(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		g.host("x", simnet.Profile(stranger(g).ID, "Organization", stranger(g).ID))
		g.net.Hold(g.toldByManager(g.F))
		g.open()
		genuine := only(g.net.Held(), semantics.CreateCase)[0]
		before := protocolState(g.F)
		for _, f := range forgeries {
			t.Run(f.name, func(t *testing.T) {
				sender, a := g.M, again(t, genuine.Body)
				vc, _ := model.InlineAs[*model.VulnerabilityCase](a.Object)
				if f.from != nil {
					sender = f.from(g)
				}
				if f.change != nil {
					f.change(g, a, vc)
				}
				if vc, ok := model.InlineAs[*model.VulnerabilityCase](a.Object); ok {
					a.Object = model.Inline(vc) // under its present id
				}
				item := g.hear(sender, g.F, a)
				if item.State == ports.Done || item.State == ports.Deferred {
					t.Errorf("%s: %+v", item.State, item.Outcome)
				}
				if item.Outcome.Text == "" {
					t.Error("nothing says why")
				}
				if d := diff(before, protocolState(g.F)); d != "" {
					t.Errorf("it left something:\n%s", d)
				}
			})
		}
		g.net.Release()
		g.net.Settle()
		g.sameLedger(g.F)
		link, _ := load[cases.CaseLink](t, g.F, cases.KindCaseLink, g.reportID)
		if d := diff(cases.CaseLink{ReportID: g.reportID, CaseID: g.caseID, Manager: g.M.URI()}, link); d != "" {
			t.Error(d)
		}
	})
}

// again is a message read anew, under an id of its own.
func again(t *testing.T, body []byte) *model.Activity {
	t.Helper()
	a, err := decode(body)
	if err != nil {
		t.Fatal(err)
	}
	a.ID = newID()
	return a
}

// A manager once trusted is not replaced by implication: another actor that knows
// report, offer and owner, and founds a whole case of them, gets nothing seeded;
// and no second Create changes the first case.
//
// Proves: CBT-02-001, CBT-02-003, CBT-01-001, PCR-01-002
func TestATrustedManagerIsNotReplaced(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		x := stranger(g)
		g.host("x", simnet.Profile(x.ID, "Organization", x.ID))
		g.open()
		genuine := only(g.net.Sent(), semantics.CreateCase)
		for _, victim := range []simnet.Party{g.F, g.V} {
			before := protocolState(victim)
			for name, caseID := range map[string]string{"the same case": g.caseID, "another case": newID()} {
				for _, typ := range []string{model.Create, model.Announce} {
					a := again(t, genuine[0].Body)
					vc, _ := model.InlineAs[*model.VulnerabilityCase](a.Object)
					a.Type, a.Actor, vc.ID, vc.AttributedTo = typ, x.URI(), caseID, x.URI()
					a.Object = model.Inline(vc)
					vc.GenesisHash = ledger.Genesis(vc.ID, vc.Published, x.URI())
					at(vc, model.RoleCaseManager).AttributedTo = x.URI()
					if item := g.hear(x, victim, a); item.State != ports.Refused {
						t.Errorf("%s of %s to %s: %s %+v", typ, name, victim.ID.Segment(), item.State, item.Outcome)
					}
				}
			}
			if d := diff(before, protocolState(victim)); d != "" {
				t.Errorf("%s:\n%s", victim.ID.Segment(), d)
			}
		}
	})
}

// What an activity says of its sender is not taken for the sender: a participant
// that asserts in another's name asserts nothing.
//
// Proves: CLP-07-003, CM-23-001, CBT-02-002
func TestNobodyAssertsInAnothersName(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		g.open()
		before := protocolState(g.M)
		stub := &model.VulnerabilityCase{ID: g.caseID, Type: model.TypeCase}
		item := g.hear(g.F, g.M, &model.Activity{ID: newID(), Type: model.Leave, Actor: g.V.URI(), Object: model.Inline(stub)})
		if item.State != ports.Refused && item.State != ports.Dead {
			t.Errorf("%s: %+v", item.State, item.Outcome)
		}
		if d := diff(before, protocolState(g.M)); d != "" {
			t.Error(d)
		}
	})
}
