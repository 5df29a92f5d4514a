"""The cart adds up."""

from shop.cart import Cart, receipt
from shop.prices import Price


def test_total():
    """Two packets of tea, tax included."""
    cart = Cart({"tea": Price(400)})
    cart.add("tea", 2)
    assert cart.total() == 952
    assert receipt(cart) == "2 x tea\ntotal: 9.52"
