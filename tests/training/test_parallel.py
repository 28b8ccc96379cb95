"""Shards of a model are the model, and no process holds more than its share."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
import torch.distributed as dist
import torch.multiprocessing

from nmt import distributed
from nmt.config import TrainConfig
from nmt.training.optimizer import AveragedWeights
from nmt.training.parallel import Alone, Sharded, make_parallel
from tests.conftest import tiny_model


@pytest.fixture
def group(tmp_path: Path) -> Iterator[None]:
    dist.init_process_group("gloo", init_method=f"file://{tmp_path / 'store'}", rank=0, world_size=1)
    yield
    dist.destroy_process_group()


def _numbers(parallel: Alone) -> int:
    return sum(weight.to_local().numel() for weight in parallel.weights.values())  # type: ignore[attr-defined]


def _check_shards(rank: int, folder: Path) -> None:
    """In each of two processes; what fails here fails the test."""
    os.environ |= {"LOCAL_RANK": str(rank)}
    dist.init_process_group("gloo", init_method=f"file://{folder / 'store'}", rank=rank, world_size=2)
    torch.manual_seed(1)
    model = tiny_model()
    before = {name: weight.detach().clone() for name, weight in model.named_parameters()}
    parallel = make_parallel(model, TrainConfig(parallel="fsdp"))
    assert isinstance(parallel, Sharded)
    assert _numbers(parallel) == pytest.approx(sum(weight.numel() for weight in before.values()) / 2, rel=0.02)
    for name, weight in parallel.weights.items():
        whole = parallel.whole(weight)
        assert torch.equal(whole, before[name]) if rank == 0 else whole.numel() == 0
        again = parallel.share(before[name], weight)
        assert torch.equal(again.to_local(), weight.to_local())  # type: ignore[attr-defined]
    average = AveragedWeights(parallel.trained)
    with torch.no_grad():
        for weight in parallel.weights.values():
            weight.mul_(2)
    with parallel.showing(average):  # the whole of it, on both
        assert all(torch.equal(weight, before[name]) for name, weight in model.named_parameters())
    with parallel.showing(None):
        assert all(torch.equal(weight, 2 * before[name]) for name, weight in model.named_parameters())
    # One reads and the other waits, and both find what it made.
    made = distributed.once_per_machine(lambda: (folder / "made").write_text("x"))
    assert (made is None) == (rank == 1)
    assert distributed.from_machine_leader(folder / str(rank)) == folder / "0"
    dist.destroy_process_group()


def test_each_of_two_processes_holds_half_of_the_model(tmp_path: Path) -> None:
    torch.multiprocessing.spawn(_check_shards, args=(tmp_path,), nprocs=2)  # type: ignore[no-untyped-call]
    assert (tmp_path / "made").exists()


@pytest.mark.usefixtures("group")
def test_one_process_needs_no_shards() -> None:
    assert type(make_parallel(tiny_model(), TrainConfig(parallel="fsdp"))) is Alone
