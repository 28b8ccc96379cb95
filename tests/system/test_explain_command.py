"""`nmt explain`: a page that is well-formed, whole, right in its numbers, and proof against its own input."""

import json
import math
import re
import shutil
from pathlib import Path

import pytest

from nmt.checkpoint import load_model
from nmt.commands import explain as command
from nmt.commands.explain import _steps, explain
from nmt.decoding.alignment import AlignmentHeads
from nmt.decoding.scoring import Scored, score
from nmt.decoding.translation import Token, Translation
from nmt.decoding.translator import Translator
from nmt.pages.explain import Explanation, Heat, Step, Word, page
from nmt.text.tokenizer import EOS_ID
from tests.decoding.test_alignment import align
from tests.pages.reading import Page
from tests.system.conftest import MODEL, nmt

TEXTS = ("un chat mange", "deux chiens rouge dort là")
HOSTILE = "<script>alert(1)</script> \"q' & &amp; שלום עולם 😀 </td></table> {x} %s"


def explained(folder: Path, *texts: str, model: Path = MODEL) -> tuple[Page, str]:
    ended = nmt("explain", "-m", model, "--threads", "1", *texts, "-o", folder / "page.html", "--overwrite")
    assert (ended.code, ended.out, ended.err) == (0, f"{folder / 'page.html'}\n", "")
    text = (folder / "page.html").read_text(encoding="utf-8")
    return Page(text), text


def test_the_page_holds_every_word_and_the_numbers_of_forced_decoding(tmp_path: Path) -> None:
    page, text = explained(tmp_path, *TEXTS)
    loaded = load_model(MODEL, "cpu")
    outputs = Translator.of(loaded).translate(list(TEXTS))
    per_sentence = len(page.tables) // 2
    for number, (source, output) in enumerate(zip(TEXTS, outputs, strict=True)):
        words, pieces, heat, *others = page.tables[number * per_sentence : (number + 1) * per_sentence]
        ids = loaded.target_tokenizer.encode(output)
        (scored,) = score([loaded.model], [loaded.source_tokenizer.encode(source)], [ids])
        assert [row[0] for row in words[1:]] == [*output.split(), "(end)"]
        assert [float(row[2]) for row in pieces[1:]] == pytest.approx(scored.log_probs, abs=1e-5)
        assert [float(row[1]) for row in pieces[1:]] == pytest.approx([math.exp(p) for p in scored.log_probs], rel=1e-3)
        assert math.fsum(float(row[2]) for row in words[1:]) == pytest.approx(scored.log_prob, abs=1e-4)
        told = re.findall(r"Log-probability (\S+), perplexity (\S+) a piece", text)[number]
        assert tuple(map(float, told)) == pytest.approx((scored.log_prob, scored.perplexity), abs=1e-4)
        for row in words[1:]:
            assert float(row[1]) == pytest.approx(math.exp(float(row[2])), rel=1e-3)
            assert len(row[3].split(" · ")) == 5
        for table in (heat, *others):
            assert table[0] == ["", *source.split(), "(end)"]
            assert [row[0] for row in table[1:]] == output.split()
            for row in table[1:]:
                assert math.fsum(map(float, row[1:])) == pytest.approx(1, abs=0.01)
        config = loaded.model.config
        assert len(others) == config.decoder_layers * (1 + config.num_heads)


def test_framed_cells_are_the_links_of_alignment(tmp_path: Path) -> None:
    page, _ = explained(tmp_path, TEXTS[1])
    loaded = load_model(MODEL, "cpu")
    ids = loaded.target_tokenizer.encode(Translator.of(loaded).translate([TEXTS[1]])[0])
    tokenizers = loaded.source_tokenizer, loaded.target_tokenizer
    heads = AlignmentHeads.default(loaded.model.config)
    (linked,) = align(loaded.model, *tokenizers, [TEXTS[1]], [ids], heads)
    cells = [attributes for attributes in page.of("td") if "--w" in (attributes.get("style") or "")]
    width = len(TEXTS[1].split()) + 1
    framed = [divmod(i, width) for i, cell in enumerate(cells) if cell["class"] == "n link"][: len(page.tables[2]) - 1]
    assert sorted((source, target) for target, source in framed) == linked


def test_the_page_stands_alone(tmp_path: Path) -> None:
    page, text = explained(tmp_path, *TEXTS)
    assert text.startswith("<!DOCTYPE html>")
    assert page.of("html") == [{"lang": "en"}]
    assert [h2["lang"] for h2 in page.of("h2")] == ["fr", "fr"]
    assert len(page.of("title")) == 1
    assert "prefers-color-scheme: dark" in text
    assert "width=device-width" in text
    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in page.tags}
    assert re.findall(r"https?:|url\(|@import|src=|href=| on\w+=", text) == []


def test_hostile_input_is_text(tmp_path: Path) -> None:
    for text in ("<script>alert(1)</script>", "\"q' & &amp; {x} %s", "שלום 😀", "</td></table>"):
        read, written = explained(tmp_path, text)
        assert read.of("script") == []
        assert "<script" not in written
        assert read.tables[2][0] == ["", *text.split(), "(end)"]
        assert text in read.text
        assert all(h2["dir"] == "auto" for h2 in read.of("h2"))


def test_a_hostile_model_is_no_better_off() -> None:
    """Pieces, words, languages and the model's name come from outside, too."""
    words = [Word(word, [Step(HOSTILE, -0.5, [(HOSTILE, -0.5)])]) for word in HOSTILE.split()]
    heat = Heat("all", [[0.5] * 2 for _ in words])
    end = Step("(end)", -0.1, [])
    found = page(
        [Explanation(["<b>", "&lt;"], words, end, -1.0, 2.0, heat, [(heat, [heat])])], '"><b>', "<b>", [HOSTILE]
    )
    read = Page(found)
    assert read.of("script") == read.of("b") == []
    assert [h2["lang"] for h2 in read.of("h2")] == ['"><b>']
    assert [row[0] for row in read.tables[0][1:]] == [*HOSTILE.split(), "(end)"]
    assert [row[0] for row in read.tables[1][1:]] == [HOSTILE] * len(words) + ["(end)"]
    assert read.tables[2][0] == ["", "<b>", "&lt;", "(end)"]
    assert read.text.count(HOSTILE) == len(words) + 1  # each piece, and the foot
    assert [span["title"] for span in read.of("span")] == ["p = 0.6065"] * len(words)


def test_an_existing_file_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert nmt("explain", "-m", MODEL, "un").out == "explain.html\n"
    before = Path("explain.html").read_bytes()
    ended = nmt("explain", "-m", MODEL, "deux")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "error: explain.html exists\n  try: --overwrite, or another --output\n"
    assert Path("explain.html").read_bytes() == before
    assert nmt("explain", "-m", MODEL, "deux", "--overwrite").code == 0
    assert Path("explain.html").read_bytes() != before


def test_an_empty_translation_is_a_page_too(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = load_model(MODEL, "cpu")
    nothing = Translation("", tokens=(Token("</s>", -1.0, EOS_ID),))
    monkeypatch.setattr(Translator, "translate_segments", lambda *_, **__: [nothing])
    (item,) = explain(loaded, ["un"], AlignmentHeads.default(loaded.model.config))
    assert item.words == []
    assert item.chosen.rows == []
    assert item.end.piece == "(end)"


def test_what_a_search_never_takes_is_no_alternative() -> None:
    tokenizer = load_model(MODEL, "cpu").target_tokenizer
    top = [(0, -0.1), (1, -0.2), (5, -0.3), *((token, -1.0) for token in range(270, 280))]
    (step,) = _steps(tokenizer, Scored([2], [-0.5], None, [top]))
    assert step.piece == "(end)"
    assert len(step.alternatives) == 5
    assert step.alternatives[0][1] == -1.0  # <s>, <pad> and a control byte are left out


def test_a_source_word_without_pieces_has_a_column_too(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = load_model(MODEL, "cpu")
    pieces = len(loaded.source_tokenizer.encode(TEXTS[0]))
    monkeypatch.setattr(command, "source_words", lambda *_: [0] * pieces)
    (item,) = explain(loaded, [TEXTS[0]], AlignmentHeads.default(loaded.model.config))
    assert all(row[1:] == [0.0, 0.0] for row in item.chosen.rows)


def test_heads_that_training_has_chosen_are_taken(tmp_path: Path) -> None:
    model = tmp_path / "model"
    shutil.copytree(MODEL, model)
    config = load_model(model, "cpu").model.config
    pages = {}
    for heads in (AlignmentHeads(((0, 1),), 1, "gold links", 0.2, 99), AlignmentHeads(((0, 1),)), None):
        told = {} if heads is None else {"alignment": heads.as_json()}
        (model / "calibration.json").write_text(json.dumps(told))
        pages[heads] = explained(tmp_path, TEXTS[0], model=model)[0]
    shifted, single, default = pages.values()
    assert shifted.tables[2] == shifted.tables[5]  # layer 1, head 2, after the mean and head 1
    assert "layer 1 heads 2, read at the step behind each piece; chosen by gold links" in "".join(shifted.text)
    assert single.tables[2] != shifted.tables[2]
    assert default.tables[2] == default.tables[3]  # the mean of the only layer
    assert config.decoder_layers == 1
