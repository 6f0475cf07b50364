package filewatch

import "github.com/fsnotify/fsnotify"

// notifier is the part of fsnotify.Watcher that is used, beside its channels.
type notifier interface {
	Add(dir string) error
	Remove(dir string) error
	Close() error
}

// source is a notifier with its channels.
type source struct {
	notifier
	events <-chan fsnotify.Event
	errors <-chan error
}

func openSource() (source, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return source{}, err
	}
	return source{notifier: w, events: w.Events, errors: relay(w.Errors)}, nil
}

// relay passes errors on without ever making the sender wait: fsnotify sends some of them while it holds
// the lock that Add, Remove and Close need, and these are called by the goroutine that receives. An error
// that comes while another waits is lost; the look that follows is the same.
func relay(in <-chan error) <-chan error {
	out := make(chan error, 1)
	go func() {
		defer close(out)
		for err := range in {
			select {
			case out <- err:
			default:
			}
		}
	}()
	return out
}
