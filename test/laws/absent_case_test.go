package laws

import (
	"strings"
	"testing"

	"bateleur/core/cases"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/semantics"
	"bateleur/node"
	"bateleur/test/simnet"
)

// A case that an actor asked for is absent for it until the Create arrives, on
// one host too. A validation given before waits and leaves no trace of VALID,
// latch and pending assertion included, however often it is given; a node
// started anew on the same store still waits. When the Create comes it is done
// once, without another call, with one ledger entry.
//
// The same with processes that are killed stands in test/process.
//
// Proves: BA-15-001, BA-15-002, PCR-01-003, ID-04-005, CBT-01-001, BA-10-004, TRIG-01-003
func TestValidationWaitsForTheReplica(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		g.net.Hold(g.toldByManager(g.V))
		g.open()

		first := g.give(g.V, "validate-report", params{"offer_id": g.offerID})
		again := g.give(g.V, "validate-report", params{"offer_id": g.offerID})
		for _, st := range []node.CommandStatus{first, again} {
			if st.State != ports.Deferred || st.Until.IsZero() {
				t.Fatalf("the command is %s: %s %s", st.State, st.Outcome.Code, st.Outcome.Text)
			}
		}
		g.net.Settle()
		g.noTraceOfValid()
		if st, _ := load[cases.ReportStatus](t, g.V, cases.KindReportStatus, g.reportID); st.RM != model.RMReceived {
			t.Errorf("the report's own record says %s", st.RM)
		}

		g.net.Restart(g.set.vendor)
		g.net.Settle()
		g.noTraceOfValid()

		g.net.Release()
		g.net.Settle()
		g.validatedOnce()
		if st := g.V.Item(first.Seq); st.State != ports.Done {
			t.Errorf("the command is %s: %+v", st.State, st.Outcome)
		}
		if st := g.V.Item(again.Seq); st.State != ports.Refused {
			t.Errorf("the second command is %s: %+v", st.State, st.Outcome)
		}
	})
}

// toldByManager picks what the manager tells a party.
func (g *stage) toldByManager(p simnet.Party) func(simnet.Message) bool {
	return func(m simnet.Message) bool { return m.From == g.M.URI() && m.To() == p.URI() }
}

// noTraceOfValid wants no VALID in what the vendor knows; its own command is the
// one place where the word may stand, as a name.
func (g *stage) noTraceOfValid() {
	g.t.Helper()
	for _, l := range protocolState(g.V) {
		if strings.Contains(l, "VALID") || strings.Contains(l, "PendingAssertion") {
			g.t.Errorf("before the replica: %s", l)
		}
	}
	for _, m := range g.net.Sent() {
		if semantics.Classify(m.Activity) == semantics.ValidateReport {
			g.t.Errorf("before the replica %s was sent", line(m.Activity))
		}
	}
}

// validatedOnce wants the report's record and the participant's state VALID
// everywhere, by one message and one entry.
func (g *stage) validatedOnce() {
	g.t.Helper()
	if st, _ := load[cases.ReportStatus](g.t, g.V, cases.KindReportStatus, g.reportID); st.RM != model.RMValid {
		g.t.Errorf("the report's own record says %s", st.RM)
	}
	for _, p := range []simnet.Party{g.M, g.V, g.F} {
		if rm := g.rm(p, g.V); rm != model.RMValid {
			g.t.Errorf("%s has the owner at %s", p.ID.Segment(), rm)
		}
	}
	entries, sent := 0, 0
	for _, e := range events(g.M.Entries(g.caseID), 0) {
		if e == cases.EventValidateReport {
			entries++
		}
	}
	for _, m := range g.net.Sent() {
		if semantics.Classify(m.Activity) == semantics.ValidateReport {
			sent++
		}
	}
	if entries != 1 || sent != 1 {
		g.t.Errorf("%d entries and %d messages about the validation, want one each", entries, sent)
	}
	if n := len(g.V.Records(cases.KindPending)); n != 0 {
		g.t.Errorf("%d assertions are still pending", n)
	}
	g.sameLedger(g.V, g.F)
}

// With the replica there first, the report's record advances with the assertion
// and the participant's state with the entry that confirms it.
//
// Proves: BA-15-003, PCR-03-002, CLP-06-006, CLP-01-004
func TestBothHalvesOfAValidationAdvance(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		g.open()
		g.net.Hold(g.toldByManager(g.V))
		g.do(g.V, "validate-report", params{"offer_id": g.offerID})
		if rm := g.rm(g.V, g.V); rm != model.RMReceived {
			t.Errorf("the replica says %s before the entry is back", rm)
		}
		if n := len(g.V.Records(cases.KindPending)); n != 1 {
			t.Errorf("%d pending assertions, want one", n)
		}
		g.net.Release()
		g.net.Settle()
		g.validatedOnce()
	})
}

// The gate asks for the replica's presence, not for what happened before: the
// Create of another report's case does not open it, and a replica that is gone is
// absent again.
//
// Proves: BA-15-003, PCR-01-003, PCR-04-001
func TestTheGateProvesCauseNotSequence(t *testing.T) {
	t.Parallel()
	t.Run("another report's case", func(t *testing.T) {
		onEveryStore(t, func(t *testing.T, g *stage) {
			g.net.Hold(g.toldByManager(g.V))
			g.open()
			offer, report := g.offerID, g.reportID
			st := g.give(g.V, "validate-report", params{"offer_id": offer})
			g.net.Hold(nil)
			g.open() // a second report, whose case arrives
			if got := g.V.Item(st.Seq).State; got != ports.Deferred {
				t.Errorf("the command is %s", got)
			}
			if st, _ := load[cases.ReportStatus](t, g.V, cases.KindReportStatus, report); st.RM != model.RMReceived {
				t.Errorf("the report is %s", st.RM)
			}
		})
	})
	t.Run("a replica that is gone", func(t *testing.T) {
		onEveryStore(t, func(t *testing.T, g *stage) {
			g.open()
			g.V.Meddle(func(tx ports.Tx) error {
				r, err := tx.Get(cases.KindCase, g.caseID)
				if err != nil {
					return err
				}
				return tx.Delete(cases.KindCase, g.caseID, r.Rev)
			})
			before := protocolState(g.V)
			st := g.give(g.V, "validate-report", params{"offer_id": g.offerID})
			g.net.Settle()
			if st.State != ports.Deferred {
				t.Errorf("the command is %s: %+v", st.State, st.Outcome)
			}
			if d := diff(before, protocolState(g.V)); d != "" {
				t.Errorf("the command wrote:\n%s", d)
			}
		})
	})
}

// Work that waits has a bound; at the bound it is a dead letter with its reason,
// which runs again when it is told to.
//
// Proves: BA-10-004
func TestWaitingEndsInADeadLetterThatRunsAgain(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, g *stage) {
		g.net.Hold(g.toldByManager(g.V))
		g.open()
		st := g.give(g.V, "validate-report", params{"offer_id": g.offerID})
		g.net.Advance(st.Until.Sub(g.net.Clock.Now()) + 1)
		item := g.V.Item(st.Seq)
		if item.State != ports.Dead || item.Outcome.Text == "" {
			t.Fatalf("the command is %s: %+v", item.State, item.Outcome)
		}
		g.net.Release()
		g.net.Settle()
		if got := g.V.Item(st.Seq).State; got != ports.Dead {
			t.Errorf("the dead letter became %s by itself", got)
		}
		if err := g.V.Node().Retry(t.Context(), g.V.ID, st.Seq); err != nil {
			t.Fatal(err)
		}
		g.net.Settle()
		g.validatedOnce()
	})
}
