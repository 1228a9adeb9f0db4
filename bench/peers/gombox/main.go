// This peer is go-mbox and go-message. It decodes the text/html parts of an mbox, drops the text, and prints how many
// there are.
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/emersion/go-mbox"
	"github.com/emersion/go-message"
)

func main() {
	file, err := os.Open(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	parts := 0
	for in := mbox.NewReader(file); ; {
		m, err := in.NextMessage()
		if err == io.EOF {
			fmt.Println(parts)
			return
		}
		if err != nil {
			log.Fatal(err)
		}
		e, err := message.Read(m)
		if err != nil {
			log.Fatal(err)
		}
		err = e.Walk(func(_ []int, part *message.Entity, err error) error {
			if kind, _, _ := part.Header.ContentType(); err == nil && kind == "text/html" {
				parts++
				_, err = io.Copy(io.Discard, part.Body)
			}
			return errors.Join(err)
		})
		if err != nil {
			log.Fatal(err)
		}
	}
}
