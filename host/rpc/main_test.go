package rpc

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

const roleVar = "RPC_TEST_ROLE"

// roles are what the test binary does as another process.
var roles = map[string]func(){}

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVar); role != "" {
		roles[role]()
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}
