package laws

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/usecases/leaf"
	"bateleur/test/simnet"
)

// written is what a refused command must leave as it was: everything but the
// queue in which the command stands.
func written(p simnet.Party) (out []string) {
	var kinds []ports.Kind
	p.View(func(r ports.Reader) (err error) {
		kinds, err = r.Kinds()
		return err
	})
	for _, k := range kinds {
		for _, rec := range p.Records(k) {
			out = append(out, string(k)+" "+rec.ID+" "+string(rec.Body))
		}
	}
	for _, item := range p.Outbox() {
		out = append(out, "outbox "+item.ActivityID)
	}
	return out
}

// A step that the state machine does not have is refused before anything is
// written, by the command and by the manager alike.
//
// Proves: CM-04-002, RMB-15-001, RMB-10-002, TRIG-01-002
func TestAnIllegalStepWritesNothing(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		g.open()
		refused := func(p simnet.Party, trigger string, with params, code string) {
			t.Helper()
			before, sent := written(p), len(g.net.Sent())
			st := g.give(p, trigger, with)
			if st.State != ports.Refused || st.Outcome.Code != code || !strings.HasPrefix(st.Outcome.Path, trigger+"/") {
				t.Errorf("%s is %s: %+v", trigger, st.State, st.Outcome)
			}
			if d := cmp.Diff(before, written(p)); d != "" || len(g.net.Sent()) != sent {
				t.Errorf("%s left traces:\n%s", trigger, d)
			}
		}
		offer := params{"offer_id": g.offerID}
		refused(g.V, "engage-case", g.inCase(), leaf.NotAllowed)      // RECEIVED
		refused(g.V, "close-case", g.inCase(), leaf.NotAllowed)       // RECEIVED
		refused(g.V, "close-report", offer, leaf.NotAllowed)          // RECEIVED
		refused(g.V, "notify-fix-ready", g.inCase(), leaf.NotAllowed) // not engaged
		refused(g.F, "notify-fix-ready", g.inCase(), leaf.NotAllowed) // no vendor
		refused(g.V, "validate-report", params{"offer_id": "urn:uuid:nowhere"}, leaf.Unknown)
		g.do(g.V, "validate-report", offer)
		refused(g.V, "close-case", g.inCase(), leaf.NotAllowed) // VALID
		refused(g.V, "validate-report", offer, leaf.NotAllowed) // VALID already
		g.do(g.V, "engage-case", g.inCase())
		refused(g.V, "notify-fix-deployed", g.inCase(), leaf.NotAllowed) // no deployer
		g.do(g.V, "notify-fix-ready", g.inCase())
		refused(g.V, "notify-fix-ready", g.inCase(), leaf.NothingChange)
		if entries := len(g.M.Entries(g.caseID)); entries != 12 {
			t.Errorf("the manager ledgered %d entries", entries)
		}
	})
}

// Without a manager to assert to nothing is asserted, and nothing written.
//
// Proves: BT-19-001, PCR-08-011
func TestWithoutAManagerNothingIsWritten(t *testing.T) {
	t.Parallel()
	g := set(t, setting{})
	g.open()
	g.V.Meddle(func(tx ports.Tx) error {
		c, err := cases.Load[cases.Case](tx, cases.KindCase, g.caseID)
		if err != nil {
			return err
		}
		for i := range c.Value.Participants {
			p := &c.Value.Participants[i]
			p.Roles = slices.DeleteFunc(p.Roles, func(r model.Role) bool { return r == model.RoleCaseManager })
		}
		return cases.Save(tx, cases.KindCase, g.caseID, &c)
	})
	before := written(g.V)
	for trigger, with := range map[string]params{"validate-report": {"offer_id": g.offerID},
		"add-note-to-case": g.note("?"), "notify-published": g.inCase(), "close-case": g.inCase()} {
		st := g.give(g.V, trigger, with)
		if st.State != ports.Refused || st.Outcome.Code != leaf.Unknown || !strings.HasSuffix(st.Outcome.Path, "manager is known") {
			t.Errorf("%s is %s: %+v", trigger, st.State, st.Outcome)
		}
	}
	if d := cmp.Diff(before, written(g.V)); d != "" {
		t.Error(d)
	}
}

// A case's id carries a random UUID: no two cases have one, and none can be
// guessed.
//
// Proves: CLP-08-006
func TestACasesIDIsRandom(t *testing.T) {
	t.Parallel()
	random := regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	seen := map[string]bool{}
	for range 3 {
		g := set(t, setting{})
		g.open()
		if !random.MatchString(g.caseID) || seen[g.caseID] {
			t.Errorf("case %s", g.caseID)
		}
		seen[g.caseID] = true
	}
}
