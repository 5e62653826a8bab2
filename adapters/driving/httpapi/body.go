package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"bateleur/core/fault"
)

// inboxTypes are the media types in which messages come; a profile and other
// parameters may follow (IE-03-001).
var inboxTypes = []string{"application/activity+json", "application/ld+json", "application/json"}

// read reads a whole body of one of the media types, at most limit bytes. What is
// declared to be longer is refused unread, and of what turns out to be no more
// than limit is read (IE-04-001).
func read(w http.ResponseWriter, r *http.Request, limit int64, types ...string) ([]byte, *problem) {
	if !ofType(r, types) {
		w.Header().Set("Accept", strings.Join(types, ", "))
		return nil, &problem{Code: codeMediaType, Field: "Content-Type", Detail: "must be one of " + strings.Join(types, ", ")}
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		w.Header().Set("Accept-Encoding", "identity")
		return nil, &problem{Code: codeMediaType, Field: "Content-Encoding", Detail: "the body must not be encoded"}
	}
	tooLarge := &problem{Code: string(fault.TooLarge), Detail: "the body is longer than this resource takes"}
	if r.ContentLength > limit {
		return nil, tooLarge
	}
	var buf bytes.Buffer
	buf.Grow(int(min(max(r.ContentLength, 0), 64<<10)) + bytes.MinRead)
	_, err := buf.ReadFrom(http.MaxBytesReader(w, r.Body, limit))
	var exceeded *http.MaxBytesError
	switch {
	case errors.As(err, &exceeded):
		return nil, tooLarge
	case err != nil:
		p := malformed("body", "could not be read to its end")
		return nil, &p
	}
	return buf.Bytes(), nil
}

func ofType(r *http.Request, types []string) bool {
	given, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		return false
	}
	return slices.Contains(types, given)
}

// decode reads one JSON object strictly; the problem names the member.
func decode(body []byte, into any) *problem {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	err := dec.Decode(into)
	if err == nil {
		_, err = dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		err = errors.New("more than one document")
	}
	field, text := "body", "not a JSON object"
	var wrong *json.UnmarshalTypeError
	_, unknown, ok := strings.Cut(err.Error(), `unknown field "`)
	switch {
	case ok:
		field, text = strings.TrimSuffix(unknown, `"`), "not a member of this request"
	case errors.As(err, &wrong) && wrong.Field != "":
		field, text = wrong.Field, "must be a "+wrong.Type.String()
	}
	p := malformed(field, text)
	return &p
}
