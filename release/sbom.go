package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
	"github.com/google/uuid"
)

// writeSBOM writes the software in a binary as a CycloneDX list, which comes from the build information in the binary.
func (r *release) writeSBOM(p platform, binary []byte) error {
	info, err := buildinfo.Read(bytes.NewReader(binary))
	if err != nil {
		return err
	}
	var b bytes.Buffer
	encoder := cyclonedx.NewBOMEncoder(&b, cyclonedx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false)
	if err := encoder.EncodeVersion(r.sbom(p, binary, info), cyclonedx.SpecVersion1_6); err != nil {
		return err
	}
	return r.write("absolink-"+r.version.plain()+"-"+p.file()+".cdx.json", b.Bytes())
}

// sbom returns the software in a binary. The serial number depends only on the binary.
func (r *release) sbom(p platform, binary []byte, info *debug.BuildInfo) *cyclonedx.BOM {
	main := component(cyclonedx.ComponentTypeApplication, info.Main.Path, r.version.String())
	main.Licenses = licenses("MIT")
	main.Hashes = &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256,
		Value: fmt.Sprintf("%x", sha256.Sum256(binary))}}
	main.Properties = &[]cyclonedx.Property{{Name: "absolink:platform", Value: p.String()},
		{Name: "absolink:revision", Value: r.revision}}

	components := []cyclonedx.Component{component(cyclonedx.ComponentTypeLibrary, "std",
		strings.TrimPrefix(info.GoVersion, "go"))}
	components[0].Licenses = licenses("BSD-3-Clause")
	for _, dep := range info.Deps {
		if dep.Replace != nil {
			dep = dep.Replace
		}
		c := component(cyclonedx.ComponentTypeLibrary, dep.Path, dep.Version)
		if i := slices.IndexFunc(r.modules, func(m module) bool {
			return m.path == dep.Path && m.version == dep.Version
		}); i >= 0 {
			c.Licenses = licenses(r.modules[i].license)
		}
		c.Properties = &[]cyclonedx.Property{{Name: "absolink:go.sum", Value: dep.Sum}}
		components = append(components, c)
	}
	slices.SortFunc(components, func(a, b cyclonedx.Component) int { return cmp.Compare(a.BOMRef, b.BOMRef) })
	var refs []string
	for _, c := range components {
		refs = append(refs, c.BOMRef)
	}

	bom := cyclonedx.NewBOM()
	bom.SerialNumber = uuid.NewSHA1(uuid.NameSpaceURL, binary).URN()
	bom.Metadata = &cyclonedx.Metadata{Timestamp: r.time.Format(time.RFC3339), Component: &main}
	bom.Components = &components
	bom.Dependencies = &[]cyclonedx.Dependency{{Ref: main.BOMRef, Dependencies: &refs}}
	return bom
}

// component returns a Go module as a component, with its package URL.
func component(kind cyclonedx.ComponentType, path, version string) cyclonedx.Component {
	purl := "pkg:golang/" + path + "@" + strings.ReplaceAll(version, "+", "%2B")
	return cyclonedx.Component{BOMRef: purl, Type: kind, Name: path, Version: version, PackageURL: purl}
}

// licenses returns one license, or an expression of several.
func licenses(expression string) *cyclonedx.Licenses {
	if strings.Contains(expression, " ") {
		return &cyclonedx.Licenses{{Expression: expression}}
	}
	return &cyclonedx.Licenses{{License: &cyclonedx.License{ID: expression}}}
}
