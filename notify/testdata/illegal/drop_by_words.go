// Words cannot say that the message is not to go out.
package p

import "github.com/prochost/prochost/notify"

func drop(n notify.Notification) {
	_, _ = n.Message(1, false) // ERROR cannot use false
}
