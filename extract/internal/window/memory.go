package window

// Lender is a reader that may have the next bytes in memory.
type Lender interface {
	// Lend returns the next bytes of the stream, which are valid until the next call of Lend or Read. It returns
	// nothing if the bytes have to be read. edge reports whether next ends a unit, such as a member of gzip.
	Lend() (next []byte, edge bool, err error)
}

// Giver provides the memory that a window reads into. The window never overwrites memory that is full: records in it
// stay valid. A record of more than 1 MiB is read into the window's own memory instead, which is overwritten.
type Giver struct {
	give  func(n int) []byte
	given bool // Buf is a part of the memory that give returned last
}

// longestGiven is the largest size that a window asks a giver for.
const longestGiven = 1 << 20

// NewGiver returns a Giver. give returns memory of n bytes or more, and the window may use all of it.
func NewGiver(give func(n int) []byte) *Giver { return &Giver{give: give} }

// Holds reports whether the window's bytes are in the memory that was given last. It is false for a nil Giver.
func (g *Giver) Holds() bool { return g != nil && g.given }
