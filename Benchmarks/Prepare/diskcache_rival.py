#!/usr/bin/env python3
"""The rival `diskcache` (PyPI): stores or reads entries and prints how many a second.

    diskcache_rival.py store|read FOLDER COUNT BYTES
"""
import os
import sys
import time

import diskcache

operation, folder, count, size = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
cache = diskcache.Cache(folder, size_limit=1 << 40, disk_min_file_size=4096)
body = os.urandom(size)
keys = [f"https://example.org/pictures/{number}.jpg" for number in range(count)]
if operation == "read":
    for key in keys:
        if key not in cache:
            cache[key] = body
start = time.perf_counter()
if operation == "store":
    for key in keys:
        cache[key] = body
else:
    for key in keys:
        assert len(cache[key]) == size
print(count / (time.perf_counter() - start))
