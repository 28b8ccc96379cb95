"""Tags from the configuration to the output: trained with, asked for on the command line, and never taken for text."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from nmt.corpus.starter.everyday import PAIRS
from nmt.decoding.translation import Request, Translation
from nmt.decoding.translator import Translator
from nmt.folders import find_model
from nmt.text.tokenizer import Tokenizer
from tests.system.conftest import MODEL, TINY, Ended, nmt


def write(folder: Path, name: str, begin: int, end: int, tag: str = "") -> Path:
    """A part of the corpus; the source lines begin with the tag."""
    for side, language in enumerate(("fr", "en")):
        front = tag if side == 0 else ""
        text = "".join(f"{front}{pair[side]}\n" for pair in PAIRS[begin:end])
        (folder / f"{name}.{language}").write_text(text, encoding="utf-8")
    return folder / name


@dataclass(frozen=True)
class Tagged:
    """A model that declares >>deu<< and >>fra<<, and what it was trained with."""

    folder: Path
    run: Path
    settings: tuple[str, ...]

    @property
    def lines(self) -> list[str]:
        return [source for source, _ in PAIRS[220:230]]

    def translate(self, *words: str | Path, lines: list[str] | None = None) -> Ended:
        text = "".join(f"{line}\n" for line in lines or self.lines)
        return nmt("translate", "-m", self.run, "-q", "--threads", "1", *words, stdin=text.encode())


@pytest.fixture(scope="module")
def tagged(tmp_path_factory: pytest.TempPathFactory) -> Tagged:
    folder = tmp_path_factory.mktemp("tagged")
    train = write(folder, "train", 0, 200, ">>fra<< ")
    settings = (f"data.train={train}", f"data.dev={write(folder, 'dev', 200, 210, '>>deu<< ')}", *TINY)
    settings = (*settings, "tokenizer.tags=[deu, fra]", "train.max_steps=3", "decode.guard=off")
    ended = nmt("train", *settings, "-o", folder / "run", "--threads", "1")
    assert ended.code == 0, ended.err
    return Tagged(folder, folder / "run", settings)


def test_a_trained_model_declares_its_tags_on_both_sides_of_a_shared_model(tagged: Tagged) -> None:
    model = find_model(tagged.run)
    source, target = (Tokenizer.load(model / f"{side}.spm") for side in ("source", "target"))
    assert list(source.tags) == ["deu", "fra"]
    assert set(source.tags.values()) < set(target.control_ids)
    assert "calibration.json" in {path.name for path in model.iterdir()}


def test_with_a_model_for_each_side_the_source_declares_them(tagged: Tagged, tmp_path: Path) -> None:
    words = ("tokenizer.shared=false", "model.tie_embeddings=target", "train.max_steps=1", "-o", tmp_path / "run")
    ended = nmt("train", *tagged.settings, *words)
    assert ended.code == 0, ended.err
    model = find_model(tmp_path / "run")
    assert list(Tokenizer.load(model / "source.spm").tags) == ["deu", "fra"]
    assert Tokenizer.load(model / "target.spm").tags == {}


def test_an_option_is_as_a_tag_in_front_of_each_line(tagged: Tagged) -> None:
    both = tagged.translate("--tag", "fra", "--tag", "deu", "--json")
    assert both.code == 0, both.err
    own = tagged.translate("--json", lines=[f">>fra<< >>deu<< {line}" for line in tagged.lines])
    found = [json.loads(line) for line in both.out.splitlines()]
    wanted = [json.loads(line) for line in own.out.splitlines()]
    assert [told["score"] for told in found] == [told["score"] for told in wanted]
    assert [told["source"] for told in found] == tagged.lines
    assert [told["source"] for told in wanted] == [f">>fra<< >>deu<< {line}" for line in tagged.lines]
    scores = [told["score"] for told in found]
    assert scores != [json.loads(line)["score"] for line in tagged.translate("--json").out.splitlines()]
    other = tagged.translate("--tag", "deu", "--tag", "fra", "--json")
    assert scores != [json.loads(line)["score"] for line in other.out.splitlines()]


def test_a_blank_line_stays_blank_with_tags(tagged: Tagged) -> None:
    ended = tagged.translate("--tag", "deu", lines=["", ">>fra<<", "un chat"])
    assert ended.out.splitlines()[:2] == ["", ""]


def test_a_tag_that_the_model_does_not_have_is_refused_before_any_work(tagged: Tagged, tmp_path: Path) -> None:
    """C10."""
    for words in (("translate", "un chat"), ("eval", "-s", tagged.folder / "dev.fr", "-r", tagged.folder / "dev.en")):
        ended = nmt(*words, "-m", tagged.run, "--tag", "xxx")
        assert (ended.code, ended.out) == (2, "")
        assert "the model has no tag >>xxx<<; it has >>deu<<, >>fra<<\n" in ended.err
        ended = nmt(*words, "-m", MODEL, "--tag", "deu")
        assert (ended.code, ended.out) == (2, "")
        assert "there is no tag >>deu<<: this model declares none" in ended.err
    text, output = tmp_path / "text", tmp_path / "output"
    text.write_text("un chat\n" * 1500 + ">>xxx<< un chat\n", encoding="utf-8")
    ended = nmt("translate", "-m", tagged.run, "-i", text, "-o", output)
    assert ended.code == 1
    assert "line 1501: the model has no tag >>xxx<<; it has >>deu<<, >>fra<<\n" in ended.err
    assert ">> xxx <<" in ended.err
    assert [path.name for path in tmp_path.iterdir()] == ["text"]
    ended = tagged.translate(lines=["un chat", ">>xxx<< un chat"])
    assert ended.code == 1
    assert "line 2: the model has no tag >>xxx<<" in ended.err


def test_without_declared_tags_they_are_text() -> None:
    ended = nmt("translate", "-m", MODEL, ">>deu<< un chat", ">>xxx<< un chat")
    assert ended.code == 0
    assert len(ended.out.splitlines()) == 2


def test_a_long_line_is_counted_with_the_tags_that_are_asked_for(tagged: Tagged, tmp_path: Path) -> None:
    tokenizer = Tokenizer.load(find_model(tagged.run) / "source.spm")
    words = ["chat"]
    while len(tokenizer.encode(" ".join([*words, "chat"]))) <= 47:
        words.append("chat")
    spare = 47 - len(tokenizer.encode(" ".join(words)))
    line = " ".join(words)
    (tmp_path / "text").write_text("un chat\n" * 1100 + f"{line}\n", encoding="utf-8")
    asked = ["--tag", "deu"] * (spare + 1)
    options = ("translate", "-m", tagged.run, "-i", tmp_path / "text", "-o", tmp_path / "output", "--long", "error")
    assert nmt(*options, *asked[2:]).code == 0
    (tmp_path / "output").unlink()
    ended = nmt(*options, *asked)
    assert ended.code == 1
    assert "line 1101 has 48 pieces; the model takes 47" in ended.err
    assert [path.name for path in tmp_path.iterdir()] == ["text"]  # before any work


def test_an_interrupted_translation_does_not_go_on_with_another_tag(tagged: Tagged, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("un chat\n" * 3, encoding="utf-8")
    words = ("translate", "-m", tagged.run, "-i", tmp_path / "text", "-o", tmp_path / "output")
    (tmp_path / "output.part").write_text("a cat\n", encoding="utf-8")
    (tmp_path / "output.part.json").write_text("{}", encoding="utf-8")
    ended = nmt(*words, "--tag", "deu", "--resume")
    assert ended.code == 2
    assert "was begun with another" in ended.err
    assert "tags" in ended.err


def test_eval_puts_tags_in_front(tagged: Tagged, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []
    translate = Translator.translate_segments

    def watch(self: Translator, segments: Sequence[Request], **options: Any) -> list[Translation]:
        seen.append([(request.text, request.tags) for request in segments])
        return translate(self, segments, **options)

    monkeypatch.setattr(Translator, "translate_segments", watch)
    plain = write(tmp_path, "plain", 200, 210)
    words = ("eval", "-m", tagged.run, "-q", "--json", "-r", tagged.folder / "dev.en")
    wanted = nmt(*words, "-s", tagged.folder / "dev.fr", "-o", tmp_path / "wanted")
    found = nmt(*words, "-s", f"{plain}.fr", "--tag", "deu", "-o", tmp_path / "found")
    assert (found.code, found.out) == (0, wanted.out)
    lines = [source for source, _ in PAIRS[200:210]]
    assert seen == [[(f">>deu<< {line}", ()) for line in lines], [(line, ("deu",)) for line in lines]]
    assert (tmp_path / "found").read_bytes() == (tmp_path / "wanted").read_bytes()
    ended = nmt("eval", "--hypotheses", tmp_path / "found", "-r", tagged.folder / "dev.en", "--tag", "deu")
    assert ended.code == 2
    assert "leave those options out" in ended.err


def test_score_takes_tags_of_the_source_alone(tagged: Tagged, tmp_path: Path) -> None:
    def scores(source: str, target: str = "a cat") -> list[float]:
        (tmp_path / "source").write_text(f"{source}\n", encoding="utf-8")
        (tmp_path / "target").write_text(f"{target}\n", encoding="utf-8")
        ended = nmt("score", "-m", tagged.run, "-s", tmp_path / "source", "-t", tmp_path / "target", "--json")
        if ended.code:
            assert "line 1: the model has no tag >>xxx<<" in ended.err
            return []
        told = json.loads(ended.out)
        return [told["log_prob"], len(told["tokens"])]

    assert scores(">>deu<< un chat") != scores("un chat")
    assert scores(">>deu<< un chat") == scores(">>deu<<un chat")
    assert scores("un chat", ">>deu<< a cat")[1] > scores("un chat")[1] + 1  # spelled as text
    assert scores("un chat", ">>xxx<< a cat")
    assert scores(">>xxx<< un chat") == []


def test_explain_shows_the_tag_beside_the_words(tagged: Tagged, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert nmt("explain", "-m", tagged.run, ">>deu<< un chat dort", "-o", page).code == 0
    text = page.read_text(encoding="utf-8")
    assert "&gt;&gt;deu&lt;&lt;" in text
    for words, told in ((">>deu<<", "text 1 is blank"), (">>xxx<< un chat", "text 1: the model has no tag >>xxx<<")):
        ended = nmt("explain", "-m", tagged.run, words, "-o", tmp_path / "none.html")
        assert ended.code == 1
        assert told in ended.err
    assert not (tmp_path / "none.html").exists()


def test_a_subword_model_with_tags_is_trained_shown_and_used(tagged: Tagged, tmp_path: Path) -> None:
    model = tmp_path / "own.spm"
    files = [tagged.folder / f"train.{language}" for language in ("fr", "en")]
    words = ("tokenizer", "train", *files, "-o", model, "--vocab-size", "400")
    assert nmt(*words, "--tag", "fra", "--tag", "syn-1").code == 0
    assert nmt("tokenizer", "encode", model, ">>syn-1<< >>fra<< le").out.split()[:2] == [">>syn-1<<", ">>fra<<"]
    ended = nmt("tokenizer", "encode", model, "le", ">>deu<< le")
    assert ended.code == 1
    assert "line 2: the model has no tag >>deu<<; it has >>fra<<, >>syn-1<<" in ended.err
    ended = nmt(*words, "--tag", "a b", "--overwrite")
    assert ended.code == 2
    assert "a tag's name is made of letters, digits, - and _, not 'a b'" in ended.err

    settings = (*tagged.settings, f"tokenizer.path={model}", f"data.dev={write(tmp_path, 'dev', 200, 210)}")
    ended = nmt("train", *settings, "train.max_steps=1", "-o", tmp_path / "run")
    assert ended.code == 2
    assert "names the tags deu, but the subword model declares fra, syn-1" in ended.err
    ended = nmt("train", *settings, "tokenizer.tags=[]", "train.max_steps=1", "-o", tmp_path / "run")
    assert ended.code == 0, ended.err
    assert list(Tokenizer.load(find_model(tmp_path / "run") / "source.spm").tags) == ["fra", "syn-1"]


@pytest.mark.parametrize(("part", "place"), [("train", "/train line 12"), ("dev", "error: dev pair 12")])
def test_an_unknown_tag_in_the_corpus_is_told_before_training(
    tagged: Tagged, tmp_path: Path, part: str, place: str
) -> None:
    wrong = write(tmp_path, part, 0, 30)
    lines = (tmp_path / f"{part}.fr").read_text(encoding="utf-8").splitlines()
    lines[11] = f">>xxx<< {lines[11]}"
    (tmp_path / f"{part}.fr").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    ended = nmt("train", *tagged.settings, f"data.{part}={wrong}", "-o", tmp_path / "run")
    assert ended.code == 1
    assert f"{place}: the model has no tag >>xxx<<; it has >>deu<<, >>fra<<" in ended.err
    assert not (tmp_path / "run" / "checkpoints").exists()


def test_dev_without_tags_is_told_where_all_of_train_has_some(tagged: Tagged, tmp_path: Path) -> None:
    place, dev = write(tmp_path, "train", 0, 60), tmp_path / "bare"
    for language in ("fr", "en"):
        lines = Path(f"{place}.{language}").read_text(encoding="utf-8").splitlines()[:5]
        text = "".join(f"{line.rpartition('<< ')[2]}\n" for line in lines)
        Path(f"{dev}.{language}").write_text(text, encoding="utf-8")
    train = f"data.train=[{{text: {dev}, tags: [deu]}}]"
    ended = nmt("train", *tagged.settings, train, f"data.dev={dev}", "-o", tmp_path / "run", "--dry-run")
    assert "all of data.train has tags, but 5 of 5 lines of data.dev have none in front" in ended.err
    assert "5 of 5 pairs of dev" in ended.err  # that it is in train is seen nevertheless


def test_tags_are_no_words_of_the_source(tagged: Tagged, tmp_path: Path) -> None:
    source, reference = tmp_path / "source", tmp_path / "reference"
    source.write_text(">>fra<< oui\n>>deu<< oui oui\n")
    reference.write_text("yes\nyes yes\n")
    ended = nmt("eval", "-m", tagged.run, "-s", source, "-r", reference, "--analyse", "--samples", "0", "--json")
    groups = {group["key"]: group["buckets"] for group in json.loads(ended.out)["analysis"]["groups"]}
    assert [bucket["name"] for bucket in groups["length"]] == ["1 word", "2 words"]
