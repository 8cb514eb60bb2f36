"""How the Python rivals speak with the bench, and how they read the command line."""
import sys
import time


def take_turns(run, clock=time.process_time):
    """Does the work each time a line comes, and answers with what it took in milliseconds: CPU time, or that of another
    clock."""
    for _ in sys.stdin:
        start = clock()
        run()
        print((clock() - start) * 1000, flush=True)


def read(names):
    """The bytes of files."""
    files = []
    for name in names:
        with open(name, "rb") as file:
            files.append(file.read())
    return files


def each(do, things):
    """Work that does something with each of several things."""

    def run():
        for thing in things:
            do(thing)

    return run


def peak_memory():
    """The most memory that this process had at once, in MB. What the system says of a child's usage counts the memory
    of the process that started it."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) * 1024 / 1e6
