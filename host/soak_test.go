package host

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/prochost/prochost/manager/proctest"
)

func TestMain(m *testing.M) {
	proctest.Main(roles)
	goleak.VerifyTestMain(proctest.Flat(m))
}

type soakLength int

const (
	soakOff soakLength = iota
	soakShort
	soakLong
)

// soak says how long the soaks are: PROCHOST_SOAK is unset, "short" or "long".
func soak() soakLength {
	switch os.Getenv("PROCHOST_SOAK") {
	case "":
		return soakOff
	case "short":
		return soakShort
	}
	return soakLong
}
