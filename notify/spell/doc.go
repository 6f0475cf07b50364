// Package spell finds which word was meant by one that is not known. It is pure.
package spell
