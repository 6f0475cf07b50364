package view

import (
	"testing"

	"github.com/prochost/prochost/host/api"
	"github.com/stretchr/testify/assert"
)

func TestBytesOf(t *testing.T) {
	for n, want := range map[int64]string{
		-1: "0", 0: "0", 999: "999", 1023: "1023", 1024: "1.0K", 1536: "1.5K", 10 << 10: "10K", 1023 << 10: "1023K",
		1<<20 - 1: "1.0M", 182 << 20: "182M", 1288490189: "1.2G", 1 << 40: "1.0T", 1 << 62: "4.0E",
	} {
		assert.Equal(t, want, bytesOf(n), n)
	}
}

func TestCPUOf(t *testing.T) {
	for cores, want := range map[float64]string{-1: "0.0%", 0: "0.0%", 0.004: "0.4%", 0.0994: "9.9%", 0.0996: "10%", 1.5: "150%"} {
		assert.Equal(t, want, cpuOf(cores), cores)
	}
}

func TestPortsOf(t *testing.T) {
	assert.Equal(t, "53/udp, 80, 8080", portsOf([]api.Port{
		{Protocol: "tcp", Address: "::", Port: 8080}, {Protocol: "tcp", Address: "0.0.0.0", Port: 8080},
		{Protocol: "udp", Address: "::", Port: 53}, {Protocol: "tcp", Address: "127.0.0.1", Port: 80},
	}))
	assert.Empty(t, portsOf(nil))
}

func TestDrawings(t *testing.T) {
	nodes := []Node{{Name: "web", Depends: map[string]string{"api": "ready", "gone": "exit"}}, {Name: `a"b\`}, {Name: "api"}}
	assert.Equal(t, `digraph prochost {
  "web";
  "a\"b\\";
  "api";
  "web" -> "api" [label="ready"];
  "web" -> "gone" [label="exit"];
}
`, string(Dot(nodes)))
	assert.Equal(t, `graph TD
  p0["web"]
  p1["a#quot;b\"]
  p2["api"]
  p0 -->|ready| p2
`, string(Mermaid(nodes)))
}
