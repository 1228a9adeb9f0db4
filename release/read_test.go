package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/blakesmith/ar"
	"github.com/cavaliergopher/cpio"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/validate"
	"github.com/stretchr/testify/require"
)

// readTar returns the regular files in a tar file.
func readTar(t *testing.T, r io.Reader) map[string]file {
	t.Helper()
	files := make(map[string]file)
	for in := tar.NewReader(r); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		require.NoError(t, err)
		if h.Typeflag != tar.TypeReg {
			continue
		}
		data, err := io.ReadAll(in)
		require.NoError(t, err)
		name := strings.TrimPrefix(h.Name, "./")
		files[name] = file{name: name, data: data, exec: h.Mode == 0o755}
	}
}

func readTarGz(t *testing.T, r io.Reader) map[string]file {
	t.Helper()
	in, err := gzip.NewReader(r)
	require.NoError(t, err)
	return readTar(t, in)
}

func readZip(t *testing.T, name string) map[string]file {
	t.Helper()
	in, err := zip.OpenReader(name)
	require.NoError(t, err)
	defer in.Close()
	files := make(map[string]file)
	for _, f := range in.File {
		r, err := f.Open()
		require.NoError(t, err)
		data, err := io.ReadAll(r)
		require.NoError(t, err)
		files[f.Name] = file{name: f.Name, data: data, exec: f.Mode() == 0o755}
	}
	return files
}

// readDeb returns the control file of a Debian package, and the files that it installs.
func readDeb(t *testing.T, name string) (control string, files map[string]file) {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	for in := ar.NewReader(bytes.NewReader(data)); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return control, files
		}
		require.NoError(t, err)
		switch strings.TrimSuffix(h.Name, "/") {
		case "control.tar.gz":
			control = string(readTarGz(t, in)["control"].data)
		case "data.tar.gz":
			files = readTarGz(t, in)
		}
	}
}

// readRPM returns the file name that follows from the header of an RPM package, and the files that it installs. The package is
// a lead of 96 bytes, a header with the signature, a header, and the files.
func readRPM(t *testing.T, name string) (id string, files map[string]file) {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "\xed\xab\xee\xdb", string(data[:4]))
	_, end := rpmHeader(t, data, 96)
	tags, end := rpmHeader(t, data, (end+7)/8*8)
	id = tags[1000] + "-" + tags[1001] + "-" + tags[1002] + "." + tags[1022] + ".rpm"

	payload, err := gzip.NewReader(bytes.NewReader(data[end:]))
	require.NoError(t, err)
	files = make(map[string]file)
	for in := cpio.NewReader(payload); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return id, files
		}
		require.NoError(t, err)
		data, err := io.ReadAll(in)
		require.NoError(t, err)
		name := strings.TrimPrefix(h.Name, "/")
		files[name] = file{name: name, data: data, exec: h.Mode.Perm() == 0o755}
	}
}

// rpmHeader returns the strings of a header by their tags, and where the header ends.
func rpmHeader(t *testing.T, data []byte, start int) (tags map[uint32]string, end int) {
	t.Helper()
	number := func(i int) int { return int(binary.BigEndian.Uint32(data[i:])) }
	require.Equal(t, "\x8e\xad\xe8\x01", string(data[start:start+4]))
	entries, size := number(start+8), number(start+12)
	store := start + 16 + 16*entries
	tags = make(map[uint32]string)
	for i := start + 16; i < store; i += 16 {
		if kind := number(i + 4); kind != 6 {
			continue // not a string
		}
		text, _, _ := strings.Cut(string(data[store+number(i+8):]), "\x00")
		tags[uint32(number(i))] = text
	}
	return tags, store + size
}

// readImage checks the container image, and returns its configurations and files by platform.
func readImage(t *testing.T, name string) (configs map[string]*v1.ConfigFile, files map[string]map[string]file) {
	t.Helper()
	in, err := os.Open(name)
	require.NoError(t, err)
	defer in.Close()
	dir := t.TempDir()
	for name, f := range readTar(t, in) {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), f.data, 0o666))
	}
	root, err := layout.ImageIndexFromPath(dir)
	require.NoError(t, err)
	require.NoError(t, validate.Index(root))
	top, err := root.IndexManifest()
	require.NoError(t, err)
	require.Len(t, top.Manifests, 1)
	index, err := root.ImageIndex(top.Manifests[0].Digest)
	require.NoError(t, err)
	manifest, err := index.IndexManifest()
	require.NoError(t, err)
	configs, files = make(map[string]*v1.ConfigFile), make(map[string]map[string]file)
	for _, m := range manifest.Manifests {
		image, err := index.Image(m.Digest)
		require.NoError(t, err)
		config, err := image.ConfigFile()
		require.NoError(t, err)
		require.Equal(t, config.OS, m.Platform.OS)
		require.Equal(t, config.Architecture, m.Platform.Architecture)
		configs[m.Platform.String()] = config
		contents := mutate.Extract(image)
		files[m.Platform.String()] = readTar(t, contents)
		require.NoError(t, contents.Close())
	}
	return configs, files
}
