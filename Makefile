# make demo    sets up .venv, installs clustcmp into it and compares the examples
# make test    sets up .venv and runs the tests
# make check   what must hold before a commit: format, lint, types, tests
# make bench   speed and memory as ratios against other programs
# make fuzz    tries arbitrary files, settings and commands for SECONDS (60)
# make mutants small random changes of the code, and whether a test notices them: COUNT=40 SEED=0
# make docs    writes the JSON schemas and the generated parts of the README anew
# make papers  the numbers and claims of the papers behind the metrics, beside ours

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: setup demo test check lint bench fuzz mutants docs papers clean

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("clustcmp needs Python 3.11 or newer") if sys.version_info < (3, 11) else 0'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $(READY)

demo: setup
	cd examples && ../$(BIN)/clustcmp compare a.csv b.csv --metric cdistance
	$(BIN)/clustcmp compare examples/iris_species.csv examples/iris_kmeans_good.csv
	$(BIN)/clustcmp compare examples/iris_species.csv examples/iris_kmeans_bad.csv --coordinates examples/iris.csv -m transport -m adco
	$(BIN)/clustcmp compare examples/iris_soft.csv examples/iris_soft_pc.csv
	$(BIN)/clustcmp compare examples/entities/truth.csv examples/entities/found.csv -m pair_f1 -m bcubed_f1
	$(BIN)/clustcmp changes examples/iris_species.csv examples/iris_kmeans_bad.csv --coordinates examples/iris.csv
	$(BIN)/clustcmp matrix examples/iris_species.csv examples/iris_kmeans_good.csv examples/iris_kmeans_bad.csv -m ari
	$(BIN)/clustcmp stability examples/iris.csv --algorithm kmeans --k 2:5 --samples 20 --seed 1
	$(BIN)/clustcmp track examples/windows/sample[1-5].csv --coordinates examples/iris.csv
	$(BIN)/clustcmp gate --config examples/gates.toml --all

test: setup
	$(BIN)/python -m pytest

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

check: lint test

bench: setup
	$(BIN)/python -m tests.bench

fuzz: setup
	$(BIN)/python -m tests.fuzz --seconds $(or $(SECONDS),60)

mutants: setup
	$(BIN)/python -m tests.mutants --count $(or $(COUNT),40) --seed $(or $(SEED),0)

docs: setup
	$(BIN)/python -m tests.docs

papers: setup
	$(BIN)/python -m examples.papers

clean:
	rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
