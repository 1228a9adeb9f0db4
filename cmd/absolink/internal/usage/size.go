package usage

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// Size is a number of bytes as the value of a flag. It is written as in the GNU coreutils: 10M and 10MiB are 10 x 2^20
// bytes, 10MB is 10^7 bytes.
type Size int

// units are the letters of the units. Each unit is 1024 or 1000 times the unit before it.
const units = "KMGT"

// Set is part of pflag.Value.
func (n *Size) Set(s string) error {
	digits := strings.TrimRight(s, "KMGTkmgtiB")
	factor, ok := unit(s[len(digits):])
	v, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || !ok || v < 1 || v > math.MaxInt/factor {
		return errors.New("this is not a size; use a number of bytes, or a number with a unit such as 256M or 10MB")
	}
	*n = Size(v * factor)
	return nil
}

// unit returns the number of bytes of a unit, and reports whether the unit exists. "" is one byte.
func unit(name string) (bytes int64, ok bool) {
	if name == "" {
		return 1, true
	}
	n := strings.IndexByte(units, name[0]&^0x20)
	factor := int64(1024)
	switch name[1:] {
	case "", "iB":
	case "B":
		factor = 1000
	default:
		return 0, false
	}
	bytes = 1
	for range n + 1 {
		bytes *= factor
	}
	return bytes, n >= 0
}

// String is part of pflag.Value.
func (n *Size) String() string {
	v := int64(*n)
	for i := len(units) - 1; i >= 0; i-- {
		if unit := int64(1) << (10 * (i + 1)); v > 0 && v%unit == 0 {
			return strconv.FormatInt(v/unit, 10) + units[i:i+1]
		}
	}
	return strconv.FormatInt(v, 10)
}

// Type is part of pflag.Value.
func (n *Size) Type() string { return "SIZE" }
