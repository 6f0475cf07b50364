// A policy cannot be applied to a notification again.
package p

import "github.com/prochost/prochost/notify"

func again(n notify.Notification) {
	notify.Decide(n, notify.DefaultPolicy(), notify.Circumstances{}) // ERROR cannot use n
}
