// Package bench measures what the issue tracker's budgets are about: an actor's
// inbox, and how its cost grows with the case. Ratios count; run with -benchtime
// large enough that a few thousand messages pass.
package bench
