package sqlite

import (
	"math"
	"time"

	"bateleur/core/fault"
)

// The instants that fit 64 bits of nanoseconds.
var (
	earliest = time.Unix(0, math.MinInt64)
	latest   = time.Unix(0, math.MaxInt64)
)

// stamp is how an instant is stored: nanoseconds since 1970, 0 for none.
func stamp(op, subject, field string, t time.Time) (int64, error) {
	if t.IsZero() {
		return 0, nil
	}
	if t.Before(earliest) || t.After(latest) {
		return 0, fault.Field(op, subject, field, "a time outside the years 1678 to 2262")
	}
	return t.UnixNano(), nil
}

// cutoff is the stamp of an instant up to which others are asked for.
func cutoff(t time.Time) int64 {
	switch {
	case t.Before(earliest):
		return math.MinInt64
	case t.After(latest):
		return math.MaxInt64
	}
	return t.UnixNano()
}

// instant is what was stored.
func instant(stamp int64) time.Time {
	if stamp == 0 {
		return time.Time{}
	}
	return time.Unix(0, stamp).UTC()
}
