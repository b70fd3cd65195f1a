"""Reads and analyses what the fork-join runtime jackdaw writes."""
