package httpapi

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
	"bateleur/core/usecases/query"
)

// How long a caller waits for a command's decision.
const (
	defaultWait = 10 * time.Second
	longestWait = 60 * time.Second
)

// commandView is how a command stands, for its giver.
type commandView struct {
	ID     string           `json:"id"`
	Seq    int64            `json:"seq"`
	Actor  string           `json:"actor"` // in whose queue it stands
	State  ports.InboxState `json:"state"`
	Until  time.Time        `json:"until,omitzero"` // deferred: when waiting ends
	Reason *query.Reason    `json:"reason,omitempty"`
	Result json.RawMessage  `json:"result,omitempty"`
}

func viewOf(s ports.CommandStatus) *commandView {
	v := &commandView{ID: s.ID, Seq: s.Seq, Actor: s.Actor.URI(), State: s.State, Until: s.Until}
	if s.State != ports.Done && s.Outcome.Code != "" {
		reason := query.ReasonOf(s.Outcome)
		v.Reason = &reason
	}
	return v
}

// byActors is the command that POST /actors/ alone gives, behind its guard.
const byActors = "register-peer"

// command gives an actor a command and tells what came of it (TRIG-01).
func (a *api) command(w http.ResponseWriter, r *http.Request, actor model.ActorID) {
	if r.PathValue("name") == byActors {
		a.refuse(w, r, absent("no such command"))
		return
	}
	wait, bad := waitOf(r)
	key := r.Header.Get("Idempotency-Key")
	if bad == nil && r.Header.Values("Idempotency-Key") != nil && !visible(key, 255) {
		p := malformed("Idempotency-Key", "must be 1 to 255 visible ASCII characters")
		bad = &p
	}
	var params []byte
	if bad == nil {
		params, bad = read(w, r, a.MaxCommand, typeJSON)
	}
	if bad != nil {
		a.refuse(w, r, *bad)
		return
	}
	if !json.Valid(params) {
		a.refuse(w, r, malformed("body", "not a JSON document"))
		return
	}
	status, err := a.Node.Command(r.Context(), actor, ports.CommandRequest{Trigger: r.PathValue("name"),
		Params: params, Key: key, Wait: wait})
	switch {
	case fault.CodeOf(err) == fault.Invalid:
		p := problemOf(err)
		p.Code = codeParams
		a.refuse(w, r, p)
	case err != nil:
		a.fail(w, r, err)
	default:
		a.told(w, r, actor.URI(), status)
	}
}

// told answers with how a command stands.
func (a *api) told(w http.ResponseWriter, r *http.Request, actor string, s ports.CommandStatus) {
	switch s.State {
	case ports.Done, ports.Pending, ports.Deferred:
		w.Header().Set("Location", s.Actor.URI()+"/commands/"+strconv.FormatInt(s.Seq, 10))
		a.answer(w, r, http.StatusAccepted, typeJSON, merged(s))
	default:
		p := refusal(s)
		if p.Status >= http.StatusInternalServerError {
			a.Log.ErrorContext(r.Context(), "command died", "actor", actor, "seq", s.Seq,
				"request_id", requestID(r.Context()), "code", p.Code)
		}
		a.refuse(w, r, p)
	}
}

// merged is a command's result with the command beside its members.
func merged(s ports.CommandStatus) map[string]any {
	out := map[string]any{}
	var result map[string]json.RawMessage
	if s.State == ports.Done && json.Unmarshal(s.Outcome.Result, &result) == nil {
		for name, value := range result {
			out[name] = value
		}
	}
	out["command"] = viewOf(s)
	return out
}

// showCommand tells how a command in the actor's queue stands (TRIG-01-003).
func (a *api) showCommand(w http.ResponseWriter, r *http.Request, actor model.ActorID) {
	seq, bad := number("seq", r.PathValue("seq"))
	if bad != nil {
		a.refuse(w, r, absent("no such command"))
		return
	}
	s, err := a.Node.CommandStatus(r.Context(), actor, seq)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	v := viewOf(s)
	if len(s.Outcome.Result) > 0 && json.Valid(s.Outcome.Result) {
		v.Result = s.Outcome.Result
	}
	a.answer(w, r, http.StatusOK, typeJSON, map[string]any{"command": v})
}

func waitOf(r *http.Request) (time.Duration, *problem) {
	given := r.URL.Query().Get("wait")
	if given == "" {
		return defaultWait, nil
	}
	seconds, bad := number("wait", given)
	return min(time.Duration(min(seconds, 3600))*time.Second, longestWait), bad
}

// number reads a parameter that counts something.
func number(field, given string) (int64, *problem) {
	n, err := strconv.ParseInt(given, 10, 64)
	if err != nil || n < 0 {
		p := malformed(field, "must be a whole number, 0 or more")
		return 0, &p
	}
	return n, nil
}
