"""Finds the command absolink on the driver and on the executors."""

import os
import shutil
import stat


def find():
    """Returns the path of the command. The first of these is used:

    1. the environment variable ABSOLINK
    2. a file "absolink" that spark-submit --files has sent to the executor
    3. the Python package absolink, which contains the command
    4. PATH
    """
    path = os.environ.get("ABSOLINK") or _sent() or _packaged() or shutil.which("absolink")
    if not path:
        raise FileNotFoundError("absolink is not installed here: install the Python package absolink, or send the "
                                "binary with spark-submit --files absolink, or set ABSOLINK")
    return path


def _sent():
    from pyspark import SparkFiles
    try:
        path = SparkFiles.get("absolink")
    except Exception:  # SparkFiles has no folder outside a job
        return None
    if not os.path.isfile(path):
        return None
    if not os.access(path, os.X_OK):
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
    return path


def _packaged():
    try:
        import absolink
    except ImportError:
        return None
    return absolink.path()
