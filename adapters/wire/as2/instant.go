package as2

import "time"

// Layouts of times beside RFC 3339. Activity Streams lets seconds be left out;
// the zone may be missing where no deadline is meant.
var (
	zoned    = []string{"2006-01-02T15:04Z07:00"}
	zoneless = []string{zoned[0], "2006-01-02T15:04:05", "2006-01-02T15:04"}
)

// instant reads a time in UTC; one without zone is taken for UTC.
func (r *reader) instant(at int32) time.Time { return r.time(at, zoneless) }

// deadline reads a time that binds somebody, so its zone must be given.
func (r *reader) deadline(at int32) time.Time { return r.time(at, zoned) }

func (r *reader) time(at int32, also []string) (t time.Time) {
	if at != 0 && r.nodes[at].kind == '"' && t.UnmarshalText(r.inner(at)) == nil && hasForm(t.UTC()) {
		return t.UTC() // nearly always
	}
	s := r.text(at)
	if s == "" {
		return time.Time{}
	}
	for _, layout := range also {
		if t, err := time.Parse(layout, s); err == nil && hasForm(t.UTC()) {
			return t.UTC()
		}
	}
	r.refuse(at, "must be an RFC 3339 time with a zone")
	return time.Time{}
}

// hasForm tells whether a time in UTC can be written in RFC 3339.
func hasForm(t time.Time) bool { return t.Year() >= 0 && t.Year() <= 9999 }
