"""The main flow of an application: it begins with what answers a framework."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.allocator.test_calls import told

if TYPE_CHECKING:
    from pathlib import Path


_RAILS = {
    f"app/controllers/{name}_controller.rb": f"class {name.title()}Controller\n  def index\n    Order.open_all(1)\n  end\n\n"
    "  private\n\n  def clean_all\n    Order.open_all(Order.read_row(2))\n  end\nend\n"
    for name in ("orders", "goods", "people")
}
_ORDER = (
    "class Order\n  def self.open_all(x)\n    self.read_row(x)\n  end\n\n  def self.read_row(x)\n    x\n  end\nend\n"
)


def test_it_begins_with_what_answers_a_framework(tmp_path: Path) -> None:
    tree = _RAILS | {"config.ru": "run Shop\n", "app/models/order.rb": _ORDER}
    assert next(iter(told(tmp_path, tree))) == "GoodsController.index"


def test_what_is_only_called_a_controller_answers_no_framework(tmp_path: Path) -> None:
    steps = "".join(f"        x = step{at}(x);\n" for at in range(3))
    made = "".join(f"\n    private int step{at}(int x) {{\n        return x;\n    }}\n" for at in range(3))
    code = f"class PoolController {{\n    public int create(int x) {{\n{steps}        return x;\n    }}\n{made}}}\n"
    shop = "class Shop {\n    public int openAll(int x) {\n        return readRow(x);\n    }\n\n    public int readRow(int x) {\n        return x;\n    }\n}\n"
    tree = {
        "src/Pool.java": code,
        "src/Shop.java": shop,
        "README.md": "# Shop\n\nCall `openAll(1)`, and `readRow(1)`.\n",
    }
    assert next(iter(told(tmp_path / "called", tree))) == "Shop.openAll"
    tree["src/Pool.java"] = f"@RestController\n{code}"
    assert next(iter(told(tmp_path / "said", tree))) == "PoolController.create"
    tree["src/Pool.java"] = tree["src/Pool.java"].replace("PoolController", "PoolApi")
    assert next(iter(told(tmp_path / "named", tree))) == "PoolApi.create"
    tree["src/Pool.java"] = tree["src/Pool.java"].removeprefix("@RestController\n")
    assert next(iter(told(tmp_path / "plain", tree))) == "Shop.openAll"


def _called(count: int) -> tuple[str, str, str, str]:
    """Imports and calls of so many functions of files of their own, in TypeScript and in Python."""
    return (
        "".join(f"import {{ step{at}All }} from '@/step{at}'\n" for at in range(count)),
        "".join(f"  x = step{at}All(x)\n" for at in range(count)),
        "".join(f"from shop.step_{at} import step_{at}_all\n" for at in range(count)),
        "".join(f"    x = step_{at}_all(x)\n" for at in range(count)),
    )


@pytest.mark.parametrize("path", ["src/app/api/orders/[id]/route.ts", "pages/api/orders/[id].ts", "src/orders.ts"])
def test_it_begins_with_a_route_of_pages(tmp_path: Path, path: str) -> None:
    (few_imports, few, _, _), (imports, calls, _, _) = _called(4), _called(9)
    tree = {f"src/step{at}.ts": f"export function step{at}All(x) {{\n  return x\n}}\n" for at in range(9)}
    tree["src/shop.ts"] = f"{few_imports}\nexport function openShop(x) {{\n{few}  return x\n}}\n"
    tree["README.md"] = "# Shop\n\nCall `openShop(1)`.\n"
    tree[path] = f"{imports}\nexport async function POST(x) {{\n{calls}  return x\n}}\n"
    first = next(iter(told(tmp_path, tree)))
    assert first == ("openShop" if path == "src/orders.ts" else "POST")


@pytest.mark.parametrize(("above", "first"), [("@router.post('/orders')", "create"), ("@cached(1)", "open_shop")])
def test_it_begins_with_a_route_of_python(tmp_path: Path, above: str, first: str) -> None:
    (_, _, few_imports, few), (_, _, imports, calls) = _called(5), _called(9)
    tree = {f"shop/step_{at}.py": f"def step_{at}_all(x):\n    return x\n" for at in range(9)}
    tree["shop/shop.py"] = f"{few_imports}\n\ndef open_shop(x):\n{few}    return x\n"
    tree["README.md"] = "# Shop\n\nCall `open_shop(1)`.\n"
    tree["shop/orders.py"] = (
        f"from fastapi import APIRouter\n{imports}\nrouter = APIRouter()\n\n\n{above}\ndef create(x):\n{calls}    return x\n"
    )
    assert next(iter(told(tmp_path, tree))) == first


@pytest.mark.parametrize(
    ("path", "code", "first"),
    [
        ("shop/management/commands/sell.py", "def give(x):\n{}", "give"),
        ("shop/sell.py", "def give(x):\n{}", "open_shop"),
        ("shop/tasks.py", "@shared_task\ndef sell(x):\n{}", "sell"),
        ("shop/tasks.py", "@shared\ndef sell(x):\n{}", "open_shop"),
        ("shop/desk.py", "class Desk(Mixin, ListAPIView):\n    def get(self, request):\n{}", "Desk.get"),
        ("shop/desk.py", "def sell(request, x):\n{}", "sell"),
        ("shop/desk.py", "def sell(requested, x):\n{}", "open_shop"),
    ],
)
def test_it_begins_with_a_command_a_task_or_a_view_of_python(tmp_path: Path, path: str, code: str, first: str) -> None:
    (_, _, few_imports, few), (_, _, imports, calls) = _called(4), _called(9)
    tree = {f"shop/step_{at}.py": f"def step_{at}_all(x):\n    return x\n" for at in range(9)}
    tree["shop/shop.py"] = f"{few_imports}\n\ndef open_shop(x):\n{few}    return x\n"
    tree["README.md"] = "# Shop\n\nCall `open_shop(1)`.\n"
    tree[path] = f"{imports}\n\n{code.format(calls.replace('    x', '        x') if 'class' in code else calls)}"
    assert next(iter(told(tmp_path, tree))) == first


@pytest.mark.parametrize(
    ("code", "first"),
    [
        (
            "public static class DeskApi\n{\n    public static void MapDesk(Routes app)\n    {\n        app.MapPost(Sell);\n    }\n\n",
            "DeskApi.Sell",
        ),
        ("public class Desk : IRequestHandler<Sell, bool>\n{\n", "Desk.Sell"),
        ("public class Desk : IKeeper<Sell, bool>\n{\n", "Shop.Open"),
    ],
)
def test_it_begins_with_an_endpoint_or_a_handler_of_csharp(tmp_path: Path, code: str, first: str) -> None:
    def calling(count: int) -> str:
        return "".join(f"        Step{at}.Run(x);\n" for at in range(count))

    tree = {
        f"src/Step{at}.cs": f"static class Step{at}\n{{\n    public static void Run(int x)\n    {{\n        x++;\n    }}\n}}\n"
        for at in range(9)
    }
    tree["src/Shop.cs"] = f"public class Shop\n{{\n    public void Open(int x)\n    {{\n{calling(5)}    }}\n}}\n"
    tree["README.md"] = "# Shop\n\nCall `Open(1)`.\n"
    tree["src/Desk.cs"] = f"{code}    public static void Sell(int x)\n    {{\n{calling(9)}    }}\n}}\n"
    assert next(iter(told(tmp_path, tree))) == first
