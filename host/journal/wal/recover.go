package wal

import (
	"cmp"
	"fmt"
	"slices"
)

// Report is what Open found.
type Report struct {
	Groups int // that were applied, those of the snapshot included
	// Torn is how many bytes at the end were cut off. They were being written when the machine or the process
	// stopped, and nobody was told that they are durable.
	Torn   int64
	Damage []Damage
	Lost   int64 // bytes of groups that were durable and cannot be read any more
	// Outage says that the log ended in an outage: there may have been groups whose callbacks got an error, and which
	// are not here.
	Outage bool
}

// Damage is a part of a file that was durable and cannot be read.
type Damage struct {
	File string // under which name it is kept in the directory, until the next damage
	Span
}

// stored is a finished file that was found.
type stored struct {
	name   string
	number uint64
	salt   salt
}

// recover applies the newest file to the memory.
func (l *Log) recover() (Report, error) {
	found, drafts, outage, err := l.look()
	if err != nil {
		return Report{}, err
	}
	report := Report{Outage: outage}
	for _, s := range found {
		c, err := l.load(s)
		if err != nil {
			return Report{}, fmt.Errorf("read %q: %w", s.name, err)
		}
		report.Groups += len(c.groups)
		report.Torn += c.torn
		for _, span := range c.broken {
			report.Damage = append(report.Damage, Damage{filename(s.number, s.salt, damaged), span})
			l.hurt[s.name] = true
		}
		report.Lost += c.lost
		if len(c.groups) > 0 || len(c.broken) == 0 {
			break
		}
		// Nothing of it can be read. If the one before it is still there, that is better than nothing.
	}
	l.memory.Recovered(report)
	for _, name := range drafts {
		_ = l.disk.remove(name) // they take room
	}
	return report, nil
}

// load applies what a file holds.
func (l *Log) load(s stored) (content, error) {
	data, err := l.disk.read(s.name)
	if err != nil {
		return content{}, err
	}
	c, err := readContent(data, s.salt)
	if err != nil {
		return content{}, err
	}
	for _, group := range c.groups {
		if err := l.memory.Apply(group); err != nil {
			return content{}, err
		}
	}
	return c, nil
}

// look returns the finished files of the directory, newest first, the names of those that were being written, and
// whether there is the mark of an outage.
func (l *Log) look() (found []stored, drafts []string, outage bool, err error) {
	names, err := l.disk.list()
	if err != nil {
		return nil, nil, false, err
	}
	for _, name := range names {
		outage = outage || name == outageMark
		number, s, suffix, ok := parseFilename(name)
		if !ok {
			continue
		}
		l.generation = max(l.generation, number)
		switch suffix {
		case finished:
			found = append(found, stored{name, number, s})
		case unfinished:
			drafts = append(drafts, name)
		}
	}
	slices.SortFunc(found, func(a, b stored) int { return cmp.Compare(b.number, a.number) })
	return found, drafts, outage, nil
}
