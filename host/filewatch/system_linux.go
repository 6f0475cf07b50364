package filewatch

import (
	"errors"
	"io/fs"
	"syscall"
	"time"
)

var local = system{everyDir: true, exact: true, silent: silent, remedy: remedy}

// silentTypes are the file systems that do not tell of changes made elsewhere: on the server, by another
// client, or by the kernel itself.
var silentTypes = map[uint32]string{
	0x6969:     "nfs",
	0x517b:     "smb",
	0xfe534d42: "smb2",
	0xff534d42: "cifs",
	0x65735546: "fuse",
	0x01021997: "9p",
	0x00c36400: "ceph",
	0x5346414f: "afs",
	0x6b414653: "afs",
	0x73757245: "coda",
	0x0bd00bd0: "lustre",
	0x19830326: "beegfs",
	0x47504653: "gpfs",
	0x01161970: "gfs2",
	0x7461636f: "ocfs2",
	0x786f4256: "vboxsf",
	0xbacbacbc: "vmhgfs",
	0x9fa0:     "proc",
	0x62656572: "sysfs",
}

func silent(dir string) string {
	var st syscall.Statfs_t
	if syscall.Statfs(dir, &st) != nil {
		return "" // gone or out of reach; the watch will say
	}
	return silentTypes[uint32(st.Type)]
}

func remedy(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "raise the sysctl fs.inotify.max_user_watches"
	case errors.Is(err, syscall.EMFILE):
		return "raise the sysctl fs.inotify.max_user_instances or the limit of open files (ulimit -n)"
	case errors.Is(err, syscall.ENFILE):
		return "raise the sysctl fs.file-max"
	}
	return ""
}

func changeTime(info fs.FileInfo) time.Time {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(st.Ctim.Unix())
	}
	return info.ModTime()
}
