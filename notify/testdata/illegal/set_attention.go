// A decided notification has no attention to set.
package p

import "github.com/prochost/prochost/notify"

func quiet(n notify.Notification) {
	n.attention = notify.Context // ERROR n.attention undefined
}
