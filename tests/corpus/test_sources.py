"""Which text a run learns from, and which it is judged by."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nmt.config import DataConfig
from nmt.corpus import sources
from nmt.corpus.reader import ParallelText
from nmt.corpus.sources import find_train_and_dev, read_dev, read_test, training_pairs
from nmt.corpus.starter import StarterCorpus, StarterPair
from nmt.errors import DataError
from tests.conftest import sentences


def write(folder: Path, name: str, source: list[str], target: list[str]) -> str:
    for language, lines in (("en", source), ("de", target)):
        (folder / f"{name}.{language}").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(folder / name)


def data(**keys: Any) -> DataConfig:
    return DataConfig.model_validate({"source_language": "en", "target_language": "de"} | keys)


def pairs_of(text: ParallelText) -> list[tuple[str, str]]:
    return list(zip(text.source, text.target, strict=True))


@pytest.fixture
def read_train_and_dev(tmp_path: Path) -> Callable[..., tuple[ParallelText, ParallelText]]:
    """The text that is learned from, and that to validate on."""

    def read(config: DataConfig, seed: int) -> tuple[ParallelText, ParallelText]:
        found = find_train_and_dev(config, seed, tmp_path / "scratch")
        pairs = list(training_pairs(found, 10**9))
        return ParallelText(found.name, [source for source, _ in pairs], [target for _, target in pairs]), found.dev

    return read


Reader = Callable[..., tuple[ParallelText, ParallelText]]

# Files


def test_train_is_cleaned_and_dev_stays_as_it_is_written(tmp_path: Path, read_train_and_dev: Reader) -> None:
    train = write(tmp_path, "train", ["a  b", "", "c"], ["x\t", "y", "z"])
    dev = write(tmp_path, "dev", ["d  e", "", "f "], ["", "y", "z"])
    learned, judged = read_train_and_dev(data(train=train, dev=dev), seed=1)
    assert pairs_of(learned) == [("a b", "x"), ("c", "z")]
    assert pairs_of(judged) == [("d  e", ""), ("", "y"), ("f ", "z")]


def test_dev_alone_is_the_same_dev(tmp_path: Path, read_train_and_dev: Reader) -> None:
    """Named or held out of train; a named one needs no train."""
    train = write(tmp_path, "train", [f"{index} a" for index in range(40)], [f"{index} b" for index in range(40)])
    assert read_dev(data(train=train), 3) == read_train_and_dev(data(train=train), 3)[1]
    dev = write(tmp_path, "dev", ["d  e"], ["y"])
    assert pairs_of(read_dev(data(train=str(tmp_path / "gone"), dev=dev), 1)) == [("d  e", "y")]


def test_the_test_text_is_the_one_named(tmp_path: Path) -> None:
    test = write(tmp_path, "test", ["a ", ""], ["b", "c"])
    found = read_test(data(train=str(tmp_path / "train"), test=test))
    assert found is not None
    assert pairs_of(found) == [("a ", "b"), ("", "c")]
    assert read_test(data(train=str(tmp_path / "train"))) is None


def test_an_empty_text_to_learn_from_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds no pair with text on both sides") as caught:
        find_train_and_dev(data(train=write(tmp_path, "train", [], [])), 1, tmp_path)
    assert "data.train" in caught.value.remedy


@pytest.mark.parametrize("part", ["dev", "test"])
def test_an_empty_text_to_be_judged_by_is_refused(part: str, tmp_path: Path, read_train_and_dev: Reader) -> None:
    train = write(tmp_path, "train", ["a"], ["b"])
    config = data(train=train, **{part: write(tmp_path, part, [], [])})
    with pytest.raises(DataError, match=f"{part} is empty") as caught:
        read_train_and_dev(config, seed=1) if part == "dev" else read_test(config)
    assert caught.value.remedy == f"check data.{part}"


# Held out


def test_dev_is_held_out_of_train_and_shares_no_sentence_with_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], read_train_and_dev: Reader
) -> None:
    source, target = sentences(400, 1), sentences(400, 2)
    source[50:90] = source[0:40]  # the same sentence with two translations
    target[150:190] = target[100:140]
    train = write(tmp_path, "train", source, target)
    learned, judged = read_train_and_dev(data(train=train), seed=1)
    assert len(judged) == 20
    assert not set(judged.source) & set(learned.source)
    assert not set(judged.target) & set(learned.target)
    assert set(pairs_of(judged)) | set(pairs_of(learned)) <= set(zip(source, target, strict=True))
    assert 300 < len(learned) <= 380
    # Each pair still knows its line.
    assert [(source[line - 1], target[line - 1]) for line in judged.lines] == pairs_of(judged)
    assert "20 pairs are held out of train" in capsys.readouterr().err
    assert "20 pairs held out of" in judged.name


def test_what_is_held_out_of_a_corpus_with_tags_shares_no_sentence_with_it(tmp_path: Path) -> None:
    """A source with two translations: its tag is no part of the sentence."""
    source = [f"the cat {i // 2}" for i in range(200)]
    train = [{"text": write(tmp_path, "train", source, sentences(200, 2)), "tags": ["web"]}]
    found = find_train_and_dev(data(train=train), 1, tmp_path / "scratch")
    held = {line.removeprefix(">>web<< ") for line in found.dev.source}
    assert all(line.startswith(">>web<< the cat ") for line in found.dev.source)
    assert not held & {source for source, _ in training_pairs(found, 10**9)}


def test_the_seed_decides_what_is_held_out(tmp_path: Path, read_train_and_dev: Reader) -> None:
    train = write(tmp_path, "train", sentences(300, 1), sentences(300, 2))
    first = read_train_and_dev(data(train=train), seed=1)[1].lines
    assert read_train_and_dev(data(train=train), seed=1)[1].lines == first
    assert read_train_and_dev(data(train=train), seed=2)[1].lines != first


def test_at_least_one_pair_and_at_most_the_limit_is_held_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read_train_and_dev: Reader
) -> None:
    few = write(tmp_path, "few", ["a", "b", "c"], ["x", "y", "z"])
    assert [len(text) for text in read_train_and_dev(data(train=few), seed=1)] == [2, 1]
    assert sources.HELD_OUT_MOST == 1000
    monkeypatch.setattr(sources, "HELD_OUT_MOST", 7)
    many = write(tmp_path, "many", [f"a {i}" for i in range(300)], [f"b {i}" for i in range(300)])
    assert [len(text) for text in read_train_and_dev(data(train=many), seed=1)] == [293, 7]


def test_nothing_can_be_held_out_of_one_pair(tmp_path: Path) -> None:
    train = write(tmp_path, "train", ["a 0"], ["x"])
    with pytest.raises(DataError, match="too few different pairs to hold some out") as caught:
        find_train_and_dev(data(train=train), 1, tmp_path)
    assert caught.value.remedy == "set data.dev"


def test_blank_pairs_are_not_held_out(tmp_path: Path, read_train_and_dev: Reader) -> None:
    train = write(tmp_path, "train", ["", " ", "a", "b", ""], ["x", "y", "z", "w", ""])
    learned, judged = read_train_and_dev(data(train=train), seed=1)
    assert sorted(pairs_of(learned) + pairs_of(judged)) == [("a", "z"), ("b", "w")]
    assert len(judged) == 1


# Several corpora


def test_pairs_are_held_out_of_all_corpora(tmp_path: Path, read_train_and_dev: Reader) -> None:
    """Tagged as those that are learned from."""
    one = write(tmp_path, "one", [f"o {i}" for i in range(200)], [f"p {i}" for i in range(200)])
    (tmp_path / "two.en").write_text("".join(f"q {i}\n" for i in range(200)))
    (tmp_path / "two.fr").write_text("".join(f"r {i}\n" for i in range(200)))
    two = {"text": str(tmp_path / "two"), "target_language": "fr", "tags": ["fra", "web"]}
    learned, judged = read_train_and_dev(data(train=[{"text": one}, two]), seed=1)
    assert (len(learned), len(judged)) == (380, 20)
    of_two = [source for source in judged.source if source.startswith(">>fra<< >>web<< q ")]
    assert 0 < len(of_two) < 20
    assert {source[0] for source in judged.source} == {"o", ">"}
    left = {source.removeprefix(">>fra<< >>web<< ") for source in judged.source}
    assert not left & set(learned.source)


def test_several_texts_are_judged_by_as_one_with_their_tags(tmp_path: Path) -> None:
    one = write(tmp_path, "one", ["a", ""], ["b", "c"])
    (tmp_path / "two.en").write_text("d\n")
    (tmp_path / "two.fr").write_text("e\n")
    several = [{"text": one, "tags": "deu"}, {"text": str(tmp_path / "two"), "target_language": "fr", "tags": ["fra"]}]
    for part in ("dev", "test"):
        config = data(train="unused", **{part: several})
        text = read_dev(config, 1) if part == "dev" else read_test(config)
        assert text is not None
        assert pairs_of(text) == [(">>deu<< a", "b"), (">>deu<< ", "c"), (">>fra<< d", "e")]
        assert (text.lines, text.unit) == ([1, 2, 3], "pair")
        assert text.name == f"{one} + {tmp_path / 'two'}"


def test_of_a_large_text_subwords_see_a_sample_from_all_over(tmp_path: Path) -> None:
    train = write(tmp_path, "train", [f"a {i}" for i in range(10_000)], [f"b {i}" for i in range(10_000)])
    found = find_train_and_dev(data(train=train, dev=write(tmp_path, "dev", ["x"], ["y"])), 1, tmp_path)
    pairs = list(training_pairs(found, 2000))
    assert 2000 <= len(pairs) <= 2000 + 256
    numbers = [int(source.split()[1]) for source, _ in pairs]
    assert numbers == sorted(set(numbers))
    assert min(numbers) < 2500
    assert max(numbers) > 7500
    assert list(training_pairs(found, 2000)) == pairs


# Data sets


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """hub(train=3, validation=2): a data set of the hub with so many pairs in its splits, and no network."""
    import datasets

    def fill(**sizes: int) -> None:
        splits = {
            split: datasets.Dataset.from_dict(
                {language: [f"{split} {language} {i}" for i in range(size)] for language in ("en", "de")}
            )
            for split, size in sizes.items()
        }

        def load(name: str, config: str | None, split: str | None = None) -> Any:
            assert name == "some/pairs"
            return splits if split is None else splits[split]

        monkeypatch.setattr(datasets, "load_dataset", load)

    return fill


def test_a_data_set_brings_its_own_validation_split(
    hub: Callable[..., None], capsys: pytest.CaptureFixture[str], read_train_and_dev: Reader
) -> None:
    hub(train=30, validation=4, test=2)
    train, dev = read_train_and_dev(data(train="hf:some/pairs"), seed=1)
    assert train.source == [f"train en {i}" for i in range(30)]
    assert dev.target == [f"validation de {i}" for i in range(4)]
    assert "the data set's validation split is taken" in capsys.readouterr().err


def test_a_data_set_without_one_has_dev_held_out(hub: Callable[..., None], read_train_and_dev: Reader) -> None:
    hub(train=40, test=2)
    train, dev = read_train_and_dev(data(train="hf:some/pairs"), seed=1)
    assert (len(train), len(dev)) == (38, 2)
    assert sorted(train.source + dev.source) == sorted(f"train en {i}" for i in range(40))


def test_the_split_named_goes_before_the_one_expected(hub: Callable[..., None], read_train_and_dev: Reader) -> None:
    hub(train=30, validation=4, test=2)
    config = data(train="hf:some/pairs#validation", dev="hf:some/pairs#test", test="hf:some/pairs")
    train, dev = read_train_and_dev(config, seed=1)
    test = read_test(config)
    assert test is not None
    assert (len(train), dev.source, test.source) == (4, ["test en 0", "test en 1"], ["test en 0", "test en 1"])
    assert (
        read_train_and_dev(data(train="hf:some/pairs", dev="hf:some/pairs"), seed=1)[1].source[0] == "validation en 0"
    )


def test_naming_the_split_to_train_on_does_not_make_it_dev_too(
    hub: Callable[..., None], read_train_and_dev: Reader
) -> None:
    hub(train=30, validation=4)
    train, dev = read_train_and_dev(data(train="hf:some/pairs#train"), seed=1)
    assert (len(train), dev.source[0]) == (30, "validation en 0")
    train, dev = read_train_and_dev(data(train="hf:some/pairs#validation"), seed=1)
    assert (len(train), len(dev)) == (3, 1)  # held out: who trains on a split is not judged by it


# The starter corpus


@pytest.mark.parametrize(("source", "target"), [("fr", "en"), ("en", "fr")])
def test_the_starter_goes_both_ways(source: str, target: str, read_train_and_dev: Reader) -> None:
    config = DataConfig(source_language=source, target_language=target)
    train, dev = read_train_and_dev(config, seed=1)
    test = read_test(config)
    assert test is not None
    assert (len(train), len(dev), len(test)) == (20_000, 1000, 1000)
    well = ("Je vais bien.", "I am fine.")
    assert (well if source == "fr" else well[::-1]) in pairs_of(train)
    for side in ("source", "target"):
        assert not set(getattr(train, side)) & set(getattr(test, side))
        assert not set(getattr(train, side)) & set(getattr(dev, side))


@pytest.fixture
def small_starter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Quick to make; says what it was asked for."""

    def generate(pairs: int, seed: int, source: str, target: str) -> StarterCorpus:
        return StarterCorpus(*([StarterPair(f"{part} {source} {pairs}", f"{part} {target}")] for part in "abc"))

    monkeypatch.setattr(sources.starter, "generate", generate)


@pytest.mark.usefixtures("small_starter")
def test_parts_of_the_starter_can_be_named_or_replaced(tmp_path: Path, read_train_and_dev: Reader) -> None:
    own = write(tmp_path, "own", ["x", "y"], ["v", "w"])
    starter = {"train": "starter", "starter_pairs": 2345}
    assert [text.source for text in read_train_and_dev(data(**starter), seed=1)] == [["a en 2345"], ["b en 2345"]]
    assert read_train_and_dev(data(**starter, dev=own), seed=1)[1].source == ["x", "y"]
    assert read_train_and_dev(data(train=own, dev="starter"), seed=1)[1].target == ["b de"]
    for config, wanted in (
        (data(**starter), "c de"),
        (data(train=own, test="starter"), "c de"),
        (data(**starter, test=own), "v"),
    ):
        test = read_test(config)
        assert test is not None
        assert test.target[0] == wanted


def test_what_is_held_out_of_a_corpus_with_tags_is_left_out_of_it(tmp_path: Path) -> None:
    """Not only the pair itself, which its target gives away, but each with its source."""
    place = write(tmp_path, "train", [f"{index // 2} a" for index in range(40)], [f"{index} b" for index in range(40)])
    found = find_train_and_dev(data(train=[{"text": place, "tags": ["deu"]}]), 1, tmp_path / "scratch")
    held = {source.removeprefix(">>deu<< ") for source in found.dev.source}
    assert len(held) > 0
    assert not held & {source for source, _ in training_pairs(found, 10**9)}
