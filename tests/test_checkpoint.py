"""The model folder: what is saved comes back, what is damaged is told, and nothing half-written is ever there."""

import errno
import json
import os
import pickle
import shutil
import sys
import zlib
from pathlib import Path
from typing import Any, NoReturn

import pytest
import torch

import nmt
from nmt import checkpoint, folders
from nmt.config import Config
from nmt.decoding.translator import Translator
from nmt.errors import ModelError, NMTError, UsageError
from nmt.model import Transformer
from nmt.text.tokenizer import Tokenizer
from tests.conftest import sentences, tiny_config, tiny_model

FORMAT_1 = Path(__file__).parent / "fixtures" / "format1"


def config_of(model: Transformer) -> Config:
    return Config.model_validate(
        {"model": model.config.model_dump(), "tokenizer": {"shared": model.config.tie_embeddings == "all"}}
    )


def save(
    run: Path, tokenizer: Tokenizer, step: int = 7, model: Transformer | None = None, **more: Any
) -> tuple[Path, Transformer]:
    model = model or tiny_model(tokenizer.vocab_size)
    facts = more.pop("facts", {"dev_bleu": 12.5})
    return checkpoint.save(run, step, model, config_of(model), tokenizer, tokenizer, facts, **more), model


@pytest.fixture
def folder(tmp_path: Path, tokenizer: Tokenizer) -> Path:
    """The model folder of step 7 in the run tmp_path/run, with trainer/."""
    return save(tmp_path / "run", tokenizer, trainer_state={"weights": [torch.ones(3)], "state": {"step": 7}})[0]


def everything_in(folder: Path) -> dict[str, bytes]:
    """Every file there, hidden ones too, with its content."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


# There and back


@pytest.mark.parametrize(
    "form",
    [
        {"tie_embeddings": "all"},
        {"tie_embeddings": "target"},
        {"tie_embeddings": "none"},
        {"norm": "rms", "norm_position": "post", "positions": "learned"},
        {"positions": "rotary", "gated": True, "attention_bias": False, "ffn_bias": False, "dropout": 0.3},
    ],
    ids=lambda form: "-".join(map(str, form.values())),
)
def test_what_is_saved_comes_back(form: dict[str, object], tmp_path: Path, tokenizer: Tokenizer) -> None:
    folder, model = save(tmp_path / "run", tokenizer, model=tiny_model(tokenizer.vocab_size, **form))
    assert folder == tmp_path / "run" / "checkpoints" / "step-7"
    loaded = checkpoint.load_model(folder)
    assert loaded.folder == folder
    assert loaded.config == config_of(model)
    assert loaded.source_tokenizer.proto == loaded.target_tokenizer.proto == tokenizer.proto
    assert not loaded.model.training
    saved = model.state_dict()
    assert loaded.model.state_dict().keys() == saved.keys()
    assert all(torch.equal(tensor, saved[name]) for name, tensor in loaded.model.state_dict().items())
    # What was one matrix is one again.
    weights = [loaded.model.output.weight, loaded.model.target_embedding.tokens.weight]
    weights.append(loaded.model.source_embedding.tokens.weight)
    tied = {"all": 1, "target": 2, "none": 3}[model.config.tie_embeddings]
    assert len({weight.data_ptr() for weight in weights}) == tied
    assert sum(p.numel() for p in loaded.model.parameters()) == loaded.facts["parameters"]
    source, target = torch.randint(4, tokenizer.vocab_size, (2, 5)), torch.randint(4, tokenizer.vocab_size, (2, 3))
    assert torch.equal(
        loaded.model.decode(target, loaded.model.encode(source)), model.eval().decode(target, model.encode(source))
    )


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc")
def test_weights_are_the_files_own_pages_and_training_leaves_the_file_alone(folder: Path) -> None:
    before = (folder / "model.safetensors").read_bytes()
    model = checkpoint.load_model(folder).model
    maps = [line.split() for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()]
    names = [line[0].split("-") for line in maps if line[-1] == str(folder / "model.safetensors")]
    places = [(int(begin, 16), int(end, 16)) for begin, end in names]
    for parameter in model.parameters():
        assert parameter.requires_grad
        assert any(begin <= parameter.data_ptr() < end for begin, end in places)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(1)
    again = checkpoint.load_model(folder).model
    assert (folder / "model.safetensors").read_bytes() == before
    for name, parameter in again.named_parameters():
        assert torch.equal(parameter + 1, model.get_parameter(name))
    # What takes the file's place changes no model in memory.
    (folder / "other").write_bytes(bytes(len(before)))
    (folder / "other").replace(folder / "model.safetensors")
    assert torch.equal(again.output.weight + 1, model.output.weight)


def test_each_side_keeps_its_own_subwords(tmp_path: Path, tokenizer: Tokenizer) -> None:
    other = Tokenizer.train(sentences(300, 5), kind="bpe", vocab_size=300)
    model = Transformer(tiny_config(tie_embeddings="target"), tokenizer.vocab_size, other.vocab_size)
    folder = checkpoint.save(tmp_path, 1, model, config_of(model), tokenizer, other, {})
    loaded = checkpoint.load_model(folder)
    assert loaded.source_tokenizer.proto == tokenizer.proto != loaded.target_tokenizer.proto == other.proto
    assert loaded.model.source_embedding.tokens.weight.shape[0] == tokenizer.vocab_size
    assert loaded.model.output.weight.shape[0] == other.vocab_size != tokenizer.vocab_size


def test_a_model_folder_says_what_it_is(folder: Path, tokenizer: Tokenizer) -> None:
    facts = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    sums = facts.pop("crc32")
    assert sorted(sums) == ["model.safetensors", "source.spm", "target.spm", "trainer/state.pt"]
    assert sums["source.spm"] == f"{zlib.crc32(tokenizer.proto):08x}"
    assert facts == {
        "format": 1,
        "nmtkit": nmt.__version__,
        "source_language": "fr",
        "target_language": "en",
        "source_vocab_size": tokenizer.vocab_size,
        "target_vocab_size": tokenizer.vocab_size,
        "parameters": sum(p.numel() for p in tiny_model(tokenizer.vocab_size).parameters()),
        "step": 7,
        "dev_bleu": 12.5,
    }
    names = {"model.json", "config.yaml", "source.spm", "target.spm", "model.safetensors", "trainer/state.pt"}
    assert set(everything_in(folder)) == names


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_who_may_read_one_file_may_read_them_all(folder: Path) -> None:
    modes = {path.stat().st_mode for path in folder.iterdir() if path.is_file()}
    assert len(modes) == 1, [(path.name, oct(path.stat().st_mode)) for path in folder.iterdir()]


def test_the_state_of_a_training_comes_back(folder: Path) -> None:
    state = checkpoint.load_trainer_state(folder)
    assert state["state"] == {"step": 7}
    assert torch.equal(state["weights"][0], torch.ones(3))


def test_what_dev_has_taught_comes_back(tmp_path: Path, tokenizer: Tokenizer) -> None:
    learnt = {"guard": {"copied": 0.5}, "of a later version": "ü"}
    folder, _ = save(tmp_path / "run", tokenizer, calibration=learnt)
    assert checkpoint.load_model(folder).calibration == learnt
    assert "calibration.json" not in folders.read_facts(folder)["crc32"]  # `nmt calibrate` may write it anew
    checkpoint.write_calibration(folder, {"dev": {}})
    assert checkpoint.load_model(folder).calibration == {"dev": {}}


def test_without_it_the_folder_is_as_before(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert not (folder / "calibration.json").exists()
    assert checkpoint.load_model(folder).calibration == {}
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"[" * 100_000, b"null", b"\xff\xfe", b'{"guard": {}'])
def test_a_broken_calibration_is_a_warning_and_no_error(
    content: bytes, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "calibration.json").write_bytes(content)
    assert checkpoint.load_model(folder).calibration == {}
    told = capsys.readouterr().err
    assert "calibration.json cannot be read and is not used; nmt calibrate writes it anew" in told
    assert told.count("\n") == 1


def test_a_step_saved_again_replaces_the_first(tmp_path: Path, tokenizer: Tokenizer) -> None:
    first, _ = save(tmp_path, tokenizer, facts={"dev_bleu": 1.0})
    second, model = save(tmp_path, tokenizer, model=tiny_model(tokenizer.vocab_size).requires_grad_(False))
    assert first == second
    loaded = checkpoint.load_model(second)
    assert loaded.facts["dev_bleu"] == 12.5
    assert torch.equal(loaded.model.output.weight, model.output.weight)
    assert [path.name for path in (tmp_path / "checkpoints").iterdir()] == ["step-7"]


def test_a_moved_folder_still_translates(folder: Path, tmp_path: Path) -> None:
    wanted = Translator.load(folder, device="cpu").translate(["the cat sees a dog."])
    moved = tmp_path / "elsewhere" / "my model"
    moved.parent.mkdir()
    folder.rename(moved)
    shutil.rmtree(tmp_path / "run")
    assert Translator.load(moved, device="cpu").translate(["the cat sees a dog."]) == wanted


def test_a_moved_run_still_has_its_best(folder: Path, tmp_path: Path) -> None:
    checkpoint.point(tmp_path / "run", "best", folder)
    (tmp_path / "run").rename(tmp_path / "moved")
    found = folders.find_model(tmp_path / "moved")
    assert found == tmp_path / "moved" / "checkpoints" / "step-7"
    assert checkpoint.load_model(tmp_path / "moved").folder == found


def test_trainer_may_be_deleted(folder: Path) -> None:
    shutil.rmtree(folder / "trainer")
    assert checkpoint.load_model(folder).facts["step"] == 7
    with pytest.raises(ModelError, match=r"step-7 has no trainer/ any more: it translates, but cannot train on"):
        folders.newest_sound(folder.parents[1])


def test_nothing_is_unpickled_to_translate(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("something was unpickled")

    for module, name in ((torch, "load"), (pickle, "load"), (pickle, "loads"), (pickle, "Unpickler")):
        monkeypatch.setattr(module, name, refuse)
    assert len(Translator.load(folder, device="cpu").translate(["a cat."])) == 1


def test_a_device_that_is_not_there_is_told(folder: Path) -> None:
    with pytest.raises(UsageError, match="'abacus' is no device"):
        checkpoint.load_model(folder, "abacus")
    with pytest.raises(UsageError, match="device 'meta' is not available here"):
        checkpoint.load_model(folder, "meta")


# Damage


def forget_checksums(folder: Path) -> None:
    """As the first versions wrote it."""
    facts = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    del facts["crc32"]
    (folder / "model.json").write_text(json.dumps(facts), encoding="utf-8")


@pytest.mark.parametrize("name", ["model.safetensors", "source.spm", "target.spm"])
def test_one_wrong_bit_is_found(name: str, folder: Path) -> None:
    data = bytearray((folder / name).read_bytes())
    data[len(data) * 2 // 3] ^= 1
    (folder / name).write_bytes(data)
    with pytest.raises(ModelError, match=rf"{name} is damaged: its checksum is not the one in model.json") as caught:
        checkpoint.load_model(folder)
    assert "checkpoints/step-N" in caught.value.remedy


def test_how_a_model_decodes_may_be_edited(folder: Path) -> None:
    text = (folder / "config.yaml").read_text(encoding="utf-8")
    (folder / "config.yaml").write_text(text.replace("beam_size: 5", "beam_size: 2"), encoding="utf-8")
    assert checkpoint.load_model(folder).config.decode.beam_size == 2


def test_training_goes_on_from_the_newest_that_is_sound(
    folder: Path, tmp_path: Path, tokenizer: Tokenizer, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    for step in (8, 9):
        newer, _ = save(run, tokenizer, step=step, trainer_state={"step": step})
        assert folders.newest_sound(run) == newer
    shutil.rmtree(newer / "trainer")
    state = run / "checkpoints" / "step-8" / "trainer" / "state.pt"
    state.write_bytes(state.read_bytes()[:-1])
    assert folders.newest_sound(run) == folder
    told = capsys.readouterr().err
    assert "step-9 has no trainer/ any more" in told
    assert "state.pt is damaged: its checksum is not the one in model.json; the checkpoint before it is taken" in told
    (folder / "source.spm").write_bytes(b"")
    with pytest.raises(ModelError, match="step-9 has no trainer/ any more"):  # why the newest is no good
        folders.newest_sound(run)
    with pytest.raises(ModelError, match="has no checkpoint to resume from"):
        folders.newest_sound(tmp_path)


def test_a_newer_format_is_told_as_such(folder: Path) -> None:
    facts = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    (folder / "model.json").write_text(json.dumps(facts | {"format": 999}), encoding="utf-8")
    (folder / "model.safetensors").unlink()  # whatever it holds, it is not looked at
    with pytest.raises(
        ModelError, match=r"made by a newer version of nmt \(format 999; this one reads up to 1\)"
    ) as caught:
        checkpoint.load_model(folder)
    assert caught.value.remedy == "pip install --upgrade nmtkit"


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("model.safetensors", b"", r"model\.safetensors is damaged"),
        ("model.safetensors", b"\x80\x04 no tensors here", r"model\.safetensors is damaged"),
        ("model.safetensors", None, r"model\.safetensors is damaged or missing"),
        ("source.spm", None, r"source\.spm cannot be read: no such file"),
        ("target.spm", b"garbage", r"target\.spm(: this is no SentencePiece model| is damaged)"),
        ("model.json", b"{", r"model\.json cannot be read"),
        ("model.json", b"\xff", r"model\.json cannot be read"),
        ("model.json", b"[]", r"model\.json names no format"),
        ("model.json", b"{}", r"model\.json names no format"),
        ("model.json", b'{"format": "1"}', r"model\.json names no format"),
        ("config.yaml", None, r"step-7 cannot be read: .*config\.yaml cannot be read: No such file"),
        ("config.yaml", b"model: [", r"step-7 cannot be read: .*config\.yaml line 1"),
        ("config.yaml", b"modle:\n  d_model: 4\n", r"step-7 cannot be read: .*modle is no section"),
        ("config.yaml", b"model:\n  d_model: 64\n", r"model\.safetensors is damaged or missing"),  # another shape
    ],
)
@pytest.mark.parametrize("checksums", [True, False])
def test_a_damaged_folder_is_a_clear_error(
    name: str, content: bytes | None, told: str, checksums: bool, folder: Path
) -> None:
    if not checksums:
        forget_checksums(folder)
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(content)
    with pytest.raises(ModelError, match=told) as caught:
        checkpoint.load_model(folder)
    assert caught.value.remedy
    assert caught.value.exit_code == 1


@pytest.mark.parametrize("kept", [0.02, 0.5, 0.999])
def test_half_a_file_of_weights_is_a_clear_error(kept: float, folder: Path) -> None:
    whole = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(whole[: int(len(whole) * kept)])
    forget_checksums(folder)
    with pytest.raises(
        ModelError, match=r"model\.safetensors is damaged or missing, or config\.yaml is another model's: \S"
    ) as caught:
        checkpoint.load_model(folder)
    assert "checkpoints/step-N" in caught.value.remedy
    assert len(caught.value.message.splitlines()) == 1


def test_a_damaged_state_is_a_clear_error(folder: Path) -> None:
    whole = (folder / "trainer" / "state.pt").read_bytes()
    (folder / "trainer" / "state.pt").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ModelError, match=r"state\.pt is damaged"):
        checkpoint.load_trainer_state(folder)


def test_a_state_that_would_run_something_is_refused(folder: Path, tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(tmp_path / "sprung"),)

    torch.save({"state": Trap()}, folder / "trainer" / "state.pt")
    with pytest.raises(ModelError, match=r"state\.pt is damaged: UnpicklingError"):
        checkpoint.load_trainer_state(folder)
    assert not (tmp_path / "sprung").exists()


# Trouble while saving


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_a_weight_that_is_not_finite_is_never_saved(value: float, tmp_path: Path, tokenizer: Tokenizer) -> None:
    model = tiny_model(tokenizer.vocab_size)
    with torch.no_grad():
        model.decoder[1].feed_forward.down.bias[3] = value  # type: ignore[union-attr]
    with pytest.raises(ModelError, match=r"decoder\.1\..* is not finite at step 7: the model is not saved") as caught:
        save(tmp_path / "run", tokenizer, model=model)
    assert "train.learning_rate" in caught.value.remedy
    assert not (tmp_path / "run").exists()


def full_disk(*_: object, **__: object) -> NoReturn:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("where", ["save_file", "torch.save", "os.fsync", "_flush_folder"])
@pytest.mark.parametrize("step", [7, 8])
def test_a_full_disk_leaves_the_old_checkpoint_and_nothing_else(
    where: str, step: int, folder: Path, tmp_path: Path, tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "run"
    checkpoint.point(run, "last", folder)
    before = everything_in(run)
    owner, _, name = where.rpartition(".")
    monkeypatch.setattr(sys.modules[owner] if owner else checkpoint, name, full_disk)
    with pytest.raises(ModelError, match=rf"step-{step} cannot be written: .*No space left|no space left") as caught:
        save(run, tokenizer, step=step, trainer_state={"step": step})
    assert "free some space" in caught.value.remedy
    assert everything_in(run) == before
    assert [path.name for path in (run / "checkpoints").iterdir()] == ["step-7"]
    monkeypatch.undo()
    assert checkpoint.load_model(run).facts["step"] == 7
    assert save(run, tokenizer, step=step)[0].name == f"step-{step}"  # once there is room again


def test_what_a_killed_process_left_is_in_nobodys_way(folder: Path, tmp_path: Path, tokenizer: Tokenizer) -> None:
    left = folder.with_name(".step-8.tmp")
    shutil.copytree(folder, left)
    (left / "trainer" / "old").write_text("x")
    assert folders.checkpoints(tmp_path / "run") == [folder]
    again, _ = save(tmp_path / "run", tokenizer, step=8)
    assert folders.checkpoints(tmp_path / "run") == [folder, again]
    assert not left.exists()
    assert not (again / "trainer").exists()


def test_an_interrupted_save_leaves_nothing(
    tmp_path: Path, tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(checkpoint, "save_file", interrupt)
    with pytest.raises(KeyboardInterrupt):
        save(tmp_path, tokenizer)
    assert list((tmp_path / "checkpoints").iterdir()) == []


def test_a_text_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "best"
    checkpoint.write_text(path, "old\n")
    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(NMTError, match="best cannot be written: no space left"):
        checkpoint.write_text(path, "new\n")
    assert [(entry.name, entry.read_text()) for entry in tmp_path.iterdir()] == [("best", "old\n")]


# For ever


def test_a_model_of_format_1_loads_and_translates_as_it_did() -> None:
    """Made by tests/fixtures/make_format1.py when format 1 was new. Mend the code if this fails, never the folder."""
    assert json.loads((FORMAT_1 / "model.json").read_text(encoding="utf-8"))["format"] == 1
    expected = json.loads(FORMAT_1.with_suffix(".json").read_text(encoding="utf-8"))
    translator = Translator.load(FORMAT_1, device="cpu")
    results = translator.translate_segments([row["source"] for row in expected], with_scores=True)
    assert [result.text for result in results] == [row["translation"] for row in expected]
    assert [result.score for result in results] == pytest.approx([row["score"] for row in expected], abs=1e-4)
    assert sum(len(content) for content in everything_in(FORMAT_1).values()) < 60_000
    assert not (FORMAT_1 / "trainer").exists()


def test_subwords_of_another_model_are_told(folder: Path) -> None:
    other = Tokenizer.train(sentences(300, 5), kind="bpe", vocab_size=290)
    forget_checksums(folder)
    other.save(folder / "source.spm")
    with pytest.raises(ModelError, match=r"source\.spm has 290 pieces, but the model was trained with \d+"):
        checkpoint.load_model(folder)


def test_a_model_folder_without_its_description_is_told(folder: Path) -> None:
    (folder / "model.json").unlink()
    with pytest.raises(ModelError, match=r"is a model folder without its model\.json"):
        checkpoint.load_model(folder)
