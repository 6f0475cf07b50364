//go:build !linux

package wal

import "os"

// datasync makes f durable. On macOS Sync is F_FULLFSYNC, without which the drive may keep it in its cache.
func datasync(f *os.File) error { return f.Sync() }
