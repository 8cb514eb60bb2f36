#!/usr/bin/python3
"""Makes the pictures of a long list, from the photographs of a Debian package.

usage: rows.py FOLDER PHOTOGRAPH...

Four parts of each photograph, 800 × 600 pixels, as JPEG files of about 100 KB. Does nothing if FOLDER is there already;
it appears only when it is complete.
"""
import os
import shutil
import sys

from PIL import Image


def main():
    folder, photographs = sys.argv[1], sys.argv[2:]
    if os.path.isdir(folder):
        return
    work = f"{folder}.part"
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    number = 0
    for photograph in photographs:
        with Image.open(photograph) as image:
            image = image.convert("RGB")
            width, height = image.size
            for corner in ((0, 0), (width // 2, 0), (0, height // 2), (width // 2, height // 2)):
                part = image.crop((*corner, corner[0] + width // 2, corner[1] + height // 2))
                part.resize((800, 600), Image.Resampling.LANCZOS).save(f"{work}/{number}.jpg", quality=85)
                number += 1
    os.rename(work, folder)


main()
