"""The loop: exact resume, best and last checkpoints, bad numbers, and what a run folder promises."""

import json
import math
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch

from nmt import checkpoint, folders
from nmt.checkpoint import load_model
from nmt.config import Config
from nmt.corpus.batch import Batch, collate
from nmt.corpus.mixture import Mixture, Place, TrainingText
from nmt.corpus.reader import ParallelText
from nmt.corpus.sampled import SampledText
from nmt.corpus.spelling import Spelling
from nmt.decoding.translator import Translator
from nmt.errors import ConfigError, ModelError, UsageError
from nmt.evaluation import corpus_bleu
from nmt.model import Transformer
from nmt.text.tokenizer import Tokenizer
from nmt.training.forecast import Forecast, forecast
from nmt.training.interruption import InterruptionError, StopSignals
from nmt.training.loss import LossSum, batch_loss
from nmt.training.preparation import freeze
from nmt.training.run import Run
from nmt.training.state import TrainerState
from nmt.training.trainer import Trainer
from nmt.training.validation import DevScores, Validator, alarm
from tests.conftest import encoded_corpus, mixture, sentences, tiny_config

TrainerMaker = Callable[..., Trainer]


@pytest.fixture
def make_trainer(tokenizer: Tokenizer, tmp_path: Path) -> Iterator[TrainerMaker]:
    """Trainers on a small corpus of reversed sentences; dropout, shuffling and averaging are on."""
    runs: list[Run] = []
    train = sentences(120, seed=1)
    dev = ParallelText("dev", sentences(6, seed=2), [" ".join(reversed(s.split())) for s in sentences(6, seed=2)])

    def make(name: str = "run", *, resume: bool = False, overwrite: bool = False, **settings: object) -> Trainer:
        config = Config.model_validate(
            {
                "model": tiny_config(dropout=0.2).model_dump(),
                "train": {"batch_tokens": 200, "max_steps": 12, "validate_every": 3, "warmup_steps": 4} | settings,
                "decode": {"beam_size": 2},
            }
        )

        def encode(source: list[str], target: list[str], part: str) -> Mixture:
            pairs = list(zip(source, target, strict=True))
            return mixture([encoded_corpus(pairs, tokenizer, tmp_path / "ids", name=part)], config.train.seed)

        def anew(text: Mixture) -> TrainingText:
            strength = config.train.subword_sampling.strength
            if strength is None:
                return text
            spelling = Spelling((tokenizer, tokenizer), max_length=64, sampling=strength)
            return SampledText(text, tmp_path / "ids", spelling, (tokenizer.vocab_size, tokenizer.vocab_size))

        torch.manual_seed(config.train.seed)
        model = Transformer(config.model, tokenizer.vocab_size, tokenizer.vocab_size)
        freeze(model, config.train.freeze)
        translator = Translator(
            [model], tokenizer, tokenizer, decode=config.decode, source_language="fr", target_language="en"
        )
        run = Run(tmp_path / name, resume=resume, overwrite=overwrite)
        runs.append(run)
        corpus = anew(encode(train, [" ".join(reversed(s.split())) for s in train], "train"))
        validator = Validator(translator, dev, encode(dev.source, dev.target, "dev").pool(Place()), examples=0)
        trainer = Trainer(model, corpus, config, tokenizer, tokenizer, validator, run)
        if resume:
            trainer.restore(folders.pointed(run.folder, "last") or Path())
        return trainer

    yield make
    for run in runs:
        run.close()


class _Killed(Exception):
    pass


def _kill_at(trainer: Trainer, step: int) -> None:
    """Let the training die in the middle of an update, like a process that is killed."""
    update = trainer.updater.update

    def dying(*arguments: object, **settings: object) -> object:
        if trainer.state.step == step:
            raise _Killed
        return update(*arguments, **settings)  # type: ignore[arg-type]

    trainer.updater.update = dying  # type: ignore[method-assign, assignment]
    with pytest.raises(_Killed):
        trainer.fit()
    trainer.run.close()


def _rows(trainer: Trainer) -> list[dict[str, float]]:
    """metrics.jsonl without what the clock decides."""
    lines = (trainer.run.folder / "metrics.jsonl").read_text().splitlines()
    clocked = ("seconds", "tokens_per_second")
    return [{key: value for key, value in json.loads(line).items() if key not in clocked} for line in lines]


RECIPES: list[dict[str, object]] = [{}, {"subword_sampling": {"unigram_alpha": 0.2}}]


@pytest.mark.parametrize("recipe", RECIPES, ids=[" ".join(recipe) or "plain" for recipe in RECIPES])
@pytest.mark.parametrize("killed_at", [3, 5, 11])
def test_a_resumed_run_is_the_same_run_bit_for_bit(
    make_trainer: TrainerMaker, killed_at: int, recipe: dict[str, object], tmp_path: Path
) -> None:
    """T1, T2: weights, averaged weights, losses and learning rate; dropout and shuffling on."""
    whole = make_trainer("whole", **recipe)
    whole.fit()
    assert whole.state.epoch > 1
    _kill_at(make_trainer("broken", **recipe), killed_at)
    with (tmp_path / "broken" / "metrics.jsonl").open("a") as file:
        file.write('{"step": 3, "lo')  # cut short by the kill
    resumed = make_trainer("broken", resume=True, **recipe)
    assert resumed.state.step == killed_at // 3 * 3
    resumed.fit()
    _assert_equal(whole, resumed)
    assert _rows(whole) == _rows(resumed)
    rates = [row["learning_rate"] for row in _rows(whole) if "learning_rate" in row]
    assert min(rates) > 0  # of the update itself, not of the next one


def _assert_equal(whole: Trainer, resumed: Trainer) -> None:
    """Weights and averaged weights, bit for bit."""
    for left, right in zip(whole.model.parameters(), resumed.model.parameters(), strict=True):
        assert torch.equal(left, right)
    for left, right in zip(whole.updater.average.shadow, resumed.updater.average.shadow, strict=True):  # type: ignore[union-attr]
        assert torch.equal(left, right)


def test_a_checkpoint_of_an_older_way_to_save_is_told(
    make_trainer: TrainerMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    _kill_at(make_trainer(), 5)
    monkeypatch.setattr(checkpoint, "load_trainer_state", lambda _: {"weights": []})
    with pytest.raises(ModelError, match=r"step-3 is of an older nmt, which saved a training in another way") as caught:
        make_trainer(resume=True)
    assert "train.init_from=" in caught.value.remedy


def test_two_runs_of_one_seed_are_equal_and_of_two_seeds_differ(make_trainer: TrainerMaker) -> None:
    """T18."""
    first, second, other = make_trainer("a"), make_trainer("b"), make_trainer("c", seed=2)
    losses = [[trainer.train_step()[0] for _ in range(4)] for trainer in (first, second, other)]
    assert losses[0] == losses[1]
    assert losses[0] != losses[2]


def _scripted(trainer: Trainer, bleus: list[float], alarm: str = "") -> None:
    remaining = iter(bleus)

    class Scripted(Validator):
        def __call__(self, give_up: object = None) -> DevScores:
            return DevScores(1.0, 50.0, next(remaining), 40.0, alarm)

    old = trainer.validator
    trainer.validator = Scripted(old.translator, old.text, old.encoded)


def test_the_best_is_never_pruned(make_trainer: TrainerMaker) -> None:
    """T5: best at the first of four validations, only one by score and one by age are kept."""
    trainer = make_trainer()
    _scripted(trainer, [9.0, 5.0, 6.0, 7.0])
    trainer.fit()
    assert [path.name for path in folders.checkpoints(trainer.run.folder)] == ["step-3", "step-9", "step-12"]
    assert folders.find_model(trainer.run.folder).name == "step-3"


def test_the_best_stays_the_best_after_a_resume(make_trainer: TrainerMaker) -> None:
    """T4."""
    trainer = make_trainer()
    _scripted(trainer, [5.0, 9.0])
    _kill_at(trainer, 7)
    resumed = make_trainer(resume=True)
    _scripted(resumed, [6.0, 7.0])
    resumed.fit()
    assert folders.find_model(resumed.run.folder).name == "step-6"


def test_a_metric_that_must_fall_and_one_that_must_rise(make_trainer: TrainerMaker) -> None:
    """T7."""
    scores = DevScores(loss=2.0, accuracy=60.0, bleu=30.0, chrf=50.0)
    assert [scores.value(metric) for metric in ("loss", "accuracy", "bleu", "chrf")] == [-2.0, 60.0, 30.0, 50.0]
    state = TrainerState(scores={1: -3.0, 2: -2.0, 3: -2.5})
    assert (state.best_step, state.validations_since_best) == (2, 1)


def test_patience_ends_the_training(make_trainer: TrainerMaker) -> None:
    trainer = make_trainer(patience=2)
    _scripted(trainer, [9.0, 5.0, 6.0])
    assert trainer.fit().step == 9


def test_nothing_left_to_do_is_said(make_trainer: TrainerMaker) -> None:
    """T15."""
    trainer = make_trainer()
    trainer.fit()
    with pytest.raises(UsageError, match="nothing is left to do: .* is at step 12"):
        trainer.fit()
    trainer.run.close()
    with pytest.raises(UsageError, match="nothing is left to do"):
        make_trainer(resume=True, max_steps=5).fit()


def test_epochs_end_a_training_too(make_trainer: TrainerMaker) -> None:
    trainer = make_trainer(max_steps=None, max_epochs=1.5)
    state = trainer.fit()
    updates = trainer.updates_per_epoch()
    assert state.step == -(-3 * updates // 2)
    assert state.epoch == 1


def test_a_learning_rate_beyond_reason_ends_with_advice_and_saves_nothing_bad(make_trainer: TrainerMaker) -> None:
    """T10."""
    trainer = make_trainer(learning_rate=1e6, warmup_steps=0, clip_norm=0.0, max_steps=200, validate_every=100)
    with torch.no_grad():  # what such a rate leads to, at once
        trainer.model.output.weight.fill_(float("nan"))
    with pytest.raises(ModelError, match="not finite in 3 updates in a row") as caught:
        trainer.fit()
    assert "lower train.learning_rate" in caught.value.remedy
    assert not folders.checkpoints(trainer.run.folder)


def test_one_bad_update_is_skipped_and_counted(
    make_trainer: TrainerMaker, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    trainer = make_trainer()
    trainer.train_step()
    before = [p.detach().clone() for p in trainer.model.parameters()]
    monkeypatch.setattr("nmt.training.update.clip_gradients", lambda *_: torch.tensor(float("inf")))
    trainer.train_step()
    monkeypatch.undo()
    assert all(torch.equal(old, new) for old, new in zip(before, trainer.model.parameters(), strict=True))
    assert "update 2 is skipped: its gradient is not finite" in capsys.readouterr().err
    trainer.train_step()
    assert (trainer.state.bad_updates, trainer.state.step) == (1, 3)


def test_the_dev_score_is_that_of_the_saved_model(make_trainer: TrainerMaker) -> None:
    """E4: BLEU printed in training = BLEU of the checkpoint, loaded and asked by the one way of decoding."""
    trainer = make_trainer(learning_rate=0.02, max_steps=40, validate_every=20)
    trainer.fit()
    folder = folders.pointed(trainer.run.folder, "last")
    assert folder is not None
    loaded = load_model(folder)
    hypotheses = Translator.of(loaded).translate(trainer.validator.text.source)
    assert corpus_bleu(hypotheses, [trainer.validator.text.target], "en") == pytest.approx(
        loaded.facts["dev_bleu"], abs=1e-4
    )


def test_each_new_best_is_calibrated_from_the_validation_itself(
    make_trainer: TrainerMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No line is translated twice for it; a checkpoint that is not the best has none."""
    trainer = make_trainer(keep_last=9)
    scores = iter([20.0, 10.0, 30.0, 5.0])
    translated = trainer.validator.translator.translate_segments
    calls: list[int] = []
    monkeypatch.setattr(
        trainer.validator.translator,
        "translate_segments",
        lambda lines, **more: (calls.append(len(lines)), translated(lines, **more))[1],
    )
    monkeypatch.setattr("nmt.training.validation.corpus_bleu", lambda *_: next(scores))
    trainer.fit()
    assert calls == [6] * 4
    learnt = [folders.read_calibration(folder) for folder in folders.checkpoints(trainer.run.folder)]
    assert [bool(found) for found in learnt] == [True, False, True, False]
    assert learnt[0]["dev"]["lines"] == 6
    assert load_model(trainer.run.folder).calibration == learnt[2]


def test_a_checkpoint_saved_again_at_once_keeps_what_its_validation_said(make_trainer: TrainerMaker) -> None:
    """A signal that comes when the validation is over: the same step is saved a second time on the way out."""
    trainer = make_trainer()
    calibrate = trainer.validator.calibrate

    def signalled() -> object:
        os.kill(os.getpid(), signal.SIGTERM)
        return calibrate()

    trainer.validator.calibrate = signalled  # type: ignore[method-assign, assignment]
    with pytest.raises(InterruptionError, match="stopped by SIGTERM at step 3"):
        trainer.fit()
    folder = folders.pointed(trainer.run.folder, "best")
    assert folder is not None
    assert "dev_bleu" in folders.read_facts(folder)
    assert folders.read_calibration(folder)["dev"]["lines"] == 6


def test_another_corpus_is_not_resumed(make_trainer: TrainerMaker) -> None:
    make_trainer().fit()
    trainer = make_trainer("other")
    trainer.fingerprint = "different"
    with pytest.raises(UsageError, match="the training text is not what"):
        trainer.restore(folders.checkpoints(trainer.run.place.with_name("run"))[-1])


@pytest.mark.parametrize("stopped_at", [1, 5, 6])
def test_a_stopped_run_goes_on_bit_for_bit(make_trainer: TrainerMaker, stopped_at: int) -> None:
    """Stopped after an update, or (6) in the middle of a validation, which is then made up for."""
    whole = make_trainer("whole")
    whole.fit()
    trainer = make_trainer("broken")
    _stop_at(trainer, stopped_at)
    with pytest.raises(InterruptionError, match=f"stopped by SIGTERM at step {stopped_at}") as caught:
        trainer.fit()
    assert caught.value.exit_code == 143
    assert "nmt train --resume -o" in caught.value.remedy
    trainer.run.close()
    resumed = make_trainer("broken", resume=True)
    assert (resumed.state.step, resumed.state.validation_due) == (stopped_at, stopped_at == 6)
    resumed.fit()
    _assert_equal(whole, resumed)
    assert sorted(map(str, _rows(whole))) == sorted(map(str, _rows(resumed)))


def _stop_at(trainer: Trainer, step: int) -> None:
    """Let SIGTERM come in that update; when it is the validation's turn then, in the validation."""
    update = trainer.updater.update

    def signalled(*arguments: object, **settings: object) -> object:
        result = update(*arguments, **settings)  # type: ignore[arg-type]
        if trainer.state.step == step - 1:
            os.kill(os.getpid(), signal.SIGTERM)
        return result

    trainer.updater.update = signalled  # type: ignore[method-assign, assignment]


def test_a_second_signal_does_not_wait() -> None:
    with StopSignals() as stop:
        os.kill(os.getpid(), signal.SIGINT)
        assert stop.received == signal.SIGINT
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize(("seconds", "validations"), [(2, range(11, 14)), (10, range(3, 5)), (50, range(2, 3))])
def test_a_budget_ends_a_training_in_time(
    seconds: int, validations: range, make_trainer: TrainerMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clock that moves by a second an update and by more a validation: time is up with the last validation.

    Where they take long, there are fewer of them.
    """
    now = [100.0]
    monkeypatch.setattr("nmt.training.trainer.time.monotonic", lambda: now[0])
    trainer = make_trainer(max_steps=None, budget=300.0, validate_every=0, warmup_steps=5)
    update, validate, rates = trainer.updater.update, trainer.validator, []

    def slow(*arguments: object, **settings: object) -> object:
        now[0] += 1
        rates.append(settings["rate"])
        return update(*arguments, **settings)  # type: ignore[arg-type]

    class Slow(Validator):
        def __call__(self, give_up: object = None) -> DevScores | None:
            now[0] += seconds
            return validate()

    trainer.updater.update = slow  # type: ignore[method-assign, assignment]
    trainer.validator = Slow(validate.translator, validate.text, validate.encoded, 0)
    state = trainer.fit()
    assert 285 <= now[0] - 100 <= 300
    assert len(state.scores) in validations
    assert state.validating == seconds * len(state.scores)
    assert state.clock == 1.0
    assert max(rates) == pytest.approx(trainer.config.train.learning_rate, rel=0.1)
    assert rates[-1] < 0.05 * max(rates)
    rows = [row for row in _rows(trainer) if "clock" in row]
    assert [row["clock"] for row in rows] == sorted(row["clock"] for row in rows)
    trainer.run.close()
    again = make_trainer(resume=True, max_steps=None, budget=300.0, validate_every=0, warmup_steps=5)
    with pytest.raises(UsageError, match="nothing is left to do"):
        again.fit()
    again.run.close()
    longer = make_trainer(resume=True, max_steps=None, budget=600.0, validate_every=0, warmup_steps=5)
    assert 0.4 < longer.progress() < 0.6


def test_a_forecast_is_measured(make_trainer: TrainerMaker) -> None:
    trainer = make_trainer(max_steps=None, budget=50.0)
    assert trainer.planned_steps() == math.inf
    before = [parameter.detach().clone() for parameter in trainer.model.parameters()]
    expected = forecast(trainer.updater, trainer.updates(), 7, trainer.planned_steps(), 50.0)
    assert expected.seconds == pytest.approx(50.0)
    assert expected.updates * expected.epoch_seconds == pytest.approx(50.0 * 7)
    twice = forecast(trainer.updater, trainer.updates(), 7, 1000, None)
    assert twice.updates == 1000
    assert twice.seconds == pytest.approx(1000 / 7 * twice.epoch_seconds)
    saved = checkpoint.save(trainer.run.folder, 1, trainer.model, trainer.config, *trainer.tokenizers, {}, None)
    weights = (saved / "model.safetensors").stat().st_size
    assert expected.checkpoint == pytest.approx(4 * weights, rel=0.1)  # and raw weights, and Adam's two moments
    if sys.platform == "linux":
        assert expected.memory is not None
        assert expected.memory_limit is not None
        assert 2**26 < expected.memory < expected.memory_limit
    # Nothing of the training has changed.
    assert all(torch.equal(old, new) for old, new in zip(before, trainer.model.parameters(), strict=True))
    assert all(parameter.grad is None for parameter in trainer.model.parameters())


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(45.0, "45 seconds"), (600.0, "10.0 minutes"), (8000.0, "2.2 hours"), (400_000.0, "4.6 days")],
)
def test_a_forecast_is_told_in_fitting_units(seconds: float, told: str) -> None:
    text = str(Forecast(1200, seconds, 50.0, 1e9, 3 * 2**30, 8 * 2**30, 5 * 2**20))
    assert text == f"{told} for 1,200 updates (50 seconds an epoch), memory 3.0 of 8.0 GiB, 5 MiB a checkpoint"


def test_a_resumed_run_keeps_its_micro_batches(make_trainer: TrainerMaker, capsys: pytest.CaptureFixture[str]) -> None:
    trainer = make_trainer(micro_batch_tokens=120)
    trainer.fit()
    trainer.run.close()
    resumed = make_trainer(resume=True, max_steps=20)
    assert resumed.updater.micro_batch_tokens == 120
    assert "not bit for bit" not in capsys.readouterr().err
    resumed.run.close()
    make_trainer(resume=True, max_steps=20, micro_batch_tokens=90)
    told = capsys.readouterr().err
    assert "equal only up to rounding, not bit for bit: micro_batch_tokens 120 -> 90" in told


def test_another_dev_text_is_not_resumed(make_trainer: TrainerMaker) -> None:
    make_trainer().fit()
    trainer = make_trainer("other")
    trainer.validator.fingerprint = "different"
    with pytest.raises(UsageError, match="the dev text is not what .* was judged by"):
        trainer.restore(folders.checkpoints(trainer.run.place.with_name("run"))[-1])


def test_a_resumed_run_may_change_how_it_learns(make_trainer: TrainerMaker) -> None:
    trainer = make_trainer(adam_betas=(0.9, 0.98))
    trainer.fit()
    trainer.run.close()
    resumed = make_trainer(resume=True, max_steps=20, adam_betas=(0.8, 0.9), weight_decay=0.5)
    group = resumed.updater.optimizer.param_groups[0]
    assert (group["betas"], group["weight_decay"]) == ((0.8, 0.9), 0.5)
    assert resumed.updater.optimizer.state[group["params"][0]]["step"] == 12


def test_a_kill_between_the_two_pointers_leaves_the_best_behind_for_no_longer_than_the_next_save(
    make_trainer: TrainerMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    point = checkpoint.point

    def killed(run: Path, pointer: str, folder: Path) -> None:
        if pointer == "best" and folder.name == "step-6":
            raise _Killed
        point(run, pointer, folder)

    trainer = make_trainer()
    _scripted(trainer, [5.0, 9.0])
    monkeypatch.setattr(checkpoint, "point", killed)
    with pytest.raises(_Killed):
        trainer.fit()
    monkeypatch.undo()
    trainer.run.close()
    assert folders.find_model(trainer.run.folder).name == "step-3"
    resumed = make_trainer(resume=True)
    _scripted(resumed, [1.0, 2.0])
    resumed.fit()
    assert folders.find_model(resumed.run.folder).name == "step-6"


def test_dev_numbers_that_are_none_end_the_training(make_trainer: TrainerMaker) -> None:
    trainer = make_trainer()
    with torch.no_grad():
        trainer.model.decoder_norm.weight.fill_(float("inf"))  # type: ignore[union-attr, operator]
    with pytest.raises(ModelError, match="the loss on dev is not finite") as caught:
        trainer.validator()
    assert "train.learning_rate" in caught.value.remedy


class TestRun:
    def test_a_training_that_fails_early_leaves_nothing(self, tmp_path: Path) -> None:
        with pytest.raises(RuntimeError), Run(tmp_path / "run"):
            raise RuntimeError
        assert list(tmp_path.iterdir()) == []

    def test_a_second_training_on_one_folder_is_refused(self, make_trainer: TrainerMaker, tmp_path: Path) -> None:
        make_trainer().fit()
        for settings in ({"resume": True}, {"overwrite": True}):
            with pytest.raises(ModelError, match="another training is writing to"):
                Run(tmp_path / "run", **settings)

    def test_an_old_run_gives_way_only_to_a_checkpoint(self, make_trainer: TrainerMaker, tmp_path: Path) -> None:
        first = make_trainer()
        first.fit()
        first.run.close()
        _kill_at(make_trainer(overwrite=True), 2)
        assert folders.find_model(tmp_path / "run")
        trainer = make_trainer(overwrite=True, max_steps=3)
        trainer.fit()
        assert [path.name for path in folders.checkpoints(tmp_path / "run")] == ["step-3"]
        assert sorted(path.name for path in tmp_path.iterdir()) == ["ids", "run"]

    def test_two_fresh_trainings_do_not_take_one_place(self, tmp_path: Path) -> None:
        with Run(tmp_path / "run"):
            for settings in ({}, {"overwrite": True}):
                with pytest.raises(ModelError, match="another training is writing to"):
                    Run(tmp_path / "run", **settings)
        assert list(tmp_path.iterdir()) == []
        with Run(tmp_path / "run"):
            pass

    def test_a_run_that_is_being_replaced_cannot_be_resumed(self, make_trainer: TrainerMaker, tmp_path: Path) -> None:
        first = make_trainer()
        first.fit()
        first.run.close()
        with (
            Run(tmp_path / "run", overwrite=True),
            pytest.raises(ModelError, match="another training is writing to"),
        ):
            Run(tmp_path / "run", resume=True)

    def test_what_a_killed_training_left_is_cleared(self, tmp_path: Path) -> None:
        left = tmp_path / ".run.new"
        (left / "checkpoints" / "step-3").mkdir(parents=True)
        (left / "metrics.jsonl").write_text("{}")
        with Run(tmp_path / "run") as run:
            assert [path.name for path in run.folder.iterdir()] == ["lock"]
        assert list(tmp_path.iterdir()) == []

    def test_a_kill_while_the_new_run_takes_its_place_loses_nothing(
        self, make_trainer: TrainerMaker, tmp_path: Path
    ) -> None:
        make_trainer().fit()
        (tmp_path / "run").rename(tmp_path / ".run.old")
        with pytest.raises(UsageError, match="already holds a run"):
            Run(tmp_path / "run")
        assert folders.find_model(tmp_path / "run").name.startswith("step-")

    def test_a_link_stays_a_link(self, make_trainer: TrainerMaker, tmp_path: Path) -> None:
        (tmp_path / "disk").mkdir()
        (tmp_path / "run").symlink_to(tmp_path / "disk")
        make_trainer(max_steps=3).fit()
        assert (tmp_path / "run").is_symlink()
        assert folders.checkpoints(tmp_path / "disk")

    def test_a_folder_that_cannot_be_renamed_is_refused(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "inner").mkdir()
        monkeypatch.chdir(tmp_path / "inner")
        for place in (Path(), tmp_path, Path("/")):
            with pytest.raises(UsageError, match="cannot become a run folder itself"):
                Run(place)
        (tmp_path / "file").write_text("")
        with pytest.raises(ModelError, match="cannot hold a run: not a directory"):
            Run(tmp_path / "file" / "run")

    def test_folders_made_for_a_run_that_came_to_nothing_go_too(self, tmp_path: Path) -> None:
        with Run(tmp_path / "runs" / "deep" / "run"):
            pass
        assert list(tmp_path.iterdir()) == []

    def test_refusals(self, make_trainer: TrainerMaker, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="exclude each other"):
            Run(tmp_path / "run", resume=True, overwrite=True)
        with pytest.raises(ModelError, match="has no checkpoint to resume from"):
            Run(tmp_path / "run", resume=True)
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine" / "thesis.txt").write_text("precious")
        with pytest.raises(UsageError, match="is no run of nmt; it is left alone"):
            Run(tmp_path / "mine", overwrite=True)
        trainer = make_trainer()
        trainer.fit()
        trainer.run.close()
        with pytest.raises(UsageError, match="already holds a run"):
            Run(tmp_path / "run")


def test_the_rows_of_a_run_resumed_between_two_rows_are_the_same(make_trainer: TrainerMaker) -> None:
    whole = make_trainer("whole", save_every=4, max_steps=24, validate_every=24)
    whole.fit()
    _kill_at(make_trainer("broken", save_every=4, max_steps=24, validate_every=24), 15)
    resumed = make_trainer("broken", resume=True, save_every=4, max_steps=24, validate_every=24)
    assert resumed.state.step == 12
    resumed.fit()
    assert _rows(whole) == _rows(resumed)


def test_a_run_counted_in_epochs_validates_at_the_same_steps_after_a_resume(
    make_trainer: TrainerMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Epochs of several windows differ in their number of updates."""
    monkeypatch.setattr("nmt.corpus.batching.WINDOW_UPDATES", 2)
    settings = {"max_steps": None, "max_epochs": 3.5, "validate_every": 0, "batch_tokens": 40}
    whole = make_trainer("whole", **settings)
    whole.fit()
    _kill_at(make_trainer("broken", **settings), whole.state.step * 2 // 3)
    resumed = make_trainer("broken", resume=True, **settings)
    resumed.fit()
    assert list(whole.state.scores) == list(resumed.state.scores)
    _assert_equal(whole, resumed)


def test_a_device_without_memory_gets_smaller_micro_batches(
    make_trainer: TrainerMaker, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The update is done again in smaller pieces, with the same gradient."""
    easy, hard = make_trainer("easy", micro_batch_tokens=400), make_trainer("hard", micro_batch_tokens=400)
    for trainer in (easy, hard):
        trainer.model.eval()
        monkeypatch.setattr(trainer.model, "train", lambda *_: None)  # no dropout, so that the cut does not matter
    loss = hard.updater.parallel.loss

    class Small(torch.nn.Module):
        def forward(self, batch: Batch) -> LossSum:
            if batch.source.numel() + batch.target_in.numel() > 150:
                raise torch.OutOfMemoryError
            return loss(batch)  # type: ignore[no-any-return]

    hard.updater.parallel.loss = Small()
    for _ in range(3):
        assert hard.train_step() == pytest.approx(easy.train_step(), rel=1e-5)
    assert hard.updater.micro_batch_tokens == 100
    told = capsys.readouterr().err
    assert "out of memory at update 1: train.micro_batch_tokens=200 from here on" in told
    hard.updater.parallel.loss = loss

    class Never(torch.nn.Module):
        def forward(self, batch: Batch) -> LossSum:
            raise torch.OutOfMemoryError

    hard.updater.parallel.loss = Never()
    with pytest.raises(ModelError, match="not enough memory for micro-batches of 100 tokens") as caught:
        hard.train_step()
    assert "train.micro_batch_tokens=50" in caught.value.remedy


def test_a_gpu_is_tried_with_its_largest_micro_batches_before_training(
    make_trainer: TrainerMaker, capsys: pytest.CaptureFixture[str]
) -> None:
    """What fits is left alone; nothing of the training changes."""
    tried, plain = make_trainer("tried", micro_batch_tokens=400), make_trainer("plain", micro_batch_tokens=400)
    updates, loss = tried.updates(), tried.updater.parallel.loss
    largest = max(
        len(piece) * int(sum(lengths[piece].max() for lengths in tried.updater.lengths))
        for update in updates
        for piece in tried.updater.cut(update)
    )

    class Small(torch.nn.Module):
        def __init__(self, room: int) -> None:
            super().__init__()
            self.room = room

        def forward(self, batch: Batch) -> LossSum:
            if batch.source.numel() + batch.target_in.numel() > self.room:
                raise torch.OutOfMemoryError
            return loss(batch)  # type: ignore[no-any-return]

    tried.updater.parallel.loss = Small(largest)
    tried.updater.fit_memory(updates)
    assert tried.updater.micro_batch_tokens == 400
    tried.updater.parallel.loss = loss
    assert tried.train_step() == plain.train_step()
    tried.updater.parallel.loss = Small(largest - 1)
    tried.updater.fit_memory(updates)
    assert tried.updater.micro_batch_tokens == 200
    assert capsys.readouterr().err.splitlines()[-1] == (
        "warning: out of memory before the first update: train.micro_batch_tokens=200 from here on"
    )
    tried.updater.parallel.loss = Small(10)
    with pytest.raises(ModelError, match="not enough memory for micro-batches of 100 tokens"):
        tried.updater.fit_memory(updates)


@pytest.mark.parametrize("parts", [["encoder", "source_embedding"], ["decoder.0"]])
def test_what_is_frozen_stays_as_it_is_also_after_a_resume(make_trainer: TrainerMaker, parts: list[str]) -> None:
    """The frozen weights are a parent's, which the resumed run has from its checkpoint."""
    whole, broken = make_trainer("whole", freeze=parts), make_trainer("broken", freeze=parts)
    for trainer in (whole, broken):
        with torch.no_grad():
            for parameter in trainer.model.parameters():
                parameter.mul_(1 if parameter.requires_grad else 1.5)
    before = {name: parameter.clone() for name, parameter in whole.model.named_parameters()}
    whole.fit()
    for name, parameter in whole.model.named_parameters():
        frozen = any(name.startswith(f"{part}.") for part in parts)
        assert torch.equal(parameter, before[name]) == frozen, name
    _kill_at(broken, 5)
    resumed = make_trainer("broken", resume=True, freeze=parts)
    resumed.fit()
    _assert_equal(whole, resumed)


def test_a_part_that_was_frozen_can_learn_after_a_resume(make_trainer: TrainerMaker) -> None:
    """Gradual unfreezing: it starts from its frozen value, with no moments yet."""
    _kill_at(make_trainer(freeze="encoder"), 5)
    resumed = make_trainer(resume=True)
    before = resumed.model.encoder[0].feed_forward.up.weight.clone()  # type: ignore[union-attr, operator]
    resumed.fit()
    assert not torch.equal(resumed.model.encoder[0].feed_forward.up.weight, before)  # type: ignore[union-attr, arg-type]


def test_only_parts_that_there_are_can_be_frozen_and_not_all_of_them(make_trainer: TrainerMaker) -> None:
    with pytest.raises(ConfigError, match="train.freeze names 'encodr', which this model does not have") as caught:
        make_trainer(freeze=["encodr"])
    assert caught.value.remedy.startswith("its parts: source_embedding, target_embedding, encoder, decoder")
    everything = ["source_embedding", "target_embedding", "encoder", "decoder", "encoder_norm", "decoder_norm"]
    with pytest.raises(ConfigError, match="train.freeze leaves nothing to learn"):
        make_trainer(freeze=everything)


def test_what_torch_compile_cannot_do_is_told(make_trainer: TrainerMaker) -> None:
    class InductorError(RuntimeError):
        __module__ = "torch._inductor.exc"

    trainer = make_trainer()
    ids = trainer.updates()[0]

    class Failing(torch.nn.Module):
        def forward(self, batch: Batch) -> LossSum:
            raise InductorError(f"no compiler for {len(batch.source)} sentences\nand more of that")

    trainer.updater.parallel.loss = Failing()
    with pytest.raises(ModelError, match=r"^torch.compile fails: no compiler for \d+ sentences\n  try: train.compile"):
        trainer.updater.rehearse(ids)


def test_gradient_checkpointing_trains_the_same_model(
    make_trainer: TrainerMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, saving = make_trainer("plain"), make_trainer("saving", gradient_checkpointing=True)
    checkpointed: list[object] = []
    recompute = torch.utils.checkpoint.checkpoint
    monkeypatch.setattr(
        "nmt.model.transformer.checkpoint",
        lambda block, x, use_reentrant: checkpointed.append(block) or recompute(block, x, use_reentrant=use_reentrant),
    )
    for _ in range(3):
        assert plain.train_step() == saving.train_step()
    _assert_equal(plain, saving)
    assert len(checkpointed) == 3 * 4  # one micro-batch an update, two blocks on each side


def test_r_drop_learns_from_the_divergence_and_tells_the_cross_entropy(make_trainer: TrainerMaker) -> None:
    trainer = make_trainer(r_drop=2.5, seed=3)
    ids = trainer.updates()[0]
    corpus = trainer.updater.corpus
    batch = collate([corpus.source[i] for i in ids], [corpus.target[i] for i in ids])
    trainer.model.train()
    torch.manual_seed(3 << 32)
    expected = batch_loss(trainer.model, batch, 0.1, r_drop=2.5)
    assert expected.loss > expected.cross_entropy * 1.001
    assert trainer.train_step() == pytest.approx((expected.cross_entropy.item() / expected.tokens, expected.tokens))
    (expected.loss / expected.tokens).backward()
    # Adam's first moment after one update: a tenth of the (clipped) gradient for beta 0.9.
    moment = trainer.updater.optimizer.state[trainer.model.output.weight]["exp_avg"]
    gradient = trainer.model.output.weight.grad
    assert torch.cosine_similarity(moment.flatten(), gradient.flatten(), dim=0) > 0.9999


def test_a_model_that_has_collapsed_raises_an_alarm(
    make_trainer: TrainerMaker, capsys: pytest.CaptureFixture[str]
) -> None:
    source, reference = [f"s {n}" for n in range(60)], [f"t {n}" for n in range(60)]
    assert alarm(source, reference, reference) == ""
    assert alarm(source, ["the same"] * 30 + reference[:30], reference) == (
        "30 of 60 dev translations are the same: 'the same'"
    )
    assert alarm(source, source[:30] + reference[:30], reference) == (
        "30 of 60 dev translations are copies of their source"
    )
    assert alarm(["Yes"] * 60, ["Ja"] * 60, ["Ja"] * 60) == ""  # as the references are
    assert alarm(source[:10], ["x"] * 10, reference[:10]) == ""  # too few to tell
    trainer = make_trainer()
    _scripted(trainer, [1.0, 2.0, 3.0, 4.0], alarm="they are the same")
    trainer.fit()
    assert capsys.readouterr().err.count("warning: they are the same. Is train.learning_rate") == 3  # not at the start


def test_each_pool_is_shuffled_in_its_own_way(make_trainer: TrainerMaker) -> None:
    """Here both hold the same pairs."""
    trainer = make_trainer()
    first = [update.tolist() for update in trainer.updates()]
    trainer.state.pool = 1
    assert [update.tolist() for update in trainer.updates()] != first
    trainer.state.pool = 0
    assert [update.tolist() for update in trainer.updates()] == first
