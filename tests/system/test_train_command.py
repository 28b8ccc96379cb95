"""`nmt train`: from text to a run, and what becomes of a run that is there already."""

import errno
import json
import os
import re
import shutil
from pathlib import Path

import pytest
import torch

from nmt import checkpoint, folders
from nmt.config import load_saved
from nmt.errors import ModelError
from nmt.training.trainer import Trainer
from tests.system.conftest import Trained, nmt, snapshot


@pytest.fixture
def run(trained: Trained, tmp_path: Path) -> Path:
    """A copy of the trained run, to be changed: at step 9, nothing beside it."""
    return Path(shutil.copytree(trained.run, tmp_path / "run"))


def train(trained: Trained, run: Path, *words: str) -> str:
    """Standard error of a training into `run` that ends well."""
    ended = nmt("train", *trained.settings, "-o", run, "--threads", "1", *words)
    assert (ended.code, ended.out) == (0, ""), ended.err
    return ended.err


def rows(run: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text(encoding="utf-8").splitlines()]


# A new run


def test_a_run_has_all_that_was_promised(trained: Trained) -> None:
    names = {path.name for path in trained.run.iterdir()}
    assert names == {"config.yaml", "metrics.jsonl", "lock", "best", "last", "checkpoints"}
    assert (trained.run / "last").read_text() == "checkpoints/step-9\n"
    best = (trained.run / "best").read_text().strip()
    kept = {"step-6", "step-9", Path(best).name}
    assert {path.name for path in (trained.run / "checkpoints").iterdir()} == kept
    assert [path.name for path in trained.folder.iterdir() if path.name.startswith(".")] == []
    validated = [row for row in rows(trained.run) if "dev_bleu" in row]
    assert [row["step"] for row in validated] == [3, 6, 9]
    assert validated[-1]["dev_loss"] < validated[0]["dev_loss"]


def test_the_best_model_knows_what_dev_has_taught_and_where_it_looks(trained: Trained) -> None:
    learnt = folders.read_calibration(folders.find_model(trained.run))
    assert learnt["dev"]["lines"] == 20
    assert learnt["alignment"]["method"] == "default"  # so few lines copy no words
    assert learnt["alignment"]["heads"]


def test_a_validation_never_repairs(trained: Trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dev scores are of what the model says itself, whatever is wanted of it later."""
    monkeypatch.setattr("nmt.decoding.guard.check", lambda *_: ("repetition",))
    monkeypatch.setattr("nmt.decoding.calibration.Calibration.safer", lambda *_: pytest.fail("it repairs"))
    words = (*trained.settings, "train.max_steps=3", "decode.guard=repair")
    ended = nmt("train", *words, "-o", tmp_path / "run", "--threads", "1")
    assert ended.code == 0, ended.err
    assert load_saved(folders.find_model(tmp_path / "run") / "config.yaml").decode.guard == "repair"


def test_the_configuration_is_saved_complete_and_resolved(trained: Trained) -> None:
    config = load_saved(trained.run / "config.yaml")
    assert config.model.preset == "tiny"  # chosen by size
    assert (config.model.d_model, config.train.max_steps, config.train.learning_rate) == (16, 9, 3e-3)
    assert config.data.train == str(trained.folder / "train")
    assert load_saved(trained.run / "checkpoints" / "step-9" / "config.yaml") == config


def test_a_training_says_what_it_does_and_what_comes_next(trained: Trained) -> None:
    assert trained.ended.out == ""
    for told in (
        "train: 200 pairs of",
        "dev: 20 of",
        "recipe: tiny, for 200 pairs",
        "subwords: unigram, 400 pieces, normalization identity",
        "parameters on cpu, 1 threads",
        "forecast: ",
        "step 9  epoch",
        "trained 9 updates",
        f"next:  nmt translate -m {trained.run}",
    ):
        assert told in trained.ended.err
    assert "warning" not in trained.ended.err


def test_quiet_leaves_warnings_alone(trained: Trained, tmp_path: Path) -> None:
    told = train(trained, tmp_path / "run", "train.max_steps=1", "--quiet", f"data.dev={trained.folder / 'train'}")
    assert {line.split(":")[0].strip() for line in told.splitlines()} == {"warning", "try"}
    assert "pairs of dev are in the training text, too" in told
    assert "train.warmup_steps is 2 of 1 updates: the learning rate never reaches" in told


def test_seed_and_device_are_settings(trained: Trained, tmp_path: Path) -> None:
    train(trained, tmp_path / "run", "train.max_steps=1", "train.seed=3", "--seed", "4", "--device", "cpu")
    assert load_saved(tmp_path / "run" / "config.yaml").train.seed == 4


def test_two_fresh_runs_of_one_seed_are_equal(trained: Trained, tmp_path: Path) -> None:
    train(trained, tmp_path / "again", "train.max_steps=9")
    keys = ("step", "dev_loss", "dev_accuracy", "loss")
    assert [[row.get(key) for key in keys] for row in rows(tmp_path / "again")] == [
        [row.get(key) for key in keys] for row in rows(trained.run)
    ]
    new, old = (
        checkpoint.load_model(folder / "checkpoints" / "step-9").model.state_dict()
        for folder in (tmp_path / "again", trained.run)
    )
    assert all(torch.equal(new[name], old[name]) for name in old)


def test_the_name_of_the_run_follows_from_what_is_trained(
    trained: Trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").write_text(f"data:\n  dev: {trained.folder / 'test'}\ntrain:\n  max_steps: 1\n")
    for words, name in (((), "fr-en"), (("mine.yaml",), "mine")):
        ended = nmt("train", *words, *trained.settings, "train.max_steps=1", "--threads", "1")
        assert ended.code == 0, ended.err
        assert (tmp_path / "runs" / name / "last").is_file()
    config = load_saved(tmp_path / "runs" / "mine" / "config.yaml")
    assert config.data.dev == str(trained.folder / "dev")  # the command line goes before the file


def test_a_dry_run_writes_nothing(trained: Trained, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = snapshot(tmp_path)
    for words in (("-o", "new"), (), ("-o", str(run), "--overwrite"), ("-o", str(run), "--resume")):
        ended = nmt("train", *trained.settings, "train.max_steps=9", "--threads", "1", "--dry-run", *words)
        assert (ended.code, ended.out) == (0, "")
        assert "forecast: " in ended.err
        assert "dry run: nothing was trained or written" in ended.err
    refused = nmt("train", *trained.settings, "train.max_steps=9", "--threads", "1", "--dry-run", "-o", run)
    assert "already holds a run" in refused.err  # as without --dry-run
    assert snapshot(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_every_mistake_is_found_before_anything_is_trained(trained: Trained, tmp_path: Path) -> None:
    for words, told in (
        (("tokenizer.vocab_size=270",), "tokenizer.vocab_size is 270, but this text needs at least"),
        (("data.dev=nowhere",), "there is no parallel text at nowhere"),
        (("data.test=nowhere",), "there is no parallel text at nowhere"),
        (("train.max_steps=",), "nothing says when to stop"),
        (("data.target_language=de",), "train.de not found"),
        (("model.max_length=4",), "pair is left"),
    ):
        ended = nmt("train", *trained.settings, "train.max_steps=3", *words, "-o", tmp_path / "run", "--threads", "1")
        assert (ended.code in (1, 2), ended.out) == (True, "")
        assert told in ended.err
        assert "step 3" not in ended.err
        assert list(tmp_path.iterdir()) == []


# A run that is there already


@pytest.mark.parametrize("words", [(), ("data.train=other",), ("--dry-run", "model.num_heads=3")])
def test_a_run_is_not_touched_unasked(words: tuple[str, ...], trained: Trained, run: Path, tmp_path: Path) -> None:
    before = snapshot(tmp_path)
    ended = nmt("train", *trained.settings, *words, "-o", run)
    assert (ended.code, ended.out) == (2, "")
    if "--dry-run" not in words:
        assert f"error: {run} already holds a run" in ended.err
        assert "--resume to go on with it, --overwrite to replace it" in ended.err
    assert snapshot(tmp_path) == before


def test_what_is_no_run_is_left_alone_even_when_asked(trained: Trained, tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("years of work")
    for words in ((), ("--overwrite",)):
        ended = nmt("train", *trained.settings, "train.max_steps=1", "-o", tmp_path / "thesis", *words)
        assert ended.code == 2
        assert "exists and is no run of nmt; it is left alone" in ended.err
    assert (tmp_path / "thesis" / "chapter.tex").read_text() == "years of work"


def test_overwrite_keeps_the_old_run_until_there_is_a_new_checkpoint(
    trained: Trained, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = snapshot(run)
    step, steps = Trainer.train_step, []

    def watched(self: Trainer) -> tuple[float, int]:
        steps.append(snapshot(run) == before)
        return step(self)

    monkeypatch.setattr(Trainer, "train_step", watched)
    train(trained, run, "train.max_steps=4", "--overwrite")
    assert steps == [True, True, True, False]  # the first validation is after step 3
    assert load_saved(run / "config.yaml").train.max_steps == 4
    assert {path.name for path in (run / "checkpoints").iterdir()} <= {"step-3", "step-4"}
    assert all(row["step"] <= 4 for row in rows(run))
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A training that fails in its second update."""
    step = Trainer.train_step

    def fail(self: Trainer) -> tuple[float, int]:
        if self.state.step == 1:
            raise ModelError("the second update failed", "nothing")
        return step(self)

    monkeypatch.setattr(Trainer, "train_step", fail)


@pytest.mark.usefixtures("failing")
def test_a_training_that_fails_early_leaves_the_old_run(trained: Trained, run: Path, tmp_path: Path) -> None:
    before = snapshot(tmp_path)
    ended = nmt("train", *trained.settings, "train.max_steps=4", "-o", run, "--overwrite", "--threads", "1")
    assert (ended.code, ended.out) == (1, "")
    assert "error: the second update failed" in ended.err
    assert snapshot(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_overwrite_without_an_old_run_is_an_ordinary_training(trained: Trained, tmp_path: Path) -> None:
    train(trained, tmp_path / "run", "train.max_steps=1", "--overwrite")
    assert folders.find_model(tmp_path / "run").name == "step-1"


# Going on


def test_resume_goes_on_where_the_run_ended(trained: Trained, run: Path) -> None:
    old = rows(run)
    ended = nmt("train", "--resume", "-o", run, "train.max_steps=12", "--threads", "1")
    assert (ended.code, ended.out) == (0, ""), ended.err
    assert "resuming from step-9" in ended.err
    assert "trained 12 updates" in ended.err
    assert rows(run)[: len(old)] == old
    assert [row["step"] for row in rows(run) if "dev_bleu" in row] == [3, 6, 9, 12]
    assert (run / "last").read_text() == "checkpoints/step-12\n"
    assert load_saved(run / "config.yaml").train.max_steps == 12
    tokens = [json.loads((run / f"checkpoints/step-{n}/model.json").read_text())["tokens"] for n in (12,)]
    assert tokens[0] > json.loads((trained.run / "checkpoints/step-9/model.json").read_text())["tokens"]


def test_nothing_left_to_do_is_told_and_changes_nothing(run: Path, tmp_path: Path) -> None:
    before = snapshot(tmp_path)
    for words in ((), ("train.max_steps=5",), ("train.max_epochs=0.1",)):
        ended = nmt("train", "--resume", "-o", run, "--threads", "1", *words)
        assert (ended.code, ended.out) == (2, "")
        assert f"error: nothing is left to do: {run} is at step 9" in ended.err
        assert "raise train.max_steps (or train.max_epochs, train.budget)" in ended.err
    assert snapshot(tmp_path) == before


def test_resume_is_for_the_same_text_and_the_same_model(trained: Trained, run: Path) -> None:
    before = snapshot(run)
    other = f"data.train={trained.folder / 'dev'}"
    for words, told in (
        ((other, f"data.dev={trained.folder / 'test'}"), "the training text is not what"),
        (("model.d_ff=64",), "--resume cannot change model.d_ff"),
        (("tokenizer.vocab_size=410", "model.dropout=0"), "change tokenizer.vocab_size (it is 400), model.dropout (it"),
        (("train.batch_tokens=100",), "--resume cannot change train.batch_tokens (it is 400)"),
        (("train.seed=2",), "--resume cannot change train.seed"),
        (("train.metric=loss",), "--resume cannot change train.metric"),
        (("decode.beam_size=2",), "--resume cannot change decode.beam_size"),
        (("data.target_language=fr", "data.source_language=en"), "--resume cannot change data.source_language"),
        ((f"data.dev={trained.folder / 'test'}",), "the dev text is not what"),
        (("--overwrite",), "--resume and --overwrite exclude each other"),
    ):
        ended = nmt("train", "--resume", "-o", run, "train.max_steps=12", "--threads", "1", *words)
        assert (ended.code, ended.out) == (2, ""), ended.err
        assert told in ended.err
        assert snapshot(run) == before


def test_a_run_without_a_checkpoint_cannot_be_resumed(run: Path) -> None:
    shutil.rmtree(run / "checkpoints")
    ended = nmt("train", "--resume", "-o", run)
    assert ended.code == 1
    assert "has no checkpoint to resume from" in ended.err


def test_a_run_whose_trainer_folders_are_gone_translates_but_cannot_be_resumed(run: Path) -> None:
    for folder in folders.checkpoints(run):
        shutil.rmtree(folder / "trainer")
    ended = nmt("train", "--resume", "-o", run, "train.max_steps=12", "--threads", "1")
    assert ended.code == 1
    assert "has no trainer/ any more" in ended.err
    assert nmt("translate", "-m", run, "--threads", "1", "oui").code == 0


def test_two_trainings_cannot_write_to_one_run(trained: Trained, run: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    with (run / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for words in (("--resume", "train.max_steps=12"), (*trained.settings, "train.max_steps=3", "--overwrite")):
            ended = nmt("train", "-o", run, "--threads", "1", *words)
            assert ended.code == 1
            assert f"error: another training is writing to {run}" in ended.err
    assert nmt("train", "-o", run, "--threads", "1", "--resume", "train.max_steps=10").code == 0


def test_what_a_kill_in_the_middle_left_is_swept(run: Path) -> None:
    (run / "checkpoints" / ".step-3.old").mkdir()
    (run / "checkpoints" / ".step-9.tmp").mkdir()
    (run / ".best.77.tmp").write_text("check")
    ended = nmt("train", "--resume", "-o", run, "train.max_steps=10", "--threads", "1")
    assert ended.code == 0, ended.err
    assert "changed: train.max_steps, 9 -> 10" in ended.err
    assert [path.name for path in run.rglob(".*")] == []


@pytest.mark.parametrize("content", [b"\xff", b"", b"\0\0", b"checkpoints/step-77\n"])
def test_pointers_that_point_nowhere_are_no_loss(content: bytes, run: Path) -> None:
    for name in ("best", "last"):
        (run / name).write_bytes(content)
    assert folders.find_model(run).name == "step-9"
    ended = nmt("train", "--resume", "-o", run, "train.max_steps=10", "--threads", "1")
    assert ended.code == 0, ended.err
    assert (run / "last").read_text() == "checkpoints/step-10\n"


# Fine-tuning


def test_fine_tuning_starts_from_its_parent(trained: Trained, tmp_path: Path) -> None:
    """C7, C8: the parent's subwords stay whatever the new text holds; another dev set has a best of its own."""
    for language in ("fr", "en"):
        lines = (trained.folder / f"test.{language}").read_text(encoding="utf-8").splitlines()
        text = "".join(f"{line} \u4f60\u597d \U0001f600 {number}\n" for number, line in enumerate(lines))
        for part in ("new", "newdev"):
            (tmp_path / f"{part}.{language}").write_text(text, encoding="utf-8")
    words = (f"data.train={tmp_path / 'new'}", f"data.dev={tmp_path / 'newdev'}", f"train.init_from={trained.run}")
    # Another seed, so that a random start would be another one than the parent's.
    more = (
        "train.seed=77",
        "train.max_steps=6",
        "train.validate_every=2",
        "train.batch_tokens=400",
        "decode.beam_size=1",
        "--threads",
    )
    dropouts = ("model.dropout=0.4", "model.token_dropout=0.1")  # not a matter of shape, so they may change
    ended = nmt("train", *words, *dropouts, "train.warmup_steps=1", *more, "1", "-o", tmp_path / "tuned")
    assert ended.code == 0, ended.err
    assert f"weights: of {folders.find_model(trained.run)}" in ended.err
    parent, tuned = checkpoint.load_model(trained.run), checkpoint.load_model(tmp_path / "tuned")
    assert tuned.source_tokenizer.proto == parent.source_tokenizer.proto
    assert (tuned.config.model.d_model, tuned.config.model.dropout) == (parent.config.model.d_model, 0.4)
    assert (tuned.config.model.token_dropout, parent.config.model.token_dropout) == (0.1, 0.0)
    assert tuned.config.tokenizer == parent.config.tokenizer
    # Six small steps away from the parent, not from a random start.
    for name, weight in tuned.model.named_parameters():
        if weight.dim() > 1:
            old = parent.model.get_parameter(name)
            assert torch.cosine_similarity(weight.flatten(), old.flatten(), dim=0) > 0.9
    assert len([row for row in rows(tmp_path / "tuned") if "dev_bleu" in row]) == 3
    resumed = nmt("train", "--resume", "-o", tmp_path / "tuned", "train.max_steps=7", "--threads", "1")
    assert resumed.code == 0, resumed.err
    refused = nmt("train", *words, "model.d_ff=64", *more, "1", "-o", tmp_path / "other")
    assert (refused.code, "train.init_from cannot change model.d_ff (it is 32)" in refused.err) == (2, True)
    missing = nmt("train", "train.init_from=nowhere", "-o", tmp_path / "other")
    assert (missing.code, "there is no model nowhere" in missing.err) == (1, True)


def test_what_the_saved_configuration_says_is_known_before_the_rest_is_judged(trained: Trained, tmp_path: Path) -> None:
    """A BPE run, resumed with its own settings said again, and a BPE parent: both can be sampled from."""
    bpe = ("tokenizer.kind=bpe", "tokenizer.shared=false", "model.tie_embeddings=target", "train.max_steps=2")
    train(trained, tmp_path / "bpe", *bpe)
    more = nmt("train", "--resume", "-o", tmp_path / "bpe", "tokenizer.shared=false", "train.max_steps=3")
    assert more.code == 0, more.err
    dropout = "train.subword_sampling.bpe_dropout=0.1"
    texts = [word for word in trained.settings if word.startswith("data.")]
    tuned = nmt(
        "train", *texts, f"train.init_from={tmp_path / 'bpe'}", dropout, "train.max_steps=2", "-o", tmp_path / "x"
    )
    assert tuned.code == 0, tuned.err
    # What does not go together is still refused.
    wrong = nmt("train", "--resume", "-o", tmp_path / "bpe", "train.subword_sampling.unigram_alpha=0.1")
    assert (wrong.code, "is for unigram, but tokenizer.kind is bpe" in wrong.err) == (2, True)


def test_the_kind_of_a_foreign_subword_model_is_found_before_training(trained: Trained, tmp_path: Path) -> None:
    subwords = folders.find_model(trained.run) / "source.spm"
    words = (f"tokenizer.path={subwords}", "tokenizer.kind=bpe", "train.subword_sampling.bpe_dropout=0.1")
    ended = nmt("train", *trained.settings, *words, "-o", tmp_path / "run")
    assert ended.code == 2
    assert "train.subword_sampling is for bpe, but the subword model is unigram" in ended.err


def test_a_full_scratch_disk_is_told_with_its_place(
    trained: Trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("nmt.training.preparation.encode_corpus", full)
    ended = nmt("train", *trained.settings, "-o", tmp_path / "run")
    assert ended.code == 1
    assert re.search(
        r"error: the text cannot be encoded into \S+nmt-\w+: no space left on device\n  try: TMPDIR", ended.err
    )
