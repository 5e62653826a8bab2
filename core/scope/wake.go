package scope

// WakeCase is what work that needs a case waits for.
func WakeCase(caseID string) string { return "case " + caseID }

// WakeReport is what work that needs the case of a report waits for.
func WakeReport(reportID string) string { return "report " + reportID }

// WakeLedger is what a ledger entry waits for whose predecessor is missing: the
// entry, or the genesis, with this hash.
func WakeLedger(caseID, prevHash string) string { return WakeLedgerOf(caseID) + prevHash }

// WakeLedgerOf is the common beginning of all of a case's WakeLedger keys.
func WakeLedgerOf(caseID string) string { return "ledger " + caseID + " " }
