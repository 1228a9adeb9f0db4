package window

// A Lender is a reader that may have the next bytes of the stream in memory.
type Lender interface {
	// Lend returns the next bytes of the stream. They are valid until the next call of Lend or Read. next is empty if
	// the caller must call Read. edge reports whether a unit, such as a member of gzip, ends at the end of next.
	Lend() (next []byte, edge bool, err error)
}

// A Giver provides the memory that a window reads into. The window does not overwrite this memory, so the records in it
// stay valid. The window reads a record of more than 1 MiB into its own memory, which it overwrites later.
type Giver struct {
	give  func(n int) []byte
	given bool // Buf is in the memory that give returned last
}

// longestGiven is the largest size that a window requests from a Giver.
const longestGiven = 1 << 20

// NewGiver returns a Giver that calls give. give must return n bytes or more, and the window may use all of them.
func NewGiver(give func(n int) []byte) *Giver { return &Giver{give: give} }

// Holds reports whether Buf is in the memory that give returned last. It returns false for a nil Giver.
func (g *Giver) Holds() bool { return g != nil && g.given }
