package manager

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVar); role != "" {
		os.Unsetenv(roleVar)
		roles[role]()
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}
