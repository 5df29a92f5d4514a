# What a clean machine with Python >= 3.11, make and git can do:
#   make context   prints the context of this repository
#   make test      runs every check, and every test that does not take minutes; does not measure coverage, which takes as long again (scripts/check does)
#   make dist      builds the wheel and the source archive in dist/, and checks them
PYTHON ?= python3
VENV := .venv
# One more than there are processors, as some tests wait.
WORKERS = $(shell $(PYTHON) -c 'import os; print(1 + len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)))')
BUDGET ?= 8k
# The tests run the real llmlingua on the processor; this release of torch installs without CUDA where such a build is offered.
TORCH ?= torch==2.13.0

.PHONY: context test dist environment clean

context: $(VENV)/.runs
	@$(VENV)/bin/fractal-context pack . --budget $(BUDGET)

test: environment $(VENV)/.compresses
	@scripts/check --numprocesses $(WORKERS) --dist worksteal

dist: environment $(VENV)/.releases
	@scripts/dist

environment: $(VENV)/.installed

$(VENV)/.runs: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("fractal-context needs Python 3.11 or newer; run: make PYTHON=python3.12 ..." if sys.version_info < (3, 11) else 0)'
	@echo "Creating the environment in $(VENV) ..." >&2
	@$(PYTHON) -m venv $(VENV)
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --editable . >&2
	@touch $@

$(VENV)/.installed: $(VENV)/.runs
	@echo "Adding what developing takes ..." >&2
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]' >&2
	@touch $@

$(VENV)/.compresses: $(VENV)/.installed
	@echo "Adding torch and llmlingua ..." >&2
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[llmlingua]' '$(TORCH)' >&2
	@touch $@

$(VENV)/.releases: $(VENV)/.installed
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[release]' >&2
	@touch $@

clean:
	rm -rf $(VENV) dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache .coverage .coverage.* htmlcov
