// Package usage measures what trees of processes use: processor time, memory, and the sockets on which they listen.
//
// A tree is a leader, what is in its session, and the descendants of both. It is found anew at each look, from one
// reading of the table of processes, so that what a look tells belongs to one moment as nearly as the system allows.
// What has ended between the reading of the table and that of its details is left out. Of other users' processes the
// sockets cannot be seen without privileges.
package usage
