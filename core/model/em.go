package model

// EM is a case's embargo state.
type EM string

// The states of embargo management; the wire value of "no embargo" is NONE.
const (
	EMNone     EM = "NONE"
	EMProposed EM = "PROPOSED"
	EMActive   EM = "ACTIVE"
	EMRevise   EM = "REVISE"
	EMExited   EM = "EXITED"
)

var emMachine = machine[EM]{"em", []edge[EM]{
	{EMNone, "propose", EMProposed},
	{EMProposed, "propose", EMProposed},
	{EMProposed, "reject", EMNone},
	{EMProposed, "accept", EMActive},
	{EMActive, "propose", EMRevise},
	{EMRevise, "propose", EMRevise},
	{EMRevise, "accept", EMActive},
	{EMRevise, "reject", EMActive},
	{EMActive, "terminate", EMExited},
	{EMRevise, "terminate", EMExited},
}}

// Next is a step of the table, or fault.Invalid.
func (s EM) Next(trigger string) (EM, error) { return emMachine.next(s, trigger) }

// InForce tells whether an embargo binds the participants.
func (s EM) InForce() bool { return s == EMActive || s == EMRevise }

// Known tells whether s is a state of the machine.
func (s EM) Known() bool {
	return s == EMNone || s == EMProposed || s == EMActive || s == EMRevise || s == EMExited
}

// PEC is a participant's consent to the embargo.
type PEC string

// The states of consent.
const (
	PECNone      PEC = "NO_EMBARGO"
	PECInvited   PEC = "INVITED"
	PECSignatory PEC = "SIGNATORY"
	PECDeclined  PEC = "DECLINED"
	PECLapsed    PEC = "LAPSED"
)

var pecMachine = machine[PEC]{"pec", []edge[PEC]{
	{PECNone, "invite", PECInvited},
	{PECLapsed, "invite", PECInvited},
	{PECDeclined, "invite", PECInvited},
	{PECNone, "accept", PECSignatory},
	{PECInvited, "accept", PECSignatory},
	{PECLapsed, "accept", PECSignatory},
	{PECNone, "decline", PECDeclined},
	{PECInvited, "decline", PECDeclined},
	{PECLapsed, "decline", PECDeclined},
	{PECSignatory, "revise", PECLapsed},
}}

// Next is a step of the table; reset leads to NO_EMBARGO from anywhere
// (EMB-13-001), and repeating an answer changes nothing (CM-13-005).
func (s PEC) Next(trigger string) (PEC, error) {
	switch {
	case trigger == "reset":
		return PECNone, nil
	case trigger == "accept" && s == PECSignatory, trigger == "decline" && s == PECDeclined:
		return s, nil
	}
	return pecMachine.next(s, trigger)
}

// Known tells whether s is a state of the machine.
func (s PEC) Known() bool {
	return s == PECNone || s == PECInvited || s == PECSignatory || s == PECDeclined || s == PECLapsed
}
