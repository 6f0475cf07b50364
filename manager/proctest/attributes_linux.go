package proctest

import (
	"os"
	"os/exec"
	"syscall"
)

// attributes say as whom and in which namespaces the role is started.
func (s Stage) attributes() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Cloneflags: s.Namespaces}
	if s.Namespaces&syscall.CLONE_NEWNS != 0 {
		attr.Unshareflags = syscall.CLONE_NEWNS // what is mounted stays within
	}
	user, group, ordinary := uint32(os.Getuid()), uint32(os.Getgid()), os.Getuid() != 0
	if s.Ordinary && !ordinary {
		user, ordinary = freeUser(), true
		group = user
		attr.Credential = &syscall.Credential{Uid: user, Gid: group}
	}
	if ordinary && s.Namespaces != 0 {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{HostID: int(user), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{HostID: int(group), Size: 1}}
		attr.Credential = &syscall.Credential{NoSetGroups: true}
	}
	return attr
}

// granted reports whether the role can have its namespaces. An ordinary user may be refused them, or get a user
// namespace in which nothing is allowed.
func (s Stage) granted() bool {
	if s.Namespaces == 0 || os.Getuid() == 0 {
		return true
	}
	probe := exec.Command("/bin/sh", "-c", "mount -t tmpfs none /tmp")
	probe.SysProcAttr = Stage{Namespaces: syscall.CLONE_NEWNS}.attributes()
	return probe.Run() == nil
}
