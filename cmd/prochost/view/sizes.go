package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prochost/prochost/host/api"
)

// bytesOf writes a number of bytes as ls -h does: 999, 1.5K, 182M, 1.2G.
func bytesOf(n int64) string {
	if n < 1024 {
		return fmt.Sprint(max(n, 0))
	}
	size := float64(n)
	unit := -1
	for size >= 1024 && unit < len(units)-1 {
		size /= 1024
		unit++
	}
	if size < 9.95 {
		return fmt.Sprintf("%.1f%c", size, units[unit])
	}
	if size >= 1023.5 && unit < len(units)-1 { // it would be written 1024
		return fmt.Sprintf("1.0%c", units[unit+1])
	}
	return fmt.Sprintf("%.0f%c", size, units[unit])
}

const units = "KMGTPE"

// cpuOf writes cores in use as per cent of one.
func cpuOf(cores float64) string {
	if percent := cores * 100; percent < 9.95 {
		return fmt.Sprintf("%.1f%%", max(percent, 0))
	}
	return fmt.Sprintf("%.0f%%", cores*100)
}

// portsOf lists where somebody listens, each port once.
func portsOf(ports []api.Port) string {
	sorted := slices.Clone(ports)
	slices.SortStableFunc(sorted, func(a, b api.Port) int { return a.Port - b.Port })
	var words []string
	for _, p := range sorted {
		word := fmt.Sprint(p.Port)
		if p.Protocol != "tcp" {
			word += "/" + p.Protocol
		}
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}
