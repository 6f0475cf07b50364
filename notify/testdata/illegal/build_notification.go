// A notification cannot be made up.
package p

import "github.com/prochost/prochost/notify"

var _ = notify.Notification{kind: notify.Success} // ERROR cannot refer to unexported field kind
