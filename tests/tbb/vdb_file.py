"""Writes an OpenVDB file (version 224, uncompressed): a sphere as a level set, for the programs of libopenvdb-tools."""

import array
import math
import struct


def text(of):
    return struct.pack("<I", len(of)) + of.encode()


def metadata(items):
    return struct.pack("<I", len(items)) + b"".join(text(name) + text("string") + text(value) for name, value in items)


def mask(bits, on):
    """The bits of a node that are set, 64 to a word."""
    words = array.array("Q", [0] * (bits // 64))
    for bit in on:
        words[bit >> 6] |= 1 << (bit & 63)
    return words.tobytes()


def values(of):
    return struct.pack("<b", 6) + array.array("f", of).tobytes()  # 6: all values follow, whatever the masks are


class Sphere:
    """The tree of a sphere around (centre, centre, centre): leaves of 8, nodes of 128 and 4096 voxels to a side."""

    band = 3.0

    def __init__(self, radius):
        self.radius = radius
        self.centre = radius + 12

    def distance(self, x, y, z):
        away = math.sqrt((x - self.centre) ** 2 + (y - self.centre) ** 2 + (z - self.centre) ** 2) - self.radius
        return max(-self.band, min(self.band, away))

    def offset(self, node):
        """Where a child of a node is in its table: x is the slowest."""
        bits, size = (4, 8) if node == 128 else (5, 128)
        return lambda x, y, z: ((x // size) << 2 * bits) | ((y // size) << bits) | (z // size)

    def leaves(self):
        found = {}
        end = 2 * self.centre
        for x in range(0, end, 8):
            for y in range(0, end, 8):
                for z in range(0, end, 8):
                    if abs(self.distance(x + 3.5, y + 3.5, z + 3.5)) >= self.band and not self.touches(x, y, z):
                        continue
                    found[x, y, z] = [
                        self.distance(x + i, y + j, z + k) for i in range(8) for j in range(8) for k in range(8)
                    ]
        return found

    def touches(self, x, y, z):
        corners = [self.distance(x + i, y + j, z + k) for i in (0, 7) for j in (0, 7) for k in (0, 7)]
        return min(corners) < self.band and max(corners) > -self.band

    def write(self, path):
        leaves = self.leaves()
        active = {at: [i for i, one in enumerate(leaf) if abs(one) < self.band] for at, leaf in leaves.items()}
        nodes = {}
        for x, y, z in leaves:
            nodes.setdefault((x & ~127, y & ~127, z & ~127), []).append((x, y, z))
        upper = self.offset(4096)
        topology = struct.pack("<ifII", 1, self.band, 0, 1) + struct.pack("<3i", 0, 0, 0)
        order = sorted(nodes, key=lambda at: upper(*at))
        topology += mask(32768, [upper(*at) for at in order]) + mask(32768, []) + values(
            self.distance((i >> 10) * 128 + 64, ((i >> 5) & 31) * 128 + 64, (i & 31) * 128 + 64) for i in range(32768)
        )
        buffers = b""
        lower = self.offset(128)
        for at in order:
            within = sorted(nodes[at], key=lambda leaf: lower(*(a - b for a, b in zip(leaf, at))))
            topology += mask(4096, [lower(*(a - b for a, b in zip(leaf, at))) for leaf in within]) + mask(4096, [])
            topology += values(
                self.distance(at[0] + (i >> 8) * 8 + 4, at[1] + ((i >> 4) & 15) * 8 + 4, at[2] + (i & 15) * 8 + 4)
                for i in range(4096)
            )
            for leaf in within:
                topology += mask(512, active[leaf])
                buffers += mask(512, active[leaf]) + values(leaves[leaf])
        head = struct.pack("<qIIIb", 0x56444220, 224, 10, 0, 1) + b"00000000-0000-4000-8000-000000000000"
        head += metadata([]) + struct.pack("<i", 1)
        head += text("sphere") + text("Tree_float_5_4_3") + text("")
        grid = struct.pack("<I", 0) + metadata([("class", "level set"), ("name", "sphere")])
        scale = [1.0] * 12 + [0.5] * 3
        grid += text("UniformScaleMap") + struct.pack("<15d", *scale) + topology
        begin = len(head) + 24
        where = struct.pack("<3q", begin, begin + len(grid), begin + len(grid) + len(buffers))
        with open(path, "wb") as file:
            file.write(head + where + grid + buffers)


if __name__ == "__main__":
    import sys

    Sphere(int(sys.argv[2])).write(sys.argv[1])
