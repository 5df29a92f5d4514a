"""Measures the share of a code base that our skeletons keep, against parsers that share no code with them.

`recall`, `robustness`, `speed` and `peers` are scripts (`python -m benchmarks.skeletons.recall --help`); the other
modules are their parts: `corpus` lists files, the `*_reading` modules say what an independent parser finds in them,
`presence` and `signatures` decide whether it stands in a skeleton, `engine` is the only place that calls our engine.
"""
