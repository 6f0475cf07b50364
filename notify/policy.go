package notify

// Config is the notify setting of one process as it was written.
type Config struct {
	OnSuccess, OnFailure, OnKilled Wish
	LogMatches                     []Matcher
}

// Policy narrows c to what a decision sees: an OnFailure of WishIgnore becomes Context here, and past
// this line nobody can hold anything else. What is unset has its default.
func (c Config) Policy() Policy {
	p := DefaultPolicy()
	if c.OnSuccess != Unset {
		p.OnSuccess = Choice(c.OnSuccess - WishTurn)
	}
	if c.OnKilled != Unset {
		p.OnKilled = Choice(c.OnKilled - WishTurn)
	}
	if c.OnFailure == WishContext || c.OnFailure == WishIgnore {
		p.OnFailure = Context
	}
	return p
}

// Policy says how loudly the ends of one process are told. The zero Policy is the loudest.
type Policy struct {
	OnSuccess Choice
	OnKilled  Choice
	OnFailure Attention // a failure is always told: ignore does not fit here
}

// DefaultPolicy is what an absent setting means.
func DefaultPolicy() Policy { return Policy{OnKilled: ChooseContext} }
