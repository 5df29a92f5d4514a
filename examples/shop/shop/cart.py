"""What a customer is about to buy."""

from shop.prices import Price


class Cart:
    """Articles and how many of each."""

    def __init__(self, prices: dict[str, Price]) -> None:
        self.prices = prices
        self.articles: dict[str, int] = {}

    def add(self, article: str, count: int = 1) -> None:
        """Put articles into the cart.

        Raises KeyError for an article that has no price.
        """
        if article not in self.prices:
            raise KeyError(article)
        self.articles[article] = self.articles.get(article, 0) + count

    def total(self) -> int:
        """The cents to pay for all of it, tax included."""
        total = 0
        for article, count in self.articles.items():
            total += self.prices[article].with_tax() * count
        return total


def receipt(cart: Cart) -> str:
    """The cart as text, one article a line."""
    lines = [f"{count} x {article}" for article, count in sorted(cart.articles.items())]
    lines.append(f"total: {Price(cart.total())}")
    return "\n".join(lines)
