package serve

import (
	"log/slog"
	"strings"

	"bateleur/core/fault"
)

// Settings are what a node can be told: by flags, in the environment as
// BATELEUR_ and the flag's name, and in a configuration file under the flag's
// name. A flag wins over the environment, the environment over the file, the file
// over the default (CFG-02-004).
type Settings struct {
	BaseURL          string     `yaml:"base-url" help:"Under which URL others reach the node; port 0 takes a free one." default:"http://127.0.0.1:7999/api/v2/" env:"BATELEUR_BASE_URL" validate:"baseurl"`
	Listen           string     `yaml:"listen" help:"Where to listen; where the base URL points unless given." env:"BATELEUR_LISTEN" placeholder:"HOST:PORT" validate:"omitempty,address"`
	Data             string     `yaml:"data" help:"Folder of the stores." default:"bateleur-data" env:"BATELEUR_DATA" type:"path" validate:"required"`
	Store            string     `yaml:"store" help:"Where the stores lie, instead of the data folder: sqlite:///PATH, or memory: for none that stay." env:"BATELEUR_STORE" placeholder:"URL" validate:"omitempty,storeurl"`
	Actor            []Actor    `yaml:"actor" help:"Host an actor: SEGMENT[,type=TYPE][,name=NAME][,roles=ROLE+ROLE][,manager=URI][,manages-cases][,keep-reports]. Repeat it, or separate several by ';'." env:"BATELEUR_ACTOR" sep:";" placeholder:"ACTOR" validate:"max=1000,unique=Segment,dive"`
	CaseManager      string     `yaml:"case-manager" help:"Segment of the case manager that is hosted with the actors; theirs unless they name another." default:"case-actor" env:"BATELEUR_CASE_MANAGER" validate:"segment"`
	NoCaseManager    bool       `yaml:"no-case-manager" help:"Host no case manager." env:"BATELEUR_NO_CASE_MANAGER"`
	DeliveryAttempts int        `yaml:"delivery-attempts" help:"How often a delivery is tried before it is given up." default:"12" env:"BATELEUR_DELIVERY_ATTEMPTS" validate:"min=1,max=1000"`
	LogLevel         slog.Level `yaml:"log-level" help:"debug, info, warn or error." default:"info" env:"BATELEUR_LOG_LEVEL"`
	LogFormat        string     `yaml:"log-format" help:"text or json." default:"text" enum:"text,json" env:"BATELEUR_LOG_FORMAT" validate:"oneof=text json"`
}

// check refuses settings that cannot be right; the error names the setting.
func (s *Settings) check() error {
	for _, wrong := range broken(s) {
		return fault.Field("serve", "settings", wrong.setting, wrong.text)
	}
	switch {
	case s.NoCaseManager && len(s.Actor) == 0:
		return fault.Field("serve", "settings", "actor", "without a case manager a node needs an actor to host")
	case strings.HasPrefix(s.Store, "memory:") && s.Store != "memory:":
		return fault.Field("serve", "settings", "store", "memory: takes nothing behind it")
	}
	return nil
}

// storeURL is the template of the stores.
func (s *Settings) storeURL() string {
	if s.Store != "" {
		return s.Store
	}
	return DataURL(s.Data)
}
