"""Known scores, and everything that makes a score mean less than it seems to."""

import json
from pathlib import Path

import pytest
import sacrebleu

from nmt.errors import DataError
from nmt.evaluation import bleu_tokenizer, corpus_bleu, corpus_chrf, evaluate, exact_match, sentence_chrf
from nmt.text.lines import read_lines

HYPOTHESES = ["The cat sat on the mat.", "It rains today in the valley.", "He bought three red apples."]
REFERENCES = ["The cat sat on the mat.", "It is raining in the valley today.", "He purchased three red apples."]


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
    assert result["bleu"].signature == f"nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:{version}"
    assert result["chrf"].signature == f"nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:{version}"
    assert result["ter"].signature == f"nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:{version}"
    assert [score.name for score in (result["bleu"], result["chrf"], result["ter"])] == ["BLEU", "chrF2", "TER"]


def test_json() -> None:
    result = evaluate(HYPOTHESES, [REFERENCES])
    values = json.loads(json.dumps(result.as_json()))
    assert list(values) == ["bleu", "chrf", "ter", "lines"]
    assert values["bleu"] == {"score": result["bleu"].score, "signature": result["bleu"].signature}
    assert values["lines"] == 3
    assert type(result["bleu"].score) is type(result["chrf"].score) is type(result["ter"].score) is float


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
    # One line among many, or marks that belong there, are no reason.
    assert "subword marks" not in notes([marked] + ["a b c d"] * 20, ["a b c d"] * 21)
    assert "subword marks" not in notes([marked], [marked])


def test_tokenised_output_is_warned_of() -> None:
    assert "detokenise" in notes(["The cat sat on the mat ."], REFERENCES[:1])
    assert notes(["The cat sat on the mat ."], ["The cat sat on a mat ."]) == ""


def test_empty_hypotheses_are_counted() -> None:
    assert "2 of 3 hypotheses are empty" in notes([HYPOTHESES[0], "", " "], REFERENCES)


def test_a_bleu_of_zero_is_explained() -> None:
    result = evaluate(["Yes"], [["Yes"]])
    assert (result["bleu"].score, result["chrf"].score) == (0.0, 100.0)
    assert any("no hypothesis has four words" in note for note in result.notes)


@pytest.mark.parametrize("language", ["zh", "zh_CN", "zh-Hant", "zho_Hans", "cmn", "ZH"])
def test_chinese_is_scored_by_character(language: str) -> None:
    result = evaluate(["今天天气很好。"], [["今天天气很好。"]], language)
    assert result["bleu"].score == 100.0
    assert "tok:zh" in result["bleu"].signature
    assert "asian:yes" in result["ter"].signature
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
    found = sentence_chrf(lines, references)
    pairs = zip(lines, references, strict=True)
    assert found == pytest.approx([corpus_chrf([line], [[reference]]) for line, reference in pairs])
    assert found[1:] == pytest.approx([100, 0, 0])
    assert 50 < found[0] < 100
    with pytest.raises(DataError, match="1 hypotheses but 2 references"):
        sentence_chrf(["a"], ["a", "b"])


def test_exact_match_is_the_share_of_lines_that_are_a_reference() -> None:
    assert exact_match(["a b", "c", "d."], [["a b", "x", "d"], ["y", "c", "d "]]) == pytest.approx(200 / 3)
    with pytest.raises(DataError, match="1 .*2"):
        exact_match(["a"], [["a", "b"]])
