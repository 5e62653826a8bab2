package terminal

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTextFromOutsideSteersNoTerminal(t *testing.T) {
	cases := []struct{ name, in, line, text string }{
		{"plain", "a heap overflow", "a heap overflow", "a heap overflow"},
		{"other scripts", "Überlauf 溢出 🦊", "Überlauf 溢出 🦊", "Überlauf 溢出 🦊"},
		{"an escape", "a\x1b[2Jb", "a [2Jb", "a [2Jb"},
		{"an escape of one byte", "a\u009b2Jb", "a 2Jb", "a 2Jb"},
		{"lines", "a\r\nb\tc", "a  b c", "a \nb\tc"},
		{"turned text", "c\u202egpj.exe", "c gpj.exe", "c gpj.exe"},
		{"not UTF-8", "a\xffb", "a\ufffdb", "a\ufffdb"},
		{"long", strings.Repeat("z", 30), strings.Repeat("z", 19) + "…", strings.Repeat("z", 30)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := Line(c.in, 20); got != c.line {
				t.Errorf("Line gives %q, want %q", got, c.line)
			}
			if got := Text(c.in); got != c.text {
				t.Errorf("Text gives %q, want %q", got, c.text)
			}
		})
	}
}

func FuzzLine(f *testing.F) {
	f.Add("a\x1b[2J\u202e", 3)
	f.Fuzz(func(t *testing.T, in string, longest int) {
		longest = max(1, longest%1000)
		got := Line(in, longest)
		if utf8.RuneCountInString(got) > longest || strings.ContainsAny(got, "\x1b\n\r\u009b\u202e\x7f") {
			t.Errorf("Line(%q, %d) = %q", in, longest, got)
		}
	})
}

func TestNoColoursButOnATerminal(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if got := StyleOf(&bytes.Buffer{}).Good("x") + StyleOf(file).Bad("x"); got != "xx" {
		t.Errorf("marked %q", got)
	}
	if got := (Style{colours: true}).Strong("x"); got != "\x1b[1mx\x1b[0m" {
		t.Errorf("not marked: %q", got)
	}
	t.Setenv("NO_COLOR", "1")
	if device, err := os.Open(os.DevNull); err == nil {
		defer device.Close()
		if got := StyleOf(device).Good("x"); got != "x" {
			t.Errorf("marked against NO_COLOR: %q", got)
		}
	}
}
