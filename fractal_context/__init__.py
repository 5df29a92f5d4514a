"""fractal-context as a library, and the entry of its command: `python -m fractal_context`.

    from fractal_context import ContextEngine, Roots

    result = ContextEngine(Roots(["."])).get_context(".", token_budget="8k")

A name is imported when it is first asked for, so that nothing is loaded that a program does not use.
"""

from __future__ import annotations

from importlib import import_module

from fractal_context.own import HOME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from allocator import ContextEngine, ContextResult
    from compaction import CompactionEngine, CompactionOptions, CompressionEngine
    from skeleton import CompressionLevel, Language, Skeletonizer
    from skeleton.zoom.zoomer import zoom
    from workspace.errors import FractalContextError
    from workspace.roots import Roots

__all__ = [
    "CompactionEngine",
    "CompactionOptions",
    "CompressionEngine",
    "CompressionLevel",
    "ContextEngine",
    "ContextResult",
    "FractalContextError",
    "Language",
    "Roots",
    "Skeletonizer",
    "zoom",
]

_PLACES = {
    "CompactionEngine": "compaction",
    "CompactionOptions": "compaction",
    "CompressionEngine": "compaction",
    "CompressionLevel": "skeleton",
    "ContextEngine": "allocator",
    "ContextResult": "allocator",
    "FractalContextError": "workspace.errors",
    "Language": "skeleton",
    "Roots": "workspace.roots",
    "Skeletonizer": "skeleton",
    "zoom": "skeleton.zoom.zoomer",
}


def __getattr__(name: str) -> object:
    """Imports one of the public names.

    Raises:
        AttributeError: there is none of this name.
        ImportError: another package has taken the name of the one that it lies in.
    """
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    package = import_module(place.partition(".")[0])
    found = package.__file__ or ""
    if not found.startswith(HOME):
        raise ImportError(
            f"fractal-context needs its own package {package.__name__!r}, but Python finds {found} first; take its folder "
            f"off sys.path, or put {HOME} before it."
        )
    value: object = getattr(import_module(place), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names, so that they are listed and completed before they are imported."""
    return [*__all__]
