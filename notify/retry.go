package notify

import "time"

// RetryDelay says how long to wait after the failures-th failed attempt to deliver a notification of kind
// k (counting from 1) before the next; ok is false when no further attempt belongs to the first round. A log
// match is never retried, since a late one would slip past its limit, and neither is the summary.
func RetryDelay(k Kind, failures int) (d time.Duration, ok bool) {
	if k == LogMatch || k == Suppressed || failures > 3 {
		return 0, false
	}
	return 100 * time.Millisecond << (failures - 1), true
}

// ParkDelay says how long a message whose first round failed waits for its rounds-th slow attempt
// (counting from 1). It grows to a minute.
func ParkDelay(rounds int) time.Duration {
	return min(2*time.Second<<min(rounds-1, 10), time.Minute)
}
