"""The check of a corpus: planted faults are all found where they are, and an honest corpus is left in peace."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from nmt.corpus.checking.commands import Commands
from nmt.corpus.checking.findings import Finding
from nmt.corpus.checking.full import Report, Request, check
from nmt.corpus.checking.quick import headline, quick_check
from nmt.corpus.checking.vocabulary import Vocabulary, recommended, vocabularies
from nmt.corpus.formats import open_pairs
from nmt.corpus.starter import generate
from nmt.corpus.stream import PairList, PairStream
from nmt.errors import DataError
from tests.corpus.planting import Pair, plant, plant_dev, write

LANGUAGES = ("fr", "en")


@pytest.fixture(scope="module")
def texts() -> tuple[list[Pair], list[Pair]]:
    """Honest text: 2,000 pairs to train on, 600 to validate on."""
    corpus = generate(2000, 1, *LANGUAGES, dev=600, test=0)
    train, dev = ([(pair.source, pair.target) for pair in part] for part in (corpus.train, corpus.dev))
    return train, dev


@pytest.fixture(scope="module")
def planted(texts: tuple[list[Pair], list[Pair]], tmp_path_factory: pytest.TempPathFactory):
    """The check of a corpus with a fault of each kind, and the lines of each."""
    train, dev = texts
    lines, where = plant([*train, *dev[200:]], dev[:200])
    folder = tmp_path_factory.mktemp("planted")
    place, held_out = write(folder, "train", lines, LANGUAGES), write(folder, "dev", plant_dev(dev[:200]), LANGUAGES)
    commands = Commands.of(place, LANGUAGES, {"dev": str(held_out)})
    request = Request(open_pairs(place, *LANGUAGES), LANGUAGES, commands, {"dev": open_pairs(held_out, *LANGUAGES)})
    return request, where, check(Request(**{**vars(request), "vocabulary": False}))


def checked(pairs: Sequence[Pair] | PairStream, languages: tuple[str, str] = LANGUAGES, **options) -> Report:
    stream = pairs if isinstance(pairs, PairStream) else PairList("some", pairs)
    return check(Request(stream, languages, Commands.of("some", languages), vocabulary=False, **options))


def named(findings: Sequence[Finding]) -> dict[str, Finding]:
    assert len({finding.name for finding in findings}) == len(findings)
    return {finding.name: finding for finding in findings}


def test_an_honest_corpus_is_left_in_peace(texts: tuple[list[Pair], list[Pair]]) -> None:
    train, dev = texts
    report = checked(train)
    assert [finding for finding in report.findings if finding.name != "near_duplicate"] == []
    assert quick_check(PairList("some", train), *LANGUAGES, dev=dev) == []
    assert (report.pairs, report.looked_at, report.distinct[0]) == (2000, 2000, 2000)
    assert [heard.main for heard in report.heard] == ["fr", "en"]
    assert report.tally.sides[0].words == sum(len(source.split()) for source, _ in train)
    assert len(report.tally.sides[1].vocabulary) == len({word for _, target in train for word in target.split()})


def test_every_planted_fault_is_found_in_its_line(planted) -> None:
    _, where, report = planted
    found = named(report.findings)
    assert set(where) <= set(found)
    of_dev = {"overlap", "near_overlap"}
    for name, lines in where.items():
        finding = found[name]
        if name in of_dev:
            assert lines[0] in {int(example.detail.split()[-1].replace(",", "")) for example in finding.examples}, name
        elif name == "unrelated":  # its edges are not sharp
            assert abs(finding.examples[0].line - lines[0]) < 5
            assert abs(finding.count - len(lines)) < 10
        else:
            assert lines[0] in [example.line for example in finding.examples], name
            assert all(example.source or example.target for example in finding.examples if example.line != 130), name
    exact = "blank too_long duplicate copied controls mojibake not_nfc not_utf8 script letters repeated urls shifted"
    assert {name: found[name].count for name in exact.split()} == {name: len(where[name]) for name in exact.split()}
    assert set(found) - set(where) <= {"heldout_blank", "heldout_duplicate", "unseen_characters", "numbers"}


def test_what_is_planted_in_dev_is_found(planted) -> None:
    found = named(planted[2].findings)
    assert found["heldout_blank"].examples[0].line == 21
    assert (found["heldout_duplicate"].examples[0].line, found["heldout_duplicate"].examples[0].detail) == (
        22, "first in line 2",
    )  # fmt: skip
    assert (found["unseen_characters"].examples[0].line, found["unseen_characters"].examples[0].detail) == (23, "ă ţ")
    assert [example.line for example in found["overlap"].examples] == [4, 8]
    assert (found["overlap"].count, found["overlap"].total) == (2, 200)


def test_findings_say_what_is_to_be_seen_and_what_mends_it(planted) -> None:
    request, _, report = planted
    found = named(report.findings)
    assert [example.detail for example in found["blank"].examples] == [
        "the source is blank", "the target is blank", "both sides are blank",
    ]  # fmt: skip
    assert found["numbers"].examples[-1].detail == "1984 beside 1948"
    assert found["urls"].examples[0].detail == "www.eins-verlag.org beside www.zwei-haus.com"
    assert found["mojibake"].examples[0].detail == "target: schÃ¶nes"
    assert found["controls"].examples[0].detail == "source: U+200B zero width space"
    assert found["language"].examples[0].detail == "target: looks like it"
    assert found["script"].examples[0].detail == "target: letters of Cyrl"
    assert found["foreign_block"].examples[0].detail == "to line 739"
    assert found["shifted"].examples[0].detail == (
        "to line 1,590; source line N belongs to target line N-1; sure to the line"
    )
    place, held = request.commands.location[0], request.commands.held_out
    against = "".join(f" --against {where}" for where in held.values())
    assert held
    cleaning = f"nmt data clean {place} --languages fr en -o cleaned{against}"
    assert found["duplicate"].remedy == found["overlap"].remedy == cleaning  # one run mends it all
    line = found["shifted"].examples[0].line
    assert found["shifted"].remedy.startswith(f"the source has 1 line at {line} that the target lacks: ")
    assert found["overlap"].remedy.endswith(f"--against {request.commands.held_out['dev']}")
    severities = [finding.severity for finding in report.findings]
    assert severities == sorted(severities, key=["error", "warning", "info"].index)
    assert {name for name in found if found[name].severity == "error"} == {"shifted", "not_utf8"}


def test_several_processes_find_the_same(planted) -> None:
    request, _, report = planted
    again = check(Request(**{**vars(request), "vocabulary": False, "workers": 2}))
    assert json.dumps(again.as_json()) == json.dumps(report.as_json())


def test_a_stream_that_cannot_be_jumped_into_gives_the_same(planted, texts, tmp_path: Path) -> None:
    train, _ = texts
    lines = [
        *train[:400],
        *zip([s for s, _ in train[400:500]], [t for _, t in train[401:501]], strict=True),
        *train[501:],
    ]
    (tmp_path / "some.tsv").write_text("".join(f"{source}\t{target}\n" for source, target in lines), encoding="utf-8")
    walked = checked(open_pairs(tmp_path / "some.tsv", *LANGUAGES))
    listed = checked(lines)
    assert [finding.as_json()["count"] for finding in walked.findings] == [f.count for f in listed.findings]
    shifted = named(walked.findings)["shifted"]
    assert (shifted.examples[0].line, shifted.count) == (401, 100)
    assert shifted.examples[0].where == f"{tmp_path / 'some.tsv'} line 401"


def test_swapped_sides_and_a_wrong_language(texts) -> None:
    train, _ = texts
    turned = [(target, source) for source, target in train[:500]]
    assert named(checked(turned).findings)["swapped_sides"].severity == "error"
    (finding,) = quick_check(PairList("some", turned), *LANGUAGES)
    assert headline(finding) == "the sides are swapped: the source is in en, the target in fr"
    assert finding.remedy == "nmt data check some --languages fr en"
    assert "swapped_sides" not in {finding.name for finding in checked(turned, ("fr", "de")).findings}
    found = named(checked(train[:500], ("fr", "de")).findings)
    assert found["wrong_language"].message == "the target is not in de: by paragraphs it is en 100%"
    assert "foreign_block" not in found
    assert named(checked(train[:500], ("fr", "tlh")).findings)["unknown_language"].severity == "info"


def test_the_command_for_swapped_sides_turns_them() -> None:
    languages = "fr", "en"
    assert Commands(("a b.en", "c.fr"), languages).turned() == "nmt data check c.fr 'a b.en' --languages fr en"
    assert Commands(("a b",), languages).turned() == "nmt data check 'a b.en' 'a b.fr' --languages fr en"
    assert Commands(("a b.tsv",), languages).turned() == "nmt data check 'a b.tsv' --languages en fr"
    assert Commands(("a.tmx",), languages).turned() == Commands(("hf:a",), languages).turned() == ""


def test_commands_take_dev_and_test_along() -> None:
    commands = Commands(("a",), ("fr", "en"), {"dev": "hf:d", "test": "t t"})
    assert commands.check() == "nmt data check a --languages fr en --dev hf:d --test 't t'"
    cleaning = "nmt data clean a --languages fr en -o cleaned --against 'hf:d#validation' --against 't t'"
    assert commands.clean() == cleaning


def test_an_order_is_told(texts) -> None:
    train, _ = texts
    assert named(checked(sorted(train, key=lambda pair: len(pair[0]))).findings)["sorted"].severity == "info"
    other = [(f"{source} Amen", "zzz yyy " * 3) for source, _ in train]
    assert "blocked" in named(checked([*train, *other, *train[:100]]).findings)


def test_only_a_sample_is_looked_at_when_there_is_too_much(texts) -> None:
    train, _ = texts
    report = checked([*train, *train, *train], most=3000)
    assert (report.pairs, report.looked_at) == (6000, 3000)
    assert report.as_json()["looked_at"] == 3000
    repeated = named(report.findings)["duplicate"]  # of six blocks the first, the third and the fifth
    assert (repeated.examples[0].line, repeated.examples[0].detail) == (2001, "first in line 1")
    assert (repeated.severity, repeated.count) == ("warning", 2000)
    assert checked([*train, *train, *train], most=None).looked_at == 6000


def test_an_empty_corpus_is_an_error(tmp_path: Path) -> None:
    place = write(tmp_path, "none", [], LANGUAGES)
    with pytest.raises(DataError, match="none is empty: there is no pair in it"):
        checked(open_pairs(place, *LANGUAGES))
    assert quick_check(open_pairs(place, *LANGUAGES), *LANGUAGES) == []


def test_very_small_and_very_odd_corpora_are_no_trouble() -> None:
    for pairs in ([("", "")], [("a", "b")], [("", "x")] * 30, [("Ça va ?", "How are you?")] * 40, [("\0", "\ud800")]):
        checked(pairs)
        quick_check(PairList("some", pairs), *LANGUAGES)


def test_blank_lines_are_no_duplicates(texts) -> None:
    train, _ = texts
    report = checked([*train[:200], ("", ""), ("", "Yes."), ("", "No."), ("", ""), ("", "Yes.")])
    assert [finding.name for finding in report.findings] == ["blank"]
    assert report.distinct == (205, 205)


def test_dev_in_train_is_told_before_training(texts) -> None:
    train, dev = texts
    mixed = [*train, *dev[:5]]
    (finding,) = quick_check(PairList("some", mixed), *LANGUAGES, dev=dev[:20])
    assert (finding.name, finding.severity, finding.count, finding.total) == ("overlap", "error", 5, 20)
    assert finding.remedy == "nmt data check some --languages fr en"
    assert headline(finding).endswith("5 of 20 pairs of dev (25.0 %)")


def test_the_quick_look_tells_what_is_grave_and_only_that(texts, planted) -> None:
    train, _ = texts
    request, _, _ = planted
    assert {finding.name for finding in quick_check(request.stream, *LANGUAGES)} == {"shifted"}
    garbled = [
        (source, f"{target} Ã¼ber schÃ¶n") if i % 10 == 0 else (source, target)
        for i, (source, target) in enumerate(train)
    ]
    assert [finding.name for finding in quick_check(PairList("some", garbled), *LANGUAGES)] == ["mojibake"]
    assert [finding.name for finding in quick_check(PairList("some", [*train, *train[:500]]), *LANGUAGES)] == [
        "duplicate"
    ]


def test_the_quick_look_at_a_large_corpus_stops_in_time(texts, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    train, dev = texts
    monkeypatch.setattr("nmt.corpus.checking.quick.SMALL", 1000)
    place = write(tmp_path, "large", [*train, *dev[:50], *train], LANGUAGES)
    stream = open_pairs(place, *LANGUAGES)
    found = quick_check(stream, *LANGUAGES, dev=dev[:100], seconds=60)
    assert named(found)["overlap"].count == 50
    assert [finding.name for finding in quick_check(stream, *LANGUAGES, dev=dev[:100], seconds=0.0)] == []
    (finding,) = quick_check(stream, *LANGUAGES, dev=train[:10], seconds=0.0)
    assert (finding.count, "as far as train was read" in finding.message) == (10, True)


def test_the_recommended_vocabulary_is_the_largest_whose_pieces_are_used() -> None:
    fits = [Vocabulary(size, 2.0, 0.5, 0, seldom) for size, seldom in ((1000, 0), (2000, 200), (4000, 401))]
    assert recommended(fits) is fits[1]
    assert recommended(fits[2:]) is fits[2]
    assert recommended([]) is None


def test_vocabularies_are_tried_as_far_as_the_text_goes(texts) -> None:
    train, _ = texts
    report = check(Request(PairList("some", train), LANGUAGES, Commands.of("some", LANGUAGES), workers=1))
    sizes = [each.size for each in report.vocabularies]
    assert sizes == [1000, 2000][: len(sizes)]
    assert sizes
    first = report.vocabularies[0]
    assert 1 < first.pieces_per_word < 4
    assert 0 < first.whole_words < 1
    assert report.as_json()["recommended_vocabulary"] in sizes
    assert [each.size for each in vocabularies(train, scale=1e-6)] == [1000]  # larger ones fit even less
