// Package window reads a stream through a buffer, for formats that cut the stream into records.
//
//	stream   | records before      | what was read         | what was not read yet
//	                               ^ Offset                ^ Offset + len(Buf)
//	                               [ Buf                   ]
//
//	Fill(n)  reads until Buf has n bytes:  [ Buf                 -->         ]
//	More()   reads once:                   [ Buf                 --> ]
//	Drop(n)  removes n bytes, a record:            [ Buf             ]
//
// A splitter looks for the end of the record that Buf begins with. It calls More or Fill while it has not found the
// end. Then it yields Buf[:end] and calls Drop(end). Memory use depends on the longest record, and not on the stream.
//
// Fill and More may move Buf to other memory. A splitter therefore keeps indexes into Buf, which stay valid, and no
// slices of it. Drop changes the indexes.
//
// The bytes come from one of three places:
//
//	New      the window reads into its own memory, and uses that memory again.
//	NewLent  a Lender has decompressed the bytes already. Buf is the lender's memory while that is possible.
//	NewGiven a Giver provides the memory, because the caller keeps several records.
package window
