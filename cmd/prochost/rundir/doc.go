// Package rundir gives each run of a host a folder of its own for the output of its processes, and removes those
// of earlier runs.
//
//	STATE/lock                                 held while a folder is made or removed
//	STATE/runs/20261130-215700.123-4711/       one run: when (UTC) and which process
//	STATE/runs/20261130-215700.123-4711/lock   held as long as the run lasts
//
// STATE is the folder of one project, of which package statedir says where it is.
//
// A folder whose lock is held is never touched, whoever holds it. The system lets go of a lock when the process that
// holds it ends, however it ends, so nothing has to be cleaned up by hand. Of the folders that nobody holds the
// newest Keep stay, to be read after a run that went wrong; so the space that the logs of a project take is bounded.
package rundir
