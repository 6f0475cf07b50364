package manager

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/prochost/prochost/manager/proctest"
)

func TestMain(m *testing.M) {
	proctest.Main(roles)
	goleak.VerifyTestMain(proctest.Flat(m))
}
