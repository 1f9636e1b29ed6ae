"""`python -m controller` is `tablectl`."""

from controller.cli import main

main()
