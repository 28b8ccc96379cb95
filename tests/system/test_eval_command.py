"""`nmt eval`: numbers that can be compared."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nmt import evaluation, folders, history
from nmt.corpus import starter
from tests.system.conftest import MODEL, Trained, nmt, snapshot

HYPOTHESES = ["The cat sat on the mat.", "It rains today in the valley.", "He bought three red apples."]
REFERENCES = ["The cat sat on the mat.", "It is raining in the valley today.", "He purchased three red apples."]
EXPECTED = json.loads(MODEL.with_suffix(".json").read_text(encoding="utf-8"))


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def files(tmp_path: Path) -> tuple[str | Path, ...]:
    """The options that score HYPOTHESES against REFERENCES."""
    return "--hypotheses", write(tmp_path / "hyp", HYPOTHESES), "--reference", write(tmp_path / "ref", REFERENCES)


def test_translations_are_scored_without_a_model(files: tuple[str | Path, ...]) -> None:
    ended = nmt("eval", *files)
    assert (ended.code, ended.err) == (0, "")
    *scores, last = ended.out.splitlines()
    assert [score.split()[:2] for score in scores] == [
        ["BLEU", "59.32"], ["chrF2", "66.43"], ["chrF2++", "68.37"], ["TER", "27.78"], ["exact", "33.33"]
    ]  # fmt: skip
    drawn = "nrefs:1|bs:1000|seed:12345|case:mixed"
    assert scores[0] == f"BLEU      59.32  [19.15, 100.00]   {drawn}|eff:no|tok:13a|smooth:exp|version:2.6.0"
    assert last == "3 lines; in brackets: 95 % intervals, by bootstrap resampling"


def test_intervals_are_left_out_when_nothing_is_drawn(files: tuple[str | Path, ...]) -> None:
    ended = nmt("eval", *files, "--samples", "0")
    assert ended.out.splitlines()[0] == "BLEU      59.32  nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
    assert ended.out.splitlines()[-1] == "3 lines"
    assert "bs:500|" in nmt("eval", *files, "--samples", "500").out
    refused = nmt("eval", *files, "--samples", "39")
    assert (refused.code, refused.out) == (2, "")
    assert "--samples 39 is too few for an interval" in refused.err


def test_json_is_one_object_with_a_signature_for_each_score(files: tuple[str | Path, ...]) -> None:
    ended = nmt("eval", *files, "--json")
    assert len(ended.out.splitlines()) == 1
    found = json.loads(ended.out)
    assert list(found) == ["bleu", "chrf", "chrf++", "ter", "exact", "lines"]
    assert found.pop("lines") == 3
    for score in found.values():
        assert list(score) == ["score", "low", "high", "signature"]
        assert score["low"] <= score["score"] <= score["high"]
        assert score["signature"].startswith("nrefs:1|bs:1000|seed:12345|case:")
    assert found["bleu"]["score"] == pytest.approx(59.32211983300508, abs=1e-8)


def test_options_reach_the_metrics(files: tuple[str | Path, ...], tmp_path: Path) -> None:
    upper = write(tmp_path / "upper", [line.upper() for line in REFERENCES])
    lowered = nmt("eval", *files[:2], "-r", upper, "--lowercase", "--json")
    assert json.loads(lowered.out)["bleu"]["score"] == pytest.approx(59.32, abs=0.005)
    assert "case:lc" in json.loads(lowered.out)["bleu"]["signature"]
    both = json.loads(nmt("eval", *files, "-r", write(tmp_path / "other", HYPOTHESES), "--json").out)
    assert both["bleu"]["score"] == 100
    assert both["bleu"]["signature"].startswith("nrefs:2|")
    assert "tok:zh" in nmt("eval", *files, "--language", "zh").out


def test_files_of_unequal_length_are_refused(files: tuple[str | Path, ...], tmp_path: Path) -> None:
    short = write(tmp_path / "short", REFERENCES[:2])
    ended = nmt("eval", *files, "-r", short)
    assert (ended.code, ended.out) == (1, "")
    assert "3 hypotheses but 3 and 2 references" in ended.err
    source = write(tmp_path / "source", ["un", "deux", "trois"])
    ended = nmt("eval", "-m", MODEL, "-s", source, "-r", short)
    assert (ended.code, ended.out) == (1, "")
    assert "3 source lines, but 2 reference lines" in ended.err


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    empty = write(tmp_path / "empty", [])
    for words in (("--hypotheses", empty, "-r", empty), ("-m", MODEL, "-s", empty, "-r", empty)):
        ended = nmt("eval", *words)
        assert (ended.code, ended.out) == (1, "")
        assert "there is nothing to score" in ended.err


def test_what_makes_scores_doubtful_is_told(tmp_path: Path) -> None:
    marked = write(tmp_path / "marked", ["▁The ▁cat", "x"])
    ended = nmt("eval", "--quiet", "--json", "--hypotheses", marked, "-r", write(tmp_path / "ref", ["The cat", "x"]))
    assert "warning: the hypotheses contain subword marks" in ended.err
    assert json.loads(ended.out)["lines"] == 2


def test_a_model_is_scored_on_files(tmp_path: Path) -> None:
    source = write(tmp_path / "source", [row["source"] for row in EXPECTED])
    reference = write(tmp_path / "reference", [row["translation"] for row in EXPECTED])
    words = ("eval", "-m", MODEL, "--threads", "1", "-s", source, "-r", reference, "-o", tmp_path / "out")
    ended = nmt(*words)
    assert ended.code == 0
    assert ended.out.startswith("BLEU     100.00")
    assert f"model: {MODEL}, beam 3" in ended.err
    assert (tmp_path / "out").read_bytes() == reference.read_bytes()
    assert "beam 1" in nmt(*words, "--beam-size", "1").err
    assert "tok:13a" in ended.out
    assert "tok:zh" in nmt(*words, "--language", "zh").out
    assert nmt(*words, "--quiet").err == ""


def test_the_test_text_of_the_configuration_is_taken_when_none_is_named(trained: Trained, tmp_path: Path) -> None:
    words = ("eval", "-m", trained.run, "--threads", "1", "--json")
    own = nmt(*words, "-o", tmp_path / "out")
    assert (own.code, json.loads(own.out)["lines"]) == (0, 10)
    named = nmt(*words, "-s", trained.folder / "test.fr", "-r", trained.folder / "test.en")
    assert named.out == own.out
    assert len((tmp_path / "out").read_text(encoding="utf-8").split("\n")) == 11


def test_several_test_sets_are_scored_in_one_run(trained: Trained, tmp_path: Path) -> None:
    """Each as if it were alone; in the order they are named, the files last."""
    words = ("eval", "-m", trained.run, "--threads", "1")
    tests = ("--test", trained.folder / "dev", "--test", trained.folder / "test")
    alone = [json.loads(nmt(*words, *tests[place : place + 2], "--json").out) for place in (0, 2)]
    ended = nmt(
        *words, *tests, "-s", trained.folder / "dev.fr", "-r", trained.folder / "dev.en", "--json", "-o", tmp_path
    )
    found = [json.loads(line) for line in ended.out.splitlines()]
    assert [one.pop("test") for one in found] == [str(trained.folder / "dev"), "test", str(trained.folder / "dev.fr")]
    assert found == [*alone, alone[0]]
    told = nmt(*words, *tests, "-o", tmp_path / "new" / "out")
    assert (told.code, ended.code) == (0, 0)
    assert [told.out.split("\n\n")[place].split("\n")[0] for place in (0, 1)] == ["dev", "test"]
    for name in ("dev", "test"):
        assert nmt(*words, *tests[:2] if name == "dev" else tests[2:], "-o", tmp_path / "one").code == 0
        assert (tmp_path / "new" / "out" / f"{name}.en").read_bytes() == (tmp_path / "one").read_bytes()


def test_translations_never_take_the_place_of_what_is_read(trained: Trained, tmp_path: Path) -> None:
    for name in ("one", "two"):
        for language in ("fr", "en"):
            shutil.copy(trained.folder / f"test.{language}", tmp_path / f"{name}.{language}")
    words = ("eval", "-m", trained.run, "--threads", "1", "-o")
    one, two = ("--test", tmp_path / "one"), ("--test", tmp_path / "two")
    before = snapshot(tmp_path) | snapshot(trained.folder)
    for options in (
        (tmp_path / "one.en", *one),
        (tmp_path / "one.fr", *one),
        (tmp_path, *one, *two),  # whose translations would be called one.en and two.en
        (trained.folder / "test.en",),  # of data.test
        (trained.folder, "--test", trained.folder / "test", *one),
        (tmp_path / "one.en", "-s", tmp_path / "one.fr", "-r", tmp_path / "one.en"),
    ):
        ended = nmt(*words, *options)
        assert (ended.code, ended.out) == (2, "")
        assert "is read and would be overwritten\n  try: another --output\n" in ended.err
    assert snapshot(tmp_path) | snapshot(trained.folder) == before


def test_no_two_test_sets_are_written_to_one_file(trained: Trained, tmp_path: Path) -> None:
    test = ("--test", trained.folder / "test")
    ended = nmt("eval", "-m", trained.run, "--threads", "1", "-o", tmp_path / "out", *test, *test)
    assert ended.code == 2
    assert "error: two test sets would be written to " in ended.err
    assert not (tmp_path / "out").exists()


def test_a_list_in_the_configuration_is_several_test_sets(trained: Trained, tmp_path: Path) -> None:
    model = tmp_path / "model"
    shutil.copytree(folders.checkpoints(trained.run)[-1], model)
    config = (model / "config.yaml").read_text(encoding="utf-8")
    (line,) = (line for line in config.splitlines() if line.startswith("  test: "))
    places = f"  test: [{{text: {trained.folder / 'dev'}}}, {{text: {trained.folder / 'test'}}}]"
    (model / "config.yaml").write_text(config.replace(line, places), encoding="utf-8")
    ended = nmt("eval", "-m", model, "--threads", "1", "--json")
    assert [json.loads(line)["test"] for line in ended.out.splitlines()] == ["dev", "test"]


def test_a_test_set_that_is_not_there_costs_no_translation(trained: Trained, tmp_path: Path) -> None:
    words = ("eval", "-m", trained.run, "--threads", "1", "--test", trained.folder / "dev", "--test", tmp_path / "none")
    ended = nmt(*words, "-o", tmp_path / "out")
    assert (ended.code, ended.out) == (1, "")
    assert str(tmp_path / "none") in ended.err
    assert not (tmp_path / "out").exists()


def test_the_score_seen_in_training_is_the_score_of_eval(tmp_path: Path) -> None:
    """Of a model that has learnt something: scores of 0 are all the same."""
    sources, translations = ([row[name] for row in EXPECTED] for name in ("source", "translation"))
    for part in ("train", "dev"):
        write(tmp_path / f"{part}.fr", sources)
        spoilt = [text.replace("the", "that", index % 2) for index, text in enumerate(translations)]
        write(tmp_path / f"{part}.en", spoilt)
    settings = (f"train.init_from={MODEL}", "train.max_steps=4", "train.validate_every=2", "train.warmup_steps=1")
    rate = "train.learning_rate=0.03"
    texts = (rate, f"data.train={tmp_path / 'train'}", f"data.dev={tmp_path / 'dev'}", "train.keep_last=9")
    ended = nmt("train", *texts, *settings, "-o", tmp_path / "run", "--threads", "1")
    assert ended.code == 0, ended.err
    found = []
    for folder in folders.checkpoints(tmp_path / "run"):
        facts = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        own = json.loads(nmt("eval", "-m", folder, "--test", tmp_path / "dev", "--json", "--threads", "1").out)
        assert own["bleu"]["score"] == pytest.approx(facts["dev_bleu"], abs=1e-4)
        assert own["chrf"]["score"] == pytest.approx(facts["dev_chrf"], abs=1e-4)
        found.append(facts["dev_chrf"])
    assert len(set(found)) == 2
    assert min(found) > 20


def test_the_score_of_eval_is_that_of_translate_and_sacrebleu(tmp_path: Path) -> None:
    """sacreBLEU as a program of its own, on what `nmt translate` writes."""
    source = write(tmp_path / "source", [row["source"] for row in EXPECTED])
    spoilt = [row["translation"].replace("the", "that", index % 2) for index, row in enumerate(EXPECTED)]
    reference = write(tmp_path / "reference", spoilt)
    words = ("-m", MODEL, "--threads", "1")
    found = json.loads(nmt("eval", *words, "-s", source, "-r", reference, "--json", "--samples", "0").out)
    translated = nmt("translate", *words, "--input", source)
    for key, metric in (("bleu", "bleu"), ("chrf", "chrf"), ("chrf++", "chrf"), ("ter", "ter")):
        order = ("--chrf-word-order", "2") if key == "chrf++" else ()
        program = [sys.executable, "-m", "sacrebleu", reference, "-m", metric, *order, "-w", "10", "--force"]
        ended = subprocess.run(program, input=translated.out.encode(), capture_output=True, timeout=60, check=True)
        expected = json.loads(ended.stdout)
        assert found[key]["score"] == pytest.approx(expected["score"], abs=1e-9)
        assert found[key]["signature"] == expected["signature"]
        assert 1 < expected["score"] < 99


def test_the_built_in_test_set_is_told_in_halves_and_beside_a_dictionary(tmp_path: Path) -> None:
    model = shutil.copytree(MODEL, tmp_path / "model")
    config = (model / "config.yaml").read_text(encoding="utf-8").replace("pairs.tsv", "starter")
    (model / "config.yaml").write_text(config.replace("20000", "2000"), encoding="utf-8")
    words = ("eval", "-m", model, "--beam-size", "1", "--threads", "1", "--output", tmp_path / "out")
    whole = json.loads(nmt(*words, "--json").out)
    assert list(whole["parts"]) == ["plain", "novel", "dictionary"]
    corpus = starter.generate(2000)
    found = (tmp_path / "out").read_text(encoding="utf-8").split("\n")[:-1]
    for name, novel in (("plain", False), ("novel", True)):
        chosen = [index for index, pair in enumerate(corpus.test) if pair.novel == novel]
        pairs = [(found[index], corpus.test[index].target) for index in chosen]
        bleu = evaluation.evaluate([pair[0] for pair in pairs], [[pair[1] for pair in pairs]], "en")["bleu"]
        part = whole["parts"][name]
        assert (part["lines"], part["bleu"]) == (500, bleu.as_json())
        assert part["exact"]["score"] == pytest.approx(sum(left == right for left, right in pairs) / 5)
        assert part["bleu"]["signature"] == whole["bleu"]["signature"]
    assert 10 < whole["parts"]["dictionary"]["bleu"]["score"] < 50
    told = nmt(*words[:-2], "--quiet").out.splitlines()
    assert [line.split()[0] for line in told] == [
        "BLEU",
        "chrF2",
        "chrF2++",
        "TER",
        "exact",
        "1,000",
        "plain",
        "novel",
        "dictionary",
    ]
    # On files of one's own there is nothing of the kind.
    sources = write(tmp_path / "source", ["un chat"]), write(tmp_path / "reference", ["one cat"])
    assert "parts" not in json.loads(nmt(*words[:-2], "-s", sources[0], "-r", sources[1], "--json").out)


def test_scores_of_a_run_are_kept_in_it(trained: Trained, tmp_path: Path) -> None:
    """One entry a question; a model folder elsewhere, and several models, are left alone."""
    run = shutil.copytree(trained.run, tmp_path / "run")
    model = folders.find_model(run)
    (model / "scores.json").unlink(missing_ok=True)
    words = ("eval", "-m", run, "--threads", "1")
    found = json.loads(nmt(*words, "--json").out)
    (entry,) = history.read_scores(model)
    assert entry["results"] == {key: found[key] for key in ("bleu", "chrf", "chrf++", "ter", "exact")}
    assert (entry["test"], entry["lines"], entry["decode"]) == ("test", 10, {"beam_size": 1})
    assert entry["seconds"] > 0
    nmt(*words)
    assert len(history.read_scores(model)) == 1
    nmt(*words, "--samples", "0")
    assert "low" in history.read_scores(model)[0]["results"]["bleu"]  # no interval does not take its place
    nmt(*words, "--language", "en")  # as it is anyway
    for others in (("--beam-size", "2"), ("--lowercase",), ("--test", trained.folder / "dev"), ("--language", "zh")):
        nmt(*words, *others)
    entries = history.read_scores(model)
    assert [one["language"] for one in entries] == [None, None, None, None, "zh"]
    assert "tok:zh" in entries[-1]["results"]["bleu"]["signature"]
    assert [one["decode"]["beam_size"] for one in entries] == [1, 2, 1, 1, 1]
    assert [one["lowercase"] for one in entries] == [False, False, True, False, False]
    assert [one["test"] for one in entries] == ["test", "test", "test", "dev", "test"]
    nmt(*words, "-m", folders.checkpoints(run)[0])
    assert history.read_scores(model) == entries
    alone = shutil.copytree(model, tmp_path / "alone")
    (alone / "scores.json").unlink()
    assert nmt("eval", "-m", alone, "--threads", "1").code == 0
    assert not (alone / "scores.json").exists()


def test_a_missing_word_splitter_costs_no_translation(
    trained: Trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sacrebleu.tokenizers.tokenizer_ja_mecab.MeCab", None)
    ended = nmt("eval", "-m", trained.run, "--language", "ja", "-o", tmp_path / "out")
    assert (ended.code, ended.out) == (1, "")
    assert "pip install 'nmtkit[ja]'" in ended.err
    assert not (tmp_path / "out").exists()
