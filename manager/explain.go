package manager

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/prochost/prochost/manager/proc"
)

// explain says why the program path could not be run. The system gives one number for many reasons; which one
// it was is found by looking.
func explain(err error, path string, argv, env []string, dir string) error {
	if wrongDir := explainDir(dir); wrongDir != nil {
		return wrongDir
	}
	file := path
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	info, statErr := os.Stat(file)
	switch {
	case errors.Is(err, syscall.E2BIG):
		return tooLong(argv, env)
	case errors.Is(err, syscall.ENOENT) && statErr != nil, errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%w: %q", proc.ErrNoCommand, path)
	case statErr == nil && info.IsDir():
		return fmt.Errorf("%q is a directory", path)
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("%q is no program that this system can run, and has no #! line", path)
	case errors.Is(err, syscall.ETXTBSY):
		return fmt.Errorf("%q is being written", path)
	case errors.Is(err, syscall.EACCES) && statErr == nil && !executable(file, info):
		return fmt.Errorf("%q is not executable", path)
	}
	if wrong := explainInterpreter(err, file, path); wrong != nil {
		return wrong
	}
	return explainLimits(fmt.Errorf("run %q: %w", path, err))
}

// explainDir says what is wrong with a working directory, if anything is.
func explainDir(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("no such directory: %q", dir)
	case err != nil:
		return fmt.Errorf("directory %q: %w", dir, errors.Unwrap(err))
	case !info.IsDir():
		return fmt.Errorf("not a directory: %q", dir)
	case !executable(dir, info):
		return fmt.Errorf("directory %q: %w", dir, syscall.EACCES)
	}
	return nil
}

// explainInterpreter says what is wrong with the program that file wants to be run by: that of its #! line,
// or the loader of a binary.
func explainInterpreter(err error, file, path string) error {
	if !errors.Is(err, syscall.ENOENT) && !errors.Is(err, syscall.EACCES) && !errors.Is(err, syscall.ELOOP) {
		return nil
	}
	line, is := firstLine(file)
	if !is {
		if errors.Is(err, syscall.ENOENT) {
			return fmt.Errorf("%q needs a program loader that is not there: it is built for another system", path)
		}
		return nil
	}
	interpreter, _, _ := strings.Cut(strings.TrimLeft(line, " \t"), " ")
	interpreter, _, _ = strings.Cut(interpreter, "\t")
	switch info, statErr := os.Stat(interpreter); {
	case strings.HasSuffix(interpreter, "\r"):
		return fmt.Errorf("the #! line of %q ends with a carriage return: there is no interpreter %q", path, interpreter)
	case statErr != nil:
		return fmt.Errorf("the #! line of %q names an interpreter that is not there: %q", path, interpreter)
	case !info.Mode().IsRegular() || !executable(interpreter, info):
		return fmt.Errorf("the #! line of %q names an interpreter that is not executable: %q", path, interpreter)
	}
	return fmt.Errorf("the interpreter %q that the #! line of %q names cannot be run: %w", interpreter, path, err)
}

// firstLine returns what follows #! in the first line of a script.
func firstLine(file string) (string, bool) {
	f, err := os.Open(file)
	if err != nil {
		return "", false
	}
	defer f.Close()
	line, _ := bufio.NewReader(io.LimitReader(f, 4096)).ReadString('\n')
	return strings.CutPrefix(strings.TrimSuffix(line, "\n"), "#!")
}

// explainLimits says which limit err has hit.
func explainLimits(err error) error {
	var limit syscall.Rlimit
	switch {
	case errors.Is(err, syscall.EMFILE):
		syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit)
		return fmt.Errorf("no file descriptor is left: the limit of the host is %d", limit.Cur)
	case errors.Is(err, syscall.ENFILE):
		return errors.New("no file descriptor is left in the whole system")
	case errors.Is(err, syscall.EAGAIN):
		return errors.New("no further process is allowed: the limit of the user or of the control group is reached")
	case errors.Is(err, syscall.ENOMEM):
		return errors.New("the system has no memory left for a further process")
	}
	return err
}

// argMax is how many bytes one argument or variable may have where the system bounds them one by one.
const argMax = 128 << 10

// tooLong says which argument or variable is too long.
func tooLong(argv, env []string) error {
	total := 0
	for i, a := range argv {
		if len(a) >= argMax {
			return fmt.Errorf("argument list too long: argument %d has %d bytes, and the system takes %d", i, len(a), argMax-1)
		}
		total += len(a) + 1
	}
	for _, e := range env {
		if name, _, _ := strings.Cut(e, "="); len(e) >= argMax {
			return fmt.Errorf("argument list too long: variable %q has %d bytes, and the system takes %d", name, len(e), argMax-1)
		}
		total += len(e) + 1
	}
	return fmt.Errorf("argument list too long: arguments and environment have %d bytes together", total)
}

// noNUL refuses what cannot be handed to the system, which ends strings with a NUL byte.
func noNUL(argv, env []string, dir string) error {
	for i, a := range argv {
		if strings.Contains(a, "\x00") {
			return fmt.Errorf("argument %d has a NUL byte", i)
		}
	}
	for _, e := range env {
		if strings.Contains(e, "\x00") {
			name, _, _ := strings.Cut(e, "=")
			return fmt.Errorf("variable %q has a NUL byte", name)
		}
	}
	if strings.Contains(dir, "\x00") {
		return fmt.Errorf("directory %q has a NUL byte", dir)
	}
	return nil
}
