"""Files at scale: several processes, flat memory, and an output that is whole or says that it is not."""

import contextlib
import errno
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from nmt.commands.partial import PartialFile
from nmt.commands.translate import Flags, as_json, chunks
from nmt.decoding import workers
from nmt.decoding.translation import Translation
from nmt.errors import DataError, UsageError
from nmt.text.lines import TextFile
from tests.system.conftest import MODEL, command, environment, nmt, snapshot

WORDS = "un deux trois chat chien rouge mange dort ici là été où".split()
TRANSLATE = ("translate", "-m", MODEL, "--beam-size", "1", "--device", "cpu")
ABOUT = {"input": {"lines": 10}, "model": "m"}

pytestmark = pytest.mark.skipif(os.name != "posix", reason="flock, and signals")


def text(folder: Path, lines: int) -> Path:
    """A file of random short lines."""
    chance = random.Random(lines)
    rows = (" ".join(chance.choices(WORDS, k=chance.randint(1, 5))) for _ in range(lines))
    (folder / "text").write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return folder / "text"


@pytest.fixture
def short_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(workers.JOB_LINES, "cpu", 4)


# What is unfinished


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def part(
    out: Path, *, about: object = ABOUT, total: int = 10, resume: bool = False, overwrite: bool = False
) -> PartialFile:
    assert isinstance(about, dict)
    return PartialFile(out, about, total=total, block=4, resume=resume, overwrite=overwrite)


def interrupted(out: Path, written: bytes) -> None:
    with contextlib.suppress(KeyboardInterrupt), part(out) as file:
        file.write(written)
        raise KeyboardInterrupt


def test_a_file_appears_when_it_is_whole(out: Path) -> None:
    out.write_text("old\n")
    out.chmod(0o640)
    with part(out) as file:
        file.write(b"one\n")
        assert (out.read_text(), (out.parent / "out.part").read_text()) == ("old\n", "one\n")
        assert json.loads((out.parent / "out.part.json").read_text()) == ABOUT
        file.write(b"two\n")
    assert (out.read_text(), out.stat().st_mode & 0o777) == ("one\ntwo\n", 0o640)
    assert [path.name for path in out.parent.iterdir()] == ["out"]


def test_what_was_interrupted_stays_and_says_so(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out.write_text("old\n")
    interrupted(out, b"a\nb\nc\n")
    assert (out.read_text(), (out.parent / "out.part").read_text()) == ("old\n", "a\nb\nc\n")
    assert capsys.readouterr().err == f"warning: {out}.part holds 3 of 10 lines; --resume goes on with it\n"
    with pytest.raises(UsageError, match=r"out.part is there: an earlier run did not end") as caught, part(out):
        pass
    assert caught.value.remedy == "--resume to go on with it, --overwrite to begin anew"
    with part(out, overwrite=True, about={"other": 1}) as file:
        assert file.lines == 0
        file.write(b"x\n")
    assert out.read_text() == "x\n"


def test_nothing_written_leaves_nothing(out: Path) -> None:
    interrupted(out, b"")
    assert snapshot(out.parent) == {}
    (out.parent / "out.part").touch()  # killed before its first lines
    with part(out) as file:
        file.write(b"x\n")
    assert out.read_text() == "x\n"


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        (b"1\n2\n3\n", b""),  # no whole block
        (b"1\n2\n3\n4\n", b"1\n2\n3\n4\n"),
        (b"1\n2\n3\n4\n5", b"1\n2\n3\n4\n"),
        (b"1\n2\n3\n4\n5\n6\n7\n8\n9\n", b"1\n2\n3\n4\n5\n6\n7\n8\n"),
        (b"\n" * 10, b"\n" * 10),  # all there, but killed before the end
        (b"\n" * 9 + b"x", b"\n" * 8),
        (b"\n" * 12, b"\n" * 10),
    ],
)
def test_whole_blocks_are_gone_on_with(written: bytes, kept: bytes, out: Path) -> None:
    interrupted(out, written)
    with part(out, resume=True) as file:
        assert (out.parent / "out.part").read_bytes() == kept
        assert file.lines == kept.count(b"\n")
        file.write(b"more\n")
    assert out.read_bytes() == kept + b"more\n"


def test_nobody_goes_on_with_something_else(out: Path) -> None:
    interrupted(out, b"1\n2\n3\n4\n")
    before = snapshot(out.parent)
    other = {"input": {"lines": 11}, "model": "m", "beam": 1}
    told = r"out\.part was begun with another beam, input\.lines"
    with pytest.raises(UsageError, match=told) as caught, part(out, resume=True, about=other):
        pass
    assert caught.value.remedy == "the command as it was, or --overwrite to begin anew"
    assert snapshot(out.parent) == before
    for content in ("[]", "{", None):
        (out.parent / "out.part.json").unlink()
        if content is not None:
            (out.parent / "out.part.json").write_text(content)
        told = "begun with another kind of file" if content == "[]" else r"out\.part\.json cannot be read, which tells"
        with pytest.raises(UsageError, match=told), part(out, resume=True):
            pass
    assert (out.parent / "out.part").read_text() == "1\n2\n3\n4\n"


def test_there_may_be_nothing_to_go_on_with(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with part(out, resume=True) as file:
        assert file.lines == 0
    assert "there is no" in capsys.readouterr().err
    assert out.read_bytes() == b""


def test_two_do_not_write_the_same_file(out: Path) -> None:
    with part(out) as first:
        first.write(b"1\n2\n3\n4\n")
        for words in ({}, {"resume": True}, {"overwrite": True}):
            with pytest.raises(UsageError, match=r"another nmt is writing to .*out\.part"), part(out, **words):
                pass
        first.write(b"5\n")
    assert out.read_text() == "1\n2\n3\n4\n5\n"


def test_a_file_that_was_renamed_meanwhile_is_not_written_to(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os.path, "samestat", lambda *_: False)
    with pytest.raises(UsageError, match="another nmt is writing"), part(out):
        pass


def test_a_link_keeps_pointing_where_it_did(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "far" / "out")
    with part(tmp_path / "link") as file:
        file.write(b"x\n")
        assert (tmp_path / "far" / "out.part").exists()
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "far" / "out").read_text() == "x\n"


def test_a_link_that_leads_to_itself_is_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to(tmp_path / "out")
    with part(tmp_path / "out") as file:
        file.write(b"x\n")
    assert (tmp_path / "out").read_text() == "x\n"


@pytest.mark.parametrize("name", ["out.part", "out.part.json", "link"])
@pytest.mark.parametrize("option", ["--input", "--prefixes", "--phrases"])
def test_nothing_that_is_read_is_written_to(name: str, option: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("un chat\n")
    (tmp_path / "text").write_text("un chat\n")
    if name == "link":
        (tmp_path / "out.part").symlink_to(tmp_path / "link")
    before = snapshot(tmp_path)
    others = [] if option == "--input" else ["--input", tmp_path / "text"]
    ended = nmt(*TRANSLATE, *others, option, tmp_path / name, "-o", tmp_path / "out", "--overwrite")
    assert (ended.code, "is read and would be overwritten" in ended.err) == (2, True), ended.err
    assert snapshot(tmp_path) == before


def test_a_full_disk_is_told_and_what_is_there_stays(out: Path) -> None:
    def fill() -> None:
        with part(out) as file:
            file.write(b"1\n")
            file._file.close()
            file._file = Path("/dev/full").open("r+b", buffering=0)  # noqa: SIM115
            file.write(b"2\n")

    with pytest.raises(DataError, match=r"out\.part cannot be written: no space left on device") as caught:
        fill()
    assert caught.value.remedy == "free some space, then the same command with --resume"
    assert (out.parent / "out.part").read_text() == "1\n"


def test_a_place_that_takes_no_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "Full")

    for place, told in ((tmp_path, "is a directory"), (tmp_path / "no" / "out", "no such file or directory")):
        with pytest.raises(DataError, match=f"cannot be written: {told}"), part(place):
            pass
    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(DataError, match=r"out\.part\.json cannot be written: full"), part(tmp_path / "out"):
        pass
    assert snapshot(tmp_path) == {}
    monkeypatch.undo()
    interrupted(tmp_path / "out", b"1\n2\n3\n4\n")
    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(DataError, match="out cannot be written: full") as caught, part(tmp_path / "out", resume=True):
        pass
    assert caught.value.remedy == "put that right, then the same command with --resume: no line is lost"
    assert (tmp_path / "out.part").read_text() == "1\n2\n3\n4\n"


# The command


def test_an_interrupted_file_is_gone_on_with(tmp_path: Path, short_jobs: None) -> None:
    words = (*TRANSLATE, "-i", text(tmp_path, 30), "-o", tmp_path / "out", "--threads", "1")
    assert nmt(*words).code == 0
    whole = (tmp_path / "out").read_bytes()
    ended = nmt(*words, "--resume")
    assert (ended.code, (tmp_path / "out").read_bytes()) == (0, whole)
    assert f"there is no {tmp_path}/out.part to resume from" in ended.err
    # As a kill leaves it.
    about = partial_left_by_a_kill(words, tmp_path)
    (tmp_path / "out").write_text("old\n")
    (tmp_path / "out.part").write_bytes(whole[: len(whole) // 2])
    refused = nmt(*words)
    assert (refused.code, (tmp_path / "out").read_text()) == (2, "old\n")
    assert "--resume to go on with it, --overwrite to begin anew" in refused.err
    for other, told in (
        (("--beam-size", "2"), "begun with another decode.beam_size\n"),
        (("--max-length", "9"), "begun with another max_length\n"),
        (("--long", "error"), "begun with another long\n"),
        (("--max-batch-tokens", "9"), "begun with another max_batch_tokens\n"),
    ):
        refused = nmt(*words, *other, "--resume")
        assert refused.code == 2
        assert told in refused.err
    ended = nmt(*words, "--resume")
    assert (ended.code, (tmp_path / "out").read_bytes()) == (0, whole)
    assert "resuming after line 12 of 30" in ended.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "text"]
    # Another text, another model.
    (tmp_path / "out.part").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "out.part.json").write_text(about)
    with (tmp_path / "text").open("a") as file:
        file.write("un\n")
    assert "begun with another input.lines, input.sha256\n" in nmt(*words, "--resume").err
    model = shutil.copytree(MODEL, tmp_path / "model")
    facts = json.loads((model / "model.json").read_text())
    weights = bytearray((model / "model.safetensors").read_bytes())
    weights[-1] ^= 1
    (model / "model.safetensors").write_bytes(weights)
    (model / "model.json").write_text(json.dumps(facts))
    text(tmp_path, 30)
    other_model = [model if word == MODEL else word for word in words]
    assert "begun with another models.1.model.safetensors\n" in nmt(*other_model, "--resume").err
    assert nmt(*words, "--overwrite").code == 0
    assert (tmp_path / "out").read_bytes() == whole


def test_prefixes_and_phrases_keep_their_lines_after_an_interruption(tmp_path: Path, short_jobs: None) -> None:
    begin = ["two", "red", "here", "", "cat"]
    (tmp_path / "begin").write_text("".join(f"{begin[line % 5]}\n" for line in range(30)))
    (tmp_path / "hold").write_text("".join("where\tdog\n" if line % 3 == 0 else "\n" for line in range(30)))
    words = (*TRANSLATE, "-i", text(tmp_path, 30), "-o", tmp_path / "out", "--threads", "1", "--beam-size", "8")
    words = (*words, "--prefixes", tmp_path / "begin", "--phrases", tmp_path / "hold")
    assert nmt(*words).code == 0
    whole = (tmp_path / "out").read_bytes()
    for line, found in enumerate(whole.decode().splitlines()):
        assert found.startswith(begin[line % 5])
        assert line % 3 or ("where" in found and "dog" in found)
    about = partial_left_by_a_kill(words, tmp_path)
    (tmp_path / "out.part").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "out.part.json").write_text(about)
    ended = nmt(*words, "--resume")
    assert "resuming after line" in ended.err
    assert (ended.code, (tmp_path / "out").read_bytes()) == (0, whole)


def partial_left_by_a_kill(words: tuple[str | Path, ...], folder: Path) -> str:
    """What OUT.part.json says while the command runs."""
    seen = []
    write = PartialFile.write

    def look(self: PartialFile, data: bytes) -> None:
        seen.append((folder / "out.part.json").read_text())
        write(self, data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PartialFile, "write", look)
        assert nmt(*words).code == 0
    (folder / "out.part.json").write_text(seen[0])
    return seen[0]


def test_what_cannot_be_a_part_is_written_to_directly(tmp_path: Path) -> None:
    source = text(tmp_path, 3)
    assert nmt(*TRANSLATE, "-i", source, "-o", "/dev/null").code == 0
    assert nmt(*TRANSLATE, "-o", tmp_path / "out", "un chat").code == 0  # cannot be resumed, so it leaves nothing
    refused = nmt(*TRANSLATE, "-i", source, "-o", "/dev/null", "--resume")
    assert (refused.code, "--resume cannot go on with /dev/null, which is no file" in refused.err) == (2, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "text"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--resume", "x"], "--resume needs --input and --output"),
        (["--resume", "-i", "a"], "--resume needs --input and --output"),
        (["--resume", "--overwrite", "-i", "a", "-o", "b"], "--resume and --overwrite exclude each other"),
        (["--workers", "2", "x"], "--workers needs --input"),
        (["--workers", "2"], "--workers needs --input"),
        (["--workers", "0", "x"], "'0' is neither auto nor a number from 1 to 1024"),
        (["--workers", "many", "x"], "'many' is neither auto nor a number from 1 to 1024"),
    ],
    ids=" ".join,
)
def test_what_does_not_go_together_is_refused(words: list[str], told: str) -> None:
    ended = nmt(*TRANSLATE, *words)
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err


def test_a_pipe_that_can_be_read_once_is_enough(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["sh", "-c", f"printf 'un chat\\ndeux\\n' > {tmp_path / 'pipe'}"]):
        ended = nmt(*TRANSLATE, "-i", tmp_path / "pipe", "--threads", "1")
    assert (ended.code, ended.out) == (0, "one cat\ntwo\n")


def test_two_processes_write_what_one_writes(tmp_path: Path, short_jobs: None) -> None:
    source = text(tmp_path, 40)
    for count in ("1", "2"):
        words = ("-i", source, "-o", tmp_path / count, "--workers", count, "--threads", "2")
        ended = nmt(*TRANSLATE, *words, "--max-length", "4")
        assert ended.code == 0
        (tmp_path / f"err{count}").write_text(ended.err)
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()
    assert "in all): reached the length limit" in (tmp_path / "err1").read_text()
    assert (tmp_path / "err1").read_text() == (tmp_path / "err2").read_text()
    scores = [
        nmt("eval", *TRANSLATE[1:], "-s", source, "-r", tmp_path / "1", "--workers", count, "--threads", "2").out
        for count in ("1", "2")
    ]
    assert scores[0] == scores[1] != ""


# Memory


def test_lines_are_read_as_they_are_needed(tmp_path: Path) -> None:
    source = TextFile(text(tmp_path, 20_000))
    assert len(source) == 20_000
    tracemalloc.start()
    for _, lines in chunks(source, 100, 50):
        assert len(lines) <= 100
    assert tracemalloc.get_traced_memory()[1] < 500_000  # of 1.2 MB of text, in Python far more
    tracemalloc.stop()
    assert [first for first, _ in chunks(range(10), 4, 4)] == [5, 9]  # type: ignore[arg-type]


def test_a_json_line_is_one_line_to_every_reader() -> None:
    text = "un\x85deux\u2028trois\u2029quatre\x0bcinq\x0csix\x1cneuf"
    line = as_json(text, Translation("x", 0.0)).decode()
    assert (len(line.splitlines()), json.loads(line)["source"]) == (1, text)


def test_flags_are_counted_not_collected(capsys: pytest.CaptureFixture[str]) -> None:
    flags = Flags()
    tracemalloc.start()
    for first in range(1, 30_001, 100):
        flags.count(first, [Translation("", flags=("repetition",))] * 100)
    assert tracemalloc.get_traced_memory()[0] < 20_000
    tracemalloc.stop()
    flags.tell()
    assert capsys.readouterr().err == "warning: lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ... (30,000 in all): repetition\n"


# Ends


def running(*words: str | Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command(*TRANSLATE, *words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    )


def until_lines(path: Path, process: subprocess.Popen[bytes], size: int = 1) -> None:
    deadline = time.monotonic() + 200
    while not (path.exists() and path.stat().st_size >= size):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)


def members(session: int) -> Iterator[int]:
    """Processes of a session, but for those that have ended."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] not in "ZX":
            yield int(stat.parent.name)


def nobody_is_left(session: int, seconds: float = 5.0) -> bool:
    deadline = time.monotonic() + seconds
    while any(True for _ in members(session)):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc")
@pytest.mark.parametrize(("count", "sent"), [("1", signal.SIGKILL), ("2", signal.SIGKILL), ("2", signal.SIGINT)])
def test_a_kill_costs_no_line_and_leaves_nobody(count: str, sent: signal.Signals, tmp_path: Path) -> None:
    source = text(tmp_path, 5000)
    words = ("-i", source, "-o", tmp_path / "out", "--workers", count, "--threads", "2")
    with running(*words) as process:
        until_lines(tmp_path / "out.part", process)
        if sent == signal.SIGINT:  # as a terminal sends it: to all of them
            os.killpg(process.pid, sent)
        else:
            process.send_signal(sent)
        assert process.wait(timeout=20) == (130 if sent == signal.SIGINT else -sent)
        assert nobody_is_left(process.pid)
        assert process.stderr is not None
        told = process.stderr.read().decode()
    assert "Traceback" not in told
    if sent == signal.SIGINT:
        assert f"warning: {tmp_path}/out.part holds " in told
        assert told.endswith("error: interrupted\n")
    assert not (tmp_path / "out").exists()
    ended = nmt(*TRANSLATE, *words[:4], "--threads", "1", "--workers", "1", "--resume")
    assert (ended.code, "resuming after line " in ended.err) == (0, True)
    assert nmt(*TRANSLATE, *words[:2], "-o", tmp_path / "whole", "--threads", "1").code == 0
    assert (tmp_path / "out").read_bytes() == (tmp_path / "whole").read_bytes()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc")
def test_workers_hear_no_interrupt_from_their_first_moment_on(tmp_path: Path) -> None:
    """A terminal sends it to all of them; what it means is for the command to say."""
    words = ("-i", text(tmp_path, 2000), "-o", tmp_path / "out", "--workers", "2", "--threads", "2")
    with running(*words) as process:
        deadline = time.monotonic() + 200
        # The command and its workers, which have begun to import torch.
        while sum(resident(member) > 30 * 2**20 for member in members(process.pid)) < 3:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        for member in members(process.pid):
            if member != process.pid:
                os.kill(member, signal.SIGINT)
        assert process.wait(timeout=200) == 0
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert nobody_is_left(process.pid)


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc")
@pytest.mark.parametrize("count", ["1", "2"])
def test_memory_is_flat_over_200_000_lines(count: str, tmp_path: Path) -> None:
    """Of all its processes together, from a fifth of the way on."""
    source = text(tmp_path, 200_000)
    found: list[tuple[int, int]] = []  # bytes written, bytes in memory
    with running("-i", source, "-o", tmp_path / "out", "--workers", count, "--threads", count) as process:
        while process.poll() is None:
            with contextlib.suppress(FileNotFoundError):
                written = (tmp_path / "out.part").stat().st_size
                found.append((written, sum(map(resident, members(process.pid)))))
            time.sleep(0.2)
    whole = (tmp_path / "out").stat().st_size
    assert process.returncode == 0
    assert (tmp_path / "out").read_bytes().count(b"\n") == 200_000
    late = [memory for written, memory in found if 0.2 * whole < written < whole]
    assert max(late) - late[0] < int(count) * 8 * 2**20, found  # the lines alone would be several times as much


def resident(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
