"""`nmt bench data`: its figures are complete and its text is always the same. No time is judged here."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import typer.main

from nmt.cli import app
from nmt.commands import bench_data, bench_text
from nmt.commands.bench_data import _growth, _measure
from nmt.commands.bench_text import write_pairs
from tests.system.conftest import nmt
from tests.system.test_cli import surface


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_text, "WORDS", 2000)
    monkeypatch.setattr(bench_text, "CHUNK", 500)
    monkeypatch.setattr(bench_data, "VOCAB_SIZE", 400)
    monkeypatch.setattr(bench_data, "STAGES", ("read", "split", "encode"))


def test_each_stage_is_measured_for_each_size(tmp_path: Path) -> None:
    ended = nmt("bench", "data", "--pairs", "300,100", "-o", tmp_path / "figures.jsonl")
    assert ended.code == 0
    assert (tmp_path / "figures.jsonl").read_text() == ended.out
    *rows, last = map(json.loads, ended.out.splitlines())
    stages = ["make", "read", "split", "encode"]
    assert [(row["pairs"], row["stage"]) for row in rows] == [(n, stage) for n in (100, 300) for stage in stages]
    for row in rows:
        assert "failed" not in row
        assert row["seconds"] > 0
        if row["stage"] != "make":
            assert row["pairs_per_second"] > 0
            assert row["processes"] == 1
            if sys.platform == "linux":
                assert 5 < row["peak_private_mib"] < row["peak_rss_mib"] < 500
    assert set(last) == {"growth_bytes_a_pair", "cores"}
    assert set(last["growth_bytes_a_pair"]) == {"read", "split", "encode"}
    assert "pairs/s" in ended.err
    assert "memory a further pair: read " in ended.err


def test_a_stage_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_data, "STAGES", ("nothing", "read"))
    ended = nmt("bench", "data", "--pairs", "100")
    assert ended.code == 0
    rows = [json.loads(line) for line in ended.out.splitlines()]
    assert rows[1]["failed"] == "KeyError: 'nothing'"
    assert rows[2]["seconds"] > 0
    assert "nothing   failed: KeyError: 'nothing'" in ended.err


def test_the_memory_of_children_counts() -> None:
    if sys.platform != "linux":
        pytest.skip("/proc is Linux's")
    inner = "import time; held = bytearray(b'x') * 60_000_000; time.sleep(0.3)"
    outer = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}])"
    found = _measure([sys.executable, "-c", outer], 10)
    assert found["processes"] == 2
    assert 57 < found["peak_private_mib"] < 120
    assert _measure([sys.executable, "-c", "raise SystemExit(1)"], 1)["seconds"] > 0
    assert _measure([sys.executable, "-c", "raise SystemExit(3)"], 1) == {"failed": "exit code 3"}


def test_growth_is_that_of_a_further_pair() -> None:
    rows = [
        {"pairs": n * 2**20, "stage": "split", "peak_private_mib": 10.0 + 24 * n, "processes": 1 + (n > 1)}
        for n in (1, 2, 4)
    ]
    assert _growth(rows) == {"split": 24}
    assert _growth(rows[:2]) == {}
    assert _growth(rows[:1]) == {}


@pytest.mark.parametrize("sizes", ["", "x", "100,", "99", "-5", "1e6"])
def test_sizes_are_numbers(sizes: str) -> None:
    ended = nmt("bench", "data", "--pairs", sizes)
    assert (ended.code, ended.out) == (2, "")
    assert f"--pairs {sizes}: sizes are whole numbers from 100" in ended.err


def test_the_text_is_always_the_same_and_like_text(tmp_path: Path) -> None:
    write_pairs(tmp_path / "one", 1200)
    write_pairs(tmp_path / "two", 1200)
    code = (
        "import sys, pathlib; from nmt.commands import bench_text\n"
        "bench_text.WORDS, bench_text.CHUNK = 2000, 500\n"
        "bench_text.write_pairs(pathlib.Path(sys.argv[1]), 1200)"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "three")], check=True)
    for language in ("en", "de"):
        texts = [(tmp_path / f"{name}.{language}").read_bytes() for name in ("one", "two", "three")]
        assert texts[0] == texts[1] == texts[2]
        lines = texts[0].decode().split("\n")[:-1]
        assert len(lines) == 1200
        often = Counter(" ".join(lines).lower().replace(".", "").split()).most_common()
        assert often[0][0] in ("the", "die")
        assert often[0][1] > 1.6 * often[1][1] > 2 * often[2][1] > 0  # Zipf
        assert 10 < len(Counter(lines)) < 1200
    assert any(line.isupper() for line in lines)
    assert "" in lines


@pytest.mark.parametrize("stage", ["stats", "check", "clean", "split"])
def test_a_stage_is_a_command_with_its_options(stage: str, tmp_path: Path) -> None:
    words = bench_data._command(stage, tmp_path / "corpus", 1000)
    assert words[:4] == [sys.executable, "-m", "nmt", "data"]
    assert words[4] == stage
    taken = surface(typer.main.get_command(app))[f"data {stage}"].split()
    assert [word for word in words[5:] if word.startswith("--") and word not in taken] == []
