package model

import "strings"

// VFD is a participant's place on the way to a fix: three letters, a capital
// means that it happened (vendor aware, fix ready, fix deployed).
type VFD string

// The four legal values, in order.
const (
	VFDUnaware  VFD = "vfd"
	VFDAware    VFD = "Vfd"
	VFDReady    VFD = "VFd"
	VFDDeployed VFD = "VFD"
)

var vfdOrder = []VFD{VFDUnaware, VFDAware, VFDReady, VFDDeployed}

func (s VFD) rank() int {
	for i, v := range vfdOrder {
		if v == s {
			return i
		}
	}
	return -1
}

// Known tells whether s is one of the four values.
func (s VFD) Known() bool { return s.rank() >= 0 }

// AcceptsReported tells whether a peer's report of t may replace s: forward by
// any number of steps, or the same.
func (s VFD) AcceptsReported(t VFD) bool { return t.Known() && t.rank() >= s.rank() }

// StepsTo lists the single steps from s to t, t last; none when t is not ahead.
func (s VFD) StepsTo(t VFD) []VFD {
	if !s.Known() || !t.Known() || t.rank() <= s.rank() {
		return nil
	}
	return vfdOrder[s.rank()+1 : t.rank()+1]
}

// PXA is what the world knows of a case: public aware, exploit public, attacks
// seen. Bits are set independently and never cleared.
type PXA string

// PXANone has no bit set: the only state in which an embargo is viable.
const PXANone PXA = "pxa"

// Known tells whether s is one of the eight values.
func (s PXA) Known() bool { return len(s) == 3 && strings.EqualFold(string(s), "pxa") }

// Public tells whether the public is aware.
func (s PXA) Public() bool { return s.has(0) }

// AcceptsReported tells whether t keeps every bit of s.
func (s PXA) AcceptsReported(t PXA) bool {
	if !s.Known() || !t.Known() {
		return false
	}
	for i := range 3 {
		if s.has(i) && !t.has(i) {
			return false
		}
	}
	return true
}

// has tells whether a bit is set; what is no state has none.
func (s PXA) has(bit int) bool { return s.Known() && s[bit] < 'a' }

// Union sets every bit that either has. A public exploit makes the public aware
// (CSB-13-001). The result is one of the eight values, whatever went in.
func (s PXA) Union(t PXA) PXA {
	b := []byte(PXANone)
	for i := range b {
		if s.has(i) || t.has(i) {
			b[i] -= 'a' - 'A'
		}
	}
	if b[1] == 'X' {
		b[0] = 'P'
	}
	return PXA(b)
}
