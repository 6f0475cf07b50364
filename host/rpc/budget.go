package rpc

import "sync/atomic"

// budget is an amount that many share. It is never waited for.
type budget struct {
	most int64
	used atomic.Int64
}

// take takes n of it and reports whether so much was left.
func (b *budget) take(n int64) bool {
	if b.used.Add(n) > b.most {
		b.used.Add(-n)
		return false
	}
	return true
}

func (b *budget) give(n int64) { b.used.Add(-n) }
