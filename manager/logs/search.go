package logs

import "context"

// A Pattern says which lines are looked for. The nil Pattern is every line.
type Pattern interface {
	// Match reports whether a line is, given as Line.Raw has it.
	Match(raw []byte) bool
	// Find returns where the first one begins and ends, without its line feed, among lines that are there as they were
	// written, each with its line feed. If there is none, both are len(lines).
	Find(lines []byte) (start, end int)
}

// A Search gives the lines of a log that a Pattern matches, of what a View shows: from its start to its end, or back.
// It reads the log as it goes, and holds some windows of it and what belongs to one line. It is used by one goroutine
// at a time. Close must be called.
type Search struct {
	lines   lineSource
	missing int64
}

// lineSource is what gives the lines of a Search.
type lineSource interface {
	// look goes on for some time, or to the next line or mark.
	look() (Line, outcome)
	Done() bool
	Close()
}

// Search returns the lines of v that p matches, in the order of a LineReader. While the log is written it can go on
// when it has found nothing; v.Wake tells when.
func (l *Log) Search(v View, p Pattern) *Search {
	r := l.Lines(v)
	r.find = p
	return &Search{lines: r}
}

// SearchBack returns what Search does, from the last line to the first. What is written after the call, and a last
// line that may go on, are no part of it.
func (l *Log) SearchBack(v View, p Pattern) *Search {
	return &Search{lines: l.linesBack(v, p)}
}

// Next returns the next line, without waiting for more to be written. ok is false if there is none so far; Done then
// says whether there can be. The error is that of ctx, which is looked at now and then; after it, Next can be called
// again.
func (s *Search) Next(ctx context.Context) (line Line, ok bool, err error) {
	for {
		if err := ctx.Err(); err != nil {
			return Line{}, false, err
		}
		line, found := s.lines.look()
		switch {
		case found == nothing:
			return Line{}, false, nil
		case found == given && line.Gap == 0 && line.Dropped == 0:
			return line, true, nil
		}
		s.missing += line.Gap + line.Dropped
	}
}

// Missing returns how many bytes were not to be found where lines were looked for so far.
func (s *Search) Missing() int64 { return s.missing }

// Done reports whether Next has given everything.
func (s *Search) Done() bool { return s.lines.Done() }

// Close releases what s holds.
func (s *Search) Close() { s.lines.Close() }
