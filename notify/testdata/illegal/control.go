// Everything that a caller may do. This one compiles.
package p

import (
	"github.com/prochost/prochost/manager/proc"
	"github.com/prochost/prochost/notify"
)

func use(e proc.Ended) notify.Message {
	n, _ := notify.Decide(e, notify.Policy{OnSuccess: notify.ChooseIgnore, OnFailure: notify.Context}, notify.Circumstances{})
	_ = n.View(nil)
	m, _ := n.Message(1, &notify.Words{Summary: "words"})
	return m
}
