"""The program of this package."""

import os
import subprocess
import sys


def path() -> str:
    """Return the path of the program."""
    name = "absolink.exe" if os.name == "nt" else "absolink"
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", name)
    if not os.path.isfile(program):
        raise FileNotFoundError(
            f"{program}: no such file. Install the package absolink with pip: it cannot run from a zip file."
        )
    if not os.access(program, os.X_OK):  # unpacked by a program that ignores permissions
        os.chmod(program, os.stat(program).st_mode | 0o111)
    return program


def main() -> int:
    """Run the program with the arguments of this process, and return its exit status."""
    command = [path(), *sys.argv[1:]]
    if os.name != "nt":
        os.execv(command[0], command)
    with subprocess.Popen(command) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                pass  # the program has received it as well
