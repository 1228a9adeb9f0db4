// Package values has the values of flags that are not plain strings or numbers.
//
//	--format jsonl        OneOf: a name from a fixed list, in any case
//	--max-record 256M     Size: a number of bytes, with a unit
//
// Each type is a pflag.Value.
package values
