package xml

import (
	"bytes"
	"sync"

	"absolink/extract/internal/ascii"
)

// Namespaces in XML 1.0: the namespace of a name, by its prefix.

// binding keeps the old namespace of a prefix while an inner element declares the prefix again.
type binding struct {
	prefix string
	was    space
	had    bool // the prefix was bound
}

// declarations reads the namespaces that the current tag declares (Namespaces in XML 3). It returns the index of the
// xml:base in attrs, or -1.
func (s *scanner) declarations() (base int) {
	src, base := s.src, -1
	for i := range s.attrs {
		a := &s.attrs[i]
		if name := src[a.name:a.nameEnd]; len(name) < 5 || name[0] != 'x' || name[1] != 'm' || name[2] != 'l' {
			continue
		} else if string(name) == "xml:base" && base < 0 {
			base = i
		} else if string(name) == "xmlns" {
			s.element.space = s.namespace(a, s.element.space)
		} else if a.colon >= 0 && string(src[a.name:a.colon]) == "xmlns" {
			prefix := string(src[a.colon+1 : a.nameEnd])
			was, had := s.prefix[prefix]
			s.bound = append(s.bound, binding{prefix, was, had})
			s.prefix[prefix] = s.namespace(a, s.bindingOf([]byte(prefix)))
		}
	}
	return base
}

// namespace returns the namespace in the declaration a. If its value is an entity, it cannot be read. Then namespace
// returns was, the namespace before the declaration.
func (s *scanner) namespace(a *attribute, was space) space {
	value, _ := a.Quoting.Text().Decode(s.src[a.Start:a.End])
	if len(value) == 0 {
		return spaceNone
	}
	if value[0] == '&' {
		return was
	}
	if ns, ok := spaces()[string(value)]; ok {
		return ns
	}
	if ns, ok := looseSpaces()[string(looseName(value))]; ok {
		return ns
	}
	return spaceOther
}

// looseSpaces has the namespaces of feeds and sitemaps by looseName. Readers of feeds accept variants of these names.
// Browsers do not accept variants of the other names.
var looseSpaces = sync.OnceValue(func() map[string]space {
	loose := map[string]space{}
	for name, ns := range spaces() {
		if ns >= firstFeedSpace {
			loose[string(looseName([]byte(name)))] = ns
		}
	}
	return loose
})

// looseName returns the part of a name that is the same in all variants. Variants begin with "https:", use other upper
// and lower case, or have no slash at the end.
func looseName(name []byte) []byte {
	if _, after, ok := bytes.Cut(name, []byte("://")); ok {
		name = after
	}
	return ascii.Fold(nil, bytes.TrimSuffix(name, []byte("/")))
}

// declares reports whether the current tag declares the namespace with this name.
func (s *scanner) declares(name string) bool {
	for _, a := range s.attrs {
		if bytes.HasPrefix(s.src[a.name:a.nameEnd], []byte("xmlns")) && string(s.src[a.Start:a.End]) == name {
			return true
		}
	}
	return false
}

// bindingOf returns the namespace of a prefix. If the prefix is not declared, it returns the usual namespace of the
// prefix, because many feeds lack the declaration.
func (s *scanner) bindingOf(prefix []byte) space {
	if ns, ok := s.prefix[string(prefix)]; ok {
		return ns
	}
	if ns, ok := usualPrefixes()[string(prefix)]; ok {
		return ns
	}
	return spaceOther
}

// unbind removes all bindings after the first n, and restores the bindings before them.
func (s *scanner) unbind(n int) {
	for i := len(s.bound) - 1; i >= n; i-- {
		if b := s.bound[i]; b.had {
			s.prefix[b.prefix] = b.was
		} else {
			delete(s.prefix, b.prefix)
		}
	}
	s.bound = s.bound[:n]
}
