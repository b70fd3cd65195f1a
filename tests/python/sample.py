"""An execution with something in every table, for the page's tests and its picture."""

import math
import random

import planted


def sample(**options):
    """A stencil on two sockets: worker 0 has filled the grid, and LAWS decides in its first iterations."""
    one = planted.serial_first_touch(work_ns=4.4e9, span_ns=0.06e9, burdened_ns=0.08e9, **options)
    dice = random.Random(4)
    one.busy([0.99, 0.97, 0.95, 0.97, 0.91, 0.92, 0.9, 0.93], sleeping=0.3)
    one.iterations.clear()
    at = 0.0
    for number in range(1, 101):
        length = (9.3 + 9 * math.exp(-number / 2) + 0.5 * dice.random()) * 1e6
        one.iterations.append(dict(number=number, region="sweep", begin_ns=at, duration_ns=length))
        at += length + 1e4
    for place, name, value, says in ((0, "profile", 1, "profiles this iteration by declared accesses"),
                                     (1, "pack", 0, "packs tasks into subtrees that fit a shared cache"),
                                     (2, "pack", 1, "one level further down"),
                                     (5, "settle", 5, "the search for a packing ends")):
        one.decisions.append(dict(at_ns=one.iterations[place]["begin_ns"] + 10, worker=0, name=name, value=value,
                                  says=says))
    for thief in range(one.count):
        for victim in range(one.count):
            if thief != victim:
                near = one.package(thief) == one.package(victim)
                one.steals.append(dict(thief=thief, victim=victim, steals=dice.randrange(4, 9) if near else 1,
                                       failed=dice.randrange(12)))
    for iteration in one.iterations[40:60]:
        tree(one, iteration)
    return one


def tree(one, iteration):
    """Four levels of a binary tree, its leaves laid out over the workers."""
    begin, length = iteration["begin_ns"], iteration["duration_ns"]
    for depth in range(5):
        for place in range(1 << depth):
            number = len(one.tasks) + 1
            left, right = place / (1 << depth), (place + 1) / (1 << depth)
            worker = int(left * one.count)
            start = begin + length * (0.02 * depth + (0.42 * (place % 2) if depth == 4 else 0))
            end = begin + length * (0.96 if depth < 4 else 0.48 + 0.46 * (place % 2))
            parent = 0 if depth == 0 else number - place - (1 << depth - 1) + place // 2
            one.task(number, worker, start, end, parent=parent, depth=depth, span=(left, right))
