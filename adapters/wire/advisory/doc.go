// Package advisory turns a file that a person has into the text of a
// vulnerability report. It reads CVE records of format 5, OSV records, CSAF 2.0
// and 2.1 advisories, Markdown and plain text, and tells them apart by what they
// hold, not by what they are called.
//
// The text is for people: it loses the structure of the source, but nothing of
// its descriptions. Files are untrusted: size and nesting are bounded and nothing
// is fetched.
package advisory
