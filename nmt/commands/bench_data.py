"""`nmt bench data`: how fast this machine reads, checks, cleans, divides and encodes a corpus, and in how much memory.

Each stage is a process of its own, with all processes that it starts. Memory is looked at every 20 ms: what all of them
hold together, and how much of it grows with each further pair.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from nmt import console, processes
from nmt.commands.bench_text import LANGUAGES, write_pairs
from nmt.commands.streams import standard_output
from nmt.corpus.formats import open_pairs
from nmt.errors import UsageError
from nmt.text.lines import atomic_file, clean

STAGES = ("read", "stats", "check", "clean", "split", "encode")
SAMPLE, VOCAB_SIZE = 20_000, 4000  # pairs that subwords are learnt from, and their number
PAUSE = 0.02  # seconds
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def run(sizes: str, *, output: Path | None) -> None:
    """Measure corpora of so many pairs, such as 10000,1000000; print a JSON object a line, a table on stderr."""
    found: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="nmt-bench-") as folder, standard_output() as file:
        for pairs in _parse(sizes):
            for row in _measure_size(Path(folder) / str(pairs), pairs):
                found.append(row)
                file.write(_line(row))
                file.flush()  # the next one may take minutes
        growth = _growth(found)
        last = {"growth_bytes_a_pair": growth, "cores": processes.usable_cores()}
        file.write(_line(last))
    console.log(_table(found, growth))
    if output is not None:
        with atomic_file(output) as copy:
            copy.writelines(map(_line, [*found, last]))


def _line(row: dict[str, Any]) -> bytes:
    return json.dumps(row).encode() + b"\n"


def _parse(sizes: str) -> list[int]:
    words = sizes.replace("_", "").split(",")
    if not all(word.strip().isdecimal() and int(word) >= 100 for word in words):
        raise UsageError(
            f"--pairs {sizes}: sizes are whole numbers from 100, parted by commas", "--pairs 10000,1000000"
        )
    return sorted({int(word) for word in words})


def _measure_size(folder: Path, pairs: int) -> Iterator[dict[str, Any]]:
    """A row a stage, as soon as it is measured."""
    folder.mkdir()
    prefix = folder / "corpus"
    console.log(f"{pairs:,} pairs: making them")
    begin = time.perf_counter()
    write_pairs(prefix, pairs)
    made = time.perf_counter() - begin
    size = sum(file.stat().st_size for file in folder.iterdir())
    yield {"pairs": pairs, "stage": "make", "seconds": round(made, 2), "bytes": size}
    _learn_subwords(prefix)
    with console.progress(STAGES, description=f"{pairs:,} pairs", unit="stage") as stages:
        for stage in stages:
            yield {"pairs": pairs, "stage": stage} | _measure(_command(stage, prefix, pairs), pairs)
    shutil.rmtree(folder)


def _learn_subwords(prefix: Path) -> None:
    """Those that the stage `encode` takes."""
    from nmt.text.tokenizer import Tokenizer

    stream = open_pairs(str(prefix), *LANGUAGES)
    sample = [clean(text) for pair in islice(stream, SAMPLE) for text in pair]
    Tokenizer.train(sample, kind="unigram", vocab_size=VOCAB_SIZE).save(prefix.with_suffix(".spm"))


def _command(stage: str, prefix: Path, pairs: int) -> list[str]:
    words = [str(prefix), "--languages", *LANGUAGES, "--quiet"]
    output = ["--output", str(prefix.parent / stage)]
    nmt = [sys.executable, "-m", "nmt", "data"]
    match stage:
        case "stats":
            return [*nmt, stage, *words]
        case "check":
            return [*nmt, stage, *words, "--all", "--no-vocab"]
        case "clean":
            return [*nmt, stage, *words, *output]
        case "split":
            held_out = str(min(1000, pairs // 20))
            return [*nmt, stage, *words, *output, "--dev", held_out, "--test", held_out]
        case _:
            return [sys.executable, "-m", "nmt.commands.bench_data", stage, str(prefix)]


def _measure(command: Sequence[str], pairs: int) -> dict[str, Any]:
    """Run it. What says that the corpus has faults (exit code 1) has worked all the same."""
    begin = time.perf_counter()
    with tempfile.TemporaryFile() as told, subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=told) as process:
        peak, anonymous, most = 0, 0, 1
        while process.poll() is None:
            resident, private, count = _memory(process.pid)
            peak, anonymous, most = max(peak, resident), max(anonymous, private), max(most, count)
            time.sleep(PAUSE)
        seconds = time.perf_counter() - begin
        told.seek(0)
        lines = told.read().decode(errors="replace").strip().splitlines()
    if process.returncode not in (0, 1) or any(line.startswith("Traceback") for line in lines):
        return {"failed": lines[-1] if lines else f"exit code {process.returncode}"}
    return {
        "seconds": round(seconds, 2),
        "pairs_per_second": round(pairs / seconds),
        "peak_rss_mib": round(peak / 2**20, 1),
        "peak_private_mib": round(anonymous / 2**20, 1),
        "processes": most,
    }


def _memory(root: int) -> tuple[int, int, int]:
    """Bytes that a process and all it has started hold; those that no file lies behind; how many there are.

    Linux only: zeros elsewhere.
    """
    children: dict[int, list[int]] = defaultdict(list)
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = entry.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        children[int(after_name[1])].append(int(entry.parent.name))
    resident = shared = count = 0
    family = [root]
    while family:
        pid = family.pop()
        family += children[pid]
        try:
            pages = (Path("/proc") / str(pid) / "statm").read_text().split()
        except OSError:
            continue
        resident, shared, count = resident + int(pages[1]), shared + int(pages[2]), count + 1
    return resident * _PAGE, (resident - shared) * _PAGE, max(1, count)


def _growth(found: Sequence[dict[str, Any]]) -> dict[str, int]:
    """Bytes of memory that each further pair takes: between the two largest sizes.

    Nothing where they were worked on by different numbers of processes, each of which has memory of its own.
    """
    growth = {}
    for stage in STAGES:
        rows = [row for row in found if row["stage"] == stage and "peak_private_mib" in row][-2:]
        if len(rows) == 2 and rows[0]["processes"] == rows[1]["processes"]:
            bytes_ = (rows[1]["peak_private_mib"] - rows[0]["peak_private_mib"]) * 2**20
            growth[stage] = round(bytes_ / (rows[1]["pairs"] - rows[0]["pairs"]))
    return growth


def _table(found: Sequence[dict[str, Any]], growth: dict[str, int]) -> str:
    """For people."""
    lines = [f"{'pairs':>12}  {'stage':<8}{'seconds':>9}{'pairs/s':>11}{'peak MiB':>10}{'private':>9}{'processes':>11}"]
    for row in found:
        start = f"{row['pairs']:>12,}  {row['stage']:<8}"
        if "failed" in row:
            lines.append(f"{start}  failed: {row['failed']}")
        elif "pairs_per_second" in row:
            memory = f"{row['peak_rss_mib']:>10,.0f}{row['peak_private_mib']:>9,.0f}{row['processes']:>11}"
            lines.append(f"{start}{row['seconds']:>9,.1f}{row['pairs_per_second']:>11,}{memory}")
    if growth:
        each = ", ".join(f"{stage} {bytes_}" for stage, bytes_ in growth.items())
        lines.append(f"memory a further pair: {each} bytes")
    return "\n".join(lines)


# ---- the stages that are no command, in a process of their own


def _read(prefix: Path) -> None:
    for _ in open_pairs(str(prefix), *LANGUAGES):
        pass


def _encode(prefix: Path) -> None:
    """As a training does: looked through, then encoded by all cores."""
    from nmt.config import ModelConfig
    from nmt.corpus.blocks import look_through
    from nmt.corpus.encoder import WORTH_PROCESSES, Encoder, Task
    from nmt.corpus.encoding import Encoding
    from nmt.corpus.shards import shards_of

    folder, proto = prefix.parent / "encode", prefix.with_suffix(".spm").read_bytes()
    text = look_through(open_pairs(str(prefix), *LANGUAGES), folder, "text")
    encoding = Encoding(proto, proto, ModelConfig().max_length)
    task = Task(text, encoding, shards_of(text, encoding, folder))
    Encoder([task], processes.usable_cores() if text.lines >= WORTH_PROCESSES else 1).run()


if __name__ == "__main__":
    {"read": _read, "encode": _encode}[sys.argv[1]](Path(sys.argv[2]))
