package httpapi

import (
	"cmp"
	"errors"
	"net/http"

	"bateleur/core/fault"
	"bateleur/core/ports"
	"bateleur/core/usecases/leaf"
	"bateleur/core/usecases/query"
)

// problem is an answer that is an error (RFC 9457).
type problem struct {
	Type     string       `json:"type"`
	Title    string       `json:"title"`
	Status   int          `json:"status"`
	Detail   string       `json:"detail,omitempty"`
	Instance string       `json:"instance,omitempty"` // the request's id
	Code     string       `json:"code"`
	Field    string       `json:"field,omitempty"` // the member, parameter or header at fault
	Path     string       `json:"path,omitempty"`  // of the tree's node that refused a command
	Errors   []fieldError `json:"errors,omitempty"`
	Command  *commandView `json:"command,omitempty"`
}

type fieldError struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Codes of this adapter, beside those of package fault and of trees.
const (
	codeMethod       = "method-not-allowed"
	codeMediaType    = "media-type"
	codeMisdirected  = "misdirected"
	codeCrossOrigin  = "cross-origin"
	codeUnproved     = "unproved-sender"
	codeMisaddressed = "addressed-to-others"
	codeParams       = "invalid-parameters"
	codePanic        = "panic"
	codeTooLate      = "waited-too-long"
)

// kind is what a code means over HTTP.
type kind struct {
	status int
	title  string
}

// kinds is the one table from codes to answers.
var kinds = map[string]kind{
	string(fault.Invalid):       {http.StatusBadRequest, "Malformed"},
	string(fault.NotFound):      {http.StatusNotFound, "Not found"},
	string(fault.Conflict):      {http.StatusConflict, "Conflict"},
	string(fault.Forbidden):     {http.StatusForbidden, "Not allowed"},
	string(fault.NotHosted):     {http.StatusConflict, "The actor is not hosted here"},
	string(fault.OwnerMismatch): {http.StatusInternalServerError, "A store belongs to another actor"},
	string(fault.Corrupt):       {http.StatusInternalServerError, "Stored data is damaged"},
	string(fault.Schema):        {http.StatusInternalServerError, "A store was written by a newer program"},
	string(fault.TooLarge):      {http.StatusRequestEntityTooLarge, "Too large"},
	string(fault.Unsupported):   {http.StatusUnprocessableEntity, "Not supported"},
	string(fault.Unavailable):   {http.StatusServiceUnavailable, "Not available now"},
	string(fault.Cancelled):     {http.StatusServiceUnavailable, "Not finished"},
	string(fault.Closed):        {http.StatusServiceUnavailable, "Not available now"},
	string(fault.Inconsistent):  {http.StatusInternalServerError, "Facts that must agree differ"},
	string(fault.Internal):      {http.StatusInternalServerError, "Internal error"},

	codeMethod:       {http.StatusMethodNotAllowed, "Method not allowed"},
	codeMediaType:    {http.StatusUnsupportedMediaType, "Media type not supported"},
	codeMisdirected:  {http.StatusMisdirectedRequest, "Another host is asked for"},
	codeCrossOrigin:  {http.StatusForbidden, "Sent by another site"},
	codeUnproved:     {http.StatusUnauthorized, "The sender is not proved"},
	codeMisaddressed: {http.StatusBadRequest, "Addressed to others"},
	codeParams:       {http.StatusUnprocessableEntity, "Wrong parameters"},
	codePanic:        {http.StatusInternalServerError, "Internal error"},
	codeTooLate:      {http.StatusConflict, "Waited too long"},

	leaf.Absent:        {http.StatusConflict, "Not here yet"},
	leaf.Duplicate:     {http.StatusConflict, "Done before"},
	leaf.NotAllowed:    {http.StatusConflict, "Not allowed as things stand"},
	leaf.NotForSender:  {http.StatusConflict, "Not the sender's to say"},
	leaf.NotAuthentic:  {http.StatusConflict, "Does not hang together"},
	leaf.Unknown:       {http.StatusNotFound, "Unknown here"},
	leaf.NothingChange: {http.StatusConflict, "Nothing new"},
	leaf.Malformed:     {http.StatusConflict, "Malformed"},
}

// problemOf is an error as a problem. Of a defect or damage it tells no more
// than that: the rest is in the log, under the request's id.
func problemOf(err error) problem {
	p := problem{Code: string(fault.CodeOf(err)), Field: fault.FieldOf(err)}
	if kinds[p.Code].status < http.StatusInternalServerError {
		p.Detail = textOf(err)
	}
	if p.Code == string(fault.Invalid) { // no refusal leaves its reader to guess
		p.Field, p.Detail = cmp.Or(p.Field, "body"), cmp.Or(p.Detail, "malformed")
	}
	return p
}

// textOf is the outermost sentence for people in an error's chain; what
// libraries say may name files and is left out.
func textOf(err error) string {
	var f *fault.Error
	for errors.As(err, &f) {
		if f.Text != "" {
			return f.Text
		}
		err = f.Err
	}
	return ""
}

func absent(detail string) problem { return problem{Code: string(fault.NotFound), Detail: detail} }

func malformed(field, detail string) problem {
	return problem{Code: string(fault.Invalid), Field: field, Detail: detail}
}

// refusal is a command's outcome as a problem: refused by the rules, or dead.
func refusal(s ports.CommandStatus) problem {
	reason := query.ReasonOf(s.Outcome)
	p := problem{Code: reason.Code, Path: reason.Path, Command: viewOf(s)}
	if p.Code == string(fault.Invalid) {
		p.Code = codeParams
	}
	k, known := kinds[p.Code]
	switch {
	case known:
	case s.State == ports.Dead:
		k.status = http.StatusInternalServerError
	default:
		k.status = http.StatusConflict
	}
	p.Status = k.status
	if p.Status < http.StatusInternalServerError {
		p.Detail = reason.Text
	} else {
		p.Command.Reason = &query.Reason{Code: reason.Code, Path: reason.Path}
	}
	return p
}
