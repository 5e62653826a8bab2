package query

import (
	"encoding/json"
	"time"

	"bateleur/core/cases"
	"bateleur/core/fault"
	"bateleur/core/model"
	"bateleur/core/ports"
)

// Note is a remark on a case.
type Note struct {
	ID        string    `json:"id"`
	Name      string    `json:"name,omitempty"`
	Content   string    `json:"content"`
	Author    string    `json:"author"`
	InReplyTo string    `json:"inReplyTo,omitempty"`
	Published time.Time `json:"published,omitzero"`
}

// Report is a report that the actor made or was sent.
type Report struct {
	ID        string    `json:"id"`
	Name      string    `json:"name,omitempty"`
	Content   string    `json:"content,omitempty"`
	Author    string    `json:"author,omitempty"`
	Published time.Time `json:"published,omitzero"`
	Status    model.RM  `json:"status,omitempty"` // the actor's own, beside any case
	Case      string    `json:"case,omitempty"`   // once the actor knows it
}

// Offer is the offer of a report, made or received.
type Offer struct {
	ID         string   `json:"id"`
	Actor      string   `json:"actor"`
	Target     string   `json:"target,omitempty"`
	Report     string   `json:"report"`
	ReportName string   `json:"reportName,omitempty"`
	Status     model.RM `json:"status,omitempty"`
	Case       string   `json:"case,omitempty"`
	Manager    string   `json:"manager,omitempty"` // of the case, or to whom it was proposed
}

// Invite is an invitation to a case that the actor received, with its answer.
type Invite struct {
	ID      string       `json:"id"`
	Case    string       `json:"case"`
	Manager string       `json:"manager"`
	Roles   []model.Role `json:"roles"`
	Answer  string       `json:"answer,omitempty"` // accepted, rejected, or "" for none yet
}

// Notes lists a case's notes in the order in which the ledger took them;
// fault.NotFound when the store does not hold the case.
func Notes(r ports.Reader, caseID string, p Page) ([]Note, error) {
	if _, err := r.Get(cases.KindCase, caseID); err != nil {
		return nil, absent("case", caseID, err)
	}
	in := ports.Ref{Name: cases.RefCase, Target: caseID}
	return list(r, cases.KindNote, in, p, func(n model.Note) (Note, error) {
		return Note{ID: n.ID, Name: n.Name, Content: n.Content, Author: n.AttributedTo, InReplyTo: n.InReplyTo,
			Published: n.Published}, nil
	})
}

// Reports lists the store's reports in the order in which they came.
func Reports(r ports.Reader, p Page) ([]Report, error) {
	return list(r, cases.KindReport, ports.Ref{}, p, func(m model.Report) (Report, error) {
		status, link, err := standing(r, m.ID)
		return Report{ID: m.ID, Name: m.Name, Content: m.Content, Author: m.AttributedTo, Published: m.Published,
			Status: status, Case: link.CaseID}, err
	})
}

// Offers lists the store's offers in the order in which they came.
func Offers(r ports.Reader, p Page) ([]Offer, error) {
	return list(r, cases.KindOffer, ports.Ref{}, p, func(o cases.OfferRecord) (Offer, error) {
		status, link, err := standing(r, o.ReportID)
		if err != nil {
			return Offer{}, err
		}
		report, _, err := cases.Find[model.Report](r, cases.KindReport, o.ReportID)
		out := Offer{ID: o.ID, Actor: o.Actor, Target: o.To, Report: o.ReportID, ReportName: report.Value.Name,
			Status: status, Case: link.CaseID, Manager: o.Manager}
		if link.Manager != "" {
			out.Manager = link.Manager
		}
		return out, err
	})
}

// Invites lists the invitations that the actor received.
func Invites(r ports.Reader, p Page) ([]Invite, error) {
	return list(r, cases.KindInvite, ports.Ref{}, p, func(i cases.Invite) (Invite, error) {
		answer, known, err := cases.Find[cases.Answer](r, cases.KindConsent, i.CaseID)
		out := Invite{ID: i.ID, Case: i.CaseID, Manager: i.Manager, Roles: orEmpty(i.Roles)}
		switch {
		case !known || answer.Value.InviteID != i.ID:
		case answer.Value.Accepted:
			out.Answer = "accepted"
		default:
			out.Answer = "rejected"
		}
		return out, err
	})
}

// standing is the actor's own state of a report and the case that it became.
func standing(r ports.Reader, reportID string) (model.RM, cases.CaseLink, error) {
	status, _, err := cases.Find[cases.ReportStatus](r, cases.KindReportStatus, reportID)
	if err != nil {
		return "", cases.CaseLink{}, err
	}
	link, _, err := cases.Find[cases.CaseLink](r, cases.KindCaseLink, reportID)
	return status.Value.RM, link.Value, err
}

// list reads a page of records and shows each.
func list[S, T any](r ports.Reader, kind ports.Kind, ref ports.Ref, p Page, show func(S) (T, error)) ([]T, error) {
	records, err := r.List(ports.ListParams{Kind: kind, Ref: ref, After: p.After, Limit: p.limit()})
	if err != nil {
		return nil, absent(string(kind), p.After, err)
	}
	out := make([]T, 0, len(records))
	for _, record := range records {
		var stored S
		if err := json.Unmarshal(record.Body, &stored); err != nil {
			return nil, fault.Wrap("query", record.ID, fault.Corrupt, err)
		}
		shown, err := show(stored)
		if err != nil {
			return nil, err
		}
		out = append(out, shown)
	}
	return out, nil
}
