"""The whole, from text to text: a model that is trained here learns to copy, and to reverse."""

import random
from pathlib import Path

import pytest

from nmt.commands.train import Arguments, run
from nmt.decoding.translator import Translator

LETTERS = "abcdefghijklmnopqrst"
SETTINGS = (
    "data.source_language=xx",
    "data.target_language=yy",
    "tokenizer.vocab_size=300",  # as many as there are: bytes, letters, letters behind a blank
    "model.d_model=64",
    "model.d_ff=128",
    "model.encoder_layers=2",
    "model.decoder_layers=2",
    "model.dropout=0",
    "model.max_length=32",
    "train.batch_tokens=350",
    "train.warmup_steps=50",
    "train.learning_rate=0.003",
    "train.label_smoothing=0.05",
    "train.validate_every=100000",
    "decode.beam_size=1",
)


def words(count: int, seed: int) -> list[list[str]]:
    """Random strings of two to seven letters."""
    chance = random.Random(seed)
    return [chance.choices(LETTERS, k=chance.randint(2, 7)) for _ in range(count)]


@pytest.mark.parametrize(("task", "steps"), [("copy", 600), ("reverse", 800)])
def test_a_task_is_learned(task: str, steps: int, tmp_path: Path) -> None:
    def solve(letters: list[str]) -> str:
        return " ".join(letters if task == "copy" else letters[::-1])

    def write(name: str, lines: list[list[str]]) -> str:
        text = "".join(f"{' '.join(letters)}\t{solve(letters)}\n" for letters in lines)
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    seen = words(6000, seed=1)
    known = set(map(tuple, seen))
    unseen = [letters for letters in words(400, seed=2) if tuple(letters) not in known]
    assert len(unseen) > 250
    data = (f"data.train={write('train.tsv', seen)}", f"data.dev={write('dev.tsv', unseen[:50])}")
    overrides = (*SETTINGS, *data, f"train.max_steps={steps}")
    run(Arguments(overrides=overrides, output=tmp_path / "run", device="cpu", threads=1))
    test = unseen[50:]
    found = Translator.load(tmp_path / "run", device="cpu").translate([" ".join(letters) for letters in test])
    right = sum(one == solve(letters) for one, letters in zip(found, test, strict=True))
    assert right > 0.98 * len(test), [(solve(t), f) for t, f in zip(test, found, strict=True) if solve(t) != f][:5]
