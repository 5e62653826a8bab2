package serve

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"

	"bateleur/core/fault"
)

// maxFile bounds a configuration file, in bytes.
const maxFile = 1 << 20

// file is what a configuration file gives to the flags that stand neither on the
// command line nor in the environment.
type file map[string]any

// readFile reads a YAML file strictly, over settings that are right without it.
// The error names file, line and key; an absent file is fault.NotFound
// (CFG-02-007).
func readFile(path string, over Settings) (file, error) {
	raw, err := os.ReadFile(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fault.New("config", path, fault.NotFound, "there is no such file")
	case err != nil:
		return nil, fault.Wrap("config", path, fault.Unavailable, err)
	case len(raw) > maxFile:
		return nil, fault.New("config", path, fault.TooLarge, fmt.Sprintf("longer than %d bytes", maxFile))
	}
	return parseFile(path, raw, over)
}

func parseFile(path string, raw []byte, over Settings) (file, error) {
	dec := yaml.NewDecoder(bytes.NewReader(raw), yaml.Strict())
	if err := dec.Decode(&over); err != nil && !errors.Is(err, io.EOF) {
		return nil, misread(path, err)
	}
	if !errors.Is(dec.Decode(&over), io.EOF) {
		return nil, fault.New("config", path, fault.Invalid, "holds more than one document")
	}
	values := file{}
	if err := yaml.Unmarshal(raw, &values); err != nil {
		return nil, misread(path, err)
	}
	for _, w := range broken(&over) {
		if line := lineOf(raw, w.setting); line > 0 {
			return nil, fault.Field("config", at(path, line), w.setting, w.text)
		}
	}
	return values, nil
}

// misread is a decoder's error with its place.
func misread(path string, err error) error {
	var e yaml.Error
	if !errors.As(err, &e) || e.GetToken() == nil {
		return fault.Wrap("config", path, fault.Invalid, err)
	}
	place := at(path, e.GetToken().Position.Line)
	if _, unknown := errors.AsType[*yaml.UnknownFieldError](err); unknown {
		return fault.Field("config", place, e.GetToken().Value, "is not a setting")
	}
	return fault.New("config", place, fault.Invalid, keyBefore(e)+e.GetMessage())
}

// keyBefore is the key whose value a decoder could not take, when it is one.
func keyBefore(e yaml.Error) string {
	t := e.GetToken()
	if t.Prev != nil && t.Prev.Value == ":" && t.Prev.Prev != nil {
		return t.Prev.Prev.Value + ": "
	}
	return ""
}

func at(path string, line int) string { return path + ":" + strconv.Itoa(line) }

// lineOf finds the line of a setting or, where a part of it is missing, of what
// it would be a part of; 0 when the file does not hold it.
func lineOf(raw []byte, setting string) int {
	tree, err := parser.ParseBytes(raw, 0)
	if err != nil {
		return 0
	}
	for setting != "" {
		if path, err := yaml.PathString("$." + setting); err == nil {
			if node, err := path.FilterFile(tree); err == nil && node != nil && node.GetToken() != nil {
				return node.GetToken().Position.Line
			}
		}
		setting = setting[:max(strings.LastIndexAny(setting, ".["), 0)]
	}
	return 0
}

// BeforeResolve reads the file that --config or BATELEUR_CONFIG names, between
// the command line and the defaults.
func (c *Command) BeforeResolve(ctx *kong.Context) error {
	for _, flag := range ctx.Flags() {
		if path, ok := ctx.FlagValue(flag).(string); ok && flag.Name == "config" && path != "" {
			values, err := readFile(path, c.Settings)
			if err != nil {
				return err
			}
			ctx.AddResolver(values)
		}
	}
	return nil
}

// Validate implements kong.Resolver; the file was looked at as a whole.
func (f file) Validate(*kong.Application) error { return nil }

// Resolve implements kong.Resolver. What the environment says stays.
func (f file) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	for _, name := range flag.Envs {
		if _, given := os.LookupEnv(name); given {
			return nil, nil
		}
	}
	return f[flag.Name], nil
}
