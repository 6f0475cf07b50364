// A failure cannot be ignored: silence is not an Attention.
package p

import "github.com/prochost/prochost/notify"

var _ = notify.Policy{OnFailure: notify.ChooseIgnore} // ERROR cannot use notify.ChooseIgnore
