// A message comes from a notification alone.
package p

import "github.com/prochost/prochost/notify"

var _ = notify.Message{number: 1, summary: "all good"} // ERROR cannot refer to unexported field
