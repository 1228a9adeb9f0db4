package main

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// writeImage writes the container image: an OCI layout in a tar file, with one image for each Linux platform. The
// images have no base image, only the binary and the licenses.
func (r *release) writeImage(platforms []platform, binaries map[platform][]byte) error {
	var images []mutate.IndexAddendum
	for _, p := range platforms {
		if p.os != "linux" {
			continue
		}
		image, err := r.image(p, binaries[p])
		if err != nil {
			return err
		}
		images = append(images, mutate.IndexAddendum{
			Add:        image,
			Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: p.os, Architecture: p.arch}},
		})
	}
	if len(images) == 0 {
		return nil
	}
	index := mutate.AppendManifests(mutate.IndexMediaType(empty.Index, types.OCIImageIndex), images...)

	tmp, err := os.MkdirTemp("", "absolink-image-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	// The layout has one entry, the index of the images, with the tag that programs show.
	root := mutate.AppendManifests(mutate.IndexMediaType(empty.Index, types.OCIImageIndex), mutate.IndexAddendum{
		Add: index,
		Descriptor: v1.Descriptor{
			Annotations: map[string]string{"org.opencontainers.image.ref.name": r.version.plain()},
		},
	})
	if _, err := layout.Write(tmp, root); err != nil {
		return err
	}
	files, err := filesOf(tmp)
	if err != nil {
		return err
	}
	data, err := tarOf(files, r.time)
	if err != nil {
		return err
	}
	return r.write("absolink-"+r.version.plain()+"-oci.tar", data)
}

func (r *release) image(p platform, binary []byte) (v1.Image, error) {
	data, err := tarOf([]file{
		{name: "usr/bin/absolink", data: binary, exec: true},
		{name: "usr/share/doc/absolink/LICENSE", data: r.doc("LICENSE")},
		{name: "usr/share/doc/absolink/THIRD_PARTY.md", data: r.doc("THIRD_PARTY.md")},
	}, r.time)
	if err != nil {
		return nil, err
	}
	layer,
		err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(data)), nil
	},
		tarball.WithMediaType(types.OCILayer), tarball.WithCompressedCaching)
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err = mutate.Append(image, mutate.Addendum{
		Layer:   layer,
		History: v1.History{Created: v1.Time{Time: r.time}, CreatedBy: "release/build"},
	})
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = p.os, p.arch, v1.Time{Time: r.time}
	config.Config = v1.Config{
		Entrypoint: []string{"/usr/bin/absolink"},
		WorkingDir: "/work",
		User:       "65532:65532",
		Labels: map[string]string{
			"org.opencontainers.image.title":       "absolink",
			"org.opencontainers.image.description": summary,
			"org.opencontainers.image.version":     r.version.plain(),
			"org.opencontainers.image.revision":    r.revision,
			"org.opencontainers.image.licenses":    expression(r.modules),
		},
	}
	return mutate.ConfigFile(image, config)
}

// filesOf returns all files below a folder, sorted by name.
func filesOf(folder string) ([]file, error) {
	var files []file
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(folder, name)
		files = append(files, file{name: filepath.ToSlash(relative), data: data})
		return err
	})
	return files, err
}
