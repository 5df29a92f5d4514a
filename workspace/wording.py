"""Words for numbers of things, as a reader expects them: `1 file`, `3 files`."""


def number_of(count: int, noun: str) -> str:
    """Returns a number with what it counts.

    Args:
        count: how many there are.
        noun: what there is, of one.
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"
