package statedir

import (
	"os"
	"testing"
)

const roleVar = "STATEDIR_TEST_ROLE"

// roles are what the test binary does as another process.
var roles = map[string]func(){"host": playHost}

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVar); role != "" {
		roles[role]()
		os.Exit(0)
	}
	os.Exit(m.Run())
}
