package leaf

import (
	"bateleur/core/cases"
	"bateleur/core/ports"
	"bateleur/core/scope"
)

// AwaitsCase tells whether an offer or an accepted invitation has no case yet.
func AwaitsCase(s *scope.Scope) (bool, error) {
	offers, err := cases.All[cases.OfferRecord](s, cases.KindOffer, ports.Ref{})
	if err != nil {
		return false, err
	}
	for _, o := range offers {
		_, known, err := cases.Find[cases.CaseLink](s, cases.KindCaseLink, o.ReportID)
		if err != nil || !known {
			return !known, err
		}
	}
	answers, err := cases.All[cases.Answer](s, cases.KindConsent, ports.Ref{})
	if err != nil {
		return false, err
	}
	for _, a := range answers {
		here, err := s.HasCase(a.CaseID)
		if err != nil || a.Accepted && !here {
			return err == nil, err
		}
	}
	return false, nil
}
