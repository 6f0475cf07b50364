// What a hook returns has room for text alone.
package p

import "github.com/prochost/prochost/notify"

var _ = notify.Words{Summary: "x", Attention: notify.Context} // ERROR unknown field Attention
