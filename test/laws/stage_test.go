package laws

import (
	"encoding/json"
	"testing"

	"bateleur/adapters/driven/memory"
	"bateleur/adapters/driven/sqlite"
	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/node"
	"bateleur/test/simnet"
)

// adapters are the stores that every law holds on.
var adapters = []struct {
	name string
	open func(*testing.T) ports.Stores
}{
	{"memory", func(*testing.T) ports.Stores { return memory.New() }},
	{"sqlite", func(t *testing.T) ports.Stores {
		stores, err := sqlite.Open("sqlite:///:memory:")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = stores.Close() })
		return stores
	}},
}

// onEveryStore runs a test on each adapter, on a stage set as usual.
func onEveryStore(t *testing.T, f func(*testing.T, *stage)) {
	for _, a := range adapters {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			f(t, set(t, setting{stores: a.open}))
		})
	}
}

// setting says where the three parties of a case live; what is empty is as
// usual: the finder on a node of its own, the vendor's node hosting its manager.
type setting struct {
	name                   string
	finder, vendor, manage string // hosts
	manager, managerType   string // segment and type of the manager
	stores                 func(*testing.T) ports.Stores
	change                 func(host string, cfg *node.Config)
	http                   bool // messages go over HTTP
}

func (s setting) withDefaults() setting {
	or := func(v *string, fallback string) {
		if *v == "" {
			*v = fallback
		}
	}
	or(&s.finder, "z")
	or(&s.vendor, "v")
	or(&s.manage, s.vendor)
	or(&s.manager, "case-actor")
	or(&s.managerType, "Service")
	if s.stores == nil {
		s.stores = adapters[0].open
	}
	return s
}

// stage is a network with the parties of a case: the finder F, the vendor V, and
// M, who manages the vendor's cases.
type stage struct {
	t       *testing.T
	set     setting
	net     *simnet.Net
	F, V, M simnet.Party

	offerID, reportID, caseID string
}

func set(t *testing.T, s setting) *stage {
	t.Helper()
	s = s.withDefaults()
	g := &stage{t: t, set: s, net: simnet.New(t)}
	if s.http {
		g.net.OverHTTP()
	}
	f, v, m := simnet.Actor(s.finder, "zoe"), simnet.Actor(s.vendor, "vendor"), simnet.Actor(s.manage, s.manager)
	g.F, g.V, g.M = g.net.Party(f), g.net.Party(v), g.net.Party(m)
	hosts := map[string][]ports.Profile{}
	hosts[s.finder] = append(hosts[s.finder], simnet.Profile(f, "Person", m))
	hosts[s.vendor] = append(hosts[s.vendor], simnet.Profile(v, "Organization", m))
	hosts[s.manage] = append(hosts[s.manage], simnet.ManagerProfile(m, s.managerType))
	for host, profiles := range hosts {
		g.host(host, profiles...)
	}
	return g
}

// host starts a node of this setting's kind.
func (g *stage) host(host string, profiles ...ports.Profile) {
	g.t.Helper()
	cfg := g.net.Config(host, g.set.stores(g.t), profiles...)
	if g.set.change != nil {
		g.set.change(host, &cfg)
	}
	g.net.Run(cfg)
}

// another hosts one more organization on a node of its own.
func (g *stage) another(host, segment string) simnet.Party {
	g.t.Helper()
	id := simnet.Actor(host, segment)
	g.host(host, simnet.Profile(id, "Organization", g.M.ID))
	return g.net.Party(id)
}

// submit submits a report to the vendor and leaves the network to itself.
func (g *stage) submit() {
	g.t.Helper()
	st := g.must(g.F, "submit-report", params{
		"report_name": "Heap overflow", "report_content": "A heap overflow in the parser.", "recipient_id": g.V.URI()})
	var out struct {
		Offer    struct{ ID string }
		ReportID string `json:"report_id"`
	}
	g.answer(st, &out)
	g.offerID, g.reportID = out.Offer.ID, out.ReportID
}

// open submits a report and waits for its case.
func (g *stage) open() {
	g.t.Helper()
	g.submit()
	g.net.Settle()
	g.caseID = g.caseOf(g.M, g.reportID)
	if g.caseID == "" {
		g.t.Fatal("the report became no case")
	}
}

// params are a command's parameters.
type params map[string]any

func (g *stage) inCase() params { return params{"case_id": g.caseID} }

func (g *stage) note(text string) params { return params{"case_id": g.caseID, "note_content": text} }

// must gives a command that has to be done at once.
func (g *stage) must(p simnet.Party, trigger string, with params) node.CommandStatus {
	g.t.Helper()
	st := g.give(p, trigger, with)
	if st.State != ports.Done {
		g.t.Fatalf("%s by %s is %s: %s %s", trigger, p.ID.Segment(), st.State, st.Outcome.Code, st.Outcome.Text)
	}
	return st
}

// do is must with the network at rest afterwards.
func (g *stage) do(p simnet.Party, trigger string, with params) node.CommandStatus {
	g.t.Helper()
	st := g.must(p, trigger, with)
	g.net.Settle()
	return st
}

func (g *stage) give(p simnet.Party, trigger string, with params) node.CommandStatus {
	g.t.Helper()
	st, err := p.Command(trigger, with)
	if err != nil {
		g.t.Fatalf("%s by %s: %v", trigger, p.ID.Segment(), err)
	}
	return st
}

func (g *stage) answer(st node.CommandStatus, out any) {
	g.t.Helper()
	if err := json.Unmarshal(st.Outcome.Result, out); err != nil {
		g.t.Fatal(err)
	}
}

// hear lets a message arrive that no node sent, and gives what became of it.
func (g *stage) hear(from, to simnet.Party, a *model.Activity) ports.InboxItem {
	g.t.Helper()
	seq := g.net.Inject(from.ID, to.ID, a).Seq
	g.net.Settle()
	return to.Item(seq)
}

// actorOf is the party with an id.
func (g *stage) actorOf(uri string) simnet.Party {
	g.t.Helper()
	id, err := model.ParseActorID(uri)
	if err != nil {
		g.t.Fatal(err)
	}
	return g.net.Party(id)
}

// story works the two parties' case from report to closure.
func (g *stage) story() {
	g.t.Helper()
	g.open()
	g.do(g.V, "validate-report", params{"offer_id": g.offerID})
	g.do(g.V, "engage-case", g.inCase())
	g.do(g.F, "add-note-to-case", g.note("Is there a workaround?"))
	g.do(g.V, "add-note-to-case", g.note("Switch the parser off."))
	g.do(g.V, "notify-fix-ready", g.inCase())
	g.do(g.V, "notify-published", g.inCase())
	g.do(g.F, "notify-published", g.inCase())
	g.do(g.F, "close-case", g.inCase())
	g.do(g.V, "close-case", g.inCase())
}

// invite lets the owner invite an actor, without an answer yet.
func (g *stage) invite(who simnet.Party, roles ...string) (inviteID string) {
	g.t.Helper()
	with := params{"case_id": g.caseID, "invitee_id": who.URI()}
	if len(roles) > 0 {
		with["roles"] = roles
	}
	var out struct{ Activity model.Activity }
	g.answer(g.do(g.V, "invite-actor-to-case", with), &out)
	return out.Activity.ID
}

// admit invites an actor, which accepts.
func (g *stage) admit(who simnet.Party, roles ...string) {
	g.t.Helper()
	g.do(who, "accept-case-invite", params{"invite_id": g.invite(who, roles...)})
}

// caseOf is the case that an actor knows a report by, "" for none.
func (g *stage) caseOf(p simnet.Party, reportID string) (id string) {
	g.t.Helper()
	p.View(func(r ports.Reader) error {
		link, _, err := cases.Find[cases.CaseLink](r, cases.KindCaseLink, reportID)
		id = link.Value.CaseID
		return err
	})
	return id
}
