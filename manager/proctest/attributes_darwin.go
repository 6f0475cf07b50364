package proctest

import (
	"os"
	"syscall"
)

// attributes say as whom the role is started.
func (s Stage) attributes() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{}
	if s.Ordinary && os.Getuid() == 0 {
		user := freeUser()
		attr.Credential = &syscall.Credential{Uid: user, Gid: user}
	}
	return attr
}

func (s Stage) granted() bool { return s.Namespaces == 0 }
