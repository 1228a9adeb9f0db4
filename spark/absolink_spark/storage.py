"""Reads inputs from, and writes outputs to, any file system of fsspec: file, http, s3, hdfs."""

import os
import posixpath
import tempfile
import uuid

import fsspec


def is_local(path):
    """Reports whether path is a path on this machine, without a scheme."""
    return "://" not in path


def fetch(url, folder):
    """Copies an input into a local folder, and returns the path of the copy.

    An incomplete copy is an OSError: Spark runs the task again.
    """
    fs, path = fsspec.url_to_fs(url)
    target = os.path.join(folder, "input")
    fs.get_file(path, target)
    size = fs.info(path).get("size")
    if size is not None and size != os.path.getsize(target):
        raise OSError(f"{url}: {os.path.getsize(target)} bytes were fetched, and it has {size}")
    return target


class Folder:
    """The output folder of a job, in which every file is complete."""

    def __init__(self, url):
        self.fs, self.root = fsspec.url_to_fs(url)
        # S3 cannot rename a file, but there one exists only when all its bytes are stored.
        protocols = {self.fs.protocol} if isinstance(self.fs.protocol, str) else set(self.fs.protocol)
        self.renames = bool(protocols & {"file", "local", "hdfs", "webhdfs"})

    def path(self, name):
        return posixpath.join(self.root, name)

    def put(self, local, name):
        """Stores a local file under a name, and replaces a file that has it."""
        target = self.path(name)
        if not self.renames:
            self.fs.put_file(local, target)
            return
        temporary = self.path(f"_temporary/{uuid.uuid4()}")
        self.fs.makedirs(posixpath.dirname(temporary), exist_ok=True)
        self.fs.makedirs(posixpath.dirname(target), exist_ok=True)
        try:
            self.fs.put_file(local, temporary)
            self._rename(temporary, target)
        except BaseException:
            if self.fs.exists(temporary):
                self.fs.rm_file(temporary)
            raise

    def _rename(self, temporary, target):
        if self._is_local():
            with open(temporary, "rb") as f:
                os.fsync(f.fileno())
            os.replace(temporary, target)
            return
        if self.fs.exists(target):  # HDFS does not rename over a file. Another attempt wrote the same bytes.
            self.fs.rm_file(target)
        self.fs.mv(temporary, target)

    def _is_local(self):
        return isinstance(self.fs, fsspec.implementations.local.LocalFileSystem)

    def write(self, name, content):
        """Stores bytes under a name."""
        with tempfile.NamedTemporaryFile() as f:
            f.write(content)
            f.flush()
            self.put(f.name, name)

    def create(self, name, content):
        """Stores bytes under a name, unless a file has it, and reports whether it stored them."""
        target = self.path(name)
        if self.fs.exists(target):
            return False
        self.write(name, content)
        return True

    def read(self, name):
        """Returns the bytes of a file, or None if it does not exist."""
        try:
            return self.fs.cat_file(self.path(name))
        except FileNotFoundError:
            return None

    def names(self, folder):
        """Returns the names of the files in a subfolder."""
        self.fs.invalidate_cache()
        try:
            return [posixpath.basename(p) for p in self.fs.ls(self.path(folder), detail=False)]
        except FileNotFoundError:
            return []

    def clear(self, folder):
        """Removes the files that killed tasks have left in a subfolder."""
        if self.fs.exists(self.path(folder)):
            self.fs.rm(self.path(folder), recursive=True)
