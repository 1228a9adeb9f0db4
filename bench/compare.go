package main

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/maphash"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// The functions below run both sides of a row once, which warms up the caches, and return the differences of their
// outputs in words.

// sameLinks compares the links that both sides print, one on each line.
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

// samePages compares the links in the directories of pages that both sides write, where all links are absolute.
func samePages(b *bench, r row) (string, error) {
	return b.sameOutput(r, func(out string) []string {
		return []string{"links", "-q", "-s", "rfc3986", out}
	})
}

// sameMbox compares the links in the mailboxes that both sides write.
func sameMbox(b *bench, r row) (string, error) {
	return b.sameOutput(r, func(out string) []string {
		return []string{"links", "-q", "-s", "rfc3986", "--type", "application/mbox", out}
	})
}

// sameOutput compares the outputs that both sides write. list returns the arguments with which absolink lists the links
// of an output.
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
		if _, err := b.run(job{args: append([]string{b.ours}, list(out)...)}, links, b.path("none")); err != nil {
			return "", err
		}
		printed = append(printed, links)
	}
	return b.compared(printed[0], printed[1])
}

// sameParts compares the number of text/html parts, which the peer prints and absolink lists as entities.
func sameParts(b *bench, r row) (string, error) {
	if _, err := b.run(r.ours(b), "", b.out()); err != nil {
		return "", err
	}
	theirs := b.path(r.name + ".theirs")
	if _, err := b.run(r.theirs(b), theirs, b.out()); err != nil {
		return "", err
	}
	ours := b.path(r.name + ".ours")
	if _, err := b.run(job{args: []string{b.ours, "base", "-q", "-f", "tsv", "--fields", "type", b.corpus.mbox}}, ours,
		b.out()); err != nil {
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

// noOutput runs both sides and compares nothing, because the peer has no links.
func noOutput(b *bench, r row) (string, error) {
	if _, err := b.run(r.ours(b), "", b.out()); err != nil {
		return "", err
	}
	_, err := b.run(r.theirs(b), "", b.out())
	return "", err
}

// compared compares two lists of links in another process, so that this one stays small.
func (b *bench) compared(ours, theirs string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	said, err := exec.Command(self, "compare", ours, theirs).Output()
	return strings.TrimSpace(string(said)), err
}

// compare prints the differences of two lists of links. It compares the lines, and then what meaning makes of them.
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
		if !slices.Equal(a, b) {
			fmt.Print(", in another order")
		}
		return nil
	}
	fmt.Printf("%d links by absolink, %d by the peer", len(a), len(b))
	missing, extra := diff(meantA, meantB)
	if spelled := onlyA - missing; spelled > 0 {
		fmt.Printf(". %d only in another spelling", spelled)
	}
	if missing > 0 {
		fmt.Printf(". %d missing or different in the list of the peer", missing)
	}
	if extra > 0 {
		fmt.Printf(". %d only in the list of the peer", extra)
	}
	return nil
}

// diff returns how many lines are only in a, and how many only in b. A line may occur several times.
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

// meaning percent-decodes a URL and drops an empty fragment, so that two spellings are equal.
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
