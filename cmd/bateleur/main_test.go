package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestExitCodes(t *testing.T) {
	folder := t.TempDir()
	cases := []struct {
		name           string
		args           []string
		code           int
		stdout, stderr string
	}{
		{"version", []string{"version"}, 0, "bateleur ", ""},
		{"version as a flag", []string{"--version"}, 0, "bateleur ", ""},
		{"help", []string{"--help"}, 0, "Usage: bateleur", ""},
		{"no command", nil, 2, "", "expected one of"},
		{"unknown flag", []string{"serve", "--nonsense"}, 2, "", "--nonsense"},
		{"settings that are wrong", []string{"serve", "--case-manager", "/", "--data", folder}, 2, "", "case-manager"},
		{"a report that is not there", []string{"demo", "--report", folder + "/x"}, 2, "", "no such file"},
		{"a store that is not there", []string{"store", "verify", "--data", folder, "--actor", "http://h/a"}, 1, "", "has no store"},
		{"text that would steer a terminal", []string{"demo", "--report", "a\x1b[2Jb\u202e"}, 2, "", "a [2Jb "},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if code := run(c.args, &stdout, &stderr); code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			for _, s := range []struct {
				name, got, want string
			}{{"stdout", stdout.String(), c.stdout}, {"stderr", stderr.String(), c.stderr}} {
				if !strings.Contains(s.got, s.want) || s.want == "" && s.got != "" || strings.ContainsAny(s.got, "\x1b\u202e") {
					t.Errorf("%s: %q, want %q", s.name, s.got, s.want)
				}
			}
		})
	}
}
