#!/usr/bin/python3
"""The rival `aiohttp-pillow`: gets pictures and makes them small, as a Python server does, each time a line comes, and
answers with how long that took in milliseconds. So many transfers at once, pictures on a thread for each core.

usage: aiohttp_pillow.py CONNECTIONS SIZE URL...
"""
import asyncio
import concurrent.futures
import io
import os
import sys
import time

import aiohttp
from PIL import Image

from turns import take_turns

connections, size, urls = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
threads = concurrent.futures.ThreadPoolExecutor(os.cpu_count())


def shrink(data):
    image = Image.open(io.BytesIO(data))
    image.draft("RGB", (size, size))
    image.thumbnail((size, size), Image.Resampling.LANCZOS)
    return image.convert("RGBA").tobytes()


async def load(session, url):
    async with session.get(url) as response:
        response.raise_for_status()
        data = await response.read()
    return await asyncio.get_running_loop().run_in_executor(threads, shrink, data)


async def load_all():
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=connections)) as session:
        await asyncio.gather(*(load(session, url) for url in urls))


take_turns(lambda: asyncio.run(load_all()), time.perf_counter)
