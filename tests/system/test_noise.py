"""Training with noise in the source: on and off, resumed, and together with subword sampling."""

import json
from pathlib import Path

from tests.system.conftest import Trained, nmt


def train(trained: Trained, output: Path, *words: str | Path, steps: int = 9) -> dict[int, float]:
    """Two epochs, or less; the loss on dev by step."""
    ended = nmt("train", *trained.settings, *words, f"train.max_steps={steps}", "-o", output, "--threads", "1")
    assert ended.code == 0, ended.err
    rows = [json.loads(line) for line in (output / "metrics.jsonl").read_text(encoding="utf-8").splitlines()]
    return {row["step"]: row["dev_loss"] for row in rows if "dev_loss" in row}


def test_noise_is_learned_from_and_off_changes_nothing(trained: Trained, tmp_path: Path) -> None:
    plain = train(trained, tmp_path / "plain", steps=3)
    off = [f"train.source_noise.{kind}=0" for kind in ("upper", "typos")]
    assert train(trained, tmp_path / "off", *off, steps=3) == plain
    noise = ("train.source_noise.upper=0.5", "train.source_noise.typos=0.5")
    noisy = train(trained, tmp_path / "noisy", *noise, steps=3)
    assert noisy != plain
    assert train(trained, tmp_path / "again", *noise, steps=3) == noisy
    both = ("train.source_noise.upper=0.5", "train.subword_sampling.unigram_alpha=0.2")
    assert train(trained, tmp_path / "both", *both, steps=3)[3] != noisy[3]


def test_a_resumed_run_has_the_same_noise(trained: Trained, tmp_path: Path) -> None:
    noise = "train.source_noise.upper=0.5"
    options = (noise, "train.schedule=constant", "train.ema_decay=0.9")
    whole = train(trained, tmp_path / "whole", *options)
    train(trained, tmp_path / "cut", *options, steps=6)
    assert train(trained, tmp_path / "cut", *options, "--resume") == whole
    other = ("train.source_noise.upper=0.2", "train.max_steps=12")
    ended = nmt("train", *trained.settings, *options[1:], *other, "--resume", "-o", tmp_path / "cut")
    assert ended.code == 2
    assert "--resume cannot change train.source_noise" in ended.err
