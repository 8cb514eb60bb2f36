#!/usr/bin/python3
"""The rivals `libvips` and `libvips-pypi`, on one thread: does one piece of work each time a line comes, and answers with
its CPU time in milliseconds.

usage: vips.py debian|pypi decode FILE...
       vips.py debian|pypi thumbnail SIZE FILE...
       vips.py debian|pypi resize WIDTH HEIGHT SIZE       noise of that size, straight alpha, to SIZE wide
       vips.py debian|pypi encode FORMAT QUALITY FILE...
       vips.py debian|pypi shrink SIZE FILE               once, and answers with CPU milliseconds and peak MB
"""
import os
import sys
import time

from turns import each, peak_memory, read, take_turns

os.environ["VIPS_CONCURRENCY"] = "1"
package, work, arguments = sys.argv[1], sys.argv[2], sys.argv[3:]
if package == "debian":
    # Without the library that came with the package, it takes the system's.
    sys.modules["_libvips"] = None

import pyvips  # noqa: E402

if package == "pypi" and (pyvips.version(0), pyvips.version(1)) < (8, 18):
    sys.exit("vips.py: this is not the libvips of pyvips-binary 8.18 or later")
# Results of operations would be remembered from one turn to the next.
pyvips.cache_set_max(0)


def rgba(image):
    return image.bandjoin(255) if image.bands == 3 else image


if work == "decode":
    run = each(
        lambda data: rgba(pyvips.Image.new_from_buffer(data, "", access="sequential")).write_to_memory(),
        read(arguments),
    )

elif work == "thumbnail":
    size = int(arguments[0])
    run = each(
        lambda data: rgba(pyvips.Image.thumbnail_buffer(data, size, height=size, size="down")).write_to_memory(),
        read(arguments[1:]),
    )

elif work == "resize":
    width, height, wanted = map(int, arguments)
    noise = pyvips.Image.gaussnoise(width, height, mean=128, sigma=60).cast("uchar")
    picture = noise.bandjoin([noise, noise, noise]).copy(interpretation="srgb").copy_memory()

    def run():
        small = picture.premultiply().resize(wanted / width, vscale=round(height * wanted / width) / height)
        small.unpremultiply().cast("uchar").write_to_memory()

elif work == "encode":
    kind, quality = arguments[0], int(arguments[1])
    save, options = {
        "jpeg": ("jpegsave_buffer", {"Q": quality, "optimize_coding": True, "interlace": True}),
        "png": ("pngsave_buffer", {}),
        "webp": ("webpsave_buffer", {"Q": quality}),
        "gif": ("gifsave_buffer", {}),
    }[kind]
    pictures = [pyvips.Image.new_from_file(name).copy_memory() for name in arguments[2:]]
    run = each(lambda picture: getattr(picture, save)(**options), pictures)

elif work == "shrink":
    start = time.process_time()
    pyvips.Image.thumbnail(arguments[1], int(arguments[0]), size="down").write_to_memory()
    print((time.process_time() - start) * 1000, peak_memory())
    sys.exit()

else:
    sys.exit(__doc__)

take_turns(run)
