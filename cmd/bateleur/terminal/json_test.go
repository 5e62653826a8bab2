package terminal

import (
	"encoding/json"
	"testing"
)

func TestJSONKeepsItsMeaning(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"plain", `{"a": "x 溢出 🦊"}` + "\n", `{"a": "x 溢出 🦊"}` + "\n"},
		{"delete", "\"\x7f\"", `"\u007f"`},
		{"an escape of one byte", "\"\u009b2J\"", `"\u009b2J"`},
		{"turned text", "\"\u202egpj\"", `"\u202egpj"`},
		{"beyond the first plane", "\"\U000E0041\"", `"\udb40\udc41"`},
		{"not UTF-8", "\"\x9b\"", `"\ufffd"`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := JSON([]byte(c.in))
			var before, after any
			if err := json.Unmarshal([]byte(c.in), &before); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(got, &after); err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if b, a := jsonOf(t, before), jsonOf(t, after); a != b {
				t.Errorf("means %s, not %s", a, b)
			}
		})
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
