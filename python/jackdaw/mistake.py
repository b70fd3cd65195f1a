"""A user's mistake."""


class Mistake(ValueError):
    """Bad input. The message is one line that names the file, the place and what was expected; exit status 2."""
