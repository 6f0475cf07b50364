package proc

// Identity says which process a number means: another one that is given the number later began at another time.
type Identity struct {
	PID  int
	Born uint64 // when it began, in a unit of the system's own
	Boot string // which boot of the system it began in
}
