package cli

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// get is "get STATUS URL": the answer's body becomes stdout.
func get(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: get STATUS URL")
	}
	request(ts, http.MethodGet, args[0], args[1], "")
}

// post is "post STATUS URL JSON".
func post(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: post STATUS URL JSON")
	}
	request(ts, http.MethodPost, args[0], args[1], args[2])
}

func request(ts *testscript.TestScript, method, status, url, body string) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	ts.Check(err)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	ts.Check(err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	ts.Check(err)
	if strconv.Itoa(resp.StatusCode) != status {
		ts.Fatalf("%s %s answered %s, not %s: %s", method, url, resp.Status, status, raw)
	}
	_, err = ts.Stdout().Write(raw)
	ts.Check(err)
}
