package vm

import (
	"os"
	"os/exec"
	"testing"
)

// needReference holds that the reference implementation is there. Where it may be absent the test is skipped; in CI it
// fails.
func needReference(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("lua5.1"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("the reference implementation is needed: apt-get install lua5.1")
		}
		t.Skip("compares with the reference implementation: apt-get install lua5.1")
	}
}
