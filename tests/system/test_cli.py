"""The command line's surface, its exit codes and where its words go; the commands that need no model."""

import re
import shlex
import signal
import subprocess
import time
from pathlib import Path

import click
import pytest
import typer.main

import nmt as package
from nmt import folders
from nmt.cli import app
from nmt.commands import data
from nmt.commands import train as training
from nmt.corpus.starter import StarterCorpus, StarterPair
from tests.system.conftest import MODEL, TINY, Trained, command, environment, nmt, snapshot

# Frozen: what is here, people have in their scripts. New names may come, none may go.
SURFACE = {
    "": "--version --debug",
    "train": "settings --output -o --resume --overwrite --device --seed --budget --threads --nproc --dry-run --explain"
    " --quiet -q",
    "translate": "texts --model -m --input -i --output -o --json --n-best --beam-size --length-penalty --patience"
    " --min-length --max-length --no-repeat-ngram --diverse-groups --diversity --sample --temperature --top-k --top-p"
    " --seed --mbr --mbr-utility --combine --prefix --prefixes --phrase --phrases --tag --guard --long"
    " --max-batch-tokens --precision --device --threads --workers --resume --overwrite --quiet -q",
    "eval": "settings --model -m --test --source -s --reference -r --hypotheses --output -o --json --lowercase"
    " --language --samples --analyse --train --source-language --beam-size --length-penalty --mbr --combine --tag"
    " --guard --max-batch-tokens --precision --device --threads --workers --quiet -q",
    "compare": "systems --test --source -s --reference -r --metric --lines --json --lowercase --language --beam-size"
    " --length-penalty --mbr --tag --guard --max-batch-tokens --precision --device --threads --workers --quiet -q",
    "score": "--source -s --target -t --model -m --output -o --json --normalise --max-batch-tokens --device --threads"
    " --quiet -q",
    "explain": "texts --model -m --output -o --overwrite --device --threads --quiet -q",
    "report": "run --model -m --output -o --test --train --no-translate --no-card --json --overwrite"
    " --max-batch-tokens --device --threads --quiet -q",
    "average": "models --output -o --last --overwrite --quiet -q",
    "calibrate": "--model -m --source -s --reference -r --max-batch-tokens --device --threads --quiet -q",
    "bench": "settings --output -o --updates --device --threads --quiet -q",
    "bench decode": "--case --model -m --source -s --output -o --workers --rounds --no-ct2 --quiet -q",
    "bench data": "--pairs --output -o --quiet -q",
    "info": "model --model -m --json --quiet -q",
    "runs": "folders --json --quiet -q",
    "tokenizer": "",
    "tokenizer train": "inputs --output -o --vocab-size --kind --tag --overwrite --quiet -q",
    "tokenizer encode": "model texts --ids",
    "tokenizer decode": "model texts",
    "data": "",
    "data check": "location --languages --dev --test --sample --all --vocab --no-vocab --strict --json --html"
    " --overwrite --workers --quiet -q",
    "data clean": "location --languages --output -o --dropped --with --without --against --max-words --max-characters"
    " --max-ratio --raw --workers --json --overwrite --quiet -q",
    "data starter": "--output -o --pairs --seed --source-language --target-language --alignments --overwrite"
    " --quiet -q",
    "data split": "location --languages --output -o --dev --test --seed --keep-near --workers --overwrite --quiet -q",
    "data stats": "location --languages --model -m --json --workers --quiet -q",
    "data sample": "location --languages --count -n --seed --lines --output -o --overwrite --quiet -q",
}


def surface(found: click.Command, name: str = "") -> dict[str, str]:
    names = [option for parameter in found.params for option in (*parameter.opts, *parameter.secondary_opts)]
    commands = getattr(found, "commands", {})
    inner = [surface(command, f"{name} {word}".strip()) for word, command in commands.items()]
    return {name: " ".join(names)} | {key: value for part in inner for key, value in part.items()}


def test_the_surface_is_what_it_was() -> None:
    assert surface(typer.main.get_command(app)) == SURFACE


@pytest.mark.parametrize("words", SURFACE)
def test_every_command_explains_itself(words: str) -> None:
    for flag in ("--help", "-h"):
        ended = nmt(*words.split(), flag)
        assert (ended.code, ended.err) == (0, "")
        for option in re.findall(r"--[a-z-]+", SURFACE[words]):
            assert option in ended.out
    assert re.search(r"\n\n  [A-Z][a-z]+\W", ended.out)


def test_the_version_is_the_packages() -> None:
    ended = nmt("--version")
    assert (ended.code, ended.out, ended.err) == (0, f"nmt {package.__version__}\n", "")


def test_every_key_is_listed() -> None:
    ended = nmt("train", "--explain")
    assert ended.code == 0
    assert "train.batch_tokens = 4096  [tokens]\n    Target tokens per update" in ended.out
    assert len(re.findall(r"^[a-z]+\.[a-z_]+ = ", ended.out, re.MULTILINE)) > 45


# Exit codes


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nothing"], "No such command 'nothing'"),
        (["train", "--nothing"], "No such option: --nothing"),
        (["train", "--seed", "x"], "Invalid value for '--seed'"),
        (["train", "--seed", "-1"], "Invalid value for '--seed'"),
        (["translate", "--beam-size", "0", "x"], "Invalid value for '--beam-size'"),
        (["translate", "--long", "cut", "x"], "Invalid value for '--long'"),
        (["bench", "decode", "--case", "huge"], "Invalid value for '--case'"),
        (["bench", "decode", "--source", "a"], "no --model is named"),
        (["tokenizer", "encode"], "Missing argument 'MODEL'"),
        (["train", "nothing"], "there is no configuration 'nothing'"),
        (["train", "starter", "extra"], "'extra' is not of the form SECTION.KEY=VALUE"),
        (["train", "model.d_model=x"], "model.d_model is 'x': must be a whole number"),
        (["train", "--device", "abacus"], "'abacus' is no device"),
        (["train", "--resume", "-o", "nowhere"], "there is no run to resume: nowhere/config.yaml is missing"),
        (["train", "--resume", "--overwrite", "-o", MODEL], "--resume and --overwrite exclude each other"),
        (["translate", "x"], "no model is named, and there is no run under runs/"),
        (["eval"], "no model is named"),
        (["eval", "runs/x"], "'runs/x' is no decode.KEY=VALUE; -m names a model, --test a test set"),
        (["translate", "-i", "a", "x"], "texts and --input exclude each other"),
        (["eval", "--hypotheses", "a"], "--hypotheses needs --reference"),
        (["eval", "--hypotheses", "a", "-r", "b", "-m", "c"], "--hypotheses scores a file as it is"),
        (["eval", "--source", "a"], "--source and --reference go together"),
        (["eval", "--reference", "a"], "--source and --reference go together"),
        (["eval", "-m", MODEL], "was configured without data.test"),
        (["score", "--source", "a"], "Missing option '--target'"),
        (["compare", "x"], "one system cannot be compared with itself"),
        (["explain"], "Missing argument 'TEXT'"),
        (["explain", "x"], "no model is named"),
        (["explain", "-m", MODEL, "x", "-o", MODEL / "model.json"], "model.json exists"),
        (["tokenizer", "train", MODEL / "model.json", "-o", MODEL], "format1 exists"),
        (["data", "starter", "-o", MODEL], "format1 is not empty"),
        (["data", "starter", "-o", MODEL / "model.json"], "model.json is a file, not a folder"),
    ],
    ids=lambda value: " ".join(map(str, value)).replace(str(MODEL), "MODEL") if isinstance(value, list) else "",
)
def test_what_is_asked_wrongly_ends_with_2(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = nmt(*words)
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err
    assert "Traceback" not in ended.err
    assert snapshot(tmp_path) == {}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["train", "data.train=nothing"], "there is no parallel text at nothing"),
        (["train", "data.source_language=xx"], "the starter corpus is French and English"),
        (["translate", "-m", "nowhere", "x"], "there is no model nowhere"),
        (["translate", "-m", ".", "x"], ". is neither a run nor a model folder"),
        (["translate", "-m", MODEL, "-i", "nowhere"], "nowhere does not exist"),
        (["translate", "-m", MODEL, "-o", "no/folder", "x"], "cannot be written"),
        (["eval", "--hypotheses", "nowhere", "-r", "nowhere"], "nowhere does not exist"),
        (["score", "-m", MODEL, "-s", "nowhere", "-t", MODEL / "model.json"], "nowhere does not exist"),
        (["explain", "-m", "nowhere", "x"], "there is no model nowhere"),
        (["explain", "-m", MODEL, "-o", "no/folder", "un"], "cannot be written"),
        (["explain", "-m", MODEL, "un", " \u3000"], "text 2 is blank"),
        (["explain", "-m", MODEL, "un", "chat " * 99], "line 2 has 99 source pieces; the model takes"),
        (["tokenizer", "encode", "nowhere", "x"], "nowhere cannot be read"),
        (["tokenizer", "encode", MODEL / "model.json", "x"], "this is no SentencePiece model"),
        (["tokenizer", "train", "nowhere", "-o", "a"], "nowhere does not exist"),
    ],
    ids=lambda value: " ".join(map(str, value)).replace(str(MODEL), "MODEL") if isinstance(value, list) else "",
)
def test_what_cannot_be_used_ends_with_1_and_an_advice(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = nmt(*words)
    assert (ended.code, ended.out) == (1, "")
    error, advice = ended.err.splitlines()[-2:]
    assert error.startswith("error: ")
    assert told in error
    assert re.match(r"  try: \S", advice)
    assert "Traceback" not in ended.err
    assert snapshot(tmp_path) == {}


def test_two_mistakes_are_told_at_once() -> None:
    ended = nmt("train", "model.d_modle=512", "model.dropout=1.5", "--seed", "5000000000")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.splitlines() == [
        "error: 3 mistakes in the configuration:",
        "  - model.dropout is 1.5: must be less than 1",
        "  - model.d_modle is no known key; did you mean model.d_model?",
        "  - train.seed is 5000000000: must be less than 4294967296",
        "  try: nmt train --explain lists every key",
    ]


def test_a_file_where_a_folder_should_be_is_no_traceback(trained: Trained) -> None:
    ended = nmt("train", *trained.settings, "train.max_steps=1", "-o", trained.folder / "train.fr" / "run")
    assert (ended.code, ended.out) == (1, "")
    assert re.search(r"error: .*train\.fr.*: (file exists|not a directory)\n  try: ", ended.err)


def test_a_traceback_is_there_for_the_asking(tmp_path: Path) -> None:
    result = subprocess.run(
        command("translate", "--debug", "-m", tmp_path / "nothing", "x"), capture_output=True, text=True
    )
    assert result.returncode == 1
    assert "Traceback" in result.stderr
    assert "there is no model" in result.stderr
    ended = nmt("translate", "-m", MODEL, "--beam-size", "1", "--", "un chat", "--debug")  # text from here on
    assert (ended.code, len(ended.out.splitlines())) == (0, 2)


@pytest.mark.parametrize(
    ("words", "closed", "told"),
    [
        (["translate", "-m", MODEL], "<&-", "there is nothing to read: standard input is closed"),
        (["tokenizer", "encode", MODEL / "source.spm"], "<&-", "there is nothing to read: standard input is closed"),
        (["translate", "-m", MODEL, "un chat"], ">&-", "there is nowhere to write: standard output is closed"),
        (["train", "--explain"], ">&-", "there is nowhere to write: standard output is closed"),
    ],
)
def test_a_closed_stream_is_no_traceback(words: list[str | Path], closed: str, told: str) -> None:
    line = f"{shlex.join(command(*words))} {closed}"
    result = subprocess.run(["sh", "-c", line], stderr=subprocess.PIPE, text=True, env=environment())
    assert (result.returncode, result.stderr.splitlines()[0]) == (2, f"error: {told}")


def test_the_command_is_a_process_with_an_exit_code(tmp_path: Path) -> None:
    """No GPU and no flags; the model stands at the place, the text in the argument."""
    words = ("translate", "-m", MODEL, "un chat mange")
    result = subprocess.run(command(*words), capture_output=True, env=environment(), cwd=tmp_path)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"one cat eats\n", b"")
    result = subprocess.run(command("train", "x.y=1"), capture_output=True, env=environment(), cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.startswith(b"error: x is no section")


@pytest.mark.parametrize(
    ("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGUSR1, 128 + signal.SIGUSR1)]
)
def test_a_training_that_is_asked_to_stop_saves_first(
    sent: signal.Signals, code: int, trained: Trained, tmp_path: Path
) -> None:
    settings = [*trained.settings, "train.max_steps=100000", "train.validate_every=50000"]
    words = command("train", *settings, "-o", tmp_path / "run", "--threads", "1")
    out, err, left = _stop(words, sent, when=tmp_path / ".run.new" / "metrics.jsonl")
    assert (left, out) == (code, b"")
    assert b"Traceback" not in err
    last = folders.pointed(tmp_path / "run", "last")
    assert last is not None
    step = int(last.name.removeprefix("step-"))
    assert (
        f"error: stopped by {sent.name} at step {step}\n  try: nmt train --resume -o {tmp_path / 'run'}" in err.decode()
    )
    assert [path.name for path in tmp_path.iterdir()] == ["run"]
    ended = nmt("train", "--resume", "-o", tmp_path / "run", f"train.max_steps={step + 1}", "--threads", "1")
    assert ended.code == 0, ended.err
    assert f"resuming from step-{step}" in ended.err


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_what_is_stopped_before_it_trains_leaves_nothing_behind(
    sent: signal.Signals, code: int, tmp_path: Path
) -> None:
    words = command("train", "data.starter_pairs=400000", "-o", tmp_path / "run", "--threads", "1")
    out, err, left = _stop(words, sent, when=tmp_path / ".run.new" / "lock")
    assert (left, out) == (code, b"")
    assert b"Traceback" not in err
    assert sent != signal.SIGINT or b"error: interrupted" in err
    assert snapshot(tmp_path) == {}


def _stop(words: list[str], sent: signal.Signals, when: Path) -> tuple[bytes, bytes, int]:
    """What a process says, and how it ends, when the signal comes as soon as a file is there."""
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) as process:
        try:
            deadline = time.monotonic() + 120
            while not when.exists():
                assert process.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.05)
            process.send_signal(sent)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    return out, err, process.returncode


def test_a_reader_that_leaves_early_hears_no_complaint(tmp_path: Path) -> None:
    (tmp_path / "many").write_text("un chat\n" * 6000)
    words = ("translate", "-m", MODEL, "-i", tmp_path / "many", "--beam-size", "1", "--threads", "1")
    (tmp_path / "pieces").write_text("deux\n" * 200_000)
    encode = ("tokenizer", "encode", MODEL / "source.spm")
    for line in (words, ("train", "--explain"), encode):
        with subprocess.Popen(
            command(*line),
            stdin=(tmp_path / "pieces").open("rb"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            first = process.stdout.readline()
            process.stdout.close()
            assert process.stderr.read() == b""
        assert first.startswith((b"one cat\n", b"data.source_language = fr", "\u2581deux".encode()))
        assert process.returncode == 0


# Subwords


def test_digits_among_pieces_are_pieces_and_alone_they_are_ids(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("".join(f"page {n} is {n * 7 % 13} in {n % 10}\n" for n in range(400)))
    assert nmt("tokenizer", "train", tmp_path / "text", "-o", tmp_path / "m", "--vocab-size", "330").code == 0
    lines = "page 7 is 1 in 12\n2 3\n"
    pieces = nmt("tokenizer", "encode", tmp_path / "m", stdin=lines.encode()).out
    assert nmt("tokenizer", "decode", tmp_path / "m", stdin=pieces.encode()).out == lines
    ids = nmt("tokenizer", "encode", tmp_path / "m", "--ids", stdin=lines.encode()).out
    assert nmt("tokenizer", "decode", tmp_path / "m", stdin=ids.encode()).out == lines


def test_a_subword_model_is_trained_and_used(tmp_path: Path, trained: Trained) -> None:
    model = tmp_path / "sub.spm"
    files = (trained.folder / "train.fr", trained.folder / "train.en")
    ended = nmt("tokenizer", "train", *files, "-o", model, "--vocab-size", "400", "--kind", "bpe")
    assert (ended.code, ended.out) == (0, "")
    assert "bpe, 400 pieces" in ended.err
    texts = ["Je vais bien.", "ça, là-bas : 12 €", "😀 ▁ x"]
    for flags in ([], ["--ids"]):
        encoded = nmt("tokenizer", "encode", model, *texts, *flags)
        assert (encoded.code, encoded.err) == (0, "")
        assert len(encoded.out.splitlines()) == 3
        assert all(word.isdigit() for word in encoded.out.split()) == bool(flags)
        assert nmt("tokenizer", "decode", model, stdin=encoded.out.encode()).out.splitlines() == texts
        assert nmt("tokenizer", "decode", model, *encoded.out.splitlines()).out.splitlines() == texts
    lines = "".join(f"{text}\r\n" for text in texts).encode()
    assert nmt("tokenizer", "encode", model, "--ids", stdin=lines).out == encoded.out


def test_a_subword_model_is_not_overwritten_unasked(tmp_path: Path, trained: Trained) -> None:
    model = tmp_path / "sub.spm"
    model.write_text("mine")
    words = ("tokenizer", "train", trained.folder / "train.fr", "-o", model, "--vocab-size", "330")
    assert nmt(*words).code == 2
    assert model.read_text() == "mine"
    assert nmt(*words, "--overwrite", "--quiet").err == ""
    assert nmt("tokenizer", "encode", model, "oui").code == 0


@pytest.mark.parametrize("word", ["nonsense", "306", "99999999999999999999", "-1", "²"])
def test_what_is_no_piece_is_told(word: str) -> None:
    ended = nmt("tokenizer", "decode", MODEL / "source.spm", f"4 {word}")
    assert (ended.code, ended.out) == (1, "")
    assert f"error: '{word}' is neither a piece nor an id of" in ended.err


# The starter corpus


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """What the starter corpus is asked for; it is quick to make here."""
    found: list[tuple[object, ...]] = []

    def generate(*wanted: object) -> StarterCorpus:
        found.append(wanted)
        return StarterCorpus(*([StarterPair(f"{part} là", f"{part} there", ((0, 0), (1, 1)))] for part in "abc"))

    monkeypatch.setattr(data.starter, "generate", generate)
    return found


def test_the_starter_corpus_is_written_as_files(tmp_path: Path, asked: list[tuple[object, ...]]) -> None:
    ended = nmt("data", "starter", "-o", tmp_path / "new" / "folder")
    assert (ended.code, ended.out) == (0, "")
    assert "1 train, 1 dev, 1 test pairs" in ended.err
    assert asked == [(20_000, 1, "fr", "en")]
    written = {name: content.decode() for name, (content, _) in snapshot(tmp_path / "new" / "folder").items()}
    parts = zip(("train", "dev", "test"), "abc", strict=True)
    expected = {
        f"{part}.{language}": f"{letter} {word}\n"
        for part, letter in parts
        for language, word in (("fr", "là"), ("en", "there"))
    }
    assert written == expected
    # The line it proposes is one that can be typed.
    proposed = ended.err.split("next:  nmt train ")[1].split()
    settings = training.configuration.Settings.load(None, proposed)
    assert settings.config.data.train == str(tmp_path / "new" / "folder" / "train")


def test_the_starter_corpus_has_options(tmp_path: Path, asked: list[tuple[object, ...]]) -> None:
    options = "--pairs 7000 --seed 3 --source-language en --target-language fr --alignments --quiet".split()
    ended = nmt("data", "starter", "-o", tmp_path, *options)
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    assert asked == [(7000, 3, "en", "fr")]
    assert (tmp_path / "train.align").read_text() == "0-0 1-1\n"
    (tmp_path / "train.en").write_text("mine\n")
    assert nmt("data", "starter", "-o", tmp_path).code == 2
    assert (tmp_path / "train.en").read_text() == "mine\n"
    assert nmt("data", "starter", "-o", tmp_path, *options, "--overwrite").code == 0
    assert (tmp_path / "train.en").read_text() == "a là\n"


def test_the_small_settings_of_these_tests_are_known_keys() -> None:
    assert training.configuration.Settings.load(None, TINY).config.model.d_model == 16
