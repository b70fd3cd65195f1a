"""`python3 python predict ...`: what the program jackdaw runs where the package is not installed."""
import os
import sys

sys.path[0] = os.path.dirname(os.path.abspath(__file__))

from jackdaw.__main__ import main  # noqa: E402

sys.exit(main())
