// Package porttest is the suite that every adapter of ports.Stores has to pass.
// Each case is one sentence of the contract in package ports; its name is that
// sentence in short words, and a failure names the sentence that is broken.
//
// An adapter's whole test is a Harness and a call of Stores. What an adapter
// cannot do it declares by leaving a function of the Harness out, so that a new
// adapter starts under all demands.
package porttest
