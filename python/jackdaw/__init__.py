"""Reads and analyses files that the fork-join runtime jackdaw writes."""
