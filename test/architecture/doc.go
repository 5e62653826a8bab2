// Package architecture checks the shape of the house: which package may use
// which, which modules the program links, and what every package owes its
// reader. It reads the answers of the go command and the source files and needs
// no other tool.
//
// The rules are functions over plain data, so that a test can show each of them
// catching a breach; the module itself is checked by the tests beside them.
package architecture
