"""Measures the program and its peers by turns, and prints the rows of the table of
tests/bench/run: imported by the scripts beside it."""
import collections
import glob
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

# Seconds of the processor, seconds that passed, and the peak of memory in MB (0: not measured).
Cost = collections.namedtuple("Cost", "cpu wall memory", defaults=[0])

COLUMNS = ("work", "peer", "ours: CPU", "wall", "peer: CPU", "wall", "ratio: CPU", "wall",
           "memory: ours", "peer")


def process(command, core=None, environment=None):
    """Cost of a command that must succeed, from its start to its end, on one core if given."""
    if core is not None:
        command = ["taskset", "-c", str(core), *command]
    with tempfile.TemporaryFile() as log:
        began = time.perf_counter()
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                 env={**os.environ, **(environment or {})})
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - began
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            log.seek(0)
            sys.exit(f"{' '.join(command)}\n{log.read().decode()}exit status {child.returncode}")
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def by_turns(rounds, *sides):
    """Calls each side once a round; each side's costs. The first round fills the system's
    caches and doesn't count."""
    costs = [[side() for side in sides] for _ in range(rounds + 1)]
    return list(zip(*costs[1:]))


def print_head():
    print("| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|", flush=True)


def seconds(value):
    for unit, factor in (("s", 1), ("ms", 1e3)):
        if value * factor >= 1:
            return f"{value * factor:.3g} {unit}"
    return f"{value * 1e6:.3g} µs"


def median(costs, what):
    return statistics.median(getattr(cost, what) for cost in costs)


def print_row(work, ours, peer="", theirs=()):
    """Medians; a ratio is the median of the rounds' ratios."""
    cells = [work, peer] + [seconds(median(ours, what)) for what in ("cpu", "wall")]
    for what in ("cpu", "wall"):
        cells.append(seconds(median(theirs, what)) if theirs else "")
    for what in ("cpu", "wall"):
        ratios = [getattr(b, what) / getattr(a, what) for a, b in zip(ours, theirs)]
        cells.append(f"{statistics.median(ratios):.2g}×" if theirs else "")
    for costs in (ours, theirs):
        memory = median(costs, "memory") if costs else 0
        cells.append(f"{memory:.0f} MB" if memory else "")
    print("| " + " | ".join(cells) + " |", flush=True)


# ---- peers that compute with a BLAS ----

def is_installed(library):
    return not subprocess.run([sys.executable, "-I", "-c", f"import {library}"],
                              stderr=subprocess.DEVNULL).returncode


def blas_folders():
    """Folders of the reference BLAS and of OpenBLAS, of those that are installed: each has a
    libblas.so.3, which Debian's NumPy and PyTorch take from LD_LIBRARY_PATH."""
    found = [glob.glob(f"/usr/lib/*/{name}/libblas.so.3") for name in ("blas", "openblas*")]
    return [os.path.dirname(paths[0]) for paths in found if paths]


def blas_environment(folder, threads):
    """A number of threads, with the kernels for the widest vectors that the processor has: an OpenBLAS
    that is older than the processor would choose those of the oldest ones."""
    flags = pathlib.Path("/proc/cpuinfo").read_text().split()
    kernels = "SkylakeX" if "avx512f" in flags else "Haswell" if "avx2" in flags else None
    chosen = {"OPENBLAS_CORETYPE": kernels} if kernels else {}
    return {**chosen, **os.environ, "LD_LIBRARY_PATH": folder,
            "OPENBLAS_NUM_THREADS": str(threads), "OMP_NUM_THREADS": str(threads)}


def blas_name():
    """Name of the BLAS that this process has loaded."""
    import ctypes

    maps = pathlib.Path("/proc/self/maps").read_text().split()
    loaded = [path for path in maps if "/libblas.so" in path]
    if not loaded:
        return "a BLAS of its own"
    if "openblas" not in loaded[0]:
        return "reference BLAS"
    library = ctypes.CDLL("libopenblas.so.0")
    library.openblas_get_config.restype = library.openblas_get_corename.restype = ctypes.c_char_p
    version = library.openblas_get_config().decode().split()[1]
    return f"OpenBLAS {version}, {library.openblas_get_corename().decode()}"


class Peer:
    """A process of a script's own that computes when it is asked: `script peer …` serves."""

    def __init__(self, script, folder, *arguments, threads=1):
        self.child = subprocess.Popen(
            [sys.executable, "-I", script, "peer", *map(str, arguments)], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=blas_environment(folder, threads))
        self.name = self.read() + (f", {threads} threads" if threads > 1 else "")

    def read(self):
        line = self.child.stdout.readline().strip()
        if not line:
            sys.exit(f"{' '.join(self.child.args)} ended with {self.child.wait()}")
        return line

    def ask(self):
        self.child.stdin.write("\n")
        self.child.stdin.flush()
        return Cost(*map(float, self.read().split()))

    def end(self):
        self.child.stdin.close()
        self.child.wait()


def serve(name, compute, times):
    """Prints the peer's name, and for each line of input the median cost of computing."""
    compute()
    print(f"{name}, {blas_name()}", flush=True)
    for _ in sys.stdin:
        costs = []
        for _ in range(times):
            began = time.process_time(), time.perf_counter()
            compute()
            costs.append(Cost(time.process_time() - began[0], time.perf_counter() - began[1]))
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(median(costs, "cpu"), median(costs, "wall"), memory, flush=True)


def print_compared(work, rounds, ours, peers):
    """Rows of our costs beside each peer's, all measured by turns; ends the peers."""
    costs = by_turns(rounds, ours, *(peer.ask for peer in peers))
    for peer, theirs in zip(peers, costs[1:]):
        print_row(work, costs[0], peer.name, theirs)
        peer.end()
    if not peers:
        print_row(work, costs[0])
