package vm
import ("testing";"os";"fmt")
func TestZZ(t *testing.T) { b, err := os.ReadFile(os.Getenv("LUAF")); if err != nil { t.Skip() }; fmt.Print(output(t, string(b))) }
