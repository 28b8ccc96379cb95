"""A corpus as ids in shards: the same whoever encodes it, kept and found again, and nothing half written."""

import errno
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from nmt.corpus import encoder
from nmt.corpus import encoding as encoding_module
from nmt.corpus import shards as module
from nmt.corpus.blocks import TextBlocks, look_through
from nmt.corpus.encoder import Encoder, Task
from nmt.corpus.encoding import Encoding, report_file, side_key
from nmt.corpus.shards import Shards, deal, shards_of
from nmt.corpus.stream import PairList
from nmt.errors import DataError
from nmt.text.lines import clean
from nmt.text.tokenizer import Tokenizer
from tests.conftest import sentences

PAIRS = list(zip(sentences(1500, 1), sentences(1500, 2), strict=True))


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards of two blocks, 512 lines."""
    monkeypatch.setattr(module, "SHARD_BLOCKS", 2)


def encoding(tokenizer: Tokenizer, **changes: object) -> Encoding:
    settings: dict[str, object] = {"source": tokenizer.proto, "target": tokenizer.proto, "max_length": 64}
    return Encoding(**(settings | changes))  # type: ignore[arg-type]


def text_of(folder: Path, pairs: list[tuple[str, str]] = PAIRS) -> TextBlocks:
    return look_through(PairList("list", pairs), folder / "text", "list")


def encode(folder: Path, wanted: Encoding, text: TextBlocks | None = None, workers: int = 1) -> Shards:
    text = text or text_of(folder)
    made = shards_of(text, wanted, folder / "ids")
    Encoder([Task(text, wanted, made)], workers).run()
    return made


def decoded(made: Shards, tokenizer: Tokenizer) -> list[tuple[str, str]]:
    found = []
    for number in range(len(made)):
        shard = made.shard(number)
        found += [(tokenizer.decode(shard.source[i]), tokenizer.decode(shard.target[i])) for i in range(len(shard))]
    return found


def test_a_small_text_keeps_its_order(tokenizer: Tokenizer, tmp_path: Path) -> None:
    made = encode(tmp_path, encoding(tokenizer))
    assert (len(made), made.sizes) == (3, [512, 512, 476])
    assert decoded(made, tokenizer) == PAIRS
    assert made.shard(0).source[0].dtype == np.dtype("<u2")
    assert made.left_out().counts == {}


def test_of_a_large_text_each_shard_is_a_sample(
    tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ALL_AT_ONCE", 1000)
    made = encode(tmp_path, encoding(tokenizer))
    found = decoded(made, tokenizer)
    assert found != PAIRS
    assert sorted(found) == sorted(PAIRS)
    assert sum(made.sizes) == 1500
    assert [len(made.shard(number)) for number in range(3)] == made.sizes
    many = deal(2000 * 256)
    assert sorted(np.concatenate(many).tolist()) == list(range(2000))
    assert len(many) == 1000
    assert all(len(blocks) == 2 and blocks[0] < blocks[1] for blocks in many)
    assert np.mean([np.diff(blocks)[0] for blocks in many]) > 300  # from far apart


@pytest.mark.parametrize("keep_text", [False, True])
def test_several_processes_make_the_same_files(keep_text: bool, tokenizer: Tokenizer, tmp_path: Path) -> None:
    wanted = encoding(tokenizer, keep_text=keep_text)
    one, two = encode(tmp_path / "a", wanted), encode(tmp_path / "b", wanted, workers=2)
    names = sorted(path.name for path in one.folder.iterdir())
    assert names == sorted(path.name for path in two.folder.iterdir())
    assert len(names) == 3 * (9 if keep_text else 5) + 1  # and the lock
    for name in names:
        assert (one.folder / name).read_bytes() == (two.folder / name).read_bytes()


def test_what_is_left_out_is_counted_and_named(tokenizer: Tokenizer, tmp_path: Path) -> None:
    """D5, D11, and pairs held out for validation, by either side."""
    pairs = [(f"the cat {i}", f"a dog {i}") for i in range(20)]
    pairs[3], pairs[6], pairs[8] = (" \u00a0", "x"), ("x", ""), ("\t", "")
    pairs[10] = ("the cat " * 100, "a dog")
    held = frozenset({side_key("the cat 12"), side_key("a dog 14")})
    made = encode(tmp_path, encoding(tokenizer, excluded=held), text_of(tmp_path, pairs))
    left = made.left_out()
    assert left.counts == {
        "with blank source": 1,
        "with blank target": 1,
        "with both sides blank": 1,
        "too long": 1,
        "held out": 2,
    }
    assert left.lines == [
        (4, "with blank source"),
        (7, "with blank target"),
        (9, "with both sides blank"),
        (11, "too long"),
        (13, "held out"),
        (15, "held out"),
    ]
    assert len(made.shard(0)) == 14
    counted = made.counted()
    ids = [tokenizer.encode(text) for text in ("the cat 0", "a dog 0")]
    assert (counted.lines, counted.pairs) == (20, 14)
    assert (counted.left_out, counted.lines) == (left.counts, counted.pairs + sum(left.counts.values()))
    shard = made.shard(0)
    assert counted.source_tokens == sum(len(shard.source[i]) for i in range(14)) > 13 * len(ids[0])
    assert counted.target_tokens == sum(len(shard.target[i]) for i in range(14)) > 13 * len(ids[1])


def test_what_is_not_there_yet_is_not_counted(
    tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = encode(tmp_path, encoding(tokenizer))
    whole, report = made.counted(), report_file(made.folder, 1)
    assert (whole.lines, whole.pairs, whole.left_out) == (1500, 1500, {})
    assert whole.source_tokens == sum(len(ids) for ids in tokenizer.encode_batch([source for source, _ in PAIRS]))
    assert whole.target_tokens == sum(len(ids) for ids in tokenizer.encode_batch([target for _, target in PAIRS]))
    kept = report.read_bytes()
    report.unlink()
    again = Shards(made.facts)
    some = again.counted()
    assert (some.lines, some.pairs) == (988, 988)
    assert 0 < some.source_tokens < whole.source_tokens
    report.write_bytes(kept)
    assert again.counted() == whole
    monkeypatch.setattr(Shards, "_count", lambda *_: pytest.fail("each shard is counted once"))
    assert again.counted() == whole


def test_many_left_out_are_counted_but_only_some_named(tokenizer: Tokenizer, tmp_path: Path) -> None:
    made = encode(tmp_path, encoding(tokenizer), text_of(tmp_path, [("", "x")] * 100 + [("a", "b")]))
    assert made.left_out().counts == {"with blank source": 100}
    assert [line for line, _ in made.left_out().lines] == list(range(1, 11))


def test_the_text_is_kept_as_it_is_learned_from(tokenizer: Tokenizer, tmp_path: Path) -> None:
    pairs = [("a  cat\u2028 ", "eine Katze\u0301"), ("", "x"), ("the cat " * 100, "x"), ("漢\u2581 é", "ü")]
    made = encode(tmp_path, encoding(tokenizer, keep_text=True), text_of(tmp_path, pairs))
    text = made.text(0)
    found = [tuple(side[i].tobytes().decode() for side in (text.source, text.target)) for i in range(len(text))]
    assert found == [(clean(source), clean(target)) for source, target in (pairs[0], pairs[3])]


def test_a_tag_of_the_corpus_stands_in_front_by_its_id(tmp_path: Path) -> None:
    tagged = Tokenizer.train(sentences(400), kind="unigram", vocab_size=320, tags=("deu", "news"))
    plain = encode(tmp_path, encoding(tagged), text_of(tmp_path, PAIRS[:5]))
    made = encode(tmp_path, encoding(tagged, prefix=">>deu<< >>news<< "), text_of(tmp_path, PAIRS[:5]))
    front = [tagged.tags["deu"], tagged.tags["news"]]
    for i in range(5):
        assert made.shard(0).source[i].tolist() == front + plain.shard(0).source[i].tolist()
        assert made.shard(0).target[i].tolist() == plain.shard(0).target[i].tolist()


def test_a_tag_that_no_model_knows_is_told_with_its_line(tmp_path: Path) -> None:
    tagged = Tokenizer.train(sentences(400), kind="unigram", vocab_size=320, tags=("deu",))
    with pytest.raises(DataError, match="list line 2: the model has no tag >>xxx<<"):
        encode(tmp_path, encoding(tagged), text_of(tmp_path, [("a", "b"), (">>xxx<< a", "b")]))


# Found again


def test_what_is_there_is_not_made_again(tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = encode(tmp_path, encoding(tokenizer))
    for path in made.folder.glob("00001*"):
        path.unlink()
    done: list[int] = []
    original = encoder.encode_shard
    monkeypatch.setattr(encoder, "encode_shard", lambda *job: (done.append(job[4]), original(*job)))
    again = encode(tmp_path, encoding(tokenizer))
    assert done == [1]
    assert decoded(again, tokenizer) == PAIRS


def test_each_thing_that_changes_the_ids_has_a_folder_of_its_own(tokenizer: Tokenizer, tmp_path: Path) -> None:
    other = Tokenizer.train(sentences(300, 5), kind="unigram", vocab_size=310)
    text, less = text_of(tmp_path), text_of(tmp_path / "b", PAIRS[:-1])
    wanted = [
        *(encoding(tokenizer), encoding(tokenizer, target=other.proto), encoding(other, target=tokenizer.proto)),
        *(encoding(tokenizer, max_length=63), encoding(tokenizer, excluded=frozenset({1}))),
        *(encoding(tokenizer, prefix=">>a<< "), encoding(tokenizer, keep_text=True)),
    ]
    keys = [one.key(text.digest) for one in wanted] + [wanted[0].key(less.digest)]
    assert len(set(keys)) == len(keys)
    assert wanted[0].key(text_of(tmp_path / "c").digest) == keys[0]


def test_a_killed_encoder_leaves_no_half_shard(tokenizer: Tokenizer, tmp_path: Path) -> None:
    """Killed at many moments; whoever comes next finishes, and finds whole shards only."""
    text = text_of(tmp_path)
    wanted = encoding(tokenizer, keep_text=True)
    expected = encode(tmp_path / "whole", wanted, text_of(tmp_path / "whole"))
    (tmp_path / "model").write_bytes(tokenizer.proto)
    code = (
        "import sys; from pathlib import Path; from nmt.corpus import shards as s; from nmt.corpus.blocks import *\n"
        "import random, os, threading; s.SHARD_BLOCKS = 1\n"
        "from nmt.corpus.encoder import Encoder, Task; from nmt.corpus.encoding import Encoding\n"
        "from nmt.corpus.stream import PairList; import numpy as np\n"
        "folder = Path(sys.argv[1]); proto = (folder / 'model').read_bytes()\n"
        "starts = np.load(folder / 'starts.npy'); files = tuple(sorted((folder / 'text').iterdir()))\n"
        "text = TextBlocks('list', files, starts, 1500, sys.argv[2])\n"
        "wanted = Encoding(proto, proto, 64, keep_text=True)\n"
        "threading.Timer(float(sys.argv[3]), lambda: os.kill(os.getpid(), 9)).start()\n"
        "Encoder([Task(text, wanted, s.shards_of(text, wanted, folder / 'ids'))], 1).run()\n"
    )
    np.save(tmp_path / "starts.npy", text.starts)
    for delay in (0.005, 0.02, 0.05):
        subprocess.run([sys.executable, "-c", code, str(tmp_path), text.digest, str(delay)], check=False)
        made = shards_of(text, wanted, tmp_path / "ids")
        for number in range(6):
            report = made.folder / f"{number:05}.json"
            if report.exists():
                json.loads(report.read_text())
                assert len(made.text(number)) == len(module.open_corpus(made.folder, f"{number:05}", np.dtype("<u2")))
    for path in (made.folder).glob("0*"):
        path.unlink()  # they were smaller shards
    assert decoded(encode(tmp_path, wanted, text), tokenizer) == decoded(expected, tokenizer)


def test_a_full_disk_is_told(tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(encoding_module, "_write_report", full)
    with pytest.raises(DataError, match="cannot be encoded into .*: no space left on device") as caught:
        encode(tmp_path, encoding(tokenizer))
    assert "data.cache" in caught.value.remedy
    (folder,) = (tmp_path / "ids").iterdir()
    assert not list(folder.glob(".*"))
    assert not list(folder.glob("*.json"))


def test_what_a_killed_process_has_begun_is_removed(tokenizer: Tokenizer, tmp_path: Path) -> None:
    text, wanted = text_of(tmp_path), encoding(tokenizer)
    folder = shards_of(text, wanted, tmp_path / "ids").folder
    folder.mkdir(parents=True)
    (folder / ".123.00001.source").write_bytes(b"half")
    encode(tmp_path, wanted, text)
    assert not list(folder.glob(".*"))


def test_where_there_are_no_locks_it_is_encoded_all_the_same(
    tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on some network drives."""
    fcntl = pytest.importorskip("fcntl")

    def none(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", none)
    assert decoded(encode(tmp_path, encoding(tokenizer)), tokenizer) == PAIRS


def test_what_is_whole_is_not_locked(tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may belong to somebody else, and be read-only."""
    encode(tmp_path, encoding(tokenizer))
    monkeypatch.setattr(encoder, "_alone_in", lambda *_: pytest.fail("locked"))
    assert decoded(encode(tmp_path, encoding(tokenizer)), tokenizer) == PAIRS


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:7])


@pytest.mark.parametrize("ending", ["source", "target.npy", "text.source", "json"])
@pytest.mark.parametrize("harm", [Path.unlink, _empty, _cut])
def test_a_damaged_shard_is_made_again(
    harm: Callable[[Path], None], ending: str, tokenizer: Tokenizer, tmp_path: Path
) -> None:
    made = encode(tmp_path, encoding(tokenizer, keep_text=True))
    before = {path.name: path.read_bytes() for path in made.folder.iterdir()}
    harm(made.folder / f"00001.{ending}")
    (made.folder / ".99.00001.source").write_bytes(b"left by one that was killed")
    fresh = shards_of(text_of(tmp_path), encoding(tokenizer, keep_text=True), tmp_path / "ids")
    assert [fresh.is_there(number) for number in range(3)] == [True, False, True]
    encode(tmp_path, encoding(tokenizer, keep_text=True))
    assert {path.name: path.read_bytes() for path in made.folder.iterdir()} == before


@pytest.mark.parametrize("report", ["[]", "{}", "1", '{"sizes": []}', '{"sizes": {"a": 1}}', "\0"])
def test_a_report_that_is_none_counts_for_nothing(report: str, tokenizer: Tokenizer, tmp_path: Path) -> None:
    made = encode(tmp_path, encoding(tokenizer))
    (made.folder / "00000.json").write_text(report)
    assert not shards_of(text_of(tmp_path), encoding(tokenizer), tmp_path / "ids").is_there(0)


# In the background


def test_shards_that_are_removed_are_not_waited_for(tokenizer: Tokenizer, tmp_path: Path) -> None:
    text, wanted = text_of(tmp_path), encoding(tokenizer)
    made = shards_of(text, wanted, tmp_path / "ids")
    made_by = Encoder([Task(text, wanted, made)], 2)
    made_by.start()
    made.shard(0)
    made_by._thread.join()
    for path in made.folder.iterdir():
        path.unlink()
    with pytest.raises(DataError, match="was removed while it was needed") as caught:
        made.shard(1)
    assert "--resume" in caught.value.remedy


def test_shards_can_be_read_while_others_are_made(tokenizer: Tokenizer, tmp_path: Path) -> None:
    text, wanted, done = text_of(tmp_path), encoding(tokenizer), threading.Event()
    made = shards_of(text, wanted, tmp_path / "ids")
    made_by = Encoder([Task(text, wanted, made)], 2, done.set)
    assert not made.is_there(0)
    made_by.start()
    assert decoded(made, tokenizer) == PAIRS  # waits
    assert done.wait(20)
    made_by.close()


def test_who_waits_hears_of_a_failure(tokenizer: Tokenizer, tmp_path: Path) -> None:
    text, wanted = text_of(tmp_path), encoding(tokenizer)
    text.files[0].write_text("changed\n")
    made = shards_of(text, wanted, tmp_path / "ids")
    made_by = Encoder([Task(text, wanted, made)], 2)
    made_by.start()
    with pytest.raises(DataError, match="has changed while it was read"):
        made.wait(0)
    made_by.close()


def test_an_encoder_that_is_not_needed_any_more_stops(
    tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, wanted = text_of(tmp_path), encoding(tokenizer)
    made = shards_of(text, wanted, tmp_path / "ids")
    finished: list[bool] = []
    made_by = Encoder([Task(text, wanted, made)], 2, lambda: finished.append(True))
    monkeypatch.setattr(made_by, "_jobs", lambda: [_Slow()])
    made_by.start()
    began = time.monotonic()
    made_by.close()
    assert time.monotonic() - began < 15
    assert not finished
    assert made_by._failure is None


class _Slow:
    """A job that takes a minute to arrive."""

    task = 0

    def __setstate__(self, _: object) -> None:
        time.sleep(60)

    def __getstate__(self) -> object:
        return 1


def test_of_two_encoders_of_one_text_one_waits(tokenizer: Tokenizer, tmp_path: Path) -> None:
    text, wanted = text_of(tmp_path), encoding(tokenizer)
    made = shards_of(text, wanted, tmp_path / "ids")
    stop = threading.Event()
    with encoder._alone_in(made.folder, stop):
        waiting = Encoder([Task(text, wanted, made)], 1)
        thread = threading.Thread(target=waiting.run)
        thread.start()
        time.sleep(0.2)
        assert not made.is_there(0)
    thread.join(20)
    assert made.is_there(2)
    assert os.path.exists(made.folder / "lock")  # noqa: PTH110


def test_of_several_corpora_each_gets_its_first_shard_first(
    tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[tuple[str, int]] = []
    original = encoder.encode_shard
    monkeypatch.setattr(encoder, "encode_shard", lambda *job: (order.append((job[0].lines, job[4])), original(*job)))
    tasks = []
    for count in (1500, 600):
        text = text_of(tmp_path / str(count), PAIRS[:count])
        tasks.append(Task(text, encoding(tokenizer), shards_of(text, encoding(tokenizer), tmp_path / "ids")))
    Encoder(tasks, 1).run()
    assert order == [(1500, 0), (600, 0), (1500, 1), (600, 1), (1500, 2)]
