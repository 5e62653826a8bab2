package serve

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/go-playground/validator/v10"
	"github.com/goccy/go-yaml"

	"bateleur/core/fault"
)

var validate = newValidator()

func newValidator() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(f reflect.StructField) string {
		env := strings.TrimPrefix(f.Tag.Get("env"), "BATELEUR_")
		return strings.ReplaceAll(strings.ToLower(env), "_", "-")
	})
	return v
}

// check refuses settings that cannot be right; the error names the flag.
func (c *Command) check() error {
	var wrong validator.ValidationErrors
	if errors.As(validate.Struct(c), &wrong) {
		w := wrong[0]
		return fault.Field("serve", "settings", w.Field(), fmt.Sprintf("%v breaks the rule %q", w.Value(), w.Tag()))
	}
	return nil
}

// LoadConfig reads a configuration file: flag names with their values, "actor" as
// a list of what the flag takes or of mappings with its parts.
func LoadConfig(r io.Reader) (kong.Resolver, error) {
	values := map[string]any{}
	if err := yaml.NewDecoder(r).Decode(&values); err != nil && !errors.Is(err, io.EOF) {
		return nil, fault.Field("config", "file", "config", "\n"+yaml.FormatError(err, false, true))
	}
	if actors, ok := values["actor"].([]any); ok {
		for i := range actors {
			actors[i] = actorText(actors[i])
		}
	}
	return &fileResolver{values}, nil
}

// actorText gives an actor's mapping the form of the flag.
func actorText(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	text := fmt.Sprint(m["segment"])
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		switch value := m[k].(type) {
		case bool:
			if value {
				text += "," + k
			}
		case []any:
			parts := make([]string, len(value))
			for i, p := range value {
				parts[i] = fmt.Sprint(p)
			}
			text += "," + k + "=" + strings.Join(parts, "+")
		default:
			if k != "segment" {
				text += "," + k + "=" + fmt.Sprint(value)
			}
		}
	}
	return text
}

// fileResolver gives flags the values of a file.
type fileResolver struct{ values map[string]any }

// Validate refuses a name in the file that is no flag of serve.
func (f *fileResolver) Validate(app *kong.Application) error {
	known := map[string]bool{}
	for _, node := range app.Children {
		if node.Name == "serve" {
			for _, flag := range node.Flags {
				known[flag.Name] = true
			}
		}
	}
	for name := range f.values {
		if !known[name] {
			return fault.Field("config", "file", name, "not a setting")
		}
	}
	return nil
}

// Resolve implements kong.Resolver. The environment is asked first.
func (f *fileResolver) Resolve(_ *kong.Context, parent *kong.Path, flag *kong.Flag) (any, error) {
	if node := parent.Node(); node == nil || node.Name != "serve" {
		return nil, nil
	}
	for _, name := range flag.Tag.Envs {
		if _, set := os.LookupEnv(name); set {
			return nil, nil
		}
	}
	return f.values[flag.Name], nil
}
