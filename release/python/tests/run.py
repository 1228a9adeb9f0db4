"""Runs the tests of this folder, or those whose names are arguments. It prints a JSON line for each test, for TestPython.

    ABSOLINK=path/of/absolink python3 release/python/tests/run.py [test_api.Links.test_rows ...]

With ABSOLINK_LONG=1 the tests have large inputs.
"""

import json
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]


class Lines(unittest.TestResult):
    def report(self, test, outcome, text=""):
        print(json.dumps({"test": test.id(), "outcome": outcome, "text": text}), flush=True)

    def addSuccess(self, test):
        self.report(test, "ok")

    def addSkip(self, test, reason):
        self.report(test, "skip", reason)

    def addFailure(self, test, err):
        self.report(test, "fail", self._exc_info_to_string(err, test))

    addError = addFailure

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.report(subtest, "fail", self._exc_info_to_string(err, test))


if __name__ == "__main__":
    loader = unittest.defaultTestLoader
    suite = loader.loadTestsFromNames(sys.argv[1:]) if sys.argv[1:] else loader.discover(str(HERE), "test_*.py")
    suite.run(Lines())
