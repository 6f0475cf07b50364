// A view is a copy: no way leads from it to a message.
package p

import "github.com/prochost/prochost/notify"

func forge(v notify.View) notify.Message {
	return v.Message(1, nil) // ERROR v.Message undefined
}
