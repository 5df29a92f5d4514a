"""The begin of the main flow, and the choice among many calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.allocator.test_calls import told

if TYPE_CHECKING:
    from pathlib import Path

MANIFEST = '[project]\nname = "shop"\n[project.scripts]\nshop = "shop.__main__:main"\n'
_STEPS = "import sys\n\n\ndef main(given=None):\n" + "".join(f"    do_step_{number}(given)\n" for number in range(12))
WORKER = _STEPS + "".join(f"\n\ndef do_step_{number}(given):\n    return given + {number}\n" for number in range(12))


def test_it_begins_where_the_manifest_says_also_through_an_import(tmp_path: Path) -> None:
    tree = {
        "pyproject.toml": MANIFEST,
        "shop/__init__.py": "",
        "shop/__main__.py": "from desk.cli import main\n\nmain()\n",
        "desk/__init__.py": "",
        "desk/cli.py": (
            "from desk.orders import read_orders, ship_orders\n\n\ndef main():\n    ship_orders(read_orders())\n"
        ),
        "desk/orders.py": (
            "def read_orders():\n    return open_rows(1)\n\n\ndef open_rows(x):\n    return x\n\n\n"
            "def ship_orders(rows):\n    return pack_rows(rows)\n\n\ndef pack_rows(rows):\n    return rows\n"
        ),
        "desk/worker.py": WORKER,
    }
    flow = told(tmp_path, tree)
    assert next(iter(flow)) == "desk/cli.py::main"
    assert flow["desk/cli.py::main"] == ["ship_orders", "read_orders"]
    assert flow["read_orders"] == ["open_rows"]


def test_a_function_written_for_each_system_is_called_as_one(tmp_path: Path) -> None:
    cycle = "#include <app.h>\n\nvoid app_worker_cycle(int x)\n{\n    app_%s_wait(x);\n}\n\nvoid app_%s_wait(int x)\n{\n    x++;\n}\n"
    tree = {
        "src/app.h": "void app_worker_cycle(int x);\n",
        "src/main.c": "#include <app.h>\n\nint main(void)\n{\n    app_worker_cycle(1);\n    return 0;\n}\n",
        "src/os/unix/app_cycle.c": cycle % ("unix", "unix"),
        "src/os/win32/app_cycle.c": cycle % ("win", "win"),
    }
    assert told(tmp_path, tree)["main"] == ["app_worker_cycle"]


def test_of_many_calls_those_are_told_that_lead_on_and_not_the_largest(tmp_path: Path) -> None:
    large = "".join(
        f"def show_part_{number}(x):\n" + "".join(f"    x = x + {line}\n" for line in range(40)) + "    return x\n\n\n"
        for number in range(5)
    )
    body = "".join(f"    show_part_{number}(1)\n" for number in range(5))
    tree = {
        "app/shown.py": large,
        "app/cli.py": (
            f"from app.shown import {', '.join(f'show_part_{number}' for number in range(5))}\n"
            f"from app.engine import run_engine\n\n\ndef main():\n{body}    run_engine(2)\n"
        ),
        "app/engine.py": "from app.store import open_store\n\n\ndef run_engine(x):\n    return open_store(x)\n",
        "app/store.py": "def open_store(x):\n    return read_rows(x)\n\n\ndef read_rows(x):\n    return x\n",
    }
    flow = told(tmp_path, tree)
    assert "run_engine" in flow["main"]
    assert flow["open_store"] == ["read_rows"]


def test_how_a_value_looks_and_what_a_package_keeps_to_itself_begin_no_flow(tmp_path: Path) -> None:
    calls = "".join(f"        self.show_{number}()\n" for number in range(6))
    shows = "".join(f"\n    def show_{number}(self):\n        return {number}\n" for number in range(6))
    kept = "".join(f"def keep_{number}(x):\n    return keep_{number + 1}(x)\n\n\n" for number in range(6))
    tree = {
        "shop/__init__.py": "from shop.desk import Desk\n",
        "shop/desk.py": (
            f"class Desk:\n    def __str__(self):\n{calls}{shows}\n    def take_order(self, row):\n"
            "        return self.write_row(row)\n\n    def write_row(self, row):\n        return row\n"
        ),
        "shop/_internal/keeping.py": f"from shop.desk import Desk\n\n\n{kept}def keep_6(x):\n    return Desk()\n",
    }
    assert told(tmp_path, tree) == {"Desk.take_order": ["Desk.write_row"]}
