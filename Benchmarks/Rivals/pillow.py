#!/usr/bin/python3
"""The rival `pillow`: does one piece of work each time a line comes, and answers with its CPU time in milliseconds.

usage: pillow.py decode FILE...
       pillow.py thumbnail SIZE FILE...
       pillow.py resize WIDTH HEIGHT SIZE      noise of that size, premultiplied, to SIZE wide
       pillow.py encode FORMAT QUALITY FILE...
       pillow.py frames FILE...                every frame of animations, composited to RGBA
"""
import io
import sys

from PIL import Image

from turns import each, read, take_turns

try:
    # By default as many as there are cores.
    from PIL import AvifImagePlugin

    AvifImagePlugin.DEFAULT_MAX_THREADS = 1
except ImportError:
    pass

work, arguments = sys.argv[1], sys.argv[2:]
if work == "decode":
    run = each(lambda data: Image.open(io.BytesIO(data)).convert("RGBA").tobytes(), read(arguments))

elif work == "thumbnail":
    size = int(arguments[0])

    def shrink(data):
        image = Image.open(io.BytesIO(data))
        image.thumbnail((size, size), Image.Resampling.LANCZOS)
        image.convert("RGBA").tobytes()

    run = each(shrink, read(arguments[1:]))

elif work == "resize":
    width, height, wanted = map(int, arguments)
    noise = Image.effect_noise((width, height), 90)
    picture = Image.merge("RGBa", (noise, noise, noise, noise))

    def run():
        picture.resize((wanted, round(height * wanted / width)), Image.Resampling.LANCZOS)

elif work == "encode":
    kind, quality = arguments[0], int(arguments[1])
    options = {
        "jpeg": {"quality": quality, "optimize": True, "progressive": True},
        "png": {},
        "webp": {"quality": quality},
        "gif": {},
    }[kind]
    pictures = [Image.open(name).convert("RGB") for name in arguments[2:]]
    run = each(lambda picture: picture.save(io.BytesIO(), kind, **options), pictures)

elif work == "frames":

    def show(data):
        image = Image.open(io.BytesIO(data))
        for index in range(image.n_frames):
            image.seek(index)
            image.convert("RGBA").tobytes()

    run = each(show, read(arguments))

else:
    sys.exit(__doc__)

take_turns(run)
