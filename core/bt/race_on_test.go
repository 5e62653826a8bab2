//go:build race

package bt

const raceEnabled = true
