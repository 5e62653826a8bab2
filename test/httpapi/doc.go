// Package httpapi tests the HTTP edge over whole nodes: real stores in memory,
// the real wire, real connections. What the edge does by itself is tested beside
// it, over a node that is written by hand.
package httpapi
