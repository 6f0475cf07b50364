package main

import (
	"strings"
	"testing"
)

func TestUnitPrice(t *testing.T) {
	if price, err := unitPrice([]string{"cup", "6", "2340"}); price != 390 || err != nil {
		t.Errorf("unitPrice(6 cups for 2340) = %d, %v, want 390, nil", price, err)
	}
	if _, err := unitPrice([]string{"spoon", "0", "210"}); err == nil || !strings.Contains(err.Error(), "spoon") {
		t.Errorf("unitPrice(no spoon for 210) = %v, want an error that names the spoon", err)
	}
}
