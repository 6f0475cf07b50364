// Nor is there anything of a stop in what a hook sees.
package p

import "github.com/prochost/prochost/notify"

func excuse(v notify.View) {
	v.Stop = nil // ERROR v.Stop undefined
}
