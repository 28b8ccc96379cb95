"""What a run tells of its past: rows, records, scores; and what is broken in it is told, not fatal."""

import errno
import json
import math
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from nmt.errors import ModelError
from nmt.history import is_training, parameters_by_part, read_history, read_scores, record_scores
from nmt.model import Transformer
from tests.conftest import tiny_config

FORMAT_1 = Path(__file__).parent / "fixtures" / "format1"
ROWS: tuple[dict[str, Any], ...] = (
    {"step": 0, "epoch": 0, "seconds": 0.1, "parent_dev_loss": 3.0, "parent_dev_bleu": 9.0},
    {"step": 10, "loss": 4.5, "tokens_per_second": 900, "learning_rate": 0.001, "seconds": 1.5},
    {"step": 10, "epoch": 0.5, "seconds": 2.0, "dev_loss": 4.0, "dev_bleu": 1.0, "parent_dev_loss": 3.5},
    {"step": 20, "loss": 3.5, "tokens_per_second": 950, "learning_rate": 0.002, "seconds": 3.5},
    {"step": 20, "epoch": 1.0, "seconds": 4.0, "dev_loss": 4.2, "dev_bleu": 0.5, "parent_dev_loss": 3.6},
)
SITTINGS = [
    {
        "command": None,
        "began": "2026-02-03T04:05:06+00:00",
        "saved": "2026-02-03T05:05:06+00:00",
        "from_step": begin,
        "to_step": begin + 10,
        "seconds": 3600.0,
        "device": "cpu",
        "threads": 1,
        "processes": 1,
        "versions": {"torch": "2.0"},
        "hardware": {"processor": "x86", "cores": 2, "system": "Linux", "gpus": []},
    }
    for begin in (0, 10)
]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Its best checkpoint is step 10, its last is step 20."""
    run = tmp_path / "run"
    for step, pointer in ((10, "best"), (20, "last")):
        folder = run / "checkpoints" / f"step-{step}"
        shutil.copytree(FORMAT_1, folder)
        facts = json.loads((folder / "model.json").read_text())
        training = {"sittings": SITTINGS[: step // 10], "data": {"dev": {"name": "d", "lines": step}}}
        (folder / "model.json").write_text(json.dumps(facts | {"step": step, "training": training}))
        (run / pointer).write_text(f"checkpoints/step-{step}\n")
    (run / "metrics.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    return run


def test_a_run_is_read_whole(run: Path) -> None:
    history = read_history(run)
    assert (history.name, history.folder, history.model) == ("run", run, run / "checkpoints" / "step-10")
    assert history.is_run
    assert history.facts["step"] == 10
    assert history.last["step"] == 20
    assert history.config.model.d_model == 16
    assert history.parent == ROWS[0]
    assert history.updates == [ROWS[1], ROWS[3]]
    assert history.validations == [ROWS[2], ROWS[4]]
    assert history.steps == 20
    assert history.sittings == SITTINGS  # of all the training, not of its best checkpoint alone
    assert history.data == {"dev": {"name": "d", "lines": 20}}
    assert (history.scores, history.problems) == ([], [])


def test_a_model_of_format_1_is_read_and_what_it_does_not_tell_is_empty() -> None:
    history = read_history(FORMAT_1)
    assert (history.name, history.folder, history.model) == ("format1", FORMAT_1, FORMAT_1)
    assert not history.is_run
    assert (history.updates, history.validations, history.parent) == ([], [], None)
    assert (history.sittings, history.data, history.scores, history.problems) == ([], {}, [], [])
    assert history.steps == 300


def test_a_run_has_a_name_wherever_one_stands(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(run)
    assert read_history(Path()).name == "run"
    monkeypatch.chdir(run / "checkpoints")
    assert read_history(Path("..")).name == "run"


def test_a_row_that_is_being_written_is_not_read(run: Path) -> None:
    with (run / "metrics.jsonl").open("a") as file:
        file.write('{"step": 30, "loss": 3')
    history = read_history(run)
    assert (len(history.updates), history.steps, history.problems) == (2, 20, [])


@pytest.mark.parametrize("broken", ['{"step": 30, "lo', "[30]", '{"loss": 2}', "\udcff", '{"step": null, "loss": 1}'])
def test_a_broken_row_is_told_and_left_out(broken: str, run: Path) -> None:
    lines = (run / "metrics.jsonl").read_bytes().split(b"\n")
    text = b"\n".join([*lines[:2], broken.encode("utf-8", "surrogateescape"), *lines[2:]])
    (run / "metrics.jsonl").write_bytes(text)
    history = read_history(run)
    assert len(history.updates) == len(history.validations) == 2
    assert history.problems == ["metrics.jsonl line 3 is broken and left out"]


def test_many_broken_rows_are_told_in_one_line(run: Path) -> None:
    (run / "metrics.jsonl").write_text("\n" * 1200)
    assert read_history(run).problems == [
        "metrics.jsonl lines 1, 2, 3, 4, 5, ... (1,200 in all) are broken and left out"
    ]


def test_what_is_no_number_is_not_in_its_row(run: Path) -> None:
    """A training that diverges writes NaN, which no chart can draw and no JSON may hold."""
    with (run / "metrics.jsonl").open("a") as file:
        file.write('{"step": 30, "loss": 2.5, "learning_rate": NaN, "seconds": Infinity, "tokens_per_second": "x"}\n')
        file.write(f'{{"step": 40, "loss": 1{"0" * 400}, "dev_loss": 3.0, "dev_bleu": true}}\n')
    history = read_history(run)
    assert history.updates[-1] == {"step": 30, "loss": 2.5}
    assert history.validations[-1] == {"step": 40, "dev_loss": 3.0}


def test_only_the_row_before_the_first_update_is_the_parents(run: Path) -> None:
    lines = (run / "metrics.jsonl").read_text().splitlines(keepends=True)
    (run / "metrics.jsonl").write_text("".join(lines[1:]))
    assert read_history(run).parent is None


def test_a_run_without_rows_is_read_and_told(run: Path) -> None:
    (run / "metrics.jsonl").unlink()
    history = read_history(run)
    assert (history.updates, history.steps) == ([], 20)
    assert history.problems == ["there is no metrics.jsonl: how the training went is not known"]
    (run / "metrics.jsonl").mkdir()
    assert read_history(run).problems == ["metrics.jsonl cannot be read: is a directory"]


def test_a_broken_last_checkpoint_is_told(run: Path) -> None:
    (run / "checkpoints" / "step-20" / "model.json").write_text("{")
    history = read_history(run)
    assert history.last == history.facts
    assert "step-20/model.json cannot be read" in history.problems[0]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("step", "12"),
        ("step", 1.5),
        ("step", None),
        ("seconds", "x"),
        ("seconds", math.nan),
        ("tokens", []),
        ("dev_bleu", math.inf),
        ("parameters", True),
        ("machine", "cpu"),
    ],
)
def test_a_broken_fact_is_told_and_left_out(name: str, value: object, run: Path) -> None:
    path = run / "checkpoints" / "step-10" / "model.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {name: value}))
    history = read_history(run)
    assert name not in history.facts
    assert history.problems == [f"model.json is broken: {name} is left out"]
    assert history.steps == 20


@pytest.mark.parametrize(
    ("training", "why"),
    [
        ([], "input should be a valid"),
        ({}, "sittings: field required"),
        ({"sittings": None, "data": {}}, "sittings: "),
        ({"sittings": [{}], "data": {}}, "sittings.0.command: "),
        ({"sittings": [SITTINGS[0] | {"hardware": {}}], "data": {}}, "sittings.0.hardware.processor: "),
        ({"sittings": [], "data": 3}, "data: "),
        ({"sittings": [], "data": {"train": [{"name": "x"}]}}, "data.train.0.lines: "),
        ({"sittings": [], "data": {"dev": {}}}, "data.dev.name: "),
        ({"sittings": [], "data": {}, "init_from": {"model": "x"}}, "init_from.step: "),
    ],
    ids=str,
)
def test_a_broken_record_of_the_training_counts_as_none(training: object, why: str, run: Path) -> None:
    for step in (10, 20):
        path = run / "checkpoints" / f"step-{step}" / "model.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | {"training": training}))
    history = read_history(run)
    assert (history.sittings, history.data) == ([], {})
    (problem,) = history.problems  # once, though two checkpoints have it
    assert problem.startswith(f"model.json is broken: what it says of the training is left out ({why}")


def test_without_a_model_there_is_no_history(tmp_path: Path, run: Path) -> None:
    with pytest.raises(ModelError, match="there is no model"):
        read_history(tmp_path / "nowhere")
    (run / "checkpoints" / "step-10" / "config.yaml").write_text("model: {d_model: many}\n")
    with pytest.raises(ModelError, match="step-10 cannot be read"):
        read_history(run)


# Whether it is in training


@pytest.mark.skipif(not Path("/proc/locks").is_file(), reason="only Linux tells who holds a lock")
def test_a_run_in_training_is_known_by_its_lock(run: Path) -> None:
    import fcntl

    assert is_training(run) is False
    (run / "lock").touch()
    assert is_training(run) is False
    with (run / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert is_training(run) is True
        assert read_history(run).training is True
        assert is_training(run / "checkpoints") is False
    assert is_training(run) is False


def test_where_the_system_does_not_tell_nobody_knows(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (run / "lock").touch()
    read = Path.read_text

    def hidden(path: Path, **settings: str) -> str:
        if str(path) == "/proc/locks":
            raise FileNotFoundError
        return read(path, **settings)

    monkeypatch.setattr(Path, "read_text", hidden)
    assert is_training(run) is None
    (run / "lock").unlink()
    assert is_training(run) is False


# Scores


def entry(test: str = "flickr", bleu: float = 30.0, **changes: Any) -> dict[str, Any]:
    results = {"bleu": {"score": bleu, "low": bleu - 1, "high": bleu + 1, "signature": "s"}}
    same: dict[str, Any] = {"test": test, "hash": "h", "lines": 3, "decode": {"beam_size": 5}, "tags": []}
    return same | {"lowercase": False, "date": "2026-01-02T03:04:05+00:00", "results": results} | changes


def test_scores_are_kept_in_order(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = run / "checkpoints" / "step-10"
    assert read_scores(model) == []
    record_scores(model, entry("flickr"))
    record_scores(model, entry("coco", note="größer"))
    assert read_scores(model) == read_history(run).scores == [entry("flickr"), entry("coco", note="größer")]
    assert "größer" in (model / "scores.json").read_text(encoding="utf-8")
    assert capsys.readouterr().err == ""
    assert not list(model.glob(".*"))  # no lock, no half file


@pytest.mark.parametrize(
    "other", [{"test": "x"}, {"hash": "x"}, {"decode": {"beam_size": 1}}, {"tags": ["x"]}, {"lowercase": True}], ids=str
)
def test_the_same_measured_again_takes_its_place(other: dict[str, Any], run: Path) -> None:
    record_scores(run, entry(bleu=30.0))
    record_scores(run, entry(bleu=31.0) | other)
    record_scores(run, entry(bleu=32.0, date="later", seconds=5, tags=()))
    assert read_scores(run) == [entry(bleu=31.0) | other, entry(bleu=32.0, date="later", seconds=5)]


def test_several_may_keep_scores_at_once(run: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: record_scores(run, entry(str(number))), range(40)))
    assert sorted(int(found["test"]) for found in read_scores(run)) == list(range(40))


@pytest.mark.parametrize("text", ["{", "[]", '{"scores": 3}', "\udcff", "[" * 100_000], ids=lambda text: text[:20])
def test_broken_scores_are_told_and_written_anew(text: str, run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (run / "scores.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert read_scores(run) == []
    assert f"warning: {run}: scores.json cannot be read and is not used" in capsys.readouterr().err
    record_scores(run, entry())
    capsys.readouterr()
    assert read_scores(run) == [entry()]
    assert capsys.readouterr().err == ""


BLEU = {"score": 1.0, "low": 0.5, "high": 2.0}


@pytest.mark.parametrize(
    "broken",
    [
        3,
        {},
        {"results": {"bleu": {}}},
        {"results": {"bleu": "x"}},
        {"results": {"bleu": {"score": "31"}}},
        {"results": {"bleu": {"score": math.nan}}},
        {"results": {"bleu": {"score": 1.0, "low": 0.5}}},
        {"results": {"bleu": BLEU}, "lines": None},
        {"results": {"bleu": BLEU}, "date": 2026},
        {"results": {"bleu": BLEU}, "decode": ["beam"]},
        {"results": {"bleu": BLEU}, "tags": "de"},
    ],
    ids=str,
)
def test_one_broken_score_does_not_cost_the_others(
    broken: object, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sound = entry() | {"results": {"bleu": BLEU, "comet": {"score": 0.8}}}
    (run / "scores.json").write_text(json.dumps({"scores": [sound, broken]}))
    assert read_scores(run) == [sound]
    assert f"warning: {run}: scores.json score 2 is broken and left out" in capsys.readouterr().err
    record_scores(run, entry("other"))
    capsys.readouterr()
    assert read_scores(run) == [sound, entry("other")]
    assert capsys.readouterr().err == ""


def test_broken_scores_of_a_run_are_one_of_its_problems(run: Path) -> None:
    (run / "checkpoints" / "step-10" / "scores.json").write_text("{")
    assert read_history(run).problems == [
        "scores.json cannot be read and is not used; the next nmt eval writes it anew"
    ]


def test_a_name_that_is_no_utf_8_is_kept_all_the_same(run: Path) -> None:
    record_scores(run, entry("te\udcff"))  # as Python spells such bytes
    assert read_scores(run) == [entry("te\udcff")]


def test_scores_that_may_not_be_read_are_not_replaced(
    run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    record_scores(run, entry("precious"))
    read = Path.read_bytes

    def refused(path: Path) -> bytes:
        if path.name == "scores.json":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return read(path)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", refused)
        patch.setattr(Path, "read_text", lambda path, **_: refused(path).decode())
        record_scores(run, entry("other"))
        assert "warning: the scores are not kept: " in capsys.readouterr().err
        assert read_scores(run) == []
        assert "scores.json cannot be read: permission denied" in capsys.readouterr().err
    assert read_scores(run) == [entry("precious")]


def test_a_folder_that_takes_no_scores_is_worth_a_warning(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (run / "scores.json").mkdir()
    record_scores(run, entry())
    assert "warning: the scores are not kept: " in capsys.readouterr().err
    record_scores(run / "nowhere", entry())
    assert "nowhere: No such file or directory" in capsys.readouterr().err


# Parameters


@pytest.mark.parametrize(
    ("tie", "parts"),
    [
        ("all", {"embeddings"}),
        ("target", {"embeddings"}),
        ("none", {"embeddings", "output layer"}),
    ],
)
def test_parameters_are_those_of_torch(tie: str, parts: set[str], tmp_path: Path) -> None:
    from safetensors.torch import save_file

    model = Transformer(tiny_config(tie_embeddings=tie, positions="learned", gated=True), 320, 320)
    save_file(dict(model.named_parameters()), tmp_path / "model.safetensors")
    found = parameters_by_part(tmp_path)

    def size(*prefixes: str) -> int:
        return sum(p.numel() for name, p in model.named_parameters() if name.startswith(prefixes))

    assert set(found) == parts | {"encoder", "decoder"}
    assert found["encoder"] == size("encoder.", "encoder_norm.")
    assert found["decoder"] == size("decoder.", "decoder_norm.")
    assert found["embeddings"] == size("source_embedding.", "target_embedding.")
    assert found.get("output layer", 0) == size("output.")
    assert sum(found.values()) == sum(p.numel() for p in model.parameters())
    assert list(found) == [name for name in ("embeddings", "encoder", "decoder", "output layer") if name in found]


def test_a_tied_weight_under_its_other_name_is_an_embedding_too() -> None:
    """As the fixture has it."""
    assert parameters_by_part(FORMAT_1) == {"embeddings": 4896, "encoder": 1728, "decoder": 2848}
    assert json.loads((FORMAT_1 / "model.json").read_text())["parameters"] == 4896 + 1728 + 2848


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "buffer of 8 bytes"),
        (b"\xff" * 8, "its head is too long"),
        (b"\x02\0\0\0\0\0\0\0{", "property name"),
        (b"\x09\0\0\0\0\0\0\0" + b'{"a": {}}', "shape"),
        (b"\x02\0\0\0\0\0\0\0[]", "attribute"),
    ],
)
def test_damaged_weights_are_told(content: bytes, told: str, tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(content)
    with pytest.raises(ModelError, match=f"is damaged or missing: .*{told}"):
        parameters_by_part(tmp_path)
    with pytest.raises(ModelError, match="is damaged or missing"):
        parameters_by_part(tmp_path / "nowhere")


def test_history_is_read_without_torch(run: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from nmt.history import parameters_by_part, read_history; "
        "history = read_history(Path(sys.argv[1])); parameters_by_part(history.model); "
        "sys.exit(bool({'torch', 'numpy', 'sacrebleu'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code, str(run)], check=True)
