package ledger_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"bateleur/core/fault"
	"bateleur/core/ledger"
)

// Proves: BA-11-003, BA-11-001
func TestAppendCanonical(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"white space goes", " { \"a\" :\t[ 1 ,\r\n2 ] } ", `{"a":[1,2]}`},
		{"names sorted at every level", `{"b":{"d":1,"c":2},"a":[{"z":0,"y":0}]}`, `{"a":[{"y":0,"z":0}],"b":{"c":2,"d":1}}`},
		{"a prefix sorts first", `{"ab":1,"a":2,"":3}`, `{"":3,"a":2,"ab":1}`},
		{"upper case before lower", `{"a":1,"B":2,"_":3}`, `{"B":2,"_":3,"a":1}`},
		{"code points, not UTF-16 units", "{\"\U0001F600\":1,\"\uFF5E\":2}", `{"\uff5e":2,"\ud83d\ude00":1}`},
		{"names compare decoded", `{"\u0062":1,"a":2,"\u0041":3}`, `{"A":3,"a":2,"b":1}`},
		{"a lone surrogate name sorts by its code point", `{"\ue000":1,"\ud800":2,"\ud7ff":3}`, `{"\ud7ff":3,"\ud800":2,"\ue000":1}`},
		{"no HTML escapes", `"<b>&/\/"`, `"<b>&//"`},
		{"wide text is escaped", "\"Größe \u2028 😀\"", `"Gr\u00f6\u00dfe \u2028 \ud83d\ude00"`},
		{"escapes become lower case", `"\u00E9\uD83D\uDE00"`, `"\u00e9\ud83d\ude00"`},
		{"needless escapes go", `"\u0041\u007e\u0022\u005c\u002F"`, `"A~\"\\/"`},
		{"short forms", `"\u0008\u000c\u000a\u000d\u0009\b\f\n\r\t"`, `"\b\f\n\r\t\b\f\n\r\t"`},
		{"other controls and DEL", "\"\\u0000\\u001F\x7f\\u007F\"", `"\u0000\u001f\u007f\u007f"`},
		{"lone surrogates stay", `"\uD83Dx\uDE00\uD83D\uD83D\uDE00"`, `"\ud83dx\ude00\ud83d\ud83d\ude00"`},
		{"numbers keep their token", `[9007199254740993,1.0,1e5,-0,1E+2]`, `[9007199254740993,1.0,1e5,-0,1E+2]`},
		{"words", `[true,false,null]`, `[true,false,null]`},
		{"empty containers", `[{},[], ""]`, `[{},[],""]`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := ledger.AppendCanonical([]byte("before:"), []byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff("before:"+c.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Proves: BA-11-003
func TestAppendCanonicalRefuses(t *testing.T) {
	cases := []struct {
		name, in string
		want     fault.Code
	}{
		{"nothing", ``, fault.Invalid},
		{"two values", `1 2`, fault.Invalid},
		{"repeated name", `{"a":1,"a":1}`, fault.Invalid},
		{"repeated name behind an escape", `{"a":1,"\u0061":2}`, fault.Invalid},
		{"repeated name deep inside", `[{"x":{"a":1,"b":2,"a":3}}]`, fault.Invalid},
		{"invalid UTF-8", "\"\xff\"", fault.Invalid},
		{"a surrogate as UTF-8", "\"\xed\xa0\x80\"", fault.Invalid},
		{"a raw line break in a string", "\"a\nb\"", fault.Invalid},
		{"an unknown escape", `"\x"`, fault.Invalid},
		{"a short escape", `"\u12"`, fault.Invalid},
		{"an open string", `"abc`, fault.Invalid},
		{"an open escape", `"abc\`, fault.Invalid},
		{"a comma too many", `[1,]`, fault.Invalid},
		{"a member too few", `{"a":1,}`, fault.Invalid},
		{"no colon", `{"a" 1}`, fault.Invalid},
		{"a name that is no string", `{1:1}`, fault.Invalid},
		{"an open object", `{"a":1`, fault.Invalid},
		{"an open array", `[1`, fault.Invalid},
		{"a leading zero", `01`, fault.Invalid},
		{"a lone minus", `-`, fault.Invalid},
		{"no digit behind the point", `1.`, fault.Invalid},
		{"no digit in the exponent", `1e+`, fault.Invalid},
		{"a plus", `+1`, fault.Invalid},
		{"not a number", `NaN`, fault.Invalid},
		{"a broken word", `nul`, fault.Invalid},
		{"a byte order mark", "\ufeff{}", fault.Invalid},
		{"a zero byte", "{}\x00", fault.Invalid},
		{"too deep", strings.Repeat("[", 201) + strings.Repeat("]", 201), fault.TooLarge},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := ledger.AppendCanonical([]byte("kept"), []byte(c.in))
			if diff := cmp.Diff(c.want, fault.CodeOf(err)); diff != "" {
				t.Errorf("code: %s", diff)
			}
			if diff := cmp.Diff("kept", string(got)); diff != "" {
				t.Errorf("dst: %s", diff)
			}
		})
	}
}

// TestAppendCanonicalOfEveryByte puts every ASCII character that a string may
// hold at every place of a string longer than what is scanned at once.
func TestAppendCanonicalOfEveryByte(t *testing.T) {
	for c := byte(' '); c < 0x80; c++ {
		for at := range 20 {
			body := bytes.Repeat([]byte("a"), 20)
			body[at] = c
			text := append(append([]byte{'"'}, body...), '"')
			if c == '"' || c == '\\' {
				text = slices.Insert(text, at+1, '\\')
			}
			want, err := reference(text)
			if err != nil {
				t.Fatal(err)
			}
			got, err := ledger.AppendCanonical(nil, text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, string(got)); diff != "" {
				t.Fatal(diff)
			}
		}
	}
}

// TestAppendCanonicalOfManyMembers: objects of any size are sorted, and a
// repeated name is found in all of them.
func TestAppendCanonicalOfManyMembers(t *testing.T) {
	for _, n := range []int{2, 15, 16, 17, 40, 1000} {
		var members []string
		for i := range n {
			members = append(members, fmt.Sprintf(`"%d":%d`, i*7919%n, i))
		}
		text := []byte("{" + strings.Join(members, ",") + "}")
		want, err := reference(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ledger.AppendCanonical(nil, text)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Fatal(diff)
		}
		text = []byte("{" + strings.Join(members, ",") + `,"0":1}`)
		if _, err := ledger.AppendCanonical(nil, text); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%d members and one twice: %v", n, err)
		}
	}
}

func TestAppendCanonicalTakesTheDeepestAllowed(t *testing.T) {
	text := strings.Repeat("[", 200) + strings.Repeat("]", 200)
	got, err := ledger.AppendCanonical(nil, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, string(got)); diff != "" {
		t.Error(diff)
	}
}

var surrogateEscape = regexp.MustCompile(`(?i)\\ud[89a-f]`)

func FuzzAppendCanonical(f *testing.F) {
	for _, seed := range []string{
		`{"b":1,"a":[true,null,{"ä":"\u00e4"}]}`, `"\ud83d\ude00"`, `"\ud83d"`, `-1.5e+7`, `{"a":1,"\u0061":2}`,
		"\"\x7f\u2028\"", `[[[[]]]]`, ` {} `, `{"\ud800":1,"\ue000":2}`, `1e400`, `"\/"`, "\"\xff\"",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := ledger.AppendCanonical(nil, text)
		if err != nil {
			refuseRightly(t, text, err)
			return
		}
		if !json.Valid(text) || !utf8.Valid(text) {
			t.Fatalf("took %q", text)
		}
		again, err := ledger.AppendCanonical(nil, got)
		if err != nil || !bytes.Equal(got, again) {
			t.Fatalf("not idempotent: %q, then %q, %v", got, again, err)
		}
		if surrogateEscape.Match(text) {
			return
		}
		want, err := reference(text)
		if err != nil {
			t.Fatalf("took what the reference refuses: %q: %v", text, err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// refuseRightly fails where a text was refused without need.
func refuseRightly(t *testing.T, text []byte, err error) {
	t.Helper()
	if code := fault.CodeOf(err); code == fault.TooLarge {
		if bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) <= 200 {
			t.Fatalf("refused as too deep: %q", text)
		}
		return
	} else if code != fault.Invalid {
		t.Fatalf("unexpected code: %v", err)
	}
	if !json.Valid(text) || !utf8.Valid(text) || surrogateEscape.Match(text) {
		return
	}
	if _, referenceErr := reference(text); referenceErr == nil {
		t.Fatalf("refused %q: %v", text, err)
	}
}
