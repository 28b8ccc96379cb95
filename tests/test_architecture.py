"""The house stays as `nmt/README.md` draws it: who may import whom, read out of the code itself."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import nmt

ROOT = Path(nmt.__file__).parent

# A room imports only rooms of a lower rank, or itself. `config` stands on `presets`, which is data alone.
RANKS = {
    "errors": 0,
    "presets": 0,
    "config": 1,
    "console": 1,
    "distributed": 1,
    "processes": 1,
    "runtime": 2,
    "model": 2,
    "text": 2,
    "folders": 2,
    "evaluation": 3,
    "corpus": 3,
    "checkpoint": 3,
    "decoding": 4,
    "records": 3,
    "history": 4,
    "analysis": 5,
    "training": 5,
    "export": 5,
    "server": 5,
    "pages": 6,
    "commands": 7,
    "cli": 8,
}
# The front doors hold a version, a lazy `load` and a call of `cli`: they open onto every room and belong to none.
DOORS = {"__init__", "__main__"}
PRINTERS = {"commands", "cli"}  # stdout carries results only
EVERYTHING = "utils", "util", "helpers", "helper", "misc", "common", "base"  # names that say nothing

FILES = {path.relative_to(ROOT).parts: path for path in sorted(ROOT.rglob("*.py"))}


def room_of(file: tuple[str, ...]) -> str:
    return file[0].removesuffix(".py")


def imports(source: str, package: tuple[str, ...] = ("nmt",)) -> Iterator[tuple[int, str]]:
    """(line, full name) of every import: at the top, inside functions, under TYPE_CHECKING, relative or not.

    package: where the source lies; relative imports start from there.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else ()
            # With the name that is taken: `from nmt import console` says its room only there.
            yield from (
                (node.lineno, ".".join((*start, *filter(None, [node.module]), alias.name))) for alias in node.names
            )


def upward_imports(source: str, file: tuple[str, ...]) -> list[str]:
    """What `file` (its path inside the package) imports that its room may not."""
    room = room_of(file)
    if room in DOORS:
        return []
    found = []
    for line, name in imports(source, ("nmt", *file[:-1])):
        top, *rest = name.split(".")
        if top != "nmt" or not rest or rest[0] in (room, "__version__"):
            continue
        if rest[0] not in RANKS or RANKS[rest[0]] >= RANKS[room]:
            found.append(f"{'/'.join(file)} line {line}: {room} imports {name}")
    return found


def test_every_file_has_a_room() -> None:
    assert {room_of(file) for file in FILES} - DOORS <= set(RANKS)


@pytest.mark.parametrize("file", FILES, ids="/".join)
def test_no_room_imports_upward(file: tuple[str, ...]) -> None:
    assert upward_imports(FILES[file].read_text(encoding="utf-8"), file) == []


@pytest.mark.parametrize(
    ("source", "file"),
    [
        ("import nmt.model.attention", ("text", "lines.py")),
        ("from nmt.model import Cache", ("text", "tokenizer.py")),
        ("from nmt import checkpoint", ("corpus", "reader.py")),
        ("from nmt import load", ("training", "run.py")),
        ("from ..decoding import search", ("corpus", "batch.py")),
        ("from .. import decoding", ("corpus", "batch.py")),
        ("from . import training", ("checkpoint.py",)),
        ("def f():\n    def g():\n        import nmt.cli", ("commands", "train.py")),
        ("if TYPE_CHECKING:\n    from nmt.training.run import Run", ("decoding", "search", "beam.py")),
        ("class A:\n    from nmt.config import Config", ("errors.py",)),
    ],
)
def test_the_check_itself_sees_every_kind_of_import(source: str, file: tuple[str, ...]) -> None:
    assert len(upward_imports(source, file)) == 1


def test_what_may_be_imported_passes_the_check() -> None:
    allowed = "import os\nimport nmt\nfrom nmt import __version__, console\nfrom . import cache\nfrom ..errors import E"
    assert upward_imports(allowed, ("model", "attention.py")) == []


def test_no_import_is_hidden_from_the_check() -> None:
    for file, path in FILES.items():
        source = path.read_text(encoding="utf-8")
        assert "__import__" not in source, file
        assert not [name for _, name in imports(source) if name.split(".")[0] == "importlib"], file


def test_no_file_is_named_for_everything() -> None:
    assert [path for file, path in FILES.items() if any(part.removesuffix(".py") in EVERYTHING for part in file)] == []


def test_only_the_commands_print() -> None:
    calls = [
        f"{'/'.join(file)} line {node.lineno}"
        for file, path in FILES.items()
        if room_of(file) not in PRINTERS
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert calls == []


@pytest.mark.parametrize(
    ("words", "absent"),
    [
        (["--help"], ["torch", "numpy", "nmt.config", "sentencepiece", "sacrebleu", "datasets"]),
        (["train", "--help"], ["torch", "numpy", "nmt.config"]),
        (["--version"], ["torch", "numpy"]),
        (["train", "--explain"], ["torch", "numpy"]),
    ],
    ids=" ".join,
)
def test_help_is_instant_as_it_imports_nothing_heavy(words: list[str], absent: list[str]) -> None:
    code = (
        "import atexit, json, sys; from nmt.cli import main; "
        "atexit.register(lambda: print('\\n' + json.dumps(list(sys.modules)))); "
        "sys.argv[1:] = json.loads(sys.argv[1]); "
        "main()"
    )
    command = [sys.executable, "-c", code, json.dumps(words)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = json.loads(result.stdout.splitlines()[-1])
    assert "nmt.cli" in loaded
    assert [name for name in absent if name in loaded] == []


def test_importing_nmt_is_instant_too() -> None:
    code = "import nmt, sys; assert callable(nmt.load); sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_scoring_a_file_does_without_torch(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("eins zwei drei vier\n")
    code = (
        "import sys, nmt.cli; sys.argv[1:] = ['eval', '--hypotheses', sys.argv[1], '--reference', sys.argv[1]]\n"
        "try: nmt.cli.main()\n"
        "except SystemExit as end: sys.exit(bool(end.code) or 'torch' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "a")], check=True, capture_output=True)
