// An end cannot be turned into another.
package p

import "github.com/prochost/prochost/manager/proc"

var _ = proc.End{success: true} // ERROR unknown field success
