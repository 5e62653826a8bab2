package model

import (
	"slices"
	"strings"
)

// Role is what a participant is in one case. Permissions are the union over a
// participant's roles (CM-26-001).
type Role string

// The roles of the protocol, in their wire spelling.
const (
	RoleFinder      Role = "finder"
	RoleReporter    Role = "reporter"
	RoleVendor      Role = "vendor"
	RoleDeployer    Role = "deployer"
	RoleCoordinator Role = "coordinator"
	RoleObserver    Role = "observer"
	// RoleCaseOwner decides; at most one holder a case, never the manager.
	RoleCaseOwner Role = "case_owner"
	// RoleCaseManager owns write privilege on the case's ledger.
	RoleCaseManager Role = "case_manager"
	RoleCNA         Role = "cve_numbering_authority"
)

// Roles lists every role.
var roles = []Role{RoleFinder, RoleReporter, RoleVendor, RoleDeployer, RoleCoordinator,
	RoleObserver, RoleCaseOwner, RoleCaseManager, RoleCNA}

// ParseRole accepts any letter case (peers use both) and tells whether the role
// is known.
func ParseRole(s string) (Role, bool) {
	r := Role(strings.ToLower(s))
	return r, slices.Contains(roles, r)
}

// EnumName is the upper-case spelling used in ParticipantStatus.cvdRole.
func (r Role) EnumName() string { return strings.ToUpper(string(r)) }
