package process

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"
)

// holdCreates stands before a node and keeps the Create of a case from it until
// it is let go; the sender is told to try again.
type holdCreates struct {
	*httptest.Server
	target atomic.Pointer[url.URL]
	letGo  atomic.Bool
	held   atomic.Int32
}

func newHoldCreates(t *testing.T) *holdCreates {
	h := &holdCreates{}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(h.target.Load())
		r.Out.Host = r.In.Host
	}}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !h.letGo.Load() && bytes.Contains(body, []byte(`"type":"Create"`)) && bytes.Contains(body, []byte(`"VulnerabilityCase"`)) {
			h.held.Add(1)
			http.Error(w, "not now", http.StatusServiceUnavailable)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(h.Close)
	return h
}

// A vendor that validates a report before the replica of its case arrived has
// written nothing of it, latch included; killed and started again, it validates
// once when the Create comes, without being told again.
//
// Proves: PCR-01-003, ID-04-005, BA-10-006
func TestValidateBeforeTheReplicaArrived(t *testing.T) {
	gate := newHoldCreates(t)
	manager := serve(t, "", "--actor", "host")
	vendor := serve(t, gate.URL+"/api/v2", "--no-case-manager", "--actor", "vendor,manager="+manager.actor("case-actor"))
	target, _ := url.Parse("http://" + vendor.listen)
	gate.target.Store(target)
	finder := serve(t, "", "--no-case-manager", "--actor", "finder,type=Person,manager="+manager.actor("case-actor"))

	offer := offerOf(t, finder.trigger("finder", "submit-report", map[string]any{"report_name": "Overflow",
		"report_content": "A heap overflow.", "recipient_id": vendor.actor("vendor")}))
	vendor.until("the Create is on its way", func() bool { return gate.held.Load() > 0 })

	answer := vendor.trigger("vendor", "validate-report", map[string]any{"offer_id": offer})
	command, _ := answer["command"].(map[string]any)
	if command["state"] != "deferred" {
		t.Fatalf("validate-report without a replica: %v", answer)
	}
	nothingValid := func(when string) {
		t.Helper()
		if dump := vendor.dump("vendor"); contains(dump, "VALID") || contains(dump, "validate_report") {
			t.Fatalf("%s: the vendor's store speaks of validity:\n%s", when, dump)
		}
	}
	nothingValid("after the command")
	vendor.kill()
	nothingValid("after the kill")
	vendor.start()
	nothingValid("after the restart")

	gate.letGo.Store(true)
	var caseID string
	vendor.until("validated", func() bool {
		var list []struct {
			ID           string `json:"id"`
			Participants []struct{ Actor, RM string }
		}
		if vendor.get("/actors/vendor/cases", &list) != http.StatusOK || len(list) == 0 {
			return false
		}
		caseID = list[0].ID
		return vendor.events("vendor", caseID)["validate_report"] == 1
	})
	if n := manager.events("case-actor", caseID)["validate_report"]; n != 1 {
		t.Errorf("the manager ledgered %d validations", n)
	}
	if dump := vendor.dump("vendor"); !contains(dump, "VALID") {
		t.Error("the vendor's store does not speak of validity")
	}
}
