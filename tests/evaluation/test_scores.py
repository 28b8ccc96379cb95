"""Known scores, and everything that makes a score mean less than it seems to."""

import json
from pathlib import Path
from typing import Any

import pytest
import sacrebleu
from sacrebleu.metrics.chrf import CHRF

import nmt
from nmt.errors import DataError
from nmt.evaluation import Key, bleu_tokenizer, corpus_bleu, corpus_chrf, evaluate, sentence_chrf
from nmt.text.lines import read_lines

HYPOTHESES = ["The cat sat on the mat.", "It rains today in the valley.", "He bought three red apples."]
REFERENCES = ["The cat sat on the mat.", "It is raining in the valley today.", "He purchased three red apples."]
# Of every length, right and wrong: with a word lost, or two changed about, in some lines.
LONG = [" ".join(f"word{(line * place) % 17} Cat" for place in range(2, 3 + line % 9)) + "." for line in range(60)]
HALF = [line if number % 3 else "Something else is said." for number, line in enumerate(LONG)]
SPOILT = [
    line if number % 4 == 0 else " ".join(line.split()[number % 2 :: 1 + (number % 5 == 0)])
    for number, line in enumerate(LONG)
]


def test_known_scores() -> None:
    result = evaluate(HYPOTHESES, [REFERENCES])
    assert result["bleu"].score == pytest.approx(59.32211983300508, abs=1e-8)
    assert result["chrf"].score == pytest.approx(66.42928252895928, abs=1e-8)
    assert result["ter"].score == pytest.approx(27.77777777777778, abs=1e-8)
    assert result.lines == 3
    assert result.notes == []


def test_every_score_has_its_signature() -> None:
    version = sacrebleu.__version__
    result = evaluate(HYPOTHESES, [REFERENCES])
    drawn = "nrefs:1|bs:1000|seed:12345"
    assert {key: score.signature for key, score in result.scores.items()} == {
        "bleu": f"{drawn}|case:mixed|eff:no|tok:13a|smooth:exp|version:{version}",
        "chrf": f"{drawn}|case:mixed|eff:yes|nc:6|nw:0|space:no|version:{version}",
        "chrf++": f"{drawn}|case:mixed|eff:yes|nc:6|nw:2|space:no|version:{version}",
        "ter": f"{drawn}|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:{version}",
        "exact": f"{drawn}|case:mixed|version:nmtkit-{nmt.__version__}",
    }
    assert [score.name for score in result.scores.values()] == ["BLEU", "chrF2", "chrF2++", "TER", "exact"]
    assert [score.higher_is_better for score in result.scores.values()] == [True, True, True, False, True]
    plain = evaluate(HYPOTHESES, [REFERENCES], samples=0)
    assert plain["bleu"].signature == f"nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:{version}"
    assert plain["exact"].signature == f"nrefs:1|case:mixed|version:nmtkit-{nmt.__version__}"


@pytest.mark.parametrize("references", [[LONG], [LONG, HALF]], ids=["one set", "two sets"])
@pytest.mark.parametrize("lowercase", [False, True], ids=["cased", "lower"])
def test_all_is_as_sacrebleu_itself_says(references: list[list[str]], lowercase: bool) -> None:
    """Score, interval and signature; sacreBLEU keeps counts in 32 bits, which are enough here."""
    result = evaluate(SPOILT, references, lowercase=lowercase)
    oracles: dict[Key, Any] = {
        "bleu": sacrebleu.BLEU(lowercase=lowercase),
        "chrf": sacrebleu.CHRF(lowercase=lowercase),
        "chrf++": sacrebleu.CHRF(lowercase=lowercase, word_order=2),
        "ter": sacrebleu.TER(),
    }
    for key, oracle in oracles.items():
        expected = oracle.corpus_score(SPOILT, references, n_bootstrap=1000)
        score = result[key]
        assert score.score == pytest.approx(expected.score, abs=1e-8)
        assert score.interval is not None
        low, high = score.interval
        assert (high - low) / 2 == pytest.approx(expected._ci, abs=1e-4)
        assert low < score.score < high
        assert score.signature == str(oracle.get_signature())


def test_known_intervals() -> None:
    """To be compared with any other version; the ends are those of sacreBLEU's `±`."""
    result = evaluate(HYPOTHESES, [REFERENCES])
    assert result["bleu"].interval == pytest.approx((19.148978368719025, 100.0), abs=1e-8)
    assert result["chrf"].interval == pytest.approx((53.88009987284188, 100.0), abs=1e-8)


def test_known_scores_of_the_rest() -> None:
    result = evaluate(HYPOTHESES, [REFERENCES])
    assert result["chrf++"].score == pytest.approx(68.37181484369009, abs=1e-8)
    assert result["exact"].score == pytest.approx(100 / 3, abs=1e-8)


def test_an_interval_is_not_asked_for() -> None:
    result = evaluate(HYPOTHESES, [REFERENCES], samples=0)
    assert {score.interval for score in result.scores.values()} == {None}
    assert result["bleu"].score == evaluate(HYPOTHESES, [REFERENCES])["bleu"].score


def test_only_some_metrics() -> None:
    result = evaluate(HYPOTHESES, [REFERENCES], keys=["ter", "exact"])
    whole = evaluate(HYPOTHESES, [REFERENCES])
    assert result.scores == {key: whole[key] for key in ("ter", "exact")}
    assert list(result.scores) == ["ter", "exact"]


def test_json() -> None:
    result = evaluate(HYPOTHESES, [REFERENCES])
    values = json.loads(json.dumps(result.as_json()))
    assert list(values) == ["bleu", "chrf", "chrf++", "ter", "exact", "lines"]
    bleu = result["bleu"]
    assert bleu.interval is not None
    low, high = bleu.interval
    assert values["bleu"] == {"score": bleu.score, "low": low, "high": high, "signature": bleu.signature}
    assert values["lines"] == 3
    assert {type(score.score) for score in result.scores.values()} == {float}
    plain = evaluate(HYPOTHESES, [REFERENCES], samples=0)["bleu"]
    assert plain.as_json() == {"score": bleu.score, "signature": plain.signature}


def test_case_counts_unless_asked_otherwise() -> None:
    lowered = [hypothesis.lower() for hypothesis in HYPOTHESES]
    cased = evaluate(lowered, [REFERENCES])
    assert cased["bleu"].score == pytest.approx(50.622977906939155, abs=1e-8)
    assert "case:mixed" in cased["bleu"].signature
    uncased = evaluate(lowered, [REFERENCES], lowercase=True)
    assert uncased["bleu"].score == pytest.approx(59.32211983300508, abs=1e-8)
    assert "case:lc" in uncased["bleu"].signature
    assert "case:lc" in uncased["chrf"].signature


def test_the_fast_scores_are_the_same() -> None:
    result = evaluate(HYPOTHESES, [REFERENCES], "en")
    assert corpus_bleu(HYPOTHESES, [REFERENCES], "en") == result["bleu"].score
    assert corpus_chrf(HYPOTHESES, [REFERENCES]) == result["chrf"].score
    lowered = [hypothesis.lower() for hypothesis in HYPOTHESES]
    assert corpus_bleu(lowered, [REFERENCES], lowercase=True) == result["bleu"].score
    assert corpus_bleu(lowered, [REFERENCES]) < result["bleu"].score
    chinese = ["我 爱你。今天下雨"]
    assert (
        corpus_bleu(chinese, [["我爱你。今天下雪"]], "zh")
        == evaluate(chinese, [["我爱你。今天下雪"]], "zh")["bleu"].score
    )


def test_a_perfect_translation_scores_100_byte_order_mark_or_not(tmp_path: Path) -> None:
    path = tmp_path / "hypotheses"
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(REFERENCES).encode())
    result = evaluate(read_lines(path), [REFERENCES])
    assert (result["bleu"].score, result["chrf"].score, result["ter"].score) == (100.0, 100.0, 0.0)


def test_two_reference_sets() -> None:
    result = evaluate(HYPOTHESES, [REFERENCES, HYPOTHESES])
    assert result["bleu"].score == 100.0
    assert "nrefs:2" in result["bleu"].signature


@pytest.mark.parametrize(
    ("hypotheses", "references", "found"),
    [
        (["a", "b"], [["a", "b", "c"]], "2 hypotheses but 3 references"),
        (["a", "b", "c"], [["a", "b"]], "3 hypotheses but 2 references"),
        (["a", "b"], [["a", "b"], ["a"]], "2 hypotheses but 2 and 1 references"),
        (["a", "b", "c"], [["a"], ["b"], ["c"]], "3 hypotheses but 1 and 1 and 1 references"),
        (["a"], [], "1 hypotheses but no references"),
    ],
)
def test_other_numbers_of_lines_are_refused(hypotheses: list[str], references: list[list[str]], found: str) -> None:
    for scores in (evaluate, corpus_bleu, corpus_chrf):
        with pytest.raises(DataError, match=found):
            scores(hypotheses, references)


def test_nothing_is_no_translation() -> None:
    with pytest.raises(DataError, match="nothing to score"):
        evaluate([], [[]])


def test_one_list_of_references_is_not_a_list_of_sets() -> None:
    with pytest.raises(TypeError, match="a list of such lists"):
        evaluate(["a", "b"], ["a", "b"])
    with pytest.raises(TypeError, match="a list of strings"):
        evaluate("ab", [["a", "b"]])


def notes(hypotheses: list[str], references: list[str], language: str | None = None) -> str:
    return " / ".join(evaluate(hypotheses, [references], language).notes)


@pytest.mark.parametrize(
    "marked", ["▁The ▁cat ▁s at ▁on ▁the ▁mat .", "The c@@ at s@@ at on the mat .", "The cat sat on th@@"]
)
def test_subword_marks_are_warned_of(marked: str) -> None:
    assert "subword marks" in notes([marked, *HYPOTHESES[1:]], REFERENCES)
    # A tenth of the lines is enough. One line among many, or marks that belong there, are no reason.
    assert "subword marks" in notes([marked] + ["a b c d"] * 9, ["a b c d"] * 10)
    assert "subword marks" not in notes([marked] + ["a b c d"] * 10, ["a b c d"] * 11)
    assert "subword marks" not in notes([marked], [marked])


def test_tokenised_output_is_warned_of() -> None:
    assert "detokenise" in notes(["The cat sat on the mat ."], REFERENCES[:1])
    assert notes(["The cat sat on the mat ."], ["The cat sat on a mat ."]) == ""


def test_blank_lines_are_counted() -> None:
    assert "2 of 3 hypotheses are empty, the first in line 2." in notes([HYPOTHESES[0], "", " "], REFERENCES)
    blank = notes(HYPOTHESES, [*REFERENCES[:2], "\t"])
    assert "1 of 3 references are empty, the first in line 3: whatever is said there counts as wrong." in blank
    of_two = " / ".join(evaluate(HYPOTHESES, [REFERENCES, ["", *REFERENCES[1:]]]).notes)
    of_set = "1 of 3 references of set 2 are empty, the first in line 1: they count as references without words."
    assert of_set in of_two
    assert "counts as wrong" not in of_two


@pytest.mark.parametrize(
    ("language", "line", "words"),
    [("ja", "今日は天気がいいです。", "tok:ja-mecab"), ("ko", "오늘은 날씨가 좋습니다.", "tok:ko-mecab")],
)
def test_japanese_and_korean_are_cut_into_words(language: str, line: str, words: str) -> None:
    pytest.importorskip("mecab_ko" if language == "ko" else "MeCab", reason=f"needs the extra {language}")
    result = evaluate([line], [[line]], language)
    assert result["bleu"].score == 100.0
    assert words in result["bleu"].signature
    # Korean has blanks between its words.
    assert ("norm:yes|punct:yes|asian:yes" in result["ter"].signature) == (language == "ja")


def test_a_bleu_of_zero_is_explained() -> None:
    result = evaluate(["Yes"], [["Yes"]])
    assert (result["bleu"].score, result["chrf"].score) == (0.0, 100.0)
    assert any("no hypothesis has four words" in note for note in result.notes)


@pytest.mark.parametrize("language", ["zh", "zh_CN", "zh-Hant", "zho_Hans", "cmn", "yue", "ZH"])
def test_chinese_is_scored_by_character(language: str) -> None:
    result = evaluate(["今天天气很好。"], [["今天天气很好。"]], language)
    assert result["bleu"].score == 100.0
    assert "tok:zh" in result["bleu"].signature
    assert "norm:yes|punct:yes|asian:yes" in result["ter"].signature
    assert evaluate(["今天天气很坏。"], [["今天天气很好。"]], language)["ter"].score == pytest.approx(100 / 7)
    assert result.notes == []


@pytest.mark.parametrize("reference", ["今天天气很好。", "今日は天気がいい。", "오늘은 날씨가 좋다."])
def test_the_target_language_is_asked_for_where_it_matters(reference: str) -> None:
    assert "name the target language" in notes([reference], [reference])
    assert "name the target language" in notes([reference], [reference], "en")


@pytest.mark.parametrize(("language", "package"), [("ja", "ja"), ("jpn", "ja"), ("ko_KR", "ko")])
def test_a_missing_word_splitter_is_named(language: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sacrebleu.tokenizers.tokenizer_ja_mecab.MeCab", None)
    monkeypatch.setattr("sacrebleu.tokenizers.tokenizer_ko_mecab.MeCab", None)
    for call in (bleu_tokenizer, lambda code: evaluate(["x"], [["x"]], code)):
        with pytest.raises(DataError, match=f'target language "{language}"') as caught:
            call(language)
        assert caught.value.remedy == f"pip install 'nmtkit[{package}]'"


def test_a_language_without_spaces_is_noted() -> None:
    assert "Thai has no spaces" in notes(["แมวนั่งบนเสื่อ"], ["แมวนั่งบนเสื่อ"], "th")
    assert bleu_tokenizer("th") == bleu_tokenizer("de") == bleu_tokenizer(None) == "13a"


def test_scoring_says_nothing_by_itself(capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> None:
    evaluate(["a b c d ."] * 200, [["a b c d ."] * 200])
    assert caplog.records == []
    assert capfd.readouterr() == ("", "")


def test_a_line_alone_has_a_chrf_of_its_own() -> None:
    """A one-line corpus has the same; of a line shorter than six characters the longer n-grams are left out."""
    lines, references = ["The cat sat on a mat.", "Yes", "", "dog"], ["The cat sat on the mat.", "Yes", "No", "cat"]
    found = sentence_chrf(lines, [references])
    pairs = list(zip(lines, references, strict=True))
    assert found == pytest.approx([corpus_chrf([line], [[reference]]) for line, reference in pairs])
    assert found == pytest.approx([CHRF().sentence_score(line, [reference]).score for line, reference in pairs])
    assert found[1:] == pytest.approx([100, 0, 0])
    assert 50 < found[0] < 100
    assert sentence_chrf(lines, [["x"] * 4, references, ["y"] * 4]) == found  # by the nearest one
    with pytest.raises(DataError, match="1 hypotheses but 2 references"):
        sentence_chrf(["a"], [["a", "b"]])


def test_exact_match_is_the_share_of_lines_that_are_a_reference() -> None:
    found = evaluate(["a b", "c", "d."], [["a b", "x", "d"], ["y", "c", "d "]], keys=["exact"])["exact"]
    assert found.score == pytest.approx(200 / 3)
    with pytest.raises(DataError, match="1 .*2"):
        evaluate(["a"], [["a", "b"]], keys=["exact"])
