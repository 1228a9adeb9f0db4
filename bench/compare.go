package main

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/maphash"
	"os"
	"os/exec"
	"strings"
)

// The comparisons of a row's outputs run both sides once, which warms them up, and say in
// words how the outputs differ.

// sameLinks: both print links, a line each.
func sameLinks(b *bench, r row) (string, error) {
	ours, theirs := b.path(r.name+".ours"), b.path(r.name+".theirs")
	if _, err := b.run(r.ours(b), ours, b.out()); err != nil {
		return "", err
	}
	if _, err := b.run(r.theirs(b), theirs, b.out()); err != nil {
		return "", err
	}
	return b.compared(ours, theirs)
}

// samePages: both write a folder of pages; the links of these, absolute as they are now,
// are compared.
func samePages(b *bench, r row) (string, error) {
	return b.sameOutput(r, func(out string) []string {
		return []string{"links", "-q", "-s", "rfc3986", out}
	})
}

// sameMbox: both write an mbox.
func sameMbox(b *bench, r row) (string, error) {
	return b.sameOutput(r, func(out string) []string {
		return []string{"links", "-q", "-s", "rfc3986", "--type", "application/mbox", out}
	})
}

func (b *bench) sameOutput(r row, list func(out string) []string) (string, error) {
	var printed []string
	for _, side := range []struct {
		job  job
		name string
	}{{r.ours(b), "ours"}, {r.theirs(b), "theirs"}} {
		out := b.out()
		if _, err := b.run(side.job, "", out); err != nil {
			return "", err
		}
		links := b.path(r.name + "." + side.name)
		if _, err := b.run(job{args: append([]string{b.ours()}, list(out)...)}, links, b.path("none")); err != nil {
			return "", err
		}
		printed = append(printed, links)
	}
	return b.compared(printed[0], printed[1])
}

// sameParts: theirs prints how many text/html parts it decoded; ours names each entity.
func sameParts(b *bench, r row) (string, error) {
	if _, err := b.run(r.ours(b), "", b.out()); err != nil {
		return "", err
	}
	theirs := b.path(r.name + ".theirs")
	if _, err := b.run(r.theirs(b), theirs, b.out()); err != nil {
		return "", err
	}
	ours := b.path(r.name + ".ours")
	if _, err := b.run(job{args: []string{b.ours(), "base", "-q", "-f", "tsv", "--fields", "type", b.corpus.mbox}}, ours, b.out()); err != nil {
		return "", err
	}
	types, err := os.ReadFile(ours)
	if err != nil {
		return "", err
	}
	number, err := os.ReadFile(theirs)
	if err != nil {
		return "", err
	}
	n := strings.Count(string(types), "text/html\n")
	if fmt.Sprint(n) == strings.TrimSpace(string(number)) {
		return fmt.Sprintf("the same %d text/html parts", n), nil
	}
	return fmt.Sprintf("%d text/html parts by absolink, %s by the peer", n, bytes.TrimSpace(number)), nil
}

// noOutput: there is nothing to compare with.
func noOutput(b *bench, r row) (string, error) {
	if _, err := b.run(r.ours(b), "", b.out()); err != nil {
		return "", err
	}
	_, err := b.run(r.theirs(b), "", b.out())
	return "", err
}

// compared has a process of its own compare two lists of links.
func (b *bench) compared(ours, theirs string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	said, err := exec.Command(self, "compare", ours, theirs).Output()
	return strings.TrimSpace(string(said)), err
}

// compare prints how two lists of links differ, first as they are, then by what they mean:
// percent escapes undone and an empty fragment left out.
func compare(ours, theirs string) error {
	seed := maphash.MakeSeed()
	load := func(name string) (exact, meant []uint64, err error) {
		file, err := os.Open(name)
		if err != nil {
			return nil, nil, err
		}
		defer file.Close()
		in := bufio.NewScanner(file)
		in.Buffer(nil, 1<<26)
		for in.Scan() {
			exact = append(exact, maphash.Bytes(seed, in.Bytes()))
			meant = append(meant, maphash.Bytes(seed, meaning(in.Bytes())))
		}
		return exact, meant, in.Err()
	}
	a, meantA, err := load(ours)
	if err != nil {
		return err
	}
	b, meantB, err := load(theirs)
	if err != nil {
		return err
	}
	onlyA, onlyB := diff(a, b)
	if onlyA+onlyB == 0 {
		fmt.Printf("the same %d links", len(a))
		if !equal(a, b) {
			fmt.Print(", in another order")
		}
		return nil
	}
	fmt.Printf("%d links by absolink, %d by the peer", len(a), len(b))
	missing, extra := diff(meantA, meantB)
	if spelled := onlyA - missing; spelled > 0 {
		fmt.Printf("; %d only spelled otherwise", spelled)
	}
	if missing > 0 {
		fmt.Printf("; %d not found or otherwise by the peer", missing)
	}
	if extra > 0 {
		fmt.Printf("; %d by the peer that absolink does not have", extra)
	}
	return nil
}

func equal(a, b []uint64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// diff counts what is in only one of two bags.
func diff(a, b []uint64) (onlyA, onlyB int) {
	bag := map[uint64]int{}
	for _, h := range a {
		bag[h]++
	}
	for _, h := range b {
		bag[h]--
	}
	for _, n := range bag {
		onlyA += max(n, 0)
		onlyB += max(-n, 0)
	}
	return onlyA, onlyB
}

// meaning undoes what one may spell in two ways.
func meaning(url []byte) []byte {
	url = bytes.TrimSuffix(url, []byte("#"))
	var out []byte
	for i := 0; i < len(url); i++ {
		if url[i] == '%' && i+2 < len(url) {
			if hi, lo := hex(url[i+1]), hex(url[i+2]); hi >= 0 && lo >= 0 {
				out = append(out, byte(hi<<4|lo))
				i += 2
				continue
			}
		}
		out = append(out, url[i])
	}
	return out
}

func hex(c byte) int { return strings.IndexByte("0123456789abcdef", c|0x20) }
