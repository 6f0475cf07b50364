// An end cannot be turned into another.
package p

import "github.com/prochost/prochost/manager/proc"

var _ = proc.End{success: true} // ERROR cannot refer to unexported field success
