"""Reads, draws and fits what the fork-join runtime jackdaw writes.

    from jackdaw import results, trace
    runs = results.read("jackdaw.db").runs()       # a pandas data frame: bench, simulations and executions
    tree = trace.read("heat2d.trace")              # needs nothing but Python

Importing the package or jackdaw.trace imports no other package.
"""
