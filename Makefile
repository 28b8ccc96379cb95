# Everything from a fresh clone: each target makes what it needs first.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
DEMO   := runs/demo
# Tests of one file share models that they train first.
ALL_CORES := -n auto --dist loadfile

.DEFAULT_GOAL := help
.PHONY: help install demo test test-slow check format schema bench clean

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

install: $(READY) ## make .venv with the pinned versions

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "nmt needs Python 3.11 or newer; set PYTHON=")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	touch $@

demo: $(READY) ## train on the starter corpus, translate, evaluate (minutes)
	@echo '$$ nmt train starter --output $(DEMO) --overwrite'
	@$(BIN)/nmt train starter --output $(DEMO) --overwrite
	@echo
	@echo '$$ nmt translate -m $(DEMO) "Je vais bien." "Comment allez-vous ?"'
	@$(BIN)/nmt translate --quiet --model $(DEMO) "Je vais bien." "Comment allez-vous ?"
	@echo
	@echo '$$ nmt eval -m $(DEMO)'
	@$(BIN)/nmt eval --model $(DEMO)
	@echo
	@echo 'The model is in $(DEMO). Next:'
	@echo '  $(BIN)/nmt translate -m $(DEMO) "Ma sœur ne mange jamais de fromage."'
	@echo '  $(BIN)/nmt train data.source_language=en data.target_language=de data.train=corpus/train data.dev=corpus/dev'

test: $(READY) ## the tests, in minutes
	$(BIN)/python -m pytest $(ALL_CORES)

test-slow: $(READY) ## the tests that take long, too
	$(BIN)/python -m pytest $(ALL_CORES) -m "slow or not slow"

check: $(READY) ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY) ## let ruff format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

schema: $(READY) ## write configs/schema.json anew, after a change of keys
	$(BIN)/python -c 'import json; from nmt.config import json_schema; print(json.dumps(json_schema(), indent=2))' > configs/schema.json

bench: $(READY) ## measure training and decoding; writes bench.json
	$(BIN)/python -m nmt bench --output bench.json

clean: ## remove what was built; runs/ stays
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
