package ledger_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
)

// reference is the canonical form done the plain way: decode into a tree, sort,
// write. It exists to be obviously right; it knows no lone surrogates.
func reference(text []byte) (string, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var b strings.Builder
	if err := refValue(dec, &b); err != nil {
		return "", err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return "", errors.New("trailing text")
	}
	return b.String(), nil
}

func refValue(dec *json.Decoder, b *strings.Builder) error {
	token, err := dec.Token()
	if err != nil {
		return err
	}
	switch v := token.(type) {
	case json.Delim:
		if v == '{' {
			return refObject(dec, b)
		}
		return refArray(dec, b)
	case string:
		refString(b, v)
	case json.Number:
		b.WriteString(v.String())
	case bool:
		fmt.Fprint(b, v)
	case nil:
		b.WriteString("null")
	}
	return nil
}

func refObject(dec *json.Decoder, b *strings.Builder) error {
	members := map[string]string{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		var v strings.Builder
		if err := refValue(dec, &v); err != nil {
			return err
		}
		if _, twice := members[name.(string)]; twice {
			return errors.New("repeated name")
		}
		members[name.(string)] = v.String()
	}
	var names []string
	for name := range members {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return slices.Compare([]rune(a), []rune(b)) })
	b.WriteByte('{')
	for i, name := range names {
		if i > 0 {
			b.WriteByte(',')
		}
		refString(b, name)
		b.WriteString(":" + members[name])
	}
	b.WriteByte('}')
	_, err := dec.Token()
	return err
}

func refArray(dec *json.Decoder, b *strings.Builder) error {
	b.WriteByte('[')
	for first := true; dec.More(); first = false {
		if !first {
			b.WriteByte(',')
		}
		if err := refValue(dec, b); err != nil {
			return err
		}
	}
	b.WriteByte(']')
	_, err := dec.Token()
	return err
}

func refString(b *strings.Builder, s string) {
	short := map[uint16]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}
	b.WriteByte('"')
	for _, u := range utf16.Encode([]rune(s)) {
		switch esc, ok := short[u]; {
		case ok:
			b.WriteString(esc)
		case u >= 0x20 && u < 0x7F:
			b.WriteByte(byte(u))
		default:
			fmt.Fprintf(b, `\u%04x`, u)
		}
	}
	b.WriteByte('"')
}
