"""The page of a run: it tells all there is, what is missing, and stands alone."""

import json
import re
from dataclasses import fields, replace

import pytest

from nmt.pages.facts import Curves, Measured, Reliability, RunReport, Scored
from nmt.pages.findings import findings
from nmt.pages.report import page
from nmt.pages.samples import confidence, samples
from tests.pages.made import ANALYSIS, EMPTY, MADE, SAMPLE, bucket
from tests.pages.reading import Page

HOSTILE = "<script>alert(1)</script> \"q' & &amp; שלום </td></table> {x} %s"


def words(text: str) -> str:
    return " ".join(" ".join(Page(text).text).split())


def test_the_page_stands_alone() -> None:
    text = page(MADE)
    read = Page(text)
    assert text.startswith("<!DOCTYPE html>")
    assert "default-src 'none'" in text
    assert not {"script", "link", "img", "iframe", "object", "base", "form"} & {tag for tag, _ in read.tags}
    assert re.findall(r"https?:|url\(|@import|src=| on\w+=", text) == []


def test_every_link_leads_somewhere() -> None:
    read = Page(page(MADE))
    places = [section["id"] for section in read.of("section")]
    assert [link["href"] for link in read.of("a")] == [f"#{place}" for place in places]
    assert len(places) == 9


def test_light_dark_paper_and_narrow_screens_are_thought_of() -> None:
    text = page(MADE)
    for rule in ("prefers-color-scheme: dark", "@media print", "@media (max-width: 40rem)", "width=device-width"):
        assert rule in text
    # Paper is white, whatever the screen of whoever prints.
    assert "@media screen and (prefers-color-scheme: dark)" in text


def test_the_head_says_what_there_is_to_know() -> None:
    text = words(page(MADE))
    assert (
        "A model of 2.5 million parameters, trained for 500 updates in 1 h 10 min. On corpus/test (400 lines) it "
        "reaches 30.0 BLEU; with other lines of the same kind it would mostly lie between 28.0 and 32.0." in text
    )
    assert "BLEU 30.0 28.0 to 32.0" in text
    assert "Lines a second 20.0 cpu" in text
    assert "Parameters 2.5 million" in text
    assert "Parameters 75 thousand" in words(page(replace(MADE, parameters={"decoder": 75_000})))
    assert "What this report does not tell The weather was not recorded." in text
    assert "Before trusting the scores corpus/test: 3 of 400 hypotheses are empty." in text


def test_scores_come_with_interval_signature_and_direction() -> None:
    tables = Page(page(MADE)).tables
    assert tables[0][1:] == [
        ["BLEU", "30.04", "28.0 to 32.0"],
        ["chrF2", "55.00", "53.5 to 56.5"],
        ["TER (lower is better)", "51.25", "49.0 to 53.0"],
    ]
    assert tables[1] == [["", "score", ""], ["BLEU", "21.50", ""]]
    assert tables[2][1:] == [
        ["BLEU", "nrefs:1|tok:13a", "corpus/test"],
        ["chrF2", "nrefs:1|nc:6", "corpus/test"],
        ["TER", "nrefs:1|tok:tercom", "corpus/test"],
    ]
    assert "200 lines, recorded, beam 5; the checkpoint was chosen by it, so it flatters" in words(page(MADE))


def test_test_sets_with_other_signatures_keep_them() -> None:
    (bleu, *_), name = MADE.scored[0].scores, MADE.scored[0].test
    other = replace(MADE.scored[0], test="zoo", scores=(replace(bleu, signature="nrefs:2|tok:13a"),))
    same = replace(other, test="sky", scores=(bleu,))
    tables = Page(page(replace(EMPTY, scored=(MADE.scored[0], other, same)))).tables
    assert tables[3][1] == ["BLEU", "nrefs:1|tok:13a", f"{name}, sky"]
    assert tables[3][-1] == ["BLEU", "nrefs:2|tok:13a", "zoo"]


def test_what_it_was_fine_tuned_from_is_told() -> None:
    read = words(page(replace(MADE, parent="runs/<old>, its update 7")))
    assert "fine-tuned for 500 updates" in read
    assert "Fine-tuned from runs/<old>, its update 7." in read
    assert "ine-tuned" not in words(page(MADE))


def test_an_old_record_tells_no_more_than_it_has() -> None:
    """No number of lines, no interval, no signature."""
    old = Scored("the dev set", 0, (Measured("bleu", "BLEU", 35.25),), "dev")
    read = words(page(replace(EMPTY, scored=(old,))))
    assert "On the dev set it reaches 35.2 BLEU; the checkpoint was chosen by it, so it flatters." in read
    assert "0 lines" not in read
    assert "The interval" not in read
    assert "Signatures" not in read


def test_the_curves_are_those_of_the_run() -> None:
    text = page(MADE)
    read = words(text)
    assert text.count("<figure>") == 5  # and one of confidence
    for told in ("train at update 10: 7.9", "dev at update 250: 4.5", "BLEU at update 500: 21.5"):
        assert told in read
    assert "chrF at update 250: 33" in read
    assert "learning rate at update 500: 0.005" in read
    assert "tokens a second at update 10: 900" in read
    assert "update 500, the best by BLEU on the dev set" in read


def test_without_rows_there_is_no_training_section() -> None:
    assert 'id="training"' not in page(replace(MADE, curves=Curves()))
    only = page(replace(MADE, curves=Curves((), MADE.curves.validations, None)))
    assert only.count("<figure>") == 3
    assert "dashed line is update" not in only


def test_data_facts() -> None:
    rows = next(table for table in Page(page(MADE)).tables if table[0][1:2] == ["pairs"])
    assert rows == [
        ["", "pairs", "pieces fr", "pieces en", "left out"],
        ["train: /home/someone/corpus/train", "5,000", "60,000", "61,000", "3 with blank target"],
        ["dev: /home/someone/corpus/dev", "200", "", "", ""],
    ]
    uncounted = [replace(corpus, pairs=None) for corpus in MADE.corpora]
    tables = Page(page(replace(MADE, corpora=tuple(uncounted)))).tables
    assert [["train", "/home/someone/corpus/train"], ["dev", "/home/someone/corpus/dev"]] in tables


def test_speed_has_quantiles_that_were_measured() -> None:
    text = words(page(MADE))
    assert "Lines a second 20.0" in text
    assert "Source words a second 200 Pieces written a second 250" in text
    assert "median 40 ms, 9 of 10 within 90 ms (4 lines)" in text
    assert "on cpu with 2 threads; beam 5, fp32." in text
    assert MADE.speed is not None
    nothing = replace(MADE.speed, seconds=0.0, lines=0, latencies=())
    assert "One line at a time" not in words(page(replace(MADE, speed=nothing)))


def test_how_it_was_made() -> None:
    read = Page(page(MADE))
    assert "nmt train data.train=corpus/train -o runs/harbour" in read.text
    assert MADE.config in read.text
    assert [["nmtkit", "0.1.0"], ["torch", "2.13.0"]] in read.tables
    assert [["processor", "Steam 3000"], ["cores", "2"]] in read.tables
    parameters = next(table for table in read.tables if table[0][1:2] == ["parameters"])
    assert [row[:2] for row in parameters[1:]] == [
        ["embeddings", "500,000"], ["encoder", "700,000"], ["decoder", "1,300,000"],
    ]  # fmt: skip
    assert parameters[1][2] == "20.0\N{NO-BREAK SPACE}%"


def test_a_report_of_nothing_is_a_page_still() -> None:
    read = Page(page(EMPTY))
    assert read.of("section") == read.of("table") == read.of("svg") == []
    assert "A model." in words(page(EMPTY))


@pytest.mark.parametrize(
    "part",
    ["scored", "corpora", "analysis", "samples", "reliability", "speed", "commands", "config", "versions", "hardware",
     "parameters", "vocabulary", "step", "seconds", "metric", "attention", "missing", "notes"],
)  # fmt: skip
def test_any_part_may_be_missing(part: str) -> None:
    text = page(replace(MADE, **{part: getattr(EMPTY, part)}))  # type: ignore[arg-type]
    assert "None" not in "".join(Page(text).text)
    assert len(text) < len(page(MADE))


def hostile(value: object) -> object:
    """The same with every text replaced."""
    if isinstance(value, str):
        return HOSTILE
    if isinstance(value, tuple):
        return tuple(map(hostile, value))
    if isinstance(value, dict):
        return {f"{HOSTILE}{key}": hostile(each) for key, each in value.items()}
    if hasattr(value, "__dataclass_fields__"):
        kept = ("key", "role", "stands_out", "not_judged", "curves")
        changes = {f.name: hostile(getattr(value, f.name)) for f in fields(value) if f.name not in kept}  # type: ignore[arg-type]
        return replace(value, **changes)  # type: ignore[type-var]
    return value


def test_hostile_input_is_text() -> None:
    report = hostile(MADE)
    assert isinstance(report, RunReport)
    text = page(report)
    read = Page(text)
    assert read.of("script") == []
    assert text.count("<script") == 0
    assert read.text.count(HOSTILE) > 30
    assert [row[0] for row in read.tables[0][1:]][:2] == [HOSTILE, HOSTILE]


def test_the_scores_of_this_report_come_first() -> None:
    old = Scored("older", 1, (), date="2027")
    dev = Scored("dev", 1, (), "dev", date="2028")
    here = replace(old, test="here", here=True, date="")
    second = replace(here, test="second")
    assert replace(EMPTY, scored=(old, here, second, dev)).main == here  # of which mistakes and speed are, too
    assert replace(EMPTY, scored=(old, dev)).main == old
    assert EMPTY.main is None


def test_each_signature_is_told_when_test_sets_differ_in_them() -> None:
    one, two = (Measured("bleu", "BLEU", 20.0, signature=f"nrefs:{number}|case:mixed") for number in (1, 2))
    sets = (Scored("first", 9, (one,)), Scored("second", 9, (two,)), Scored("third", 9, (one,)))
    told = [row for rows in Page(page(replace(EMPTY, scored=sets))).tables for row in rows if row[0] == "BLEU"]
    assert [row[1] for row in told if "nrefs" in row[1]] == ["nrefs:1|case:mixed", "nrefs:2|case:mixed"]


def test_everything_is_plain_json() -> None:
    values = json.loads(json.dumps(MADE.as_json(), allow_nan=False))
    assert set(values) == {field.name for field in fields(MADE)} | {"size"}
    assert values["size"] == 2_500_000
    assert values["analysis"] == json.loads(json.dumps(ANALYSIS.as_json()))
    assert values["curves"]["validations"][1]["dev_bleu"] == 21.5
    assert values["samples"][0]["attention"][1] == [0.1, 0.8, 0.0]
    assert EMPTY.as_json()["analysis"] is None


# ---- where it goes wrong


def test_kinds_of_mistakes() -> None:
    tables = Page(findings(ANALYSIS)).tables
    assert tables[0][1:] == [
        ["Repetition", "20", "5.0\N{NO-BREAK SPACE}%", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, …"],
        ["Lost numbers", "1", "0.2\N{NO-BREAK SPACE}%", "7"],
        ["Lost negation", "", "", "not judged: nobody knows how xx denies"],
    ]
    text = words(findings(ANALYSIS))
    assert "Repetition: 5 examples" in text
    assert "Lost numbers: 1 example Line 7: chrF 12.2 Source la mer 7 Translation the see 7 Reference the sea 7" in text
    assert "Line 0: chrF 12.2; a loop" in text
    assert text.count("a loop") == 5
    assert "Half of these lines are blank." in text


def test_groups_show_how_sure_each_row_is() -> None:
    text = findings(ANALYSIS)
    rows = Page(text).tables[1]
    assert rows[0] == ["", "lines", "share", "BLEU", "95 %", "chrF", "95 %", "chrF, 20 to 70", ""]
    assert [row[0] for row in rows[1:]] == ["1 to 9", "10 to 19", "over 19"]
    assert [row[-1] for row in rows[1:]] == ["better", "worse", "few lines"]
    assert [row[6] for row in rows[1:]] == ["55.8 to 64.2", "45.7 to 54.3", ""]
    assert text.count('class="whisker') == 4
    assert "Kept: 6 of 8 numbers in digits (75.0 %)." in words(text)
    assert "Rarest word Not judged: the training text is gone." in words(text)


def test_few_lines_do_not_stretch_the_scale() -> None:
    wild = replace(ANALYSIS.groups[0], buckets=(bucket("all", 390, 55), bucket("odd", 12, 55)))
    assert "chrF, 50 to 60" in findings(replace(ANALYSIS, groups=(wild,)))


def test_words_and_sentences() -> None:
    tables = Page(findings(ANALYSIS)).tables
    assert [table[1] for table in tables if table[0][0] == "word"] == [
        ["sea", "9", "12", "11"],
        ["see", "8", "8", "11"],
    ]
    assert ["sea", "see", "7", "11"] in tables[-1]
    assert ["never", "40", "20.0 %", "10.0 to 30.0"] in next(t for t in tables if t[0][0] == "seen in train")
    assert "Worst: 1 line by chrF" in words(findings(ANALYSIS))


@pytest.mark.parametrize(
    ("lengths", "told"),
    [(0.95, "5.0 % shorter"), (1.1, "10.0 % longer"), (1.004, "as long as the references: 1.004 times")],
)
def test_lengths_are_told(lengths: float, told: str) -> None:
    found = words(findings(replace(ANALYSIS, lengths=lengths), "sea"))
    assert "Translations of sea are" in found
    assert told in found


# ---- single lines


def test_samples_show_doubt_and_attention() -> None:
    text = samples(MADE)
    read = Page(text)
    assert "Line 33, no worse than 5 of 10 lines: chrF 61.5, confidence 62.5 %" in words(text)
    assert "Line 34, no worse than 5 of 10 lines: chrF 61.5 Source" in words(text)
    assert [span["style"] for span in read.of("span")][:3] == ["--p:0.900", "--p:0.250", "--p:0.500"]
    assert read.tables[0][0] == ["", "la", "mer", "dort", "(end)"]
    heat = [cell["style"] for cell in read.of("td") if cell.get("style")]
    assert heat[:4] == ["--w:0.70", "--w:0.10", "--w:0.10", "--w:0.10"]
    assert heat[8:12] == ["--w:0.00", "--w:0.25", "--w:0.60", "--w:0.15"]
    assert [details.get("open", "no") for details in read.of("details")] == [None, "no"]  # the first one


def test_a_sample_without_words_has_no_map() -> None:
    text = samples(replace(MADE, samples=(replace(SAMPLE, words=(), probabilities=(), attention=()),)))
    assert Page(text).of("table") == []


@pytest.mark.parametrize(
    ("brier", "verdict"),
    [(0.17, "better than a guess by"), (0.2470, "hardly better"), (0.26, "no better than a guess")],
)
def test_what_confidence_is_worth(brier: float, verdict: str) -> None:
    assert MADE.reliability is not None
    told: Reliability = replace(MADE.reliability, brier=brier)
    text = words(confidence(told))
    assert verdict in text
    assert "Of these 400 lines 55.0 % do." in text
    assert "150 lines: said 25.0 %, true 30.0 % (23.0 % to 38.0 %)" in text
    assert confidence(None) == ""
