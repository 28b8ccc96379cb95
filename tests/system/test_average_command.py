"""`nmt average`: one model out of several."""

import shutil
from pathlib import Path

import pytest
import torch

from nmt import checkpoint, folders
from tests.system.conftest import MODEL, Trained, nmt


def test_the_average_is_the_mean_of_each_weight(trained: Trained, tmp_path: Path) -> None:
    saved = folders.checkpoints(trained.run)
    assert len(saved) >= 2
    ended = nmt("average", trained.run, "-o", tmp_path / "mean", "--last", "2")
    assert (ended.code, ended.out) == (0, ""), ended.err
    mean = checkpoint.load_model(tmp_path / "mean")
    first, second = (checkpoint.load_model(folder).model.state_dict() for folder in saved[-2:])
    for name, weight in mean.model.state_dict().items():
        torch.testing.assert_close(weight, (first[name] + second[name]) / 2)
    assert mean.facts["average_of"] == [folder.name for folder in saved[-2:]]
    assert "dev_bleu" not in mean.facts
    assert len(nmt("translate", "-m", tmp_path / "mean", "--threads", "1", "Je vais bien.").out.splitlines()) == 1
    again = nmt("average", *saved[-2:], "-o", tmp_path / "mean")
    assert (again.code, "exists" in again.err) == (2, True)
    assert nmt("average", *saved[-2:], "-o", tmp_path / "mean", "--overwrite").code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["mean"]


def test_a_model_averaged_with_itself_is_itself(tmp_path: Path) -> None:
    assert nmt("average", MODEL, MODEL, "-o", tmp_path / "mean").code == 0
    mean, one = checkpoint.load_model(tmp_path / "mean").model, checkpoint.load_model(MODEL).model
    assert all(torch.equal(left, right) for left, right in zip(mean.parameters(), one.parameters(), strict=True))


def test_what_does_not_belong_together_is_refused(trained: Trained, tmp_path: Path) -> None:
    folder = folders.checkpoints(trained.run)[-1]
    other = Path(shutil.copytree(MODEL, tmp_path / "other"))
    for words, told, code in (
        ((folder, MODEL), "are not of one shape", 1),
        ((MODEL,), "an average needs two models, not 1", 2),
        ((MODEL, tmp_path / "nothing"), "there is no model", 1),
    ):
        ended = nmt("average", *words, "-o", tmp_path / "mean")
        assert (ended.code, told in ended.err) == (code, True), ended.err
    (tmp_path / "mine").mkdir()
    ended = nmt("average", MODEL, other, "-o", tmp_path / "mine", "--overwrite")
    assert "is no model folder; it is left alone" in ended.err
    assert not (tmp_path / "mean").exists()


@pytest.mark.parametrize("side", ["source", "target"])
def test_different_subwords_are_refused(side: str, trained: Trained, tmp_path: Path) -> None:
    folder = folders.checkpoints(trained.run)[-1]
    other = Path(shutil.copytree(folder, tmp_path / "other"))
    ended = nmt(
        "tokenizer",
        "train",
        trained.folder / "dev.fr",
        trained.folder / "train.en",
        "-o",
        tmp_path / "m",
        "--vocab-size",
        "400",
        "--kind",
        "bpe",
    )
    assert ended.code == 0
    shutil.copy(tmp_path / "m", other / f"{side}.spm")
    (other / "model.json").write_text((other / "model.json").read_text().replace("crc32", "other"))
    ended = nmt("average", other, folder, "-o", tmp_path / "mean")
    assert (ended.code, "have different subwords" in ended.err) == (1, True), ended.err
