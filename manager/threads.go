package manager

import (
	"runtime"
	"sync"
)

// spareThreads is how many threads are made beforehand.
const spareThreads = 8

// haveThreads makes threads while they can be had. Where a thread counts as a process, a user whose limit is
// reached gets no further one, and the runtime ends the whole program when it is refused a thread: the host
// would be gone with the child that was one too many. Threads that were needed once stay.
var haveThreads = sync.OnceFunc(func() {
	var all, done sync.WaitGroup
	all.Add(spareThreads)
	for range spareThreads {
		done.Go(func() {
			runtime.LockOSThread() // so that each is on a thread of its own
			defer runtime.UnlockOSThread()
			all.Done()
			all.Wait()
		})
	}
	done.Wait()
})
