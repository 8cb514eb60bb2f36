#!/usr/bin/python3
"""Makes the pictures that the suites decode, from the photographs of a Debian package.

usage: pictures.py FOLDER PHOTOGRAPH...

jpeg           the photographs as they are, most of them progressive
jpeg-baseline  the same coefficients without progression, by jpegtran
png, webp      at most 2000 pixels long, by Pillow and cwebp at their defaults
avif           of the PNGs, by avifenc at speed 8

Does nothing for kinds that are there already; each appears only when it is complete.
"""
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from PIL import Image

LONGEST = 2000


def jpeg(photograph, file, folder):
    shutil.copy(photograph, f"{file}.jpg")


def jpeg_baseline(photograph, file, folder):
    with open(f"{file}.jpg", "wb") as out:
        subprocess.run(["jpegtran", "-copy", "none", "-optimize", photograph], stdout=out, check=True)


def png(photograph, file, folder):
    with Image.open(photograph) as image:
        image = image.convert("RGB")
        image.thumbnail((LONGEST, LONGEST), Image.Resampling.LANCZOS)
        image.save(f"{file}.png")


def webp(photograph, file, folder):
    subprocess.run(["cwebp", "-quiet", made_png(file, folder), "-o", f"{file}.webp"], check=True)


def avif(photograph, file, folder):
    command = ["avifenc", "--speed", "8", made_png(file, folder), f"{file}.avif"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def made_png(file, folder):
    return f"{folder}/png/{os.path.basename(file)}.png"


def main():
    folder, photographs = sys.argv[1], sys.argv[2:]
    for kind, make in (("jpeg", jpeg), ("jpeg-baseline", jpeg_baseline), ("png", png), ("webp", webp), ("avif", avif)):
        if os.path.isdir(f"{folder}/{kind}"):
            continue
        work = f"{folder}/{kind}.part"
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        names = [os.path.splitext(os.path.basename(photograph))[0] for photograph in photographs]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for _ in pool.map(lambda pair: make(pair[0], f"{work}/{pair[1]}", folder), zip(photographs, names)):
                pass
        os.rename(work, f"{folder}/{kind}")


main()
