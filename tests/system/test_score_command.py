"""`nmt score`: one line a pair, the numbers of forced decoding, blank lines and bad input."""

import json
import math
import os
import subprocess
from pathlib import Path

import pytest

from nmt.checkpoint import load_model
from nmt.commands import score as command
from nmt.decoding.scoring import Scored, score
from tests.system.conftest import MODEL, environment, nmt
from tests.system.conftest import command as process

PAIRS = [("un chat mange", "one cat eats"), ("deux", "two"), ("un  chien\tdort ", "one dog sleeps"), ("là", "<été>")]


def files(folder: Path, pairs: list[tuple[str, str]]) -> tuple[str | Path, ...]:
    for name, side in (("source", 0), ("target", 1)):
        (folder / name).write_text("".join(f"{pair[side]}\n" for pair in pairs), encoding="utf-8")
    return "score", "-m", MODEL, "--threads", "1", "--source", folder / "source", "--target", folder / "target"


def expected(pairs: list[tuple[str, str]]) -> list[Scored]:
    loaded = load_model(MODEL, "cpu")
    ids = [
        [tokenizer.encode(" ".join(pair[side].split())) for pair in pairs]
        for side, tokenizer in enumerate((loaded.source_tokenizer, loaded.target_tokenizer))
    ]
    return score([loaded.model], *ids)


def test_each_pair_has_its_log_probability_and_perplexity(tmp_path: Path) -> None:
    ended = nmt(*files(tmp_path, PAIRS))
    assert ended.code == 0
    rows = [tuple(map(float, line.split("\t"))) for line in ended.out.splitlines()]
    wanted = expected(PAIRS)
    assert rows == [pytest.approx((pair.log_prob, pair.perplexity), abs=2e-5, rel=1e-5) for pair in wanted]
    assert rows[0][0] > -1 > -5 > rows[3][0]  # what it has learned, and what nobody would say
    total, tokens = sum(pair.log_prob for pair in wanted), sum(len(pair.tokens) for pair in wanted)
    told = f"4 pairs, {tokens} target tokens: log-probability {total:.2f}, perplexity {math.exp(-total / tokens):.4f}"
    assert told in ended.err
    assert nmt(*files(tmp_path, PAIRS), "--quiet").err == ""


def test_json_tells_every_piece(tmp_path: Path) -> None:
    ended = nmt(*files(tmp_path, PAIRS), "--json")
    rows = [json.loads(line) for line in ended.out.splitlines()]
    tokenizer = load_model(MODEL, "cpu").target_tokenizer
    for row, pair, wanted in zip(rows, PAIRS, expected(PAIRS), strict=True):
        assert list(row) == ["log_prob", "perplexity", "tokens"]
        assert [token["piece"] for token in row["tokens"]] == [*tokenizer.pieces(tokenizer.encode(pair[1])), "</s>"]
        assert [token["log_prob"] for token in row["tokens"]] == pytest.approx(wanted.log_probs, abs=1e-5)
        assert row["log_prob"] == pytest.approx(math.fsum(token["log_prob"] for token in row["tokens"]))


def test_by_length_it_is_the_mean(tmp_path: Path) -> None:
    plain = nmt(*files(tmp_path, PAIRS), "--json")
    mean = nmt(*files(tmp_path, PAIRS), "--json", "--normalise", "length")
    for one, other in zip(map(json.loads, plain.out.splitlines()), map(json.loads, mean.out.splitlines()), strict=True):
        assert other["log_prob"] == pytest.approx(one["log_prob"] / len(one["tokens"]))
        assert other["perplexity"] == one["perplexity"] == pytest.approx(math.exp(-other["log_prob"]))


def test_one_in_one_out_whatever_the_batch_and_the_chunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [*PAIRS, ("", ""), ("un", ""), (" \u3000", "two"), *PAIRS[::-1]] * 3
    whole = [float(line.split("\t")[0]) for line in nmt(*files(tmp_path, pairs)).out.splitlines()]
    assert len(whole) == len(pairs)
    assert whole[: len(PAIRS)] == pytest.approx([pair.log_prob for pair in expected(PAIRS)], abs=1e-4)
    assert whole[4:7] == pytest.approx(
        [pair.log_prob for pair in expected([("", ""), ("un", ""), ("", "two")])], abs=1e-4
    )
    assert len(expected([("un", "")])[0].tokens) == 1  # of a blank target its end is scored
    monkeypatch.setattr(command, "CHUNK", 5)
    for budget in ("1", "40"):
        ended = nmt(*files(tmp_path, pairs), "--max-batch-tokens", budget)
        assert [float(line.split("\t")[0]) for line in ended.out.splitlines()] == pytest.approx(whole, abs=1e-4)


def test_no_lines_are_no_lines(tmp_path: Path) -> None:
    ended = nmt(*files(tmp_path, []))
    assert (ended.code, ended.out) == (0, "")


def test_a_file_appears_when_it_is_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = (*files(tmp_path, PAIRS), "-o", tmp_path / "out")
    plain = nmt(*files(tmp_path, PAIRS)).out
    ended = nmt(*words)
    assert (ended.code, ended.out) == (0, "")
    assert (tmp_path / "out").read_text() == plain
    (tmp_path / "out").unlink()

    def fail(*_: object, **__: object) -> None:
        raise OSError("no more power")

    monkeypatch.setattr(command, "score", fail)
    assert nmt(*words).code == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["source", "target"]


def test_files_of_different_lengths_are_told_with_both(tmp_path: Path) -> None:
    words = files(tmp_path, PAIRS)
    (tmp_path / "target").write_text("one\n")
    ended = nmt(*words)
    assert (ended.code, ended.out) == (1, "")
    assert "source has 4 lines, but" in ended.err
    assert "target has 1\n  try: give files of one length" in ended.err


@pytest.mark.parametrize(("pair", "side"), [(("un " * 99, "one"), "source"), (("un", "one " * 99), "target")])
def test_a_line_that_is_too_long_is_refused_before_any_work(
    pair: tuple[str, str], side: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "CHUNK", 2)
    ended = nmt(*files(tmp_path, [*PAIRS, pair]), "-o", tmp_path / "out")
    assert (ended.code, ended.out) == (1, "")
    assert f"error: line 5 has 99 {side} pieces; the model takes" in ended.err
    assert "  try: shorten it or leave it out" in ended.err
    assert not (tmp_path / "out").exists()


def test_what_is_read_is_never_overwritten(tmp_path: Path) -> None:
    ended = nmt(*files(tmp_path, PAIRS), "-o", tmp_path / "target")
    assert ended.code == 2
    assert "target is read and would be overwritten" in ended.err


def test_the_summary_counts_what_was_scored_when_the_reader_leaves(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    told = subprocess.run(
        process(*files(tmp_path, PAIRS * 5000)),
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        timeout=120,
    )
    os.close(write)
    assert (told.returncode, "Traceback" in told.stderr) == (0, False)
    assert "20,000 pairs" not in told.stderr
