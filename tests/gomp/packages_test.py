"""Programs of Debian that are linked with libgomp: the same results with libjackdaw_gomp.so before it.

    packages_test.py LIBRARY FOLDER             compares the results; exit status 77 if no program is installed
    packages_test.py --times N LIBRARY FOLDER   also prints a table of times: N runs of each, in turn

Inputs are made here, the same each time.
"""

import argparse
import hashlib
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import time

ACIDS = "ACDEFGHIKLMNPQRSTVWY"


def write_image(path, side):
    """A picture with edges and noise."""
    numbers = random.Random(7)
    noise = numbers.randbytes(side * 3)
    rows = []
    for y in range(side):
        row = bytearray(noise[y * 3:] + noise[:y * 3])
        for x in range(0, side, 16):
            row[3 * x:3 * x + 24] = bytes([(x * y // 64) % 256, (x + y) % 256, (x ^ y) % 256] * 8)
        rows.append(bytes(row[:side * 3]))
    path.write_bytes(b"P6\n%d %d\n255\n" % (side, side) + b"".join(rows))


def write_proteins(path, count, length):
    """Relatives of one sequence."""
    numbers = random.Random(5)
    first = [numbers.choice(ACIDS) for _ in range(length)]
    with open(path, "w", encoding="ascii") as out:
        for i in range(count):
            own = [numbers.choice(ACIDS) if numbers.random() < 0.3 else each for each in first]
            del own[numbers.randrange(length // 2):][:numbers.randrange(1, 9)]
            start = numbers.randrange(20)
            out.write(f">p{i}\n{''.join(own[start:])}\n")


def write_messages(folder, count):
    """Translations, and a newer template in which each text is a little different."""
    numbers = random.Random(3)
    letters = "abcdefghiklmnoprstuw"
    words = ["".join(numbers.choice(letters) for _ in range(numbers.randrange(3, 9))) for _ in range(300)]
    head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
    old, new = [head], [head]
    for i in range(count):
        text = [numbers.choice(words) for _ in range(12)]
        old.append(f'msgid "{" ".join(text)} {i}"\nmsgstr "T {" ".join(reversed(text))}"\n')
        text[numbers.randrange(12)] = numbers.choice(words)
        new.append(f'msgid "{" ".join(text)} {i}"\nmsgstr ""\n')
    (folder / "old.po").write_text("\n".join(old), encoding="utf-8")
    (folder / "new.pot").write_text("\n".join(new), encoding="utf-8")


def commands(folder, large):
    """Name and command of each; {out} is the file that it writes."""
    side = 1400 if large else 500
    write_image(folder / "a.ppm", side)
    write_image(folder / "b.ppm", side // 2)
    write_proteins(folder / "proteins.fa", 140 if large else 30, 260)
    write_messages(folder, 500 if large else 120)
    image, small = folder / "a.ppm", folder / "b.ppm"
    yield "clustalo", ["clustalo", "-i", folder / "proteins.fa", "-o", "{out}", "--force", "--threads=2"]
    yield "gm blur", ["gm", "convert", image, "-blur", "0x5", "{out}.ppm"]
    yield "gm resize", ["gm", "convert", image, "-filter", "Lanczos", "-resize", "170%", "{out}.ppm"]
    yield "gm median", ["gm", "convert", small, "-median", "2", "{out}.ppm"]
    yield "im gaussian-blur", ["convert-im6.q16", small, "-gaussian-blur", "0x2", "{out}.ppm"]
    yield "im resize", ["convert-im6.q16", image, "-resize", "150%", "{out}.ppm"]
    yield "im distort", ["convert-im6.q16", small, "-distort", "SRT", "30", "{out}.ppm"]
    yield "im unsharp, modulate", ["convert-im6.q16", image, "-unsharp", "0x2", "-modulate", "90,120", "{out}.ppm"]
    yield "msgmerge", ["msgmerge", "-q", folder / "old.po", folder / "new.pot", "-o", "{out}"]


def run(command, folder, library):
    """Returns what it has written, as digests, and its time in seconds."""
    for old in folder.glob("out*"):
        old.unlink()
    own = {key: value for key, value in os.environ.items() if not key.startswith(("OMP_", "GOMP_", "MAGICK_"))}
    own["MAGICK_THREAD_LIMIT"] = own["OMP_NUM_THREADS"] = "2"
    if library:
        own["LD_PRELOAD"] = str(library)
    parts = [str(each).replace("{out}", str(folder / "out")) for each in command]
    begin = time.monotonic()
    ended = subprocess.run(parts, env=own, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)
    took = time.monotonic() - begin
    written = sorted((each.name, hashlib.sha256(each.read_bytes()).hexdigest()) for each in folder.glob("out*"))
    return (ended.returncode, ended.stderr, written), took


def uses_libgomp(program):
    found = shutil.which(program)
    if not found:
        return False
    listed = subprocess.run(["ldd", found], capture_output=True, text=True, check=False)
    return "libgomp" in listed.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=0)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    how = parser.parse_args()
    how.folder.mkdir(parents=True, exist_ok=True)
    compared = 0
    if how.times:
        print("| program | libgomp | jackdaw | jackdaw / libgomp |\n|---|---:|---:|---:|")
    for name, command in commands(how.folder, how.times > 0):
        if not uses_libgomp(command[0]):
            print(f"skipped: {name}: no {command[0]} that is linked with libgomp")
            continue
        times = {"": [], how.library: []}
        for _ in range(max(how.times, 1)):
            results = {}
            for library, took in times.items():
                results[library], seconds = run(command, how.folder, library)
                took.append(seconds)
            theirs, ours = results[""], results[how.library]
            if theirs != ours or theirs[0] != 0 or not theirs[2]:
                sys.exit(f"{name}:\nlibgomp: {theirs}\njackdaw: {ours}")
        compared += 1
        if how.times:
            a, b = (statistics.median(each) for each in times.values())
            spread = [f"{min(each):.2f} - {max(each):.2f}" for each in times.values()]
            print(f"| {name} | {a:.2f} s ({spread[0]}) | {b:.2f} s ({spread[1]}) | {b / a:.2f} |", flush=True)
    if compared == 0:
        sys.exit(77)


if __name__ == "__main__":
    main()
