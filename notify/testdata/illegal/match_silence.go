// Nothing that a matcher may ask means silence.
package p

import "github.com/prochost/prochost/notify"

var _ = notify.Matcher{On: notify.ChooseIgnore} // ERROR cannot use notify.ChooseIgnore
