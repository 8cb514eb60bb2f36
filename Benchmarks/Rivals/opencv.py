#!/usr/bin/python3
"""The rival `opencv`, on one thread: does one piece of work each time a line comes, and answers with its CPU time in
milliseconds.

usage: opencv.py decode FILE...
       opencv.py thumbnail SIZE FILE...        JPEG by IMREAD_REDUCED, then INTER_AREA
       opencv.py resize WIDTH HEIGHT SIZE      noise of that size, four channels, to SIZE wide by INTER_AREA
       opencv.py encode FORMAT QUALITY FILE...
"""
import sys

import cv2
import numpy

from turns import each, read, take_turns

cv2.setNumThreads(1)
AS_STORED = cv2.IMREAD_IGNORE_ORIENTATION
work, arguments = sys.argv[1], sys.argv[2:]


def decode(data, flags):
    return cv2.imdecode(numpy.frombuffer(data, numpy.uint8), flags | AS_STORED)


def fitted(width, height, size):
    factor = min(1, size / max(width, height))
    return max(1, round(width * factor)), max(1, round(height * factor))


def longer_side(data):
    """What a JPEG's frame header says (ITU-T T.81, B.2.2); OpenCV has no call for it."""
    place = 2
    while True:
        marker, length = data[place + 1], int.from_bytes(data[place + 2 : place + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return max(int.from_bytes(data[place + at : place + at + 2], "big") for at in (5, 7))
        place += 2 + length


def reduction(data, size):
    if data[:2] != b"\xff\xd8":
        return cv2.IMREAD_COLOR
    longer = longer_side(data)
    steps = [(8, cv2.IMREAD_REDUCED_COLOR_8), (4, cv2.IMREAD_REDUCED_COLOR_4), (2, cv2.IMREAD_REDUCED_COLOR_2)]
    return next((flag for factor, flag in steps if longer >= factor * size), cv2.IMREAD_COLOR)


if work == "decode":
    run = each(lambda data: cv2.cvtColor(decode(data, cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGBA), read(arguments))

elif work == "thumbnail":
    size = int(arguments[0])

    def shrink(data):
        image = decode(data, reduction(data, size))
        wanted = fitted(image.shape[1], image.shape[0], size)
        cv2.cvtColor(cv2.resize(image, wanted, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2RGBA)

    run = each(shrink, read(arguments[1:]))

elif work == "resize":
    width, height, wanted = map(int, arguments)
    picture = numpy.random.default_rng(1).integers(0, 256, (height, width, 4), numpy.uint8)

    def run():
        cv2.resize(picture, (wanted, round(height * wanted / width)), interpolation=cv2.INTER_AREA)

elif work == "encode":
    kind, quality = arguments[0], int(arguments[1])
    suffix, options = {
        "jpeg": (".jpg", [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_OPTIMIZE, 1,
                          cv2.IMWRITE_JPEG_PROGRESSIVE, 1]),
        # Its own default is 1.
        "png": (".png", [cv2.IMWRITE_PNG_COMPRESSION, 6]),
        "webp": (".webp", [cv2.IMWRITE_WEBP_QUALITY, quality]),
    }[kind]
    pictures = [cv2.imread(name) for name in arguments[2:]]
    run = each(lambda picture: cv2.imencode(suffix, picture, options), pictures)

else:
    sys.exit(__doc__)

take_turns(run)
