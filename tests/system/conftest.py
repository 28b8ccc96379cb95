"""The command line as a user meets it, run inside this process; and one small training that many tests look at."""

import io
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from nmt import console
from nmt.cli import main
from nmt.corpus.starter.everyday import PAIRS

# A model that translates a dozen words: see tests/fixtures/make_format1.py.
MODEL = Path(__file__).parents[1] / "fixtures" / "format1"

TINY = (
    "tokenizer.vocab_size=400",
    "model.d_model=16",
    "model.num_heads=2",
    "model.d_ff=32",
    "model.encoder_layers=1",
    "model.decoder_layers=1",
    "model.max_length=48",
    "train.batch_tokens=400",
    "train.warmup_steps=2",
    "train.validate_every=3",
    "decode.beam_size=1",
)


@dataclass(frozen=True)
class Ended:
    """How a command ended: its exit code, and what it wrote."""

    code: int
    out: str
    err: str


def nmt(*words: str | Path, stdin: bytes = b"") -> Ended:
    """`nmt WORDS...`, as `main` runs it; only standard input and output are ours."""
    kept = sys.argv, sys.stdin, sys.stdout, sys.stderr, signal.getsignal(signal.SIGTERM)
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True), io.StringIO()
    sys.argv, sys.stdin = ["nmt", *map(str, words)], io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    sys.stdout, sys.stderr = out, err
    code: object = 0
    try:
        main()
    except SystemExit as end:
        code = end.code or 0
    finally:
        *streams, handler = kept
        sys.argv, sys.stdin, sys.stdout, sys.stderr = streams
        signal.signal(signal.SIGTERM, handler)
        console.set_quiet(False)
    assert isinstance(code, int)
    assert isinstance(out.buffer, io.BytesIO)
    return Ended(code, out.buffer.getvalue().decode("utf-8"), err.getvalue())


def command(*words: str | Path) -> list[str]:
    """The same as a command of a process of its own."""
    return [sys.executable, "-m", "nmt", *map(str, words)]


def snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file there, hidden ones too, with its content and its time of change."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


@pytest.fixture(autouse=True)
def _no_model_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NMT_MODEL", raising=False)


@dataclass(frozen=True)
class Trained:
    """folder: holds the corpus {train,dev,test}.{fr,en} and the run.  ended: what `nmt train` said."""

    folder: Path
    run: Path
    ended: Ended

    @property
    def settings(self) -> tuple[str, ...]:
        """What it was trained with, but for when to end."""
        return (*(f"data.{part}={self.folder / part}" for part in ("train", "dev", "test")), *TINY)


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """Nine updates on 200 pairs: enough to look at, not to translate."""
    folder = tmp_path_factory.mktemp("trained")
    for part, begin, end in (("train", 0, 200), ("dev", 200, 220), ("test", 220, 230)):
        for side, language in enumerate(("fr", "en")):
            text = "".join(f"{pair[side]}\n" for pair in PAIRS[begin:end])
            (folder / f"{part}.{language}").write_text(text, encoding="utf-8")
    made = Trained(folder, folder / "run", Ended(0, "", ""))
    words = ("train", *made.settings, "train.max_steps=9", "-o", made.run, "--threads", "1")
    ended = nmt(*words)
    assert ended.code == 0, ended.err
    return Trained(folder, made.run, ended)


@pytest.fixture(autouse=True)
def _no_scores_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """What one test has measured of the training that all share is not there for the next one."""
    yield
    if "trained" in request.fixturenames:
        for path in request.getfixturevalue("trained").run.glob("checkpoints/*/scores.json"):
            path.unlink()


def environment() -> dict[str, str]:
    """Of a process of its own: one thread, no GPU, and output buffered as for anyone."""
    return {**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": "", "PYTHONUNBUFFERED": ""}
