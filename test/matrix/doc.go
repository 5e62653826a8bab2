// Package matrix joins tests and requirements: it reads from every Go file of
// the module which requirement ids a test claims to prove, and compares the
// claims with the registry of package specs.
//
// A claim is a line
//
//	Proves: DL-07-001, BT-05-005
//
// in the comment of a Test, Fuzz or Example function, or anywhere inside one. In
// a package named porttest, whose suites run for every adapter, it may stand in
// any function, or be the field Proves of a case. A testscript (*.txtar under
// testdata) claims with a comment "# Proves: ...". A list that ends with a comma
// goes on in the next line.
package matrix
