"""`nmt bench decode`: its figures are complete and its two sides do the same work. No time is judged here."""

import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from nmt import runtime
from nmt.commands import bench_decode
from nmt.commands.bench_engines import Batch, CTranslate2Engine, Engine, Engines, Footprint, OurEngine
from nmt.errors import NMTError
from nmt.export.ctranslate2 import export_ctranslate2
from tests.conftest import tiny_model
from tests.system.conftest import MODEL, nmt

CASES = ["batch_1_greedy", "batch_1_beam_4", "batch_64_greedy", "batch_64_beam_4", "file_beam_4"]
PIECES = ["<s>", "<pad>", "</s>", "<unk>", *(f"w{i}" for i in range(4, 40))]


@pytest.fixture(autouse=True)
def _small_and_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    shape = {"d_model": 16, "d_ff": 16, "num_heads": 2, "encoder_layers": 1, "decoder_layers": 1}
    for name, value in {
        "SHAPES": {"small": shape, "base": shape}, "VOCAB_SIZE": 40, "BATCH": 4, "BATCHES_PER_CORE": 2, "STREAM": 3,
        "PAUSE": 0.0,
    }.items():  # fmt: skip
        monkeypatch.setattr(bench_decode, name, value)
    monkeypatch.setattr(runtime, "sgemm_rate", lambda: 7e9)


class InThisProcess:
    """In the place of `Engines` where processes are not what is tested."""

    def __init__(self, name: str, make: Callable[[], Engine], *, processes: int = 1, at_once: bool = False) -> None:
        self.name, self.engine, self.processes = name, make(), processes

    def __len__(self) -> int:
        return self.processes

    def decode(self, batches: Sequence[Batch]) -> float:
        assert self.engine.decode(batches) == sum(batch.tokens for batch in batches)
        return 0.5

    def latencies(self, batches: Sequence[Batch]) -> list[float]:
        return [self.decode([batch]) for batch in batches]

    def footprint(self) -> Footprint:
        return Footprint(0.1, 1.0, 2.0)

    def close(self) -> None:
        pass


def assert_complete(figures: dict[str, Any], sides: list[str]) -> None:
    assert list(figures["cases"]) == CASES
    for name, case in figures["cases"].items():
        assert [side for side in ("ours", "ctranslate2") if side in case] == sides
        assert ("ratio" in case) == (len(sides) == 2)
        latencies = {"p50_ms", "p95_ms", "p99_ms"} if name.startswith("batch_1_") else set()
        for side in sides:
            found = dict(case[side])
            assert found.pop("best") in found["tokens_per_second_of_each"]
            numbers = [*found.pop("tokens_per_second_of_each").values(), *found.values()]
            assert set(found) == {"sentences_per_second", "tokens_per_second", *latencies}
            assert all(number > 0 for number in numbers)
    for side in sides:
        assert set(figures[f"{side}_footprint"]) == {"load_seconds", "imports_mib", "peak_mib"}


def test_both_sides_are_measured_in_processes_of_their_own(tmp_path: Path) -> None:
    pytest.importorskip("ctranslate2")
    ended = nmt("bench", "decode", "--workers", "1", "--rounds", "1", "-o", tmp_path / "figures.json")
    assert ended.code == 0
    result = json.loads(ended.out)
    assert json.loads((tmp_path / "figures.json").read_text()) == result
    assert result["machine"]["sgemm_gflops"] == 7.0
    assert set(result["versions"]) == {"nmtkit", "torch", "ctranslate2"}
    assert list(result["models"]) == ["small"]
    assert_complete(result["models"]["small"], ["ours", "ctranslate2"])
    assert "ratio" in ended.err
    assert "ctranslate2 loads in" in ended.err


def test_without_the_package_ours_is_measured_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ctranslate2", None)
    monkeypatch.setattr(bench_decode, "Engines", InThisProcess)
    ended = nmt("bench", "decode", "--workers", "1", "--rounds", "2", "--case", "both")
    assert ended.code == 0
    assert 'ctranslate2 is not installed, so there is no comparison: pip install "nmtkit[ct2]"' in ended.err
    result = json.loads(ended.out)
    assert result["versions"]["ctranslate2"] is None
    assert list(result["models"]) == ["small", "base"]
    for figures in result["models"].values():
        assert_complete(figures, ["ours"])


def test_it_is_not_missed_where_nobody_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_decode, "Engines", InThisProcess)
    ended = nmt("bench", "decode", "--workers", "1", "--rounds", "1", "--no-ct2", "--quiet")
    assert (ended.code, ended.err) == (0, "")
    assert_complete(json.loads(ended.out)["models"]["small"], ["ours"])


def test_a_model_reads_its_own_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ctranslate2")
    monkeypatch.setattr(bench_decode, "Engines", InThisProcess)
    text = tmp_path / "text"
    text.write_text("Je mange.\n\nIl dort.\n" + "Je mange du pain. " * 200 + "\n")  # a blank one, one too long
    ended = nmt("bench", "decode", "-m", MODEL, "-s", text, "--workers", "1", "--rounds", "1")
    assert ended.code == 0
    figures = json.loads(ended.out)["models"][str(MODEL)]
    assert_complete(figures, ["ours", "ctranslate2"])
    assert figures["cases"]["file_beam_4"]["ours"]["sentences_per_second"] == 2 / 0.5
    assert nmt("bench", "decode", "-m", MODEL, "--workers", "1", "--rounds", "1", "--no-ct2").code == 0


def test_a_text_without_a_line_to_translate_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("\n \n")
    ended = nmt("bench", "decode", "-m", MODEL, "-s", tmp_path / "text", "--workers", "1")
    assert ended.code == 1
    assert "has no line that the model takes" in ended.err


@pytest.mark.parametrize("beams", [1, 4])
def test_both_sides_take_the_same_steps_and_write_the_same(beams: int, tmp_path: Path) -> None:
    """All but the last token: ours is EOS there, theirs is whatever is best."""
    pytest.importorskip("ctranslate2")
    model = tiny_model(40, tie_embeddings="none")
    save_file({name: value.detach() for name, value in model.named_parameters()}, tmp_path / "weights")
    export_ctranslate2(model, PIECES, PIECES, tmp_path / "ct2")
    ours = OurEngine(model.config, (40, 40), tmp_path / "weights", 1)
    theirs = CTranslate2Engine(tmp_path / "ct2", PIECES, 1, 1)
    steps: list[int] = []
    step = ours.model.step
    ours.model.step = lambda *words, **names: (steps.append(1), step(*words, **names))[1]  # type: ignore[method-assign]
    batches = [Batch([[5, 6, 7], [8, 9, 10]], beams, 6), Batch([[11, 12], [13, 14, 15]], beams, 3)]
    assert ours.decode(batches) == theirs.decode(batches) == 2 * 6 + 2 * 3
    assert len(steps) == 6 + 3


def test_the_settings_of_the_plain_bench_are_not_taken_for_a_command() -> None:
    ended = nmt("bench", "decoder")
    assert ended.code == 2
    assert "'decoder' is not of the form SECTION.KEY=VALUE" in ended.err


class Stub:
    """Says which process it is by making it a file; raises or dies when told to by the number of steps."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def decode(self, batches: Sequence[Batch]) -> int:
        (self.folder / str(os.getpid())).touch()
        if batches[0].steps == 98:
            raise ValueError("no more")
        if batches[0].steps == 99:
            os._exit(1)
        assert torch.get_num_threads() >= 1
        return sum(batch.tokens for batch in batches)


def test_batches_are_shared_among_processes_whose_errors_come_through(tmp_path: Path) -> None:
    ballast = torch.ones(150_000_000)  # 570 MiB that are not the processes'
    engines = Engines("2x1", partial(Stub, tmp_path), processes=2)
    assert len(engines) == 2
    assert engines.decode([Batch([[5]], 1, 3)] * 40) > 0
    assert len(list(tmp_path.iterdir())) == 2
    assert str(os.getpid()) not in {path.name for path in tmp_path.iterdir()}
    assert all(seconds > 0 for seconds in engines.latencies([Batch([[5]], 1, 3)] * 3))
    found = engines.footprint()
    assert 0 < found.imports_mib <= found.peak_mib < ballast.nbytes / 2**20
    with pytest.raises(ValueError, match="no more"):
        engines.decode([Batch([[5]], 1, 98)])
    with pytest.raises(NMTError, match="a process of the benchmark has died"):
        engines.decode([Batch([[5]], 1, 3), Batch([[5]], 1, 99)])
    engines.close()
