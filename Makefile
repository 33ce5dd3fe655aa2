# make run    start the server at http://127.0.0.1:8000
# make test   lint and run all tests
# make quick  lint and run the fast tests
# make thorough  run what make test leaves out: second seeds, longer walks, more examples
#
# The environment in .venv is created once. It is updated when pyproject.toml, the pins or the browser libraries change.

PYTHON ?= python3
VENV ?= .venv
JOBS ?= 2
HOST ?= 127.0.0.1
PORT ?= 8000

BIN := $(VENV)/bin
PINS := requirements/ci.txt
MESSAGES := src/rulewright/web/locale/messages.pot
VENDOR := src/rulewright/web/static/vendor/versions.json
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint $(PINS)
RECIPE := pyproject.toml $(PINS) hatch_build.py tools/browser_libraries.json
# The build hook downloads the browser libraries. If they are missing, install again.
FORCED := $(if $(wildcard $(VENDOR)),,FORCE)

export PYTHON
# Keep bytecode files, whatever the shell says: otherwise every test process compiles a thousand files again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run test quick thorough lint explore bench mutate transcripts messages pictures pins docs release environment clean FORCE

help:
	@echo 'make run      start the server at http://$(HOST):$(PORT)'
	@echo 'make test     lint and run all tests'
	@echo 'make quick    lint and run the tests that are neither slow nor in a browser'
	@echo 'make thorough  run what make test leaves out: second seeds, longer walks, more examples'
	@echo 'make lint     run ruff, mypy and import-linter'
	@echo 'make explore  run the tests with new dice and new generated examples'
	@echo 'make bench    run the benchmarks'
	@echo 'make mutate   mutation testing: disable each rule, a test must fail'
	@echo 'make transcripts  rewrite the stored transcripts, rule results and random walks, for review'
	@echo 'make messages  extract the texts of the pages for translators'
	@echo 'make pictures  take the screenshots of the documents, in docs/pictures'
	@echo 'make docs     generate the reference pages and build the site in site/'
	@echo 'make pins     rewrite $(PINS)'
	@echo 'make release VERSION=x.y.z  check the version and the changelog, then tag the release'
	@echo 'make clean    remove build files (not $(VENV))'

run: $(VENV)/.installed-run
	@$(BIN)/rulewright serve --host $(HOST) --port $(PORT)

test: environment lint
	@tools/environment.sh test
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

quick: lint
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m 'not slow and not browser and not thorough' --hypothesis-profile=quick

thorough: environment
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m thorough

lint: environment
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/docs.py --check

explore: environment
	$(BIN)/python -m pytest -n $(JOBS) -m 'not browser' --hypothesis-profile=explore

bench: environment
	$(BIN)/python -m benchmarks

mutate: environment
	$(BIN)/python tools/mutate.py

transcripts: environment
	$(BIN)/python tools/transcripts.py
	$(BIN)/python tools/answers.py
	$(BIN)/python tools/walks.py

# A translation: pybabel init -i $(MESSAGES) -d src/rulewright/web/locale -l de, translate the .po file, then pybabel compile -d src/rulewright/web/locale
messages: environment
	$(BIN)/pybabel --quiet extract --mapping babel.cfg --add-location file --sort-by-file --no-wrap --omit-header --output $(MESSAGES) src/rulewright/web

# Screenshots need Chromium. The same tests check the pages without keeping the pictures.
pictures: environment
	@tools/environment.sh test
	RULEWRIGHT_PICTURES=1 $(BIN)/python -m pytest -q tests/web/test_browser.py tests/web/test_table_browser.py -k pictures

docs: environment
	$(BIN)/python tools/docs.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo 'The site is in site/index.html'

pins:
	@tools/environment.sh python
	@echo 'Resolving every extra in a clean environment'
	@tools/pins.sh
	@echo 'Wrote $(PINS)'

release:
	@tools/release.sh '$(VERSION)'

environment: $(VENV)/.installed-test

$(VENV)/.made:
	@tools/environment.sh python
	@echo 'Creating the environment in $(VENV)'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.installed-run: $(VENV)/.made $(RECIPE) $(FORCED)
	@echo 'Installing Rulewright and its dependencies'
	@$(INSTALL) -e '.[web,lab,charts,paper,pictures]'
	@touch $@

$(VENV)/.installed-test: $(VENV)/.made $(RECIPE) examples/sixth_game/pyproject.toml $(FORCED)
	@echo 'Installing Rulewright with all test dependencies, and the example game'
	@$(INSTALL) -e '.[all,test]'
	@$(INSTALL) --no-deps -e examples/sixth_game
	@touch $@ $(VENV)/.installed-run

clean:
	rm -rf dist build site .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks .import_linter_cache .schemathesis src/rulewright/web/static/vendor
	find src tests tools benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
