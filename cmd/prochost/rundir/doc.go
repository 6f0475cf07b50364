// Package rundir gives each run of a host a folder of its own for the output of its processes, and removes those
// of earlier runs.
//
//	ROOT/shop-1f0c9a7be2/            one project: the end of its path, and a hash of all of it
//	ROOT/shop-1f0c9a7be2/lock        held while a folder is made or removed
//	ROOT/shop-1f0c9a7be2/runs/20261130-215700.123-4711/       one run: when (UTC) and which process
//	ROOT/shop-1f0c9a7be2/runs/20261130-215700.123-4711/lock   held as long as the run lasts
//
// A folder whose lock is held is never touched, whoever holds it. The system lets go of a lock when the process that
// holds it ends, however it ends, so nothing has to be cleaned up by hand. Of the folders that nobody holds the
// newest Keep stay, to be read after a run that went wrong; so the space that the logs of a project take is bounded.
//
// Everything is made for its owner alone: what processes write may hold secrets.
package rundir
