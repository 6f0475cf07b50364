// The limiter takes matches; an end is none.
package p

import (
	"time"

	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify"
)

func hush(l *notify.Limiter, e proc.Ended) {
	l.Admit(e, e.Info, time.Now()) // ERROR cannot use e
}
