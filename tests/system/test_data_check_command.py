"""`nmt data check`: its report, its exit codes, its JSON and its page."""

import json
from pathlib import Path

import pytest

from nmt.corpus.starter.everyday import PAIRS
from tests.corpus.planting import Pair, write
from tests.system.conftest import nmt, snapshot
from tests.system.test_explain_command import Page

LANGUAGES = ("fr", "en")
HOSTILE = "<script>alert(1)</script> \"q' & &amp; שלום עולם 😀 </td></table> {x} %s"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three hundred honest pairs but for a blank one, a copied one, and hostile ones; and ten to validate on."""
    folder = tmp_path_factory.mktemp("corpus")
    pairs: list[Pair] = [(pair[0], pair[1]) for pair in PAIRS[:300]]
    pairs[9] = "", pairs[9][1]
    pairs[19] = HOSTILE, "\x1b[31mred\x1b[0m " + HOSTILE + " 1234567"
    pairs[29] = pairs[28][0] + " \u202e", pairs[28][1]
    pairs[39] = pairs[38]
    write(folder, "dev", [*[(pair[0], pair[1]) for pair in PAIRS[300:309]], pairs[0]], LANGUAGES)
    return write(folder, "train", pairs, LANGUAGES)


def check(*words: str | Path):
    return nmt("data", "check", *words, "--languages", *LANGUAGES, "--no-vocab")


def test_the_report_says_what_where_and_what_to_do(place: Path) -> None:
    ended = check(place, "--dev", place.with_name("dev"))
    assert ended.err == ""
    rows = ended.out.split("\n")
    assert rows[0] == f"{place}: 300 pairs; 299 of these differ; dev: 10 pairs"
    assert rows[1].startswith("  source (fr): ")
    blank = rows.index("WARNING blank: 1 of 300 pairs (0.33 %)")
    assert rows[blank + 1 : blank + 6] == [
        "  one side is blank, or both: training leaves these pairs out",
        "    line 10: the source is blank",
        "      (blank)",
        f"      {PAIRS[9][1]}",
        f"  try: nmt data clean {place} --languages fr en -o cleaned --against {place.with_name('dev')}",
    ]
    overlap = rows.index("ERROR overlap: 1 of 10 pairs of dev (10.0 %)")
    assert rows[overlap + 2] == "    line 10: in train: line 1"
    assert "INFO duplicate: 1 of 300 pairs (0.33 %)" in rows
    assert rows[-2].startswith("1 error, ")
    assert not {"\x1b", "\u202e"} & set(ended.out)  # nothing that a terminal obeys
    assert ended.code == 1


def test_exit_codes(place: Path, tmp_path: Path) -> None:
    assert check(place).code == 0
    assert check(place, "--strict").code == 1
    honest = write(tmp_path, "honest", [(pair[0], pair[1]) for pair in PAIRS[:100]], LANGUAGES)
    ended = check(honest, "--strict")
    assert (ended.code, ended.out.split("\n")[-2:]) == (0, ["0 errors, 0 warnings, 0 notes", ""])
    missing = nmt("data", "check", tmp_path / "none", "--languages", *LANGUAGES)
    assert (missing.code, missing.out) == (1, "")
    assert "there is no parallel text at" in missing.err
    both = check(place, "--all", "--sample", "2000")
    assert both.code == 2
    assert "exclude each other" in both.err


def test_two_files_of_unequal_length(place: Path, tmp_path: Path) -> None:
    (tmp_path / "short.en").write_bytes(b"".join(Path(f"{place}.en").read_bytes().splitlines(True)[:200]))
    ended = check(f"{place}.fr", tmp_path / "short.en")
    assert ended.code == 1
    assert "ERROR line_mismatch: 100 of 300 lines (33.3 %)" in ended.out
    assert f"  {place}.fr has 300 lines but {tmp_path / 'short.en'} has 200" in ended.out


def test_json_has_the_same_facts(place: Path) -> None:
    ended = check(place, "--json")
    told = json.loads(ended.out)
    assert (told["pairs"], told["looked_at"], told["distinct_pairs"]) == (300, 300, 299)
    found = {finding["name"]: finding for finding in told["findings"]}
    assert found["blank"]["examples"] == [
        {"line": 10, "source": "", "target": PAIRS[9][1], "detail": "the source is blank", "where": ""}
    ]
    assert found["blank"]["remedy"] == f"nmt data clean {place} --languages fr en -o cleaned"
    text = check(place).out
    assert [line.split()[1].rstrip(":") for line in text.split("\n") if line[:4] in ("INFO", "WARN", "ERRO")] == list(
        found
    )
    assert sum(told["source"]["lengths"]) == 300


def test_the_page_is_whole_and_proof_against_its_input(place: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    before = snapshot(place.parent)
    ended = nmt("data", "check", place, "--languages", *LANGUAGES, "--html", page)
    assert (ended.code, ended.err) == (0, f"page: {page}\n"), ended.out
    text = page.read_text(encoding="utf-8")
    parsed = Page(text)
    assert "<script" not in text
    assert "http" not in text.replace("http-equiv", "")
    assert "default-src 'none'" in text
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text
    shown = "".join(parsed.text)
    assert "alert(1)" in shown
    assert "\x1b" not in text
    for name in ("blank", "duplicate"):
        assert f": {name}" in shown
    assert len(parsed.of("svg")) == 3
    bars = [tag for tag in parsed.of("rect") if tag.get("class", "").startswith("source")]
    assert bars
    cells = [row for table in parsed.tables for row in table if row[0].startswith("source (fr)")]
    assert cells[0][1] == f"{json.loads(check(place, '--json').out)['source']['words']:,}"
    assert "recommended" in shown
    assert snapshot(place.parent) == before


def test_nothing_is_overwritten(place: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("mine")
    ended = check(place, "--html", page)
    assert (ended.code, ended.out, page.read_text()) == (2, "", "mine")
    assert "page.html exists" in ended.err
    before = snapshot(place.parent)
    ended = check(place, "--html", f"{place}.fr", "--overwrite")
    assert ended.code == 2
    assert "would be overwritten" in ended.err
    assert snapshot(place.parent) == before
    assert check(place, "--html", page, "--overwrite").code == 0
    assert page.read_text().startswith("<!DOCTYPE html>")


def test_an_order_of_processes_changes_nothing(place: Path) -> None:
    assert check(place, "--workers", "2").out == check(place, "--workers", "1").out
