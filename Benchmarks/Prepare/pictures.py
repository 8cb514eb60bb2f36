#!/usr/bin/python3
"""Makes the pictures that the suites decode, from the photographs of a Debian package.

usage: pictures.py FOLDER PHOTOGRAPH...

jpeg           the photographs as they are, most of them progressive
jpeg-baseline  the same coefficients without progression, by jpegtran
png, webp      at most 2000 pixels long, by Pillow and cwebp at their defaults

Does nothing if FOLDER is there already; it appears only when it is complete.
"""
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from PIL import Image

LONGEST = 2000


def make(work, photograph):
    name = os.path.splitext(os.path.basename(photograph))[0]
    shutil.copy(photograph, f"{work}/jpeg/{name}.jpg")
    with open(f"{work}/jpeg-baseline/{name}.jpg", "wb") as out:
        subprocess.run(["jpegtran", "-copy", "none", "-optimize", photograph], stdout=out, check=True)
    with Image.open(photograph) as image:
        image = image.convert("RGB")
        image.thumbnail((LONGEST, LONGEST), Image.Resampling.LANCZOS)
        png = f"{work}/png/{name}.png"
        image.save(png)
    subprocess.run(["cwebp", "-quiet", png, "-o", f"{work}/webp/{name}.webp"], check=True)


def main():
    folder, photographs = sys.argv[1], sys.argv[2:]
    if os.path.isdir(folder):
        return
    work = f"{folder}.part"
    shutil.rmtree(work, ignore_errors=True)
    for kind in ("jpeg", "jpeg-baseline", "png", "webp"):
        os.makedirs(f"{work}/{kind}")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for _ in pool.map(lambda photograph: make(work, photograph), photographs):
            pass
    os.rename(work, folder)


main()
