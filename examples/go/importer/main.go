// Importer reads orders (item,quantity,total in cents) and writes what one of each item costs. An order that
// makes it panic is reported and left out.
package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: importer ORDERS PRICES")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "importer:", err)
		os.Exit(1)
	}
}

func run(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	orders, err := csv.NewReader(in).ReadAll()
	if err != nil {
		return err
	}
	var prices [][]string
	for _, order := range orders {
		price, err := unitPrice(order)
		if err != nil {
			fmt.Fprintf(os.Stderr, "panic: %v [recovered]\n", err)
			continue
		}
		fmt.Printf("%s costs %d\n", order[0], price)
		prices = append(prices, []string{order[0], strconv.Itoa(price)})
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer out.Close()
	if err := csv.NewWriter(out).WriteAll(prices); err != nil {
		return err
	}
	fmt.Printf("%d of %d orders imported\n", len(prices), len(orders))
	return out.Close()
}

// unitPrice returns what one of the order's items costs. Whatever goes wrong in it is an error that names
// the item.
func unitPrice(order []string) (price int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: %v", order[0], r)
		}
	}()
	quantity, err := strconv.Atoi(order[1])
	if err != nil {
		return 0, err
	}
	total, err := strconv.Atoi(order[2])
	if err != nil {
		return 0, err
	}
	return total / quantity, nil
}
