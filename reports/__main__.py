"""`python -m antumbra.reports` is `antumbra`."""

import sys

from antumbra.reports.cli import main

if __name__ == "__main__":
    sys.exit(main())
