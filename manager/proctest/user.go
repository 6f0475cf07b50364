package proctest

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
)

// The ids of ordinary users that a role may get: above those that systems hand out, and such as exist in a
// container too.
const firstUser, lastUser = 50_000, 64_999

// freeUser returns the id of a user who runs nothing, for limits are counted by user. It is found at random, so
// that tests which run at the same time, from this binary or another, hardly ever find the same.
func freeUser() uint32 {
	for {
		user := rand.N(uint32(lastUser-firstUser+1)) + firstUser
		if !hasProcesses(user) {
			return user
		}
	}
}

func hasProcesses(user uint32) bool {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		info, err := os.Stat(dir)
		if err != nil {
			continue
		}
		if st, is := info.Sys().(*syscall.Stat_t); is && st.Uid == user {
			return true
		}
	}
	return false
}
