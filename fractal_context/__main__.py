"""The entry of the product: `fractal-context COMMAND` and `python -m fractal_context COMMAND`."""

from __future__ import annotations

from fractal_context.own import find_own_packages_first

find_own_packages_first()

from server.__main__ import main  # noqa: E402 - found only now, and beside this package

__all__ = ["main"]

if __name__ == "__main__":
    main()
