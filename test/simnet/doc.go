// Package simnet is a network of nodes inside one test: real nodes on real
// stores, joined by a transport that the test can watch, hold, reorder and
// break. It stands in for HTTP where a test is about what actors decide.
//
// Hosts are named by one word; host "v" serves http://v.test/api/v2. A test
// works with a Party, which is an actor wherever it is hosted.
package simnet
