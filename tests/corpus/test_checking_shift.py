"""Where two sides run apart: to the line, with equal and unequal numbers of lines, and never in honest text."""

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from nmt.corpus.checking.alignment import first_shift, shifts_of_files
from nmt.corpus.checking.commands import Commands
from nmt.corpus.checking.full import Request, check
from nmt.corpus.checking.lexicon import Lexicon, words
from nmt.corpus.checking.reading import LineFile
from nmt.corpus.checking.shift import Evidence, Shift, best_offset, boundary, poor_runs, trace
from nmt.corpus.checking.survey import beside
from nmt.corpus.formats import open_pairs
from nmt.corpus.starter.everyday import PAIRS as PHRASES
from nmt.corpus.stream import PairList
from tests.corpus.planting import Pair, write

LANGUAGES = ("aa", "bb")


def made(count: int, seed: int = 1) -> list[Pair]:
    """Text of 400 words in no language, each with one translation, in another order."""
    draw = random.Random(seed)
    ours = ["".join(draw.choices("bdfgklmnpr", k=3)) + draw.choice("aeiou") for _ in range(400)]
    theirs = ["".join(draw.choices("stvwxz", k=2)) + "".join(draw.choices("äöüy", k=2)) for _ in range(400)]
    pairs = []
    for _ in range(count):
        chosen = [int(400 * draw.random() ** 2) for _ in range(draw.randint(3, 14))]
        pairs.append((" ".join(ours[i] for i in chosen), " ".join(theirs[i] for i in reversed(chosen))))
    return pairs


PAIRS = made(3000)


def files(
    folder: Path, pairs: Sequence[Pair], *, without_source: Sequence[int] = (), without_target: Sequence[int] = ()
):
    """Two files that lack these lines, counted from 0."""
    sources = [source for i, (source, _) in enumerate(pairs) if i not in without_source]
    targets = [target for i, (_, target) in enumerate(pairs) if i not in without_target]
    for name, lines in (("aa", sources), ("bb", targets)):
        (folder / f"some.{name}").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder / "some.aa", folder / "some.bb"


def shifts(pairs: Sequence[Pair]) -> list[Shift]:
    """As the check finds them: by blocks, then line by line."""
    request = Request(PairList("some", pairs), LANGUAGES, Commands.of("some", LANGUAGES), vocabulary=False, workers=1)
    report = check(request)
    assert bool(report.shifts) == any(finding.name == "shifted" for finding in report.findings)
    return report.shifts


def off(pairs: Sequence[Pair], start: int, end: int, offset: int) -> list[Pair]:
    """Source lines [start, end) beside the targets that are to stand `offset` lines further on."""
    return [(source, pairs[i - offset][1] if start <= i < end else target) for i, (source, target) in enumerate(pairs)]


def test_a_lexicon_knows_which_words_belong_together() -> None:
    lexicon = Lexicon(PAIRS[:1000])
    right = lexicon.gains([lexicon.number(*pair) for pair in PAIRS[2000:2200]])
    wrong = lexicon.gains([lexicon.number(PAIRS[i][0], PAIRS[i + 1][1]) for i in range(2000, 2200)])
    assert np.mean(right > 0) > 0.99
    assert np.mean(wrong > 0) < 0.1
    assert lexicon.gains([lexicon.number("", "x"), lexicon.number(PAIRS[0][0], "")])[1] == 0
    assert Lexicon([]).gains([(np.zeros(1, np.int64), np.zeros(1, np.int64))]).tolist() == [0]


def test_words_are_characters_where_there_are_no_blanks() -> None:
    assert words("Das Haus-Boot, 1.") == ["das", "haus", "boot", "1"]
    assert words("我有2只猫 x") == ["我", "有", "2", "只", "猫", "x"]


@pytest.mark.parametrize("count", [300, 1000, 3000])
@pytest.mark.parametrize(("lost", "side"), [([411], "target"), ([411, 412], "target"), ([200], "source")])
def test_the_place_is_found_where_the_numbers_of_lines_differ(
    tmp_path: Path, count: int, lost: list[int], side: str
) -> None:
    lost = [line * count // 1000 for line in lost[:1]] + [line * count // 1000 + 1 for line in lost[1:]]
    paths = files(tmp_path, PAIRS[:count], **{f"without_{side}": lost})
    found = first_shift(*paths)
    assert found is not None
    assert abs(found.start - lost[0]) <= (count == 300)
    assert found.offset == (-len(lost) if side == "target" else len(lost))
    assert found.earliest <= found.start <= found.latest <= found.start + 3


def test_two_places_are_found(tmp_path: Path) -> None:
    paths = files(tmp_path, PAIRS, without_target=[700], without_source=[1900, 1901, 1902])
    found = shifts_of_files(*map(LineFile, paths))
    # The second one is told by lines of the source, of which three are lost there.
    assert [(shift.start, shift.end, shift.offset) for shift in found] == [(700, 1900, -1), (1900, 2997, 2)]


def test_a_file_that_was_cut_off_has_no_shift(tmp_path: Path) -> None:
    source, target = files(tmp_path, PAIRS[:1000], without_target=range(900, 1000))
    assert first_shift(source, target) is None
    stream = open_pairs(tmp_path / "some", *LANGUAGES)
    report = check(Request(stream, LANGUAGES, Commands.of("some", LANGUAGES), vocabulary=False))
    (finding,) = (finding for finding in report.findings if finding.severity == "error")
    assert finding.name == "line_mismatch"
    assert finding.message == (
        f"{source} has 1,000 lines but {target} has 900; as far as {target} goes no pair looks shifted: it may have "
        "been cut off"
    )
    assert finding.remedy == f"take {target} from its source again, or cut the other: head -n 900 {source}"


def test_the_check_tells_the_first_pair_that_looks_shifted(tmp_path: Path) -> None:
    source, target = files(tmp_path, PAIRS[:1000], without_target=[411, 700])
    stream = open_pairs(tmp_path / "some", *LANGUAGES)
    report = check(Request(stream, LANGUAGES, Commands.of(tmp_path / "some", LANGUAGES), vocabulary=False))
    finding = next(finding for finding in report.findings if finding.name == "line_mismatch")
    assert finding.message == (
        f"{source} has 1,000 lines but {target} has 998; "
        "the first pair that looks shifted is line 412 (sure to the line)"
    )
    assert [example.line for example in finding.examples] == [412, 701]
    assert finding.examples[1].detail == "from here on source line N belongs to target line N-2; sure to the line"
    assert report.pairs == 411  # what is behind is not looked at


def test_too_few_lines_say_nothing(tmp_path: Path) -> None:
    paths = files(tmp_path, PAIRS[:60], without_target=[20])
    assert first_shift(*paths) is None
    stream = open_pairs(tmp_path / "some", *LANGUAGES)
    report = check(Request(stream, LANGUAGES, Commands.of("some", LANGUAGES), vocabulary=False))
    assert [finding.name for finding in report.findings if finding.severity == "error"] == ["line_mismatch"]
    assert report.findings[0].message.endswith(
        f"but {paths[1]} has 59; where they run apart cannot be told from so few lines"
    )


@pytest.mark.parametrize(
    ("start", "end", "offset"), [(500, 540, -1), (990, 1100, 3), (40, 2900, -2), (1700, 3000, 1), (0, 3000, 1)]
)
def test_a_shift_is_found_in_files_of_equal_length(start: int, end: int, offset: int) -> None:
    """Some are undone later; some cross the edge of a block; some are nearly, or wholly, all there is."""
    found = shifts(off([*PAIRS, *made(10, seed=2)], start, end, offset)[:3000])
    assert {shift.offset for shift in found} == {offset}
    doubt = max(0, offset)  # lines of the target that are there twice, each as good as the other
    assert start - doubt <= found[0].start <= start
    assert found[0].latest - found[0].earliest <= doubt
    assert abs(found[-1].end - end) <= abs(offset)


def test_two_shifts_after_each_other_keep_their_places() -> None:
    pairs = [(PAIRS[i][0], PAIRS[i + (i >= 800) + (i >= 1500)][1]) for i in range(2900)]
    # Source line 1500 has its target yet, one line before; that of 1501 is lost.
    assert [(shift.start, shift.end, shift.offset) for shift in shifts(pairs)] == [(800, 1501, -1), (1501, 2900, -2)]


@pytest.mark.parametrize("seed", range(2))
def test_honest_text_is_not_shifted(seed: int) -> None:
    assert shifts(made(900, seed)) == []
    noisy = random.Random(seed)
    pairs = [(source, noisy.choice(PAIRS)[1] if noisy.random() < 0.2 else target) for source, target in made(900, seed)]
    assert shifts(pairs) == []
    assert shifts(sorted(made(900, seed))) == []
    assert shifts([pair for pair in made(300, seed) for _ in range(3)]) == []


@pytest.mark.parametrize("share", [0.2, 0.3])
def test_a_noisy_corpus_has_no_block_of_unrelated_pairs(share: float) -> None:
    draw = random.Random(1)
    pairs = [(source, draw.choice(PAIRS)[1] if draw.random() < share else target) for source, target in PAIRS]
    request = Request(PairList("some", pairs), LANGUAGES, Commands.of("some", LANGUAGES), vocabulary=False, workers=1)
    assert {"shifted", "unrelated"}.isdisjoint(finding.name for finding in check(request).findings)


def test_phrases_like_their_neighbours_are_not_shifted() -> None:
    """Ten of them favour the next line's target, by chance: "See you soon!", "See you tomorrow!", ..."""
    pairs: list[Pair] = [(pair[0], pair[1]) for pair in PHRASES[:300]]
    pairs[9] = "", pairs[9][1]
    assert shifts(pairs) == []


def test_the_range_grows_with_the_doubt() -> None:
    """Lines that are all the same cannot tell the place between them."""
    pairs = [*PAIRS[:400], *[PAIRS[400]] * 9, *PAIRS[401:800]]
    evidence = Evidence(list(enumerate(PAIRS)))

    def read(start: int, offset: int, count: int) -> list[Pair]:
        targets = [target for i, (_, target) in enumerate(pairs) if i != 404]
        return beside(list(zip([source for source, _ in pairs], targets, strict=False)), start, offset, count)

    start, earliest, latest = boundary(evidence, read, (380, 440), 0, -1)
    assert (start, earliest) == (400, 400)
    assert 405 <= latest <= 409


def test_runs_of_poor_pairs_begin_and_end_with_one() -> None:
    nats = np.full(60, 7.0)
    nats[20:33] = -6
    nats[50] = -8  # one alone is no run
    assert poor_runs(nats) == [(20, 33)]
    assert poor_runs(np.full(5, -8.0)) == []


def test_an_offset_must_be_clear() -> None:
    evidence = Evidence(list(enumerate(PAIRS)))

    def read(start: int, offset: int, count: int) -> list[Pair]:
        return beside(PAIRS, start, offset, count)

    def elsewhere(start: int, offset: int, count: int) -> list[Pair]:
        return [(source, made(3000, seed=9)[start + i][1]) for i, (source, _) in enumerate(read(start, offset, count))]

    assert best_offset(evidence, read, 1000, [2], range(-3, 4)) == 0
    assert best_offset(evidence, elsewhere, 1000, [], range(-3, 4)) is None
    assert trace(evidence, read, (0, 3000), range(-3, 4), 0) == []


def test_blank_lines_say_nothing() -> None:
    evidence = Evidence(list(enumerate(PAIRS)))
    nats = evidence([PAIRS[0], ("", PAIRS[1][1]), (PAIRS[2][0], "")], 0)
    assert nats[0] > 2
    assert nats[1:].tolist() == [0, 0]


def test_large_files_are_jumped_into(tmp_path: Path) -> None:
    place = write(tmp_path, "some", PAIRS, LANGUAGES)
    file = LineFile(Path(f"{place}.aa"))
    assert len(file) == 3000
    assert file.read(1234, 1240) == [source for source, _ in PAIRS[1234:1240]]
