// Nothing that is called with a notification can pass its end off as a stop.
package p

import "github.com/prochost/prochost/notify"

func excuse(n notify.Notification) {
	n.stopped = true // ERROR n.stopped undefined
}
