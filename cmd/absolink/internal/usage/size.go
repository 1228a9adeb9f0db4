package usage

import (
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Size is a number of bytes as the value of a flag. It is written as in the GNU coreutils: 10M and 10MiB are 10 x 2^20
// bytes, 10MB is 10^7 bytes.
type Size int

// units are the letters of the units, after " " for bytes. Each unit is 1024 or 1000 times the unit before it.
const units = " KMGT"

// Set is part of pflag.Value.
func (n *Size) Set(s string) error {
	parts := regexp.MustCompile(`^([0-9]+)(?:([KMGTkmgt])(iB|B)?)?$`).FindStringSubmatch(s)
	if parts == nil {
		return errSize
	}
	factor, times := int64(1), int64(1024)
	if parts[3] == "B" {
		times = 1000
	}
	for range strings.Index(units, strings.ToUpper(parts[2])) {
		factor *= times
	}
	v, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil || v < 1 || v > math.MaxInt/factor {
		return errSize
	}
	*n = Size(v * factor)
	return nil
}

var errSize = errors.New("this is not a size; use a number of bytes, or a number with a unit such as 256M or 10MB")

// String is part of pflag.Value.
func (n *Size) String() string {
	v := int64(*n)
	for i := len(units) - 1; i > 0; i-- {
		if unit := int64(1) << (10 * i); v > 0 && v%unit == 0 {
			return strconv.FormatInt(v/unit, 10) + units[i:i+1]
		}
	}
	return strconv.FormatInt(v, 10)
}

// Type is part of pflag.Value.
func (n *Size) Type() string { return "SIZE" }
