package trigger

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/go-playground/validator/v10"

	"bateleur/core/fault"
	"bateleur/core/scope"
)

// Parameters of the triggers, in the spelling that existing clients use.
type (
	// SubmitReport offers a report to a receiver.
	SubmitReport struct {
		Name      string `json:"report_name" validate:"required,max=1000"`
		Content   string `json:"report_content" validate:"json=983040"`
		Recipient string `json:"recipient_id" validate:"required,actor"`
	}
	// AnswerOffer answers the offer of a report.
	AnswerOffer struct {
		OfferID string `json:"offer_id" validate:"required,max=2048"`
		Note    string `json:"note" validate:"json=65536"`
	}
	// InCase is about a case as a whole.
	InCase struct {
		CaseID string `json:"case_id" validate:"required,max=2048"`
	}
	// AddNote adds a note to a case.
	AddNote struct {
		CaseID    string `json:"case_id" validate:"required,max=2048"`
		Name      string `json:"note_name" validate:"max=1000"`
		Content   string `json:"note_content" validate:"required,json=262144"`
		InReplyTo string `json:"in_reply_to" validate:"max=2048"`
	}
	// InviteActor invites an actor to a case.
	InviteActor struct {
		CaseID  string   `json:"case_id" validate:"required,max=2048"`
		Invitee string   `json:"invitee_id" validate:"required,actor"`
		Roles   []string `json:"roles" validate:"max=9,dive,role"`
	}
	// AnswerInvite answers an invitation.
	AnswerInvite struct {
		InviteID string `json:"invite_id" validate:"required,max=2048"`
	}
)

// MaxReport bounds SubmitReport.Content, in bytes of JSON: messages hold it whole,
// with what is around it, and inboxes take a MiB (outbound.MaxBody).
const MaxReport = 960 << 10

var validate = newValidator()

func newValidator() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(f reflect.StructField) string {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		return name
	})
	mustRegister(v, "actor", isActor)
	mustRegister(v, "actortype", isActorType)
	mustRegister(v, "role", isInvitableRole)
	mustRegister(v, "json", fitsJSON)
	return v
}

func mustRegister(v *validator.Validate, tag string, f validator.Func) {
	if err := v.RegisterValidation(tag, f); err != nil {
		panic(err)
	}
}

// check decodes parameters strictly and validates them; the error names the
// member.
func check[T any](name string) func([]byte) error {
	return func(params []byte) error {
		p, err := scope.DecodeParams[T](scope.Command{Trigger: name, Params: params})
		if err != nil {
			return named(name, err)
		}
		if wrong, ok := errors.AsType[validator.ValidationErrors](validate.Struct(p)); ok {
			return fault.Field("command", name, wrong[0].Field(), rule(wrong[0]))
		}
		return nil
	}
}

func rule(e validator.FieldError) string {
	switch e.Tag() {
	case "required":
		return "missing"
	case "actor":
		return "must be an actor's http or https URI"
	case "actortype":
		return "must be a type of actor"
	case "role":
		return "must be a role to which one can be invited"
	case "json":
		return "longer than " + e.Param() + " bytes of JSON"
	case "max":
		return "longer than " + e.Param()
	}
	return "breaks the rule " + e.Tag()
}

// named says which member did not decode, when the decoder tells.
func named(name string, err error) error {
	var typ *json.UnmarshalTypeError
	if errors.As(err, &typ) && typ.Field != "" {
		return fault.Field("command", name, typ.Field, "must be "+typ.Type.String())
	}
	text := err.Error()
	if _, field, ok := strings.Cut(text, `unknown field "`); ok {
		return fault.Field("command", name, strings.TrimSuffix(field, `"`), "not a parameter of this command")
	}
	if e, ok := errors.AsType[*fault.Error](err); ok && e.Field != "" {
		return fault.Field("command", name, e.Field, e.Text)
	}
	return fault.Field("command", name, "body", "not a JSON object of parameters")
}

func caseOf(params []byte) string {
	var p InCase
	dec := json.NewDecoder(bytes.NewReader(params))
	if dec.Decode(&p) != nil {
		return ""
	}
	return p.CaseID
}
