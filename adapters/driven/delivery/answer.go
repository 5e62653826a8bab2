package delivery

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"

	"bateleur/core/ports"
)

// longestPause bounds what a recipient can ask for.
const longestPause = 24 * time.Hour

// judge says what an answer means for the message; nil for any 2xx.
func judge(resp *http.Response, body []byte, now time.Time) error {
	status := resp.StatusCode
	fails := &ports.DeliveryError{Status: status, Terminal: terminal(status)}
	switch {
	case status >= 200 && status < 300:
		return nil
	case status >= 300 && status < 400:
		fails.Err = fmt.Errorf("%s: the inbox is said to be at %q; redirects are not followed",
			statusLine(status), clean(resp.Header.Get("Location")))
	default:
		fails.Err = errors.New(statusLine(status) + excerpt(resp.Header.Get("Content-Type"), body))
	}
	if !fails.Terminal {
		fails.RetryAfter = retryAfter(resp.Header.Get("Retry-After"), now)
	}
	return fails
}

func terminal(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return false
	}
	return status < 500
}

func statusLine(status int) string {
	return strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
}

// retryAfter reads seconds or a date; what is neither, or past, is no pause.
func retryAfter(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	if seconds, err := strconv.ParseUint(header, 10, 32); err == nil {
		return min(time.Duration(seconds)*time.Second, longestPause)
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), longestPause)
}

// excerpt is what a recipient says for people, as part of a reason.
func excerpt(contentType string, body []byte) string {
	if strings.Contains(contentType, "html") {
		return ""
	}
	if text := clean(string(body)); text != "" {
		return ": " + text
	}
	return ""
}

// clean makes a stranger's text one short line without control characters.
func clean(s string) string {
	const longest = 300
	s = strings.ToValidUTF8(s[:min(len(s), 4*longest)], "")
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if len(s) > longest {
		s = strings.ToValidUTF8(s[:longest], "") + "…"
	}
	return s
}
