"""What a training learns from: encoded now or in the background, kept, mixed; resumed in the middle of it all."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from nmt import folders
from nmt.config import Config
from nmt.corpus import encoder, encoding, mixture, shards
from nmt.corpus.mixture import Place
from nmt.corpus.reader import ParallelText
from nmt.corpus.sources import find_train_and_dev
from nmt.decoding.translator import Translator
from nmt.errors import ConfigError, DataError, UsageError
from nmt.model import Transformer
from nmt.text.tokenizer import Tokenizer
from nmt.training import text as module
from nmt.training.run import Run
from nmt.training.text import Encoded, encode
from nmt.training.trainer import Trainer
from nmt.training.validation import DevScores, Validator
from tests.conftest import sentences, tiny_config


def write(folder: Path, name: str, count: int, seed: int) -> str:
    for number, language in enumerate(("en", "de")):
        lines = "".join(f"{line}\n" for line in sentences(count, seed + 1000 * number))
        (folder / f"{name}.{language}").write_text(lines, encoding="utf-8")
    return str(folder / name)


def configuration(text: object, **keys: Any) -> Config:
    data = {"source_language": "en", "target_language": "de", "train": text, "dev": "unused"} | keys.pop("data", {})
    return Config.model_validate({"data": data, "model": tiny_config().model_dump(), **keys})


def encoded(config: Config, tokenizer: Tokenizer, scratch: Path) -> Encoded:
    write(scratch.parent, "dev", 5, 9)
    data = config.data.model_copy(update={"dev": str(scratch.parent / "dev")})
    return encode(find_train_and_dev(data, 1, scratch), (tokenizer, tokenizer), config, scratch)


def everything(text: Encoded, tokenizer: Tokenizer, stage: int = 0) -> list[str]:
    found = []
    for number in range(text.text.pools(stage)):
        pool = text.text.pool(Place(stage, 0, number))
        found += [tokenizer.decode(pool.source[i].tolist()) for i in range(len(pool))]
    return found


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards of 256 lines; pools of 300, and more than that is encoded in the background."""
    monkeypatch.setattr(shards, "SHARD_BLOCKS", 1)
    monkeypatch.setattr(shards, "ALL_AT_ONCE", 300)
    monkeypatch.setattr(module, "ALL_AT_ONCE", 300)
    monkeypatch.setattr(mixture, "POOL_LINES", 300)


@pytest.mark.usefixtures("small")
def test_a_large_text_is_learned_from_while_it_is_encoded(
    tokenizer: Tokenizer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = configuration(write(tmp_path, "train", 1000, 1))
    text = encoded(config, tokenizer, tmp_path / "scratch")
    assert text.encoder is not None
    assert sorted(everything(text, tokenizer)) == sorted(sentences(1000, 1))
    text.close()
    assert "encoding 1,000 lines in the background" in capsys.readouterr().err


@pytest.mark.usefixtures("small")
def test_what_is_left_out_of_a_large_text_is_told_when_all_is_encoded(
    tokenizer: Tokenizer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    train = write(tmp_path, "train", 1000, 1)
    (tmp_path / "train.de").write_text("".join("x\n" if i != 499 else "\n" for i in range(1000)))
    text = encoded(configuration(train), tokenizer, tmp_path / "scratch")
    everything(text, tokenizer)
    assert text.encoder is not None
    text.encoder._thread.join(20)
    assert "left out 1 of 1,000 pairs (1 with blank target): line 500" in capsys.readouterr().err


def test_what_is_left_out_is_told_before_training(
    tokenizer: Tokenizer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    train = write(tmp_path, "train", 40, 1)
    lines = (tmp_path / "train.en").read_text().splitlines()
    lines[:12] = [""] * 12
    lines[20] = "cat " * 100
    (tmp_path / "train.en").write_text("\n".join(lines))
    assert encoded(configuration(train), tokenizer, tmp_path / "scratch").encoder is None
    told = capsys.readouterr().err
    assert "left out 12 of 40 pairs (12 with blank source): lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ...\n" in told
    assert "1 of 40 train pairs are longer than model.max_length (64 pieces) and are skipped: line 21\n" in told


# Kept


@pytest.mark.usefixtures("small")
def test_a_large_text_is_encoded_once_and_found_again(
    tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "CACHE_FROM", 100)
    config = configuration(write(tmp_path, "train", 600, 1))
    first = encoded(config, tokenizer, tmp_path / "scratch")
    expected = everything(first, tokenizer)
    first.close()
    assert "as ids: to be kept in " + str(tmp_path / "cache" / "encoded") in capsys.readouterr().err
    monkeypatch.setattr(encoder, "encode_shard", lambda *_: pytest.fail("encoded again"))
    again = encoded(config, tokenizer, tmp_path / "other")
    assert everything(again, tokenizer) == expected
    assert again.text.fingerprint() == first.text.fingerprint()
    again.close()
    told = capsys.readouterr().err
    assert "as ids: found in " in told
    assert "in the background" not in told


@pytest.mark.parametrize("kept", [False, True])
def test_a_dry_run_keeps_nothing_but_finds_what_is_kept(
    kept: bool,
    tokenizer: Tokenizer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(module, "CACHE_FROM", 100)
    config = configuration(write(tmp_path, "train", 200, 1))
    if kept:
        encoded(config, tokenizer, tmp_path / "scratch")
    before = sorted((tmp_path / "cache").rglob("*"))
    found = find_train_and_dev(config.data.model_copy(update={"dev": config.data.train}), 1, tmp_path / "other")
    made = encode(found, (tokenizer, tokenizer), config, tmp_path / "other", keep=False)
    assert sorted(everything(made, tokenizer)) == sorted(sentences(200, 1))
    assert sorted((tmp_path / "cache").rglob("*")) == before
    assert ("as ids: found in" in capsys.readouterr().err) == kept


@pytest.mark.parametrize("way", ["key", "environment", "home", "off", "small"])
def test_where_ids_are_kept(way: str, tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CACHE_FROM", 100)
    cache = {"key": str(tmp_path / "mine"), "off": "off"}.get(way)
    if way == "home":
        monkeypatch.delenv("NMT_CACHE")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    count = 99 if way == "small" else 100
    encoded(configuration(write(tmp_path, "train", count, 1), data={"cache": cache}), tokenizer, tmp_path / "scratch")
    places = {"key": "mine", "environment": "cache", "home": "xdg/nmt"}
    wanted = tmp_path / places[way] / "encoded" if way in places else tmp_path / "scratch" / "ids"
    assert list(tmp_path.rglob("00000.json")) == [next(wanted.iterdir()) / "00000.json"]


def test_a_cache_that_cannot_be_written_is_no_reason_to_stop(
    tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "CACHE_FROM", 100)
    (tmp_path / "file").write_text("")
    config = configuration(write(tmp_path, "train", 100, 1), data={"cache": str(tmp_path / "file")})
    assert len(everything(encoded(config, tokenizer, tmp_path / "scratch"), tokenizer)) == 100
    assert "warning: the encoded text is not kept: " in capsys.readouterr().err


# Mixed


def test_shares_of_corpora_and_stages(tokenizer: Tokenizer, tmp_path: Path) -> None:
    corpora = [{"text": write(tmp_path, name, 60, seed)} for seed, name in ((1, "a"), (2, "b"))]
    by_size = encoded(configuration(corpora), tokenizer, tmp_path / "scratch")
    assert sorted(everything(by_size, tokenizer)) == sorted(sentences(60, 1) + sentences(60, 2))
    weighted = configuration([one | {"weight": weight} for one, weight in zip(corpora, (3, 1), strict=True)])
    found = everything(encoded(weighted, tokenizer, tmp_path / "scratch"), tokenizer)
    assert sum(found.count(line) for line in set(sentences(60, 2)) - set(sentences(60, 1))) < 35
    stages = [{"until": 5, "weights": {"b": 1}}, {"weights": {"a": 1}}]
    staged = encoded(configuration(corpora, data={"stages": stages}), tokenizer, tmp_path / "scratch")
    assert sorted(everything(staged, tokenizer, 0)) == sorted(sentences(60, 2))
    assert sorted(everything(staged, tokenizer, 1)) == sorted(sentences(60, 1))


def test_subword_sampling_of_another_kind_than_the_subwords_is_refused(tokenizer: Tokenizer, tmp_path: Path) -> None:
    config = configuration(
        write(tmp_path, "train", 10, 1), train={"subword_sampling": {"bpe_dropout": 0.1}}, tokenizer={"kind": "bpe"}
    )
    with pytest.raises(ConfigError, match="subword_sampling is for bpe, but the subword model is unigram"):
        encoded(config, tokenizer, tmp_path / "scratch")


# Resumed


class _Killed(Exception):
    pass


class _Silent(Validator):
    def __call__(self, give_up: object = None) -> DevScores:
        return DevScores(1.0, 50.0, 1.0, 40.0, "")

    def calibrate(self) -> dict[str, Any]:
        return {}


@pytest.fixture
def trainers(tokenizer: Tokenizer, tmp_path: Path) -> Iterator[Any]:
    runs = []
    corpora = [{"text": write(tmp_path, name, count, seed)} for seed, name, count in ((1, "a", 700), (2, "b", 330))]
    stages = [{"until": 7, "weights": {"b": 1}}, {"until": "70%", "weights": {"a": 2, "b": 1}}, {"weights": {"a": 1}}]

    def make(name: str, *, resume: bool = False, noise: float = 0.0) -> Trainer:
        config = configuration(
            corpora,
            data={"stages": stages},
            train={
                "batch_tokens": 700,
                "max_steps": 30,
                "save_every": 4,
                "validate_every": 30,
                "source_noise": {"upper": noise},
            },
        )
        torch.manual_seed(1)
        model = Transformer(config.model, tokenizer.vocab_size, tokenizer.vocab_size)
        translator = Translator(
            [model], tokenizer, tokenizer, decode=config.decode, source_language="en", target_language="de"
        )
        run = Run(tmp_path / name, resume=resume, overwrite=False)
        text = encoded(config, tokenizer, tmp_path / f"scratch-{name}-{resume}")
        runs.append((run, text))
        dev = ParallelText("dev", ["a"], ["b"])
        trainer = Trainer(
            model, text.text, config, tokenizer, tokenizer, _Silent(translator, dev, text.text.pool(Place())), run
        )
        if resume:
            trainer.restore(folders.pointed(run.folder, "last") or Path())
        return trainer

    yield make
    for run, text in runs:
        run.close()
        text.close()


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("killed_at", "noise"), [(5, 0.0), (15, 0.5), (25, 0.0)])
def test_a_training_of_stages_and_pools_resumes_bit_for_bit(killed_at: int, noise: float, trainers: Any) -> None:
    whole = trainers("whole", noise=noise)
    places = _places(whole)
    whole.fit()
    broken = trainers("broken", noise=noise)
    update = broken.updater.update

    def dying(*arguments: Any, **settings: Any) -> Any:
        if broken.state.step == killed_at:
            raise _Killed
        return update(*arguments, **settings)

    broken.updater.update = dying
    with pytest.raises(_Killed):
        broken.fit()
    broken.run.close()
    resumed = trainers("broken", resume=True, noise=noise)
    resumed.fit()
    for left, right in zip(whole.model.parameters(), resumed.model.parameters(), strict=True):
        assert torch.equal(left, right)
    assert {place.stage for place in places} == {0, 1, 2}
    assert [place.stage for place in places].index(1) == 7
    assert [place.stage for place in places].index(2) == 21  # 70 % of 30
    assert {place.pool for place in places} >= {0, 1}


def _places(trainer: Trainer) -> list[Place]:
    """Fills up as the training goes on: the place of each update."""
    places: list[Place] = []
    update = trainer.updater.update

    def noting(*arguments: Any, **settings: Any) -> Any:
        places.append(trainer.state.place)
        return update(*arguments, **settings)

    trainer.updater.update = noting  # type: ignore[method-assign]
    return places


@pytest.mark.usefixtures("small")
def test_epochs_are_counted_over_pools_and_stages(trainers: Any) -> None:
    trainer = trainers("run")
    seen = []
    for _ in range(30):
        seen.append(trainer._epochs())
        trainer.train_step()
    assert seen == sorted(seen)
    assert max(later - before for before, later in itertools.pairwise(seen)) < 0.6
    tokens = [trainer.updater.corpus.target.lengths.mean() * lines / 700 for lines in (330, 1030, 700)]
    assert seen[29] == pytest.approx(7 / tokens[0] + 14 / tokens[1] + 8 / tokens[2], rel=0.1)


@pytest.mark.usefixtures("small")
def test_another_text_is_no_text_to_resume_with(trainers: Any, tmp_path: Path) -> None:
    first = trainers("run")
    first.fit()
    first.run.close()
    write(tmp_path, "a", 700, 77)
    with pytest.raises(UsageError, match="training text is not what"):
        trainers("run", resume=True)


def test_a_text_that_cannot_be_encoded_ends_the_training(
    tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(encoding, "_write_report", full)
    with pytest.raises(DataError, match="no space left on device"):
        encoded(configuration(write(tmp_path, "train", 10, 1)), tokenizer, tmp_path / "scratch")
