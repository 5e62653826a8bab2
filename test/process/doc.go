// Package process tests Bateleur as its users meet it: as processes of their
// own that are killed and started again, with nothing between them but HTTP.
package process
