package as2

import (
	"maps"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"bateleur/core/fault"
	"bateleur/core/model"
)

// contextDocument names the terms of the protocol; the document itself names
// Activity Streams (VM-10-001).
const contextDocument = "https://certcc.github.io/Vultron/ns/context.jsonld"

// A writer appends JSON. It keeps the first error; after that its text means
// nothing. Members that say nothing are left out.
type writer struct {
	b   []byte
	err error
}

func (w *writer) refuse(field, text string) {
	if w.err == nil {
		w.err = fault.Field("as2.write", "", field, text)
	}
}

func (w *writer) open()  { w.b = append(w.b, '{') }
func (w *writer) close() { w.b = append(w.b, '}') }

// name begins a member; the names written are plain ASCII.
func (w *writer) name(k key) {
	w.comma('{')
	w.b = append(append(append(w.b, '"'), names[k]...), '"', ':')
}

// comma parts a value from the one before it, if any.
func (w *writer) comma(opening byte) {
	if w.b[len(w.b)-1] != opening {
		w.b = append(w.b, ',')
	}
}

func (w *writer) string(k key, s string) {
	b, err := jsontext.AppendQuote(w.b, s)
	if err != nil {
		w.refuse(names[k], "must be UTF-8")
		return
	}
	w.b = b
}

func (w *writer) text(k key, s string) {
	if s != "" {
		w.name(k)
		w.string(k, s)
	}
}

func (w *writer) flag(k key, value bool) {
	w.name(k)
	if value {
		w.b = append(w.b, "true"...)
	} else {
		w.b = append(w.b, "false"...)
	}
}

func writeList[S ~string](w *writer, k key, list []S) {
	if len(list) == 0 {
		return
	}
	w.name(k)
	w.b = append(w.b, '[')
	for _, s := range list {
		w.comma('[')
		w.string(k, string(s))
	}
	w.b = append(w.b, ']')
}

func (w *writer) index(k key, index map[string]string) {
	if len(index) == 0 {
		return
	}
	w.name(k)
	w.open()
	for _, id := range slices.Sorted(maps.Keys(index)) {
		w.comma('{')
		w.string(k, id)
		w.b = append(w.b, ':')
		w.string(k, index[id])
	}
	w.close()
}

// instant writes a time to the second, as peers do.
func (w *writer) instant(k key, t time.Time) { w.time(k, t.Truncate(time.Second), time.RFC3339) }

// deadline writes a time that binds somebody, to the microsecond if need be.
func (w *writer) deadline(k key, t time.Time) {
	layout := time.RFC3339
	if t = t.Truncate(time.Microsecond); t.Nanosecond() != 0 {
		layout = "2006-01-02T15:04:05.000000Z07:00"
	}
	w.time(k, t, layout)
}

func (w *writer) time(k key, t time.Time, layout string) {
	if t.IsZero() {
		return
	}
	t = t.UTC()
	if !hasForm(t) {
		w.refuse(names[k], "is outside the years 0 to 9999")
		return
	}
	w.name(k)
	w.b = append(t.AppendFormat(append(w.b, '"'), layout), '"')
}

// ref writes of what an item refers to the id alone.
func (w *writer) ref(k key, i model.Item) { w.text(k, i.ID()) }

func (w *writer) item(k key, i model.Item) {
	if !i.IsZero() {
		w.name(k)
		w.value(k, i)
	}
}

func (w *writer) items(k key, list []model.Item) {
	if len(list) == 0 {
		return
	}
	w.name(k)
	w.b = append(w.b, '[')
	for _, i := range list {
		if !i.IsZero() {
			w.comma('[')
			w.value(k, i)
		}
	}
	w.b = append(w.b, ']')
}

func (w *writer) value(k key, i model.Item) {
	if o := i.Object(); o != nil {
		w.object(o)
	} else {
		w.string(k, i.ID())
	}
}
