module github.com/prochost/prochost

go 1.26.0

require (
	github.com/fsnotify/fsnotify v1.10.1
	github.com/joho/godotenv v1.5.1
	github.com/rogpeppe/go-internal v1.16.0
	github.com/spf13/cobra v1.10.2
	github.com/stretchr/testify v1.12.1
	github.com/yuin/gopher-lua v1.1.2
	go.uber.org/goleak v1.3.0
	golang.org/x/sys v0.50.0
	golang.org/x/term v0.48.0
	github.com/Masterminds/semver/v3 v3.5.0
	github.com/clipperhouse/displaywidth v0.11.0
	layeh.com/gopher-luar v1.0.11
	honnef.co/go/tools v0.8.2
)

tool honnef.co/go/tools/cmd/staticcheck
