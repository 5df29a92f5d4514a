"""Prices, in cents."""

from dataclasses import dataclass

VAT = 19


@dataclass(frozen=True)
class Price:
    """A price without tax.

    It is kept in cents, so that sums are exact.
    """

    cents: int

    def with_tax(self, rate: int = VAT) -> int:
        """The cents to pay. Half a cent is rounded up."""
        # Whole numbers only: a float would lose cents.
        return (self.cents * (100 + rate) + 50) // 100

    def __str__(self) -> str:
        whole, rest = divmod(self.cents, 100)
        return f"{whole}.{rest:02}"
