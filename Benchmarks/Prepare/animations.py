#!/usr/bin/python3
"""Makes the animations that the suite plays: a camera that pans over photographs.

usage: animations.py FOLDER PHOTOGRAPH...

gif    640x360, 24 frames of 100 ms, Pillow's quantiser with dithering
webp   the same frames, lossy

Where KUVA_CORPUS is set, the suite takes the real animations there instead. Does nothing if FOLDER is there already; it
appears only when it is complete.
"""
import os
import shutil
import sys

from PIL import Image

SIZE = (640, 360)
FRAMES = 24
COUNT = 8


def frames(photograph):
    with Image.open(photograph) as image:
        image = image.convert("RGB")
        image.thumbnail((1280, 1280), Image.Resampling.LANCZOS)
        for number in range(FRAMES):
            left = (image.width - SIZE[0]) * number // (FRAMES - 1)
            top = (image.height - SIZE[1]) * number // (FRAMES - 1)
            yield image.crop((left, top, left + SIZE[0], top + SIZE[1]))


def main():
    folder, photographs = sys.argv[1], sys.argv[2:]
    if os.path.isdir(folder):
        return
    work = f"{folder}.part"
    shutil.rmtree(work, ignore_errors=True)
    for kind in ("gif", "webp"):
        os.makedirs(f"{work}/{kind}")
    for photograph in photographs[:COUNT]:
        name = os.path.splitext(os.path.basename(photograph))[0]
        first, *rest = frames(photograph)
        for kind in ("gif", "webp"):
            first.save(f"{work}/{kind}/{name}.{kind}", save_all=True, append_images=rest, duration=100, loop=0)
    os.rename(work, folder)


main()
