#!/usr/bin/env python3
"""Draws pictures for screenshots: landscapes and shapes, the same ones each time.

usage: sample-pictures.py FOLDER [COUNT]
"""

import math
import os
import random
import sys

from PIL import Image, ImageDraw, ImageFilter

# Sky from top to horizon, hills from far to near, sun.
PALETTES = [
    ("#1b2a49 #45607f #e8a87c #f6d6ad", "#7d6b7d #594f67 #3b3b52 #23283d", "#fff1c9"),
    ("#88c0d0 #b9dbe3 #e4f1ee #fdf6e3", "#9fbfa8 #6fa287 #467b66 #275446", "#fffbe6"),
    ("#2b1055 #6b2d8f #d76d9a #ffc3a0", "#8a3f7d #62306b #3f2355 #251a3d", "#ffe5d0"),
    ("#0f2027 #203a43 #2c5364 #5b8a96", "#355c6b #26454f #1a323b #101f26", "#e8f4f5"),
    ("#f7b267 #f79d65 #f4845f #f27059", "#c4574b #9a413f #6e2f35 #46212a", "#fff3d6"),
    ("#a8dadc #cfe8e6 #f1faee #fdfcf5", "#7fb3b8 #457b9d #2f5f83 #1d3557", "#ffffff"),
    ("#355070 #6d597a #b56576 #eaac8b", "#915d6b #6a4a62 #473a54 #2b2b41", "#ffe8d1"),
    ("#cad2c5 #dfe6da #f0f3ea #fbfbf4", "#a3b8a0 #84a98c #52796f #2f3e46", "#fffdf0"),
]


def colour(text):
    return tuple(int(text[i : i + 2], 16) for i in (1, 3, 5))


def mix(a, b, part):
    return tuple(round(x + (y - x) * part) for x, y in zip(a, b))


def sky(size, stops):
    column = Image.new("RGB", (1, 256))
    for y in range(256):
        place = y / 255 * (len(stops) - 1)
        i = min(int(place), len(stops) - 2)
        column.putpixel((0, y), mix(stops[i], stops[i + 1], place - i))
    return column.resize(size, Image.BICUBIC)


def ridge(random_, width, height, base, rise):
    waves = [(random_.uniform(0.6, 4) * n, random_.uniform(0, 7), rise / n) for n in (1, 2, 3, 5, 8)]
    return [
        (x, height * base - sum(math.sin(x / width * f + p) * a for f, p, a in waves) * height)
        for x in range(0, width + 8, 8)
    ]


def landscape(random_, size, palette):
    width, height = size
    stops, hills, sun = (
        [colour(t) for t in palette[0].split()],
        [colour(t) for t in palette[1].split()],
        colour(palette[2]),
    )
    image = sky(size, stops)
    glow = Image.new("L", size, 0)
    x, y = width * random_.uniform(0.2, 0.8), height * random_.uniform(0.22, 0.48)
    radius = height * random_.uniform(0.05, 0.1)
    draw = ImageDraw.Draw(glow)
    draw.ellipse((x - 3 * radius, y - 3 * radius, x + 3 * radius, y + 3 * radius), fill=70)
    glow = glow.filter(ImageFilter.GaussianBlur(radius))
    ImageDraw.Draw(glow).ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)
    image.paste(sun, (0, 0), glow.filter(ImageFilter.GaussianBlur(1.5)))
    draw = ImageDraw.Draw(image)
    for i, hill in enumerate(hills):
        points = ridge(random_, width, height, 0.55 + 0.12 * i, 0.05 + 0.012 * i)
        draw.polygon(points + [(width, height), (0, height)], fill=hill)
    near = hills[-1]
    for _ in range(random_.randrange(10, 30)):
        x, foot = random_.uniform(0, width), height * random_.uniform(0.9, 1.02)
        tall = height * random_.uniform(0.06, 0.16)
        for level in range(3):
            top, half = foot - tall * (1 - level * 0.22), tall * (0.12 + 0.08 * level)
            bottom = top + tall * 0.5
            draw.polygon([(x, top), (x - half, bottom), (x + half, bottom)], fill=mix(near, (0, 0, 0), 0.25))
    return image


def circles(random_, size, palette):
    width, height = size
    colours = [colour(t) for t in (palette[0] + " " + palette[1]).split()]
    image = sky(size, [colours[2], colours[3]])
    for _ in range(14):
        layer = Image.new("L", size, 0)
        x, y, r = random_.uniform(0, width), random_.uniform(0, height), height * random_.uniform(0.08, 0.38)
        ImageDraw.Draw(layer).ellipse((x - r, y - r, x + r, y + r), fill=random_.randrange(70, 190))
        image.paste(random_.choice(colours), (0, 0), layer.filter(ImageFilter.GaussianBlur(1.5)))
    return image


def dunes(random_, size, palette):
    width, height = size
    colours = [colour(t) for t in (palette[0] + " " + palette[1]).split()]
    image = sky(size, colours[:2])
    draw = ImageDraw.Draw(image)
    for i in range(16):
        points = ridge(random_, width, height, 0.12 + 0.058 * i, 0.03)
        draw.polygon(points + [(width, height), (0, height)], fill=mix(colours[1 + i // 3], colours[2 + i // 3], i % 3 / 3))
    return image


def main():
    folder = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 24
    os.makedirs(folder, exist_ok=True)
    sizes = [(1800, 1200), (1400, 1400), (1600, 1200), (1200, 1600), (1920, 1080)]
    names = ["Morning", "Valley", "Lakeside", "Evening", "Ridge", "Forest", "Dunes", "Still", "Harbour", "North"]
    kinds = [landscape, landscape, dunes, landscape, circles]
    for i in range(count):
        random_ = random.Random(1000 + i)
        size = sizes[(i * 3) % len(sizes)]
        # Drawn twice as large, since Pillow's polygons have no soft edges.
        large = (size[0] * 2, size[1] * 2)
        image = kinds[i % len(kinds)](random_, large, PALETTES[(i * 5) % len(PALETTES)]).resize(size, Image.BOX)
        name = f"{i + 1:02} {names[i % len(names)]}"
        if i % 6 == 4:
            image.save(os.path.join(folder, f"{name}.webp"), quality=88)
        elif i % 6 == 2:
            image.resize((image.width // 2, image.height // 2)).save(os.path.join(folder, f"{name}.png"))
        else:
            image.save(os.path.join(folder, f"{name}.jpg"), quality=90, progressive=i % 2 == 0)


main()
