# SPDX-License-Identifier: MIT
"""Small pictures in formats and variants that the installed tools do not write, for make-fixtures.

A picture is a list of rows of pixels, each a tuple of three values from 0 to 255 in sRGB.
"""
import struct
import zlib


def linear(value):
    """The light of a value in sRGB; white is 1."""
    value /= 255
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def flat(rows):
    return [v for row in rows for pixel in row for v in pixel]


def half(*values):
    return struct.pack(f"<{len(values)}e", *values)


# TIFF

def packed(values, bits):
    """Numbers of any width, the highest bit first, padded to a byte."""
    number = 0
    for value in values:
        number = number << bits | value
    count = len(values) * bits
    padding = -count % 8
    return (number << padding).to_bytes((count + padding) // 8, "big")


def samples(values, bits, kind, order):
    """Values from 0 to 255 as one row of samples of a TIFF."""
    if kind == "float":
        letter = {16: "e", 32: "f", 64: "d"}[bits]
        return struct.pack(f"{order}{len(values)}{letter}", *map(linear, values))
    most = (1 << bits) - 1
    numbers = [round(value / 255 * most) for value in values]
    if kind == "int":
        numbers = [number - (1 << bits - 1) for number in numbers]
        return struct.pack(f"{order}{len(numbers)}{'h' if bits == 16 else 'b'}", *numbers)
    if bits in (16, 32):
        return struct.pack(f"{order}{len(numbers)}{'H' if bits == 16 else 'I'}", *numbers)
    if bits == 24:
        end = "little" if order == "<" else "big"
        return b"".join(number.to_bytes(3, end) for number in numbers)
    return packed(numbers, bits)


def tiff(rows, bits=8, kind="uint", photometric=2, order="<", big=False, planar=False, tile=0,
         tags=()):
    """A TIFF, compressed with Deflate, in strips of one row or in square tiles."""
    width, height, count = len(rows[0]), len(rows), len(rows[0][0])
    planes = [[[(pixel[c],) for pixel in row] for row in rows] for c in range(count)] \
        if planar else [rows]
    pieces = []
    for plane in planes:
        if not tile:
            pieces += [samples([v for p in row for v in p], bits, kind, order) for row in plane]
        for top in range(0, height if tile else 0, tile or 1):
            for left in range(0, width, tile):
                part = [row[left:left + tile] for row in plane[top:top + tile]]
                part = [row + [row[-1]] * (tile - len(row)) for row in part]
                part += [part[-1]] * (tile - len(part))
                pieces.append(b"".join(
                    samples([v for p in row for v in p], bits, kind, order) for row in part))
    pieces = [zlib.compress(piece) for piece in pieces]
    header = 16 if big else 8
    offsets = [header + sum(map(len, pieces[:i])) for i in range(len(pieces))]
    sizes = [len(piece) for piece in pieces]
    entries = [(0x100, 4, [width]), (0x101, 4, [height]), (0x102, 3, [bits] * count),
               (0x103, 3, [8]), (0x106, 3, [photometric]), (0x115, 3, [count]),
               (0x11C, 3, [2 if planar else 1]),
               (0x153, 3, [{"uint": 1, "int": 2, "float": 3}[kind]] * count), *tags]
    if tile:
        entries += [(0x142, 4, [tile]), (0x143, 4, [tile]),
                    (0x144, 16 if big else 4, offsets), (0x145, 4, sizes)]
    else:
        entries += [(0x111, 16 if big else 4, offsets), (0x116, 4, [1]), (0x117, 4, sizes)]
    body = b"".join(pieces)
    body += b"\0" * (-(header + len(body)) % 8)
    wide, directory = 8 if big else 4, b""
    for tag, form, values in sorted(entries):
        letter = {3: "H", 4: "I", 16: "Q"}[form]
        value = struct.pack(f"{order}{len(values)}{letter}", *values)
        place = struct.pack(order + ("Q" if big else "I"), header + len(body))
        if len(value) > wide:
            body += value + b"\0" * (-len(value) % 8)
        else:
            place = value.ljust(wide, b"\0")
        directory += struct.pack(order + ("HHQ" if big else "HHI"), tag, form, len(values)) + place
    head = b"II" if order == "<" else b"MM"
    if big:
        head += struct.pack(order + "HHHQ", 43, 8, 0, header + len(body))
        return head + body + struct.pack(order + "Q", len(entries)) + directory + b"\0" * 8
    head += struct.pack(order + "HI", 42, header + len(body))
    return head + body + struct.pack(order + "H", len(entries)) + directory + b"\0" * 4


def inks(rows):
    """Cyan, magenta, yellow and black for a picture."""
    def pixel(colour):
        black = 255 - max(colour)
        light = 255 - black or 1
        return tuple(round(255 - value * 255 / light) for value in colour) + (black,)
    return [[pixel(colour) for colour in row] for row in rows]


def with_alpha(rows):
    """The right half is transparent."""
    return [[(*pixel, 255 if x < len(row) // 2 else 0) for x, pixel in enumerate(row)]
            for row in rows]


def tiffs(rows, turned):
    grey = [[(pixel[0],) for pixel in row] for row in rows]
    made = {f"{bits}-bit": tiff(rows, bits) for bits in (10, 12, 14, 24, 32)}
    made |= {
        "half": tiff(rows, 16, "float"),
        "float": tiff(rows, 32, "float"),
        "double": tiff(rows, 64, "float", order=">"),
        "float-tiles": tiff(rows, 32, "float", tile=16),
        "12-bit-planes": tiff(rows, 12, planar=True),
        "signed": tiff(rows, 16, "int"),
        "grey-float": tiff(grey, 32, "float", photometric=1),
        "grey-12-bit": tiff(grey, 12, photometric=1),
        "cmyk-16-bit": tiff(inks(rows), 16, photometric=5),
        "cmyk-16-bit-planes": tiff(inks(rows), 16, photometric=5, planar=True, order=">"),
        "alpha-float": tiff(with_alpha(rows), 32, "float", tags=[(0x152, 3, [2])]),
        "big": tiff(rows, big=True),
        "big-motorola": tiff(rows, big=True, order=">", bits=16),
        "big-tiles": tiff(rows, big=True, tile=16),
        "big-turned": tiff(turned, big=True, tags=[(0x112, 3, [6])]),
    }
    return made


# Netpbm

def netpbms(rows):
    width, height = len(rows[0]), len(rows)
    grey = [[pixel[0] for pixel in row] for row in rows]
    text = " ".join(map(str, flat(rows)))
    bits = [[1 if (x // 16 + y // 16) % 2 else 0 for x in range(width)] for y in range(height)]
    wide = [round(value / 255 * 1000) for value in flat(rows)]
    light = [tuple(map(linear, pixel)) for row in rows[::-1] for pixel in row]
    return {
        "colour.ppm": f"P6\n# made by hand\n{width} {height}\n255\n".encode() + bytes(flat(rows)),
        "text.ppm": f"P3 {width} {height} 255\n{text}\n".encode(),
        "10-bit.ppm": f"P6 {width} {height} 1000\n".encode() + struct.pack(f">{len(wide)}H", *wide),
        "grey.pgm": f"P5 {width} {height} 255\n".encode() + bytes(v for row in grey for v in row),
        "bits.pbm": f"P4\n{width} {height}\n".encode() + b"".join(packed(row, 1) for row in bits),
        "text.pbm": f"P1\n{width} {height}\n".encode()
        + "\n".join("".join(map(str, row)) for row in bits).encode() + b"\n",
        "alpha.pam": (f"P7\nWIDTH {width}\nHEIGHT {height}\nDEPTH 4\n\n# a comment\nMAXVAL 255\n"
                      "TUPLTYPE RGB_ALPHA\nENDHDR\n").encode() + bytes(flat(with_alpha(rows))),
        "light.pfm": f"PF\n{width} {height}\n-1.0\n".encode()
        + struct.pack(f"<{3 * len(light)}f", *[v for pixel in light for v in pixel]),
        "motorola.pfm": f"PF\n{width} {height}\n1.0\n".encode()
        + struct.pack(f">{3 * len(light)}f", *[v for pixel in light for v in pixel]),
    }


# TGA, PCX, QOI

def tga(rows, kind=2, bits=24, flags=0x20, pixel=lambda p: bytes(p[::-1]), compressed=False,
        palette=b"", count=0):
    width, height = len(rows[0]), len(rows)
    head = struct.pack("<BBBHHBHHHHBB", 4, 1 if palette else 0, kind + (8 if compressed else 0), 0,
                       count, 24 if palette else 0, 0, 0, width, height, bits, flags)
    if not flags & 0x20:
        rows = rows[::-1]
    pixels = [pixel(p) for row in rows for p in row]
    body = b"".join(pixels)
    if compressed:
        body, position = b"", 0
        while position < len(pixels):
            run = 1
            while (run < 128 and position + run < len(pixels)
                   and pixels[position + run] == pixels[position]):
                run += 1
            if run > 1:
                body += bytes([127 + run]) + pixels[position]
            else:
                body += b"\0" + pixels[position]
            position += run
    return head + b"made" + palette + body


def tgas(rows, indices, colours):
    palette = b"".join(bytes(colour[::-1]) for colour in colours)
    index_rows = [[(index,) for index in row] for row in indices]
    grey = [[(pixel[0],) for pixel in row] for row in rows]
    def short(pixel):
        value = pixel[0] >> 3 << 10 | pixel[1] >> 3 << 5 | pixel[2] >> 3
        return struct.pack("<H", value)
    def alpha(pixel):
        return bytes((*pixel[2::-1], pixel[3]))
    return {
        "upright.tga": tga(rows),
        "bottom.tga": tga(rows, flags=0),
        "mirrored.tga": tga([row[::-1] for row in rows], flags=0x30),
        "runs.tga": tga(rows, compressed=True),
        "16-bit.tga": tga(rows, bits=16, pixel=short),
        "palette.tga": tga(index_rows, kind=1, bits=8, pixel=bytes, palette=palette,
                           count=len(colours)),
        "grey.tga": tga(grey, kind=3, bits=8, pixel=bytes),
        "alpha.tga": tga(with_alpha(rows), bits=32, flags=0x28, pixel=alpha),
        "no-alpha.tga": tga([[(*p, 0) for p in row] for row in rows], bits=32, flags=0x20,
                            pixel=alpha),
    }


def pcx(rows, bits, planes, palette=b"", end=b""):
    """Rows of planes of bytes, with runs."""
    width, height = 48, 32
    size = len(rows[0][0])
    head = struct.pack("<BBBBHHHHHH", 10, 5, 1, bits, 0, 0, width - 1, height - 1, 72, 72)
    head += palette.ljust(48, b"\0")[:48] + struct.pack("<BBHH", 0, planes, size, 1)
    body = b""
    for row in rows:
        line, position = b"".join(row), 0
        while position < len(line):
            run = 1
            while (run < 63 and position + run < len(line)
                   and line[position + run] == line[position]):
                run += 1
            if run > 1 or line[position] >= 0xC0:
                body += bytes([0xC0 | run])
            body += line[position:position + 1]
            position += run
    return head.ljust(128, b"\0") + body + end


def pcxs(rows, indices, colours):
    channels = [[bytes(pixel[c] for pixel in row) for c in range(3)] for row in rows]
    palette = b"".join(map(bytes, colours))
    bits = [[packed([index >> plane & 1 for index in row], 1) for plane in range(3)]
            for row in indices]
    return {
        "colour.pcx": pcx(channels, 8, 3),
        "palette.pcx": pcx([[bytes(row)] for row in indices], 8, 1,
                           end=b"\x0c" + palette.ljust(768, b"\0")),
        "planes.pcx": pcx(bits, 1, 3, palette),
        "4-bit.pcx": pcx([[packed(row, 4)] for row in indices], 4, 1, palette),
    }


def qoi(rows):
    channels = len(rows[0][0])
    out = b"qoif" + struct.pack(">IIBB", len(rows[0]), len(rows), channels, 0)
    recent, old, run = [(0, 0, 0, 0)] * 64, (0, 0, 0, 255), 0
    pixels = [(*pixel, 255)[:4] for row in rows for pixel in row]
    for number, pixel in enumerate(pixels):
        if pixel == old:
            run += 1
            if run == 62 or number == len(pixels) - 1:
                out += bytes([0xC0 | run - 1])
                run = 0
            continue
        if run:
            out += bytes([0xC0 | run - 1])
            run = 0
        place = (pixel[0] * 3 + pixel[1] * 5 + pixel[2] * 7 + pixel[3] * 11) % 64
        change = [(a - b + 128) % 256 - 128 for a, b in zip(pixel, old)]
        red, blue = change[0] - change[1], change[2] - change[1]
        if recent[place] == pixel:
            out += bytes([place])
        elif change[3]:
            out += bytes([0xFF, *pixel])
        elif all(-2 <= value <= 1 for value in change[:3]):
            out += bytes([0x40 | change[0] + 2 << 4 | change[1] + 2 << 2 | change[2] + 2])
        elif -32 <= change[1] <= 31 and -8 <= red <= 7 and -8 <= blue <= 7:
            out += bytes([0x80 | change[1] + 32, red + 8 << 4 | blue + 8])
        else:
            out += bytes([0xFE, *pixel[:3]])
        recent[place] = old = pixel
    return out + b"\0" * 7 + b"\1"


# Radiance

def rgbe(light):
    largest = max(light)
    if largest < 1e-32:
        return bytes(4)
    exponent = 0
    while largest >= 2 ** exponent:
        exponent += 1
    while largest < 2 ** (exponent - 1):
        exponent -= 1
    return bytes([*(int(value * 256 / 2 ** exponent) for value in light), exponent + 128])


def radiance(rows, runs=True, order="-Y 32 +X 48", scale=1):
    out = f"#?RADIANCE\n# made by hand\nFORMAT=32-bit_rle_rgbe\n\n{order}\n".encode()
    for row in rows:
        pixels = [rgbe([linear(value) * scale for value in pixel]) for pixel in row]
        if not runs:
            out += b"".join(pixels)
            continue
        out += struct.pack(">BBH", 2, 2, len(row))
        for channel in range(4):
            line, position = bytes(pixel[channel] for pixel in pixels), 0
            while position < len(line):
                run = 1
                while (run < 127 and position + run < len(line)
                       and line[position + run] == line[position]):
                    run += 1
                out += bytes([128 + run if run > 1 else 1, line[position]])
                position += run
    return out


def radiances(rows, stored):
    def turned(name, number):
        changed = stored[number](rows)
        return radiance(changed, order=name % (len(changed), len(changed[0])))
    made = {"flat.hdr": radiance(rows, runs=False), "runs.hdr": radiance(rows),
            # Twenty times as bright, as in the sun.
            "bright.hdr": radiance(rows, scale=20)}
    names = {2: "-Y %d -X %d", 3: "+Y %d -X %d", 4: "+Y %d +X %d", 5: "+X %d -Y %d",
             6: "-X %d -Y %d", 7: "-X %d +Y %d", 8: "+X %d +Y %d"}
    return made | {f"turned-{number}.hdr": turned(name, number) for number, name in names.items()}


# Photoshop

def packbits(line):
    out, position = b"", 0
    while position < len(line):
        run = 1
        while run < 128 and position + run < len(line) and line[position + run] == line[position]:
            run += 1
        out += bytes([257 - run & 0xFF if run > 1 else 0, line[position]])
        position += run
    return out


def psd(planes, mode, depth, compressed=True, large=False, palette=b"", resources=b"", layers=0):
    """Planes of rows of bytes."""
    height, channels = len(planes[0]), len(planes)
    width = 48
    out = b"8BPS" + struct.pack(">H6xHIIHH", 2 if large else 1, channels, height, width, depth, mode)
    out += struct.pack(">I", len(palette)) + palette
    out += struct.pack(">I", len(resources)) + resources
    # Layer information, with the number of layers only.
    info = struct.pack(">hxx", layers) if layers else b""
    wide = ">Q" if large else ">I"
    section = struct.pack(wide, len(info)) + info + struct.pack(">I", 0) if layers else b""
    out += struct.pack(wide, len(section)) + section + struct.pack(">H", 1 if compressed else 0)
    rows = [row for plane in planes for row in plane]
    if compressed:
        rows = [packbits(row) for row in rows]
        out += b"".join(struct.pack(">I" if large else ">H", len(row)) for row in rows)
    return out + b"".join(rows)


def resource(number, value):
    return b"8BIM" + struct.pack(">HxxI", number, len(value)) + value + b"\0" * (len(value) % 2)


def psds(rows, indices, colours, profile, exif):
    def planes(rows, form=">B", value=lambda v: v):
        return [[b"".join(struct.pack(form, value(pixel[c])) for pixel in row) for row in rows]
                for c in range(len(rows[0][0]))]
    # What is half transparent is blended with white.
    def veiled(pixel, alpha):
        return (*(round(255 - (255 - v) * alpha / 255) for v in pixel), alpha)
    half_clear = [[veiled(pixel, 128) for pixel in row] for row in rows]
    swapped = [[(g, r, b) for r, g, b in row] for row in rows]
    palette = bytes(colours[i][c] if i < len(colours) else 0 for c in range(3) for i in range(256))
    not_inks = [[tuple(255 - v for v in pixel) for pixel in row] for row in inks(rows)]
    grey = [[(pixel[0],) for pixel in row] for row in rows]
    return {
        "colour.psd": psd(planes(rows), 3, 8, resources=resource(1058, exif)),
        "flat.psd": psd(planes(rows), 3, 8, compressed=False),
        "large.psb": psd(planes(rows), 3, 8, large=True),
        "16-bit.psd": psd(planes(rows, ">H", lambda v: v * 257), 3, 16),
        "32-bit.psd": psd(planes(rows, ">f", linear), 3, 32, compressed=False),
        "transparent.psd": psd(planes(half_clear), 3, 8, layers=-1),
        "selection.psd": psd(planes(with_alpha(rows)), 3, 8, layers=1),
        "cmyk.psd": psd(planes(not_inks), 4, 8),
        "grey.psd": psd(planes(grey), 1, 8),
        "palette.psd": psd([[bytes(row) for row in indices]], 2, 8, palette=palette),
        "profile.psd": psd(planes(swapped), 3, 8, resources=resource(1039, profile)),
    }


# OpenEXR

def attribute(name, kind, value):
    return name.encode() + b"\0" + kind.encode() + b"\0" + struct.pack("<I", len(value)) + value


def zipped(data):
    split = data[::2] + data[1::2]
    changes = bytes([split[0]]) + bytes(
        (b - a + 128) % 256 for a, b in zip(split, split[1:]))
    packed_data = zlib.compress(changes)
    return packed_data if len(packed_data) < len(data) else data


def exr(channels, window, shown=None, compressed=False, tile=0, attributes=b""):
    """Channels by name: form (e or f), the distance of samples, and a function of x and y."""
    left, top, right, bottom = window
    names = sorted(channels)
    listed = b"".join(
        name.encode() + b"\0" + struct.pack(
            "<IB3xII", 1 if channels[name][0] == "e" else 2, 0, channels[name][1],
            channels[name][1]) for name in names) + b"\0"
    head = b"\x76\x2f\x31\x01" + struct.pack("<I", 2 | (0x200 if tile else 0))
    head += attribute("channels", "chlist", listed) + attributes
    head += attribute("compression", "compression", b"\3" if compressed else b"\0")
    head += attribute("dataWindow", "box2i", struct.pack("<4i", *window))
    head += attribute("displayWindow", "box2i", struct.pack("<4i", *(shown or window)))
    head += attribute("lineOrder", "lineOrder", b"\0")
    head += attribute("pixelAspectRatio", "float", struct.pack("<f", 1))
    head += attribute("screenWindowCenter", "v2f", struct.pack("<2f", 0, 0))
    head += attribute("screenWindowWidth", "float", struct.pack("<f", 1))
    if tile:
        head += attribute("tiles", "tiledesc", struct.pack("<IIB", tile, tile, 0))
    head += b"\0"

    def block(x0, x1, y0, y1):
        out = b""
        for y in range(y0, y1):
            for name in names:
                form, step, value = channels[name]
                if y % step == 0:
                    line = [value(x, y) for x in range(x0, x1) if x % step == 0]
                    out += struct.pack(f"<{len(line)}{form}", *line)
        return zipped(out) if compressed else out

    chunks = []
    if tile:
        for row, y in enumerate(range(top, bottom + 1, tile)):
            for column, x in enumerate(range(left, right + 1, tile)):
                data = block(x, min(x + tile, right + 1), y, min(y + tile, bottom + 1))
                chunks.append(struct.pack("<5I", column, row, 0, 0, len(data)) + data)
    else:
        step = 16 if compressed else 1
        for y in range(top, bottom + 1, step):
            data = block(left, right + 1, y, min(y + step, bottom + 1))
            chunks.append(struct.pack("<iI", y, len(data)) + data)
    place = len(head) + 8 * len(chunks)
    table = b""
    for chunk in chunks:
        table += struct.pack("<Q", place)
        place += len(chunk)
    return head + table + b"".join(chunks)


def exrs(rows):
    light = [[tuple(map(linear, pixel)) for pixel in row] for row in rows]
    window = (0, 0, len(rows[0]) - 1, len(rows) - 1)

    def colours(form="e", scale=1, move=0, layer=""):
        return {layer + name: (form, 1, lambda x, y, c=c: light[y - move][x - move][c] * scale)
                for c, name in enumerate("RGB")}

    def luminance(x, y):
        red, green, blue = light[y][x]
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    with_alpha = {name: (form, 1, lambda x, y, value=value: value(x, y) if x < 24 else 0)
                  for name, (form, _, value) in colours().items()}
    with_alpha["A"] = ("e", 1, lambda x, y: 1 if x < 24 else 0)
    chroma = {"Y": ("e", 1, luminance),
              "RY": ("e", 2, lambda x, y: (light[y][x][0] - luminance(x, y)) / luminance(x, y)),
              "BY": ("e", 2, lambda x, y: (light[y][x][2] - luminance(x, y)) / luminance(x, y))}
    # The same colours for a screen whose red and green are exchanged.
    other = {"R": colours()["G"], "G": colours()["R"], "B": colours()["B"]}
    primaries = attribute("chromaticities", "chromaticities", struct.pack(
        "<8f", 0.30, 0.60, 0.64, 0.33, 0.15, 0.06, 0.3127, 0.3290))
    date = attribute("capDate", "string", b"2026:05:03 14:10:59")
    moved = tuple(side + 5 for side in window)
    return {
        "runs.exr": exr(colours(), window, compressed=True, attributes=date),
        "flat.exr": exr(colours("f"), window),
        "tiles.exr": exr(colours(), window, compressed=True, tile=20),
        "moved.exr": exr(colours(move=5), moved, compressed=True),
        "alpha.exr": exr(with_alpha, window, compressed=True),
        "chroma.exr": exr(chroma, window, compressed=True),
        "layer.exr": exr(colours(layer="beauty."), window, compressed=True),
        "primaries.exr": exr(other, window, compressed=True, attributes=primaries),
        "grey.exr": exr({"Y": ("e", 1, lambda x, y: light[y][x][0])}, window, compressed=True),
        "place.exr": exr(colours(), window, compressed=True, attributes=attribute(
            "comments", "string", b"48.8584, 2.2945") + attribute("owner", "string", b"Somebody")),
        "bright.exr": exr(colours(scale=20), window, compressed=True),
        # Only the right half is stored.
        "part.exr": exr(colours(), (24, 0, 47, 31), shown=window, compressed=True),
    }


# Raw files

def sensor(rows, scale=4):
    """A DNG with the light that a sensor with red, green and blue filters saw, without a preview."""
    width, height = len(rows[0]) * scale, len(rows) * scale
    pattern = ((0, 1), (1, 2))
    values = b"".join(
        struct.pack("<H", round(16383 * linear(rows[y // scale][x // scale][pattern[y % 2][x % 2]])))
        for y in range(height) for x in range(width))
    matrix = [3.2405, -1.5371, -0.4985, -0.9693, 1.8760, 0.0416, 0.0556, -0.2040, 1.0572]
    longs = {
        0x10F: (2, b"Maker\0\0\0"), 0x110: (2, b"Sensor\0\0"), 0xC614: (2, b"Maker Sensor\0\0\0\0"),
        0xC621: (10, b"".join(struct.pack("<ii", round(v * 10000), 10000) for v in matrix)),
        0xC628: (5, struct.pack("<6I", 1, 1, 1, 1, 1, 1)),
        0x9003: (2, b"2026:05:03 14:10:59\0"),
    }
    shorts = {0xFE: 0, 0x100: width, 0x101: height, 0x102: 16, 0x103: 1, 0x106: 32803, 0x112: 1,
              0x115: 1, 0x116: height, 0xC61D: 16383, 0xC65A: 21}
    entries = {tag: (4 if tag in (0xFE, 0x100, 0x101, 0x116) else 3, 1, struct.pack("<I", value))
               for tag, value in shorts.items()}
    # The directory comes first; five entries are added below.
    place, content = 8 + 2 + 12 * (len(shorts) + len(longs) + 5) + 4, b""
    for tag, (kind, value) in longs.items():
        count = len(value) // {2: 1, 5: 8, 10: 8}[kind]
        entries[tag] = (kind, count, struct.pack("<I", place + len(content)))
        content += value
    entries[0x111] = (4, 1, struct.pack("<I", place + len(content)))
    entries[0x117] = (4, 1, struct.pack("<I", len(values)))
    entries[0x828D] = (3, 2, struct.pack("<HH", 2, 2))
    entries[0x828E] = (1, 4, bytes([0, 1, 1, 2]))
    entries[0xC612] = (1, 4, bytes([1, 4, 0, 0]))
    table = b"".join(struct.pack("<HHI", tag, kind, count) + value
                     for tag, (kind, count, value) in sorted(entries.items()))
    directory = struct.pack("<H", len(entries)) + table + b"\0" * 4
    return b"II*\0" + struct.pack("<I", 8) + directory + content + values


# Lossless JPEG

def lossless_jpeg(rows, predictor=1, precision=8, restart=0, segments=b""):
    """A lossless JPEG whose codes all have five bits."""
    width, height, count = len(rows[0]), len(rows), len(rows[0][0])
    scale = ((1 << precision) - 1) / 255
    values = [[[round(v * scale) for v in pixel] for pixel in row] for row in rows]

    def segment(marker, content):
        return struct.pack(">BBH", 0xFF, marker, len(content) + 2) + content

    out = b"\xff\xd8" + segments
    out += segment(0xC3, struct.pack(">BHHB", precision, height, width, count) + b"".join(
        bytes([i + 1, 0x11, 0]) for i in range(count)))
    out += segment(0xC4, bytes([0, 0, 0, 0, 0, 17] + [0] * 11) + bytes(range(17)))
    if restart:
        out += segment(0xDD, struct.pack(">H", restart * width))
    out += segment(0xDA, bytes([count]) + b"".join(
        bytes([i + 1, 0]) for i in range(count)) + bytes([predictor, 0, 0]))
    bits, number = "", 0

    def flush():
        nonlocal bits, out
        bits += "1" * (-len(bits) % 8)
        data = bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))
        out += data.replace(b"\xff", b"\xff\0")
        bits = ""

    for y in range(height):
        is_first = y == 0 or (restart and y % restart == 0)
        if restart and y and y % restart == 0:
            flush()
            out += bytes([0xFF, 0xD0 + number % 8])
            number += 1
        for x in range(width):
            for c in range(count):
                left = values[y][x - 1][c] if x else 0
                above = values[y - 1][x][c] if y else 0
                corner = values[y - 1][x - 1][c] if x and y else 0
                if is_first:
                    guess = left if x else 1 << precision - 1
                elif x == 0:
                    guess = above
                else:
                    guess = [left, above, corner, left + above - corner,
                             left + (above - corner >> 1), above + (left - corner >> 1),
                             left + above >> 1][predictor - 1]
                # Differences are modulo 65536.
                change = (values[y][x][c] - guess + 32767) % 65536 - 32767
                category = abs(change).bit_length()
                bits += f"{category:05b}"
                if 0 < category < 16:
                    code = change if change > 0 else change + (1 << category) - 1
                    bits += f"{code:0{category}b}"
    flush()
    return out + b"\xff\xd9"


def lossless_jpegs(rows):
    grey = [[(pixel[0],) for pixel in row] for row in rows]
    made = {f"predictor-{number}.jpg": lossless_jpeg(rows, number) for number in range(1, 8)}
    return made | {
        "restarts.jpg": lossless_jpeg(rows, 7, restart=5),
        "16-bit.jpg": lossless_jpeg(rows, 4, precision=16),
        "12-bit.jpg": lossless_jpeg(rows, 1, precision=12),
        "grey.jpg": lossless_jpeg(grey, 6),
    }
