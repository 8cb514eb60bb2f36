#!/usr/bin/env python3
"""Hit rates of eviction policies on traces shaped like those of programs that show pictures.

    Benchmarks/Decisions/eviction.py            prints a table, in Markdown

Each policy holds a number of equal pictures; the first tenth of a trace only fills it. Traces are made from a fixed seed,
so the table is the same on every machine.
"""
import random
from collections import OrderedDict, deque


class LRU:
    def __init__(self, size):
        self.size, self.entries = size, OrderedDict()

    def access(self, key):
        if key in self.entries:
            self.entries.move_to_end(key)
            return True
        if len(self.entries) >= self.size:
            self.entries.popitem(last=False)
        self.entries[key] = True
        return False


class Clock:
    def __init__(self, size):
        self.size, self.entries = size, OrderedDict()

    def access(self, key):
        if key in self.entries:
            self.entries[key] = True
            return True
        while len(self.entries) >= self.size:
            old, visited = self.entries.popitem(last=False)
            if visited:
                self.entries[old] = False
        self.entries[key] = False
        return False


class SegmentedLRU:
    """New entries in a fifth of the space; those used again in the rest."""

    def __init__(self, size):
        self.probation_size = max(1, size // 5)
        self.protected_size = size - self.probation_size
        self.probation, self.protected = OrderedDict(), OrderedDict()

    def access(self, key):
        if key in self.protected:
            self.protected.move_to_end(key)
            return True
        if key in self.probation:
            del self.probation[key]
            self.protected[key] = True
            if len(self.protected) > self.protected_size:
                self.insert(self.protected.popitem(last=False)[0])
            return True
        self.insert(key)
        return False

    def insert(self, key):
        if len(self.probation) >= self.probation_size:
            self.probation.popitem(last=False)
        self.probation[key] = True


class Sieve:
    """Zhang et al., NSDI 2024: one queue in the order of arrival, and a hand that goes from the oldest to the newest."""

    class Node:
        __slots__ = ("key", "visited", "newer", "older")

        def __init__(self, key):
            self.key, self.visited, self.newer, self.older = key, False, None, None

    def __init__(self, size):
        self.size, self.nodes = size, {}
        self.newest = self.oldest = self.hand = None

    def access(self, key):
        node = self.nodes.get(key)
        if node:
            node.visited = True
            return True
        if len(self.nodes) >= self.size:
            self.evict()
        node = Sieve.Node(key)
        node.older = self.newest
        if self.newest:
            self.newest.newer = node
        self.newest = node
        self.oldest = self.oldest or node
        self.nodes[key] = node
        return False

    def evict(self):
        node = self.hand or self.oldest
        while node.visited:
            node.visited = False
            node = node.newer or self.oldest
        self.hand = node.newer
        if node.newer:
            node.newer.older = node.older
        else:
            self.newest = node.older
        if node.older:
            node.older.newer = node.newer
        else:
            self.oldest = node.newer
        del self.nodes[node.key]


class S3FIFO:
    """Yang et al., SOSP 2023, with one visited mark, as MemoryCache has it: a tenth on probation, a memory of hashes."""

    def __init__(self, size):
        self.size, self.small_size = size, max(1, size // 10)
        self.small, self.main = OrderedDict(), OrderedDict()
        self.ghosts, self.ghost_size = OrderedDict(), size

    def access(self, key):
        for queue in (self.small, self.main):
            if key in queue:
                queue[key] = True
                return True
        while len(self.small) + len(self.main) >= self.size:
            self.evict()
        (self.main if self.ghosts.pop(key, False) else self.small)[key] = False
        return False

    def evict(self):
        if len(self.small) > self.small_size or not self.main:
            old, visited = self.small.popitem(last=False)
            if visited:
                self.main[old] = False
            else:
                self.ghosts[old] = True
                if len(self.ghosts) > self.ghost_size:
                    self.ghosts.popitem(last=False)
        else:
            old, visited = self.main.popitem(last=False)
            if visited:
                self.main[old] = False


POLICIES = {"S3-FIFO": S3FIFO, "SIEVE": Sieve, "CLOCK": Clock, "segmented LRU": SegmentedLRU, "LRU": LRU}


def zipf(rng, universe, exponent, count):
    weights = [1 / (rank**exponent) for rank in range(1, universe + 1)]
    return rng.choices(range(universe), weights, k=count)


def popular(rng):
    """A shop or a chat: some pictures again and again."""
    return zipf(rng, 5000, 0.9, 100_000)


def popular_and_scans(rng):
    """The same, while the user scrolls through a thousand new pictures now and then."""
    trace, new = [], 1_000_000
    for _ in range(50):
        trace += zipf(rng, 5000, 0.9, 1500)
        trace += range(new, new + 1000)
        new += 1000
    return trace


def there_and_back(rng):
    """A long list, scrolled down some screens and back up, with avatars that repeat on every row."""
    trace, position = [], 0
    for _ in range(400):
        target = min(19_999, max(0, position + rng.choice([-1, 1, 1]) * rng.randint(20, 600)))
        step = 1 if target >= position else -1
        for row in range(position, target, step):
            trace += [row, 1_000_000 + rng.choices(range(200), [1 / (rank + 1) for rank in range(200)])[0]]
        position = target
    return trace


def grid_and_detail(rng):
    """A grid of thumbnails; now and then one is opened, its neighbours are paged through, and the grid comes back."""
    trace = []
    for page in range(300):
        top = page * 30 if rng.random() < 0.7 else rng.randint(0, page + 1) * 30
        grid = range(top, top + 60)
        trace += grid
        for _ in range(rng.randint(0, 4)):
            opened = rng.choice(grid)
            trace += [1_000_000 + opened + offset for offset in range(-1, 2)]
            trace += grid
    return trace


def changing_feeds(rng):
    """What is popular changes every few thousand requests, as feeds do."""
    trace = []
    for day in range(30):
        trace += [day * 700 + key for key in zipf(rng, 3000, 0.8, 4000)]
    return trace


def loop(rng):
    """A slide show that goes round, a little longer than the cache: the worst case of LRU."""
    return list(range(1200)) * 40


TRACES = [popular, popular_and_scans, there_and_back, grid_and_detail, changing_feeds, loop]


def hit_rate(policy, trace):
    warm_up, hits = len(trace) // 10, 0
    for index, key in enumerate(trace):
        if policy.access(key) and index >= warm_up:
            hits += 1
    return hits / (len(trace) - warm_up)


print("| trace | pictures held |", " | ".join(POLICIES), "|")
print("| --- | ---: |", " | ".join("---:" for _ in POLICIES), "|")
sums = dict.fromkeys(POLICIES, 0.0)
for make in TRACES:
    trace = list(make(random.Random(20231023)))
    for size in (100, 400, 1000):
        rates = {name: hit_rate(policy(size), trace) for name, policy in POLICIES.items()}
        for name, rate in rates.items():
            sums[name] += rate / (3 * len(TRACES))
        print(f"| {make.__name__.replace('_', ' ')} | {size} |", " | ".join(f"{100 * rate:.1f}" for rate in rates.values()), "|")
print("| mean | |", " | ".join(f"{100 * rate:.1f}" for rate in sums.values()), "|")
