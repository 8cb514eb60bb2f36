#!/usr/bin/python3
"""Makes PNG files of 1 to 400 megapixels, for the suite that asks how costs grow.

usage: large.py FOLDER

Soft colours with a little noise, the same in each: a tile of 1000 pixels, repeated. Does nothing for files that are
there already; each appears only when it is complete.
"""
import os
import random
import subprocess
import sys

from PIL import Image

SIZES = {1: (1000, 1000), 4: (2000, 2000), 16: (4000, 4000), 64: (8000, 8000), 256: (16000, 16000), 400: (20000, 20000)}


def tile():
    noise = random.Random(7)
    pixels = bytearray()
    for y in range(1000):
        for x in range(1000):
            grain = noise.randrange(8)
            pixels += bytes((x * 240 // 1000 + grain, y * 240 // 1000 + grain, (x + y) * 120 // 1000 + grain))
    return Image.frombytes("RGB", (1000, 1000), bytes(pixels))


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    missing = {name: size for name, size in SIZES.items() if not os.path.exists(f"{folder}/{name}.png")}
    if not missing:
        return
    tile().save(f"{folder}/tile.png")
    for name, (width, height) in missing.items():
        part = f"{folder}/part.png"
        # libvips writes row by row, whatever the size; with filters, as most encoders do.
        options = "[compression=1,filter=all]"
        command = ["vips", "replicate", f"{folder}/tile.png", part + options, str(width // 1000), str(height // 1000)]
        subprocess.run(command, check=True)
        os.rename(part, f"{folder}/{name}.png")


main()
