package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"slices"
	"time"
)

// writeArchive writes the archive of the binary and the documents: a zip file for Windows, a tar.gz file elsewhere.
func (r *release) writeArchive(p platform, binary []byte) error {
	folder := "absolink-" + r.version.plain() + "-" + p.file()
	files := []file{{name: folder + "/" + p.program(), data: binary, exec: true}}
	for _, doc := range slices.Concat(r.pages, r.printed) {
		files = append(files, file{name: folder + "/" + doc.name, data: doc.data})
	}
	if p.os == "windows" {
		data, err := zipOf(files, r.time)
		if err != nil {
			return err
		}
		return r.write(folder+".zip", data)
	}
	data, err := tarOf(files, r.time)
	if err != nil {
		return err
	}
	if data, err = gzipOf(data); err != nil {
		return err
	}
	return r.write(folder+".tar.gz", data)
}

// tarOf returns a tar file whose files belong to root.
func tarOf(files []file, date time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: f.name, Size: int64(len(f.data)), Mode: int64(f.mode()),
			ModTime: date}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

func zipOf(files []file, date time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: date}
		h.SetMode(f.mode())
		entry, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// gzipOf compresses data, without a name or date in the header.
func gzipOf(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(w, bytes.NewReader(data)); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

func (r *release) doc(name string) []byte {
	docs := slices.Concat(r.pages, r.printed)
	return docs[slices.IndexFunc(docs, func(f file) bool { return f.name == name })].data
}
