// Package window reads a stream through a buffer, for formats that cut the stream into records.
//
//	stream   | dropped records     | bytes that were read  | the rest of the stream
//	                               ^ Offset                ^ Offset + len(Buf)
//	                               [ Buf                   ]
//
//	Fill(n)  reads until Buf has n bytes:  [ Buf                 -->         ]
//	More()   reads once:                   [ Buf                 --> ]
//	Drop(n)  removes n bytes, a record:            [ Buf             ]
//
// The format searches for the end of the record at the start of Buf. It calls More or Fill until it finds the end. Then it
// yields Buf[:end], and calls Drop(end). Memory use depends on the longest record, and not on the length of the stream.
//
// Fill and More may move Buf to other memory. So the format must not keep slices of Buf. Indexes into Buf stay valid until
// Drop.
//
// Buf has one of three kinds of memory:
//
//	New       The window reads into its own memory, and reuses it.
//	NewLent   A Lender has the bytes in memory, because it decompressed them. Buf is the lender's memory if possible.
//	NewGiven  A Giver provides the memory. The caller can keep several records.
//
// Until and SizeOf are for the reader of the stream.
package window
