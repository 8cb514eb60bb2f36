#!/usr/bin/python3
"""The rival `imagemagick`, on one thread and in this process: does one piece of work each time a line comes, and answers
with its CPU time in milliseconds.

usage: magick.py decode FILE...
       magick.py thumbnail SIZE FILE...        with the hint of the size that lets JPEGs be decoded smaller
       magick.py encode FORMAT QUALITY FILE...
"""
import os
import sys

from turns import each, read, take_turns

os.environ["MAGICK_THREAD_LIMIT"] = "1"

from wand.image import Image  # noqa: E402

work, arguments = sys.argv[1], sys.argv[2:]
if work == "decode":

    def decode(data):
        with Image(blob=data) as image:
            image.export_pixels(channel_map="RGBA", storage="char")

    run = each(decode, read(arguments))

elif work == "thumbnail":
    size = int(arguments[0])

    def shrink(data):
        with Image() as image:
            image.options["jpeg:size"] = f"{size}x{size}"
            image.read(blob=data)
            image.transform(resize=f"{size}x{size}>")
            image.export_pixels(channel_map="RGBA", storage="char")

    run = each(shrink, read(arguments[1:]))

elif work == "encode":
    kind, quality = arguments[0], int(arguments[1])

    def encode(picture):
        picture.format = kind
        if kind in ("jpeg", "webp"):
            picture.compression_quality = quality
        if kind == "jpeg":
            picture.interlace_scheme = "jpeg"
        picture.make_blob()

    run = each(encode, [Image(filename=name) for name in arguments[2:]])

else:
    sys.exit(__doc__)

take_turns(run)
