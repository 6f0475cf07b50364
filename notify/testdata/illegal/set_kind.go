// Nor a kind.
package p

import "github.com/prochost/prochost/notify"

func soften(n notify.Notification) {
	n.kind = notify.Success // ERROR n.kind undefined
}
