package manager

// roleVar makes this binary play a role instead of running tests.
const roleVar = "MANAGER_TEST_ROLE"

var roles = map[string]func(args []string){}
