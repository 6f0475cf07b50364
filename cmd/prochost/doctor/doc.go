// Package doctor looks at the surroundings in which prochost runs, and says what of them is not as it should be and
// what mends it.
//
//	the system ── Look ──▶ Facts ── Examine ──▶ findings
//
// Look only looks: it makes no folder, starts nothing and asks no host. Examine is pure, so whatever a machine may be like
// can be tried on any other.
package doctor
