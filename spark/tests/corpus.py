"""Makes .warc.gz files from the pages of a Debian package: python corpus.py FOLDER"""

import subprocess
import sys
import tempfile
from pathlib import Path

from conftest import write_warc

PACKAGE, FILES = "postgresql-doc-15", 20


def main(folder):
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run(["apt-get", "download", PACKAGE], cwd=scratch, check=True)
        subprocess.run(["dpkg", "-x", *Path(scratch).glob("*.deb"), scratch], check=True)
        pages = [(f"http://{PACKAGE}.example/{p.relative_to(scratch)}", p.read_bytes()) for p in sorted(Path(scratch).rglob("*.html"))]
    folder.mkdir()
    for i in range(FILES):
        write_warc(folder / f"crawl{i:02}.warc.gz", pages * 8)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
