"""The life of the process: threads, forks, kills, interrupts, and long use. No test depends on a clock."""

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import tracemalloc
import unittest
import warnings
from pathlib import Path

import absolink

LONG = bool(os.environ.get("ABSOLINK_LONG"))
DEFAULT = absolink.links.__self__


def pid():
    """The process of the module."""
    return DEFAULT._running().process.pid


def check(number=0):
    """Make a call, and return the process that answered it."""
    page = absolink.Document(f"<a href=x{number}>", url="http://h/")
    got = [link.url for link in absolink.links(page)]
    if got != [f"http://h/x{number}"]:
        raise AssertionError(got)
    return pid()


def script(text, **options):
    """Start another Python on a script. Its standard error is a pipe, which the service inherits.

    An interrupt is an exception in the script, also if this process ignores interrupts, as under nohup.
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen([sys.executable, "-X", "dev", "-c", "import absolink, os, signal, sys, time\n"
                             "def once(*_):\n    signal.signal(signal.SIGINT, signal.SIG_IGN)\n    raise KeyboardInterrupt\n"
                             "signal.signal(signal.SIGINT, once)\n" + textwrap.dedent(text)],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, **options)


class Stopped:
    """A session whose process is stopped, so that no call can end."""

    def __enter__(self):
        self.session = absolink.Session()
        self.service = self.session._running()
        os.kill(self.service.process.pid, signal.SIGSTOP)
        os.waitpid(self.service.process.pid, os.WUNTRACED)  # until all its threads are stopped: one of them could answer a call
        return self

    def call(self):
        """Make a call in another thread. It has begun when this function returns."""
        self.errors = []
        self.thread = threading.Thread(target=self._call)
        self.thread.start()
        while not self.service._open:
            time.sleep(0.001)

    def _call(self):
        try:
            self.session.resolve("http://h/", "x")
        except absolink.Error as error:
            self.errors.append(error)

    def __exit__(self, *_):
        self.session.close()


class Threads(unittest.TestCase):
    def test_one_process(self):
        count = 1000 if LONG else 50
        pids, errors = set(), []

        def work(first):
            try:
                for i in range(count):
                    pids.add(check(first + i))
            except BaseException as error:
                errors.append(error)
        threads = [threading.Thread(target=work, args=(1_000_000 * i,)) for i in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([], errors)
        self.assertEqual(1, len(pids))

    def test_more_threads_than_requests_that_may_wait(self):
        page = "<a href=x>" * 10_000
        results = []

        def work():
            results.append(len(absolink.rewrite(page, "http://h/").content))
        threads = [threading.Thread(target=work) for _ in range(100)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([len("<a href=http://h/x>") * 10_000] * 100, results)

    def test_long_documents(self):
        length = 100_000_000 if LONG else 3_000_000
        page = b"<a href=x>" + b"." * length
        want = b"<a href=http://h/x>" + b"." * length
        same = []

        def work():
            same.append(absolink.rewrite(page, "http://h/").content == want)
        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([True] * 3, same)


@unittest.skipUnless(hasattr(os, "fork"), "this system has no fork")
class Forks(unittest.TestCase):
    def in_child(self, work):
        """Run work in a forked process, and return its output."""
        read, write = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12: the test has threads
            child = os.fork()
        if child == 0:
            try:
                os.close(read)
                os.write(write, str(work()).encode())
            finally:
                os._exit(0)
        os.close(write)
        with open(read) as pipe:
            said = pipe.read()
        os.waitpid(child, 0)
        return said

    def test_child_has_its_own_process(self):
        before = check(1)
        other = self.in_child(lambda: check(2))
        self.assertTrue(other)
        self.assertNotEqual(str(before), other)
        self.assertEqual(before, check(3))

    def test_child_that_uses_nothing(self):
        before = check(1)
        self.assertEqual("7", self.in_child(lambda: 7))
        self.assertEqual(before, check(2))

    def test_child_of_child(self):
        check()
        self.assertEqual("True", self.in_child(lambda: check() and bool(self.in_child(check))))

    def test_forks_while_threads_call(self):
        stop, errors = threading.Event(), []

        def work():
            try:
                while not stop.is_set():
                    check(7)
            except BaseException as error:
                errors.append(error)
        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        children = [self.in_child(lambda: check(8)) for _ in range(200 if LONG else 5)]
        stop.set()
        for thread in threads:
            thread.join()
        self.assertEqual([], errors)
        self.assertTrue(all(children))

    def test_forks_while_threads_start_a_process(self):
        for _ in range(50 if LONG else 3):
            session = absolink.Session()
            thread = threading.Thread(target=session.resolve, args=("http://h/", "x"))
            thread.start()
            child = self.in_child(lambda: session.resolve("http://h/", "y"))
            thread.join()
            self.assertEqual("http://h/y", child)
            session.close()

    def test_multiprocessing(self):
        before = check()
        for method in ("fork", "spawn"):
            with self.subTest(method), multiprocessing.get_context(method).Pool(2) as pool:
                self.assertNotIn(before, pool.map(check, range(10)))
                pages = ["<a href=x>", "<p><img src=y>"]
                self.assertEqual([absolink.links(page) for page in pages], pool.map(absolink.links, pages))
        self.assertEqual(before, check())


class Deaths(unittest.TestCase):
    def test_killed_between_calls(self):
        for _ in range(3):
            before = check()
            DEFAULT._service.process.kill()
            DEFAULT._service.process.wait()
            self.assertNotEqual(before, check())

    def test_killed_in_a_call(self):
        with Stopped() as stopped:
            stopped.call()
            stopped.service.process.kill()
            stopped.thread.join()
            self.assertEqual(["the process of absolink ended before it answered; call again"], [str(error) for error in stopped.errors])
            self.assertIsInstance(stopped.errors[0], absolink.ServiceError)
            self.assertEqual("http://h/x", stopped.session.resolve("http://h/", "x"))

    def test_killed_in_a_call_about_many_documents(self):
        with absolink.Session() as session:
            results = session.links_all(absolink.Document("<a href=x>", url="http://h/") for _ in range(1000))
            next(results)
            session._service.process.kill()
            session._service.process.wait()
            with self.assertRaises(absolink.ServiceError):
                for _ in range(1000):
                    next(results)
            self.assertEqual([], list(results))
            self.assertEqual("http://h/x", session.resolve("http://h/", "x"))

    def test_close_in_a_call(self):
        with Stopped() as stopped:
            stopped.call()
            stopped.session.close()
            stopped.thread.join()
            self.assertIsInstance(stopped.errors[0], absolink.ServiceError)

    def test_garbage_to_the_service(self):
        with tempfile.TemporaryFile() as messages, absolink.Session() as session:
            stderr = os.dup(2)
            os.dup2(messages.fileno(), 2)
            try:
                service = session._running()
            finally:
                os.dup2(stderr, 2)
                os.close(stderr)
            service._input.write(b"GET / HTTP/1.1\r\n\r\n")
            head, _ = service._read_frame()
            self.assertRegex(head["error"], "announces 1195725856 bytes")
            service.process.wait()
            self.assertEqual("http://h/x", session.resolve("http://h/", "x"))

    def other_program(self, text):
        """Make a call with a script as the program, and return the error."""
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder, "program")
            program.write_text("#!/bin/sh\n" + text)
            program.chmod(0o755)
            before = os.environ["ABSOLINK"]
            os.environ["ABSOLINK"] = str(program)
            try:
                with absolink.Session() as session, self.assertRaises(absolink.ServiceError) as caught:
                    session.resolve("http://h/", "x")
            finally:
                os.environ["ABSOLINK"] = before
            return str(caught.exception)

    def test_garbage_from_the_service(self):
        lost = "the process of absolink ended before it answered; call again"
        self.assertEqual(lost, self.other_program("echo hello, world"))
        self.assertEqual(lost, self.other_program("printf '\\0\\0\\0\\2\\0\\0\\0\\0{]'"))
        self.assertEqual(lost, self.other_program("exit 0"))

    def test_refusal(self):
        hello = """head -c 22 > /dev/null; printf '\\0\\0\\0\\033\\0\\0\\0\\0{"ahead":1,"max_record":99}'; """
        self.assertEqual("update", self.other_program(hello + """head -c 9 > /dev/null; printf '\\0\\0\\0\\022\\0\\0\\0\\0{"error":"update"}'"""))

    def test_another_protocol(self):
        self.assertEqual("update", self.other_program("""head -c 22 > /dev/null; printf '\\0\\0\\0\\022\\0\\0\\0\\0{"error":"update"}'"""))

    def test_no_program(self):
        before = os.environ["ABSOLINK"]
        os.environ["ABSOLINK"] = "/no/such"
        try:
            with absolink.Session() as session, self.assertRaisesRegex(absolink.ServiceError, "/no/such cannot be started: No such file"):
                session.resolve("http://h/", "x")
        finally:
            os.environ["ABSOLINK"] = before


class Ends(unittest.TestCase):
    """The standard error of the script ends when the script and its service have ended."""

    def test_with_the_interpreter(self):
        for end in ("", "sys.exit(3)", "os._exit(3)", "s = absolink.Session(); s.resolve('http://h/', 'x')"):
            with self.subTest(end):
                process = script(f"print(absolink.resolve('http://h/', 'x'), flush=True)\n{end}")
                out, messages = process.communicate()
                self.assertEqual((b"http://h/x", b""), (out.strip(), messages))

    def test_session_that_is_not_closed(self):
        process = script("""
            import gc
            for i in range(3):
                absolink.Session().resolve("http://h/", "x")
            gc.collect()
            try:
                os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                print("no child is left")
        """)
        self.assertEqual((b"no child is left\n", b""), process.communicate())

    @unittest.skipUnless(hasattr(os, "fork"), "this system has no fork")
    def test_killed_parent_with_living_children(self):
        process = script("""
            absolink.resolve("http://h/", "x")
            if os.fork() == 0:
                os.close(2)  # so that only the parent and its service have it
                print("ready", flush=True)
                for line in sys.stdin:
                    print("alive", flush=True)
                os._exit(0)
            time.sleep(1000)
        """)
        self.assertEqual(b"ready\n", process.stdout.readline())
        process.kill()
        self.assertEqual(b"", process.stderr.read())
        process.stdin.write(b"\n")
        process.stdin.flush()
        self.assertEqual(b"alive\n", process.stdout.readline())
        process.communicate()

    def test_killed_parent_in_a_call(self):
        process = script("""
            print("ready", flush=True)
            while True:
                absolink.resolve("http://h/", "x")
        """)
        self.assertEqual(b"ready\n", process.stdout.readline())
        process.kill()
        self.assertEqual(b"", process.communicate()[1])


def interrupted(process):
    """Send Ctrl-C to a script that is ready, until it ends: a signal directly before a read does not end the read."""
    assert process.stdout.readline() == b"ready\n"
    while True:
        try:
            os.killpg(process.pid, signal.SIGINT)
        except ProcessLookupError:
            pass
        try:
            return process.communicate(timeout=0.1)
        except subprocess.TimeoutExpired:
            pass


class Interrupts(unittest.TestCase):
    """Ctrl-C sends the signal to the script and to its service."""

    def test_between_calls(self):
        process = script("""
            service = absolink.links.__self__._running()
            try:
                print("ready", flush=True)
                sys.stdin.read()
            except KeyboardInterrupt:
                pass
            print(absolink.resolve("http://h/", "x"), absolink.links.__self__._running() is service, flush=True)
        """, start_new_session=True)
        self.assertEqual((b"http://h/x True\n", b""), interrupted(process))

    def test_in_a_call(self):
        process = script("""
            service = absolink.links.__self__._running()
            os.kill(service.process.pid, signal.SIGSTOP)
            os.waitpid(service.process.pid, os.WUNTRACED)
            try:
                print("ready", flush=True)
                absolink.links("<a href=x>")
            except KeyboardInterrupt:
                pass
            service.process.send_signal(signal.SIGCONT)  # if the signal came before the call
            print(absolink.resolve("http://h/", "x"), flush=True)
        """, start_new_session=True)
        self.assertEqual((b"http://h/x\n", b""), interrupted(process))


class LongUse(unittest.TestCase):
    def calls(self, count):
        page = absolink.Document(b"<a href=x><img src=y>" * 20, url="http://h/", type="html")
        for i in range(count // 5):
            absolink.links(page)
            absolink.rewrite(page, map={"http://h/": f"http://n{i % 7}/"})
            absolink.rewrite(page, map=lambda link: link.url)
            absolink.bases(page)
            try:
                absolink.links(page, type="nosuch")
            except absolink.Error:
                pass
        list(absolink.links_all([page] * (count // 10)))

    def test_file_descriptors(self):
        if not os.path.isdir("/proc/self/fd"):
            self.skipTest("this system has no /proc to count file descriptors")
        folders = ["/proc/self/fd", f"/proc/{pid()}/fd"]
        self.calls(100)
        before = [len(os.listdir(folder)) for folder in folders]
        self.calls(10_000 if LONG else 200)
        self.assertEqual(before, [len(os.listdir(folder)) for folder in folders])

    def test_file_descriptors_of_processes(self):
        if not os.path.isdir("/proc/self/fd"):
            self.skipTest("this system has no /proc to count file descriptors")
        before = len(os.listdir("/proc/self/fd"))
        for i in range(100 if LONG else 5):
            with absolink.Session() as session:
                session.resolve("http://h/", "x")
                if i % 2:
                    session._service.process.kill()
        self.assertEqual(before, len(os.listdir("/proc/self/fd")))

    def test_state(self):
        self.calls(200)
        service = DEFAULT._service
        self.assertEqual((set(), set(), {}, len(service._read)), (service._open, service._unwanted, service._answers, service._at))

    @unittest.skipUnless(LONG, "memory is measured only with ABSOLINK_LONG=1")
    def test_memory(self):
        def resident():
            with open(f"/proc/{pid()}/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
        self.calls(2000)
        tracemalloc.start()
        gc.collect()
        before, service = tracemalloc.get_traced_memory()[0], resident()
        self.calls(10_000)
        gc.collect()
        after = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        self.assertLess(after - before, 100_000)
        self.assertLess(resident() - service, 20 << 20)
