"""FastWARC. It iterates over the records of a WARC file, and prints their number. It parses no HTTP and no HTML.

    fastwarc FILE
"""

import sys

from fastwarc.warc import ArchiveIterator

print(sum(1 for _ in ArchiveIterator(sys.argv[1], parse_http=False)))
