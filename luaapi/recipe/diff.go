package recipe

// Plan is the step from one recipe to another. Every process of either is in exactly one of the lists.
type Plan struct {
	Added     []string // in order of the new recipe, as are all but Removed
	Removed   []string // in order of the old recipe
	Restarted []string // ByRestart
	Updated   []string // AtOnce or AtNextStart
	Kept      []string // Same
}

// Empty reports whether the plan changes nothing.
func (p Plan) Empty() bool {
	return len(p.Added)+len(p.Removed)+len(p.Restarted)+len(p.Updated) == 0
}

// Diff plans the step from old to new. Processes are matched by name: a rename removes one and adds another.
func Diff(old, new Recipe) Plan {
	before := byName(old)
	after := byName(new)
	var plan Plan
	for _, p := range old.Processes {
		if _, stays := after[p.Name]; !stays {
			plan.Removed = append(plan.Removed, p.Name)
		}
	}
	for _, p := range new.Processes {
		was, there := before[p.Name]
		list := &plan.Added
		if there {
			switch Compare(was, p) {
			case Same:
				list = &plan.Kept
			case ByRestart:
				list = &plan.Restarted
			default:
				list = &plan.Updated
			}
		}
		*list = append(*list, p.Name)
	}
	return plan
}

func byName(r Recipe) map[string]Process {
	m := make(map[string]Process, len(r.Processes))
	for _, p := range r.Processes {
		m[p.Name] = p
	}
	return m
}
