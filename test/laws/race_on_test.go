//go:build race

package laws

// The race detector makes SQLite's translated code an order of magnitude slower;
// the adapter has race tests of its own, and the nodes are raced on memory.
func init() { adapters = adapters[:1] }
