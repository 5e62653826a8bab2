// Package node is one Bateleur process as a value: the actors it hosts, a loop
// for each that decides its queue, and the delivery of what they send. It is
// built of ports; a service embeds it by handing it adapters, and mounts an HTTP
// adapter over it.
//
// Everything that changes an actor's store goes through that actor's loop, so an
// actor's messages are serial and actors are parallel. Actors reach each other
// by delivery alone, neighbours too: there is no short cut inside the process.
package node
