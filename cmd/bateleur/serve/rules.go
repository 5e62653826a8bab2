package serve

import (
	"errors"
	"net"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-playground/validator/v10"

	"bateleur/core/model"
)

// rule is one that a setting has to keep, and what to say when it does not.
type rule struct {
	tag, text string
	holds     func(string) bool
}

var rules = []rule{
	{"baseurl", "must be an http or https URL without a query", isBaseURL},
	{"address", "must be HOST:PORT", isAddress},
	{"storeurl", "must be sqlite:///PATH or memory:", func(s string) bool {
		return strings.HasPrefix(s, "sqlite:///") || s == "memory:"
	}},
	{"segment", "must be 1 to 128 letters, digits, '-', '_' or '.', not starting with '.'", func(s string) bool {
		return model.CheckSegment(s) == nil
	}},
	{"actortype", "must be one of " + strings.Join(model.ActorTypes, ", "), model.IsActorType},
	{"actoruri", "must be an actor's http or https URI", func(s string) bool {
		_, err := model.ParseActorID(s)
		return err == nil
	}},
	{"role", "is not a role", func(s string) bool { _, known := model.ParseRole(s); return known }},
}

var validate = newValidator()

func newValidator() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(f reflect.StructField) string { return f.Tag.Get("yaml") })
	for _, r := range rules {
		err := v.RegisterValidation(r.tag, func(f validator.FieldLevel) bool { return r.holds(f.Field().String()) })
		if err != nil {
			panic(err)
		}
	}
	return v
}

// wrong is a setting that breaks a rule.
type wrong struct{ setting, text string }

// broken lists the settings that break a rule, actor[1].type for a part of one.
func broken(s *Settings) (all []wrong) {
	var errs validator.ValidationErrors
	errors.As(validate.Struct(s), &errs)
	for _, e := range errs {
		_, setting, _ := strings.Cut(e.Namespace(), ".")
		all = append(all, wrong{setting, said(e)})
	}
	return all
}

func said(e validator.FieldError) string {
	for _, r := range rules {
		if r.tag == e.Tag() {
			return strconv.Quote(e.Value().(string)) + " " + r.text
		}
	}
	switch e.Tag() {
	case "required":
		return "is missing"
	case "unique":
		return "hosts a segment twice"
	case "oneof":
		return "must be one of " + e.Param()
	case "min":
		return "must be at least " + e.Param()
	}
	return "must be at most " + e.Param()
}

func isBaseURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" &&
		u.User == nil && u.RawQuery == "" && !u.ForceQuery && u.Fragment == ""
}

func isAddress(s string) bool {
	_, port, err := net.SplitHostPort(s)
	if err != nil {
		return false
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return err == nil
}
