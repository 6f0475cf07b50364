package vm

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// output runs src in a VM that is not strict and returns what it printed, and the error if it ended in one.
func output(t testing.TB, src string) string {
	t.Helper()
	var b strings.Builder
	vm := New(Options{Print: func(s string) { b.WriteString(s + "\n") }})
	defer vm.Close()
	proto, err := Compile([]byte(src), "p")
	if err != nil {
		return "syntax: " + err.Error() + "\n"
	}
	if _, err := vm.Call(context.Background(), Limits{Time: 10 * time.Second}, vm.Load(proto)); err != nil {
		b.WriteString("error: " + err.Error() + "\n")
	}
	return b.String()
}

func TestSmoke(t *testing.T) {
	require.Equal(t, "x\n", output(t, "print('x')"))
}
