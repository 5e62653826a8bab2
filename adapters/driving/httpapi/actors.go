package httpapi

import (
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/go-playground/validator/v10"

	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// document is an actor's description as peers read it.
type document struct {
	Context string `json:"@context"`
	model.Actor
}

func documentOf(a model.Actor) document {
	return document{Context: "https://www.w3.org/ns/activitystreams", Actor: a}
}

// listActors lists whom the node hosts, and nobody else (DL-07-008).
func (a *api) listActors(w http.ResponseWriter, r *http.Request) {
	a.answer(w, r, http.StatusOK, typeJSON, a.Node.Hosted())
}

func (a *api) showActor(w http.ResponseWriter, r *http.Request, id model.ActorID) {
	actor, _ := a.hosted(id)
	a.answer(w, r, http.StatusOK, typeActivity, documentOf(actor))
}

func (a *api) hosted(id model.ActorID) (model.Actor, bool) {
	for _, actor := range a.Node.Hosted() {
		if actor.ID == id.URI() {
			return actor, true
		}
	}
	return model.Actor{}, false
}

// peer is what a peer is made known by.
type peer struct {
	ID   string `json:"id" validate:"required,max=2048"`
	Type string `json:"actor_type" validate:"omitempty,actortype"`
	Name string `json:"name" validate:"max=1000"`
}

var validate = newValidator()

func newValidator() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(f reflect.StructField) string {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		return name
	})
	if err := v.RegisterValidation("actortype", func(f validator.FieldLevel) bool {
		return model.IsActorType(f.Field().String())
	}); err != nil {
		panic(err)
	}
	return v
}

func brokenRule(e validator.FieldError) problem {
	if e.Tag() == "max" {
		return malformed(e.Field(), "longer than "+e.Param())
	}
	return malformed(e.Field(), "must be a type of actor")
}

// registerPeer writes an actor of another host into the address book of every
// hosted actor. It never makes an actor: those that are hosted are configured,
// and so are their stores (DL-07-008).
func (a *api) registerPeer(w http.ResponseWriter, r *http.Request) {
	id, p, bad := a.named(w, r)
	if bad != nil {
		a.refuse(w, r, *bad)
		return
	}
	if actor, hosted := a.hosted(id); hosted {
		a.answer(w, r, http.StatusOK, typeActivity, documentOf(actor))
		return
	}
	if hostOf(a.base.Scheme, authority(id)) == hostOf(a.base.Scheme, a.base.Host) {
		a.refuse(w, r, ownAuthority())
		return
	}
	params, err := json.Marshal(map[string]string{"id": id.URI(), "type": p.Type, "name": p.Name})
	if err != nil {
		a.fail(w, r, err)
		return
	}
	var last, undone ports.CommandStatus
	for _, host := range a.Node.Hosted() {
		if last, err = a.keep(r, host, params); err != nil {
			a.fail(w, r, err)
			return
		}
		if last.State != ports.Done {
			undone = last
		}
	}
	if undone.State != "" {
		a.told(w, r, undone.Actor.URI(), undone)
		return
	}
	a.answer(w, r, http.StatusCreated, typeActivity, kept(last))
}

// named reads which peer is meant.
func (a *api) named(w http.ResponseWriter, r *http.Request) (model.ActorID, peer, *problem) {
	var p peer
	body, bad := read(w, r, a.MaxBody, typeJSON)
	if bad == nil {
		bad = decode(body, &p)
	}
	if bad != nil {
		return model.ActorID{}, p, bad
	}
	if p.ID == "" {
		none := ownAuthority()
		return model.ActorID{}, p, &none
	}
	if wrong, ok := errors.AsType[validator.ValidationErrors](validate.Struct(p)); ok {
		broken := brokenRule(wrong[0])
		return model.ActorID{}, p, &broken
	}
	id, err := model.ParseActorID(p.ID)
	if err != nil {
		none := problemOf(err)
		return id, p, &none
	}
	return id, p, nil
}

func ownAuthority() problem {
	return problem{Code: string(fault.Forbidden), Field: "id", Detail: "hosted actors are configured"}
}

// authority is the host and port of an actor's id.
func authority(id model.ActorID) string {
	_, rest, _ := strings.Cut(id.URI(), "://")
	host, _, _ := strings.Cut(rest, "/")
	return host
}

func (a *api) keep(r *http.Request, host model.Actor, params []byte) (ports.CommandStatus, error) {
	id, err := model.ParseActorID(host.ID)
	if err != nil {
		return ports.CommandStatus{}, err
	}
	return a.Node.Command(r.Context(), id, ports.CommandRequest{Trigger: byActors, Params: params, Wait: 10 * time.Second})
}

// kept is the actor that a register-peer command answered with.
func kept(s ports.CommandStatus) any {
	var answer struct {
		Actor model.Actor `json:"actor"`
	}
	_ = json.Unmarshal(s.Outcome.Result, &answer) // the command's own result
	return documentOf(answer.Actor)
}
