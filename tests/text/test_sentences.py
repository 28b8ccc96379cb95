import pytest
import sentencex
from hypothesis import given
from hypothesis import strategies as st

from nmt.text.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "language", "sentences"),
    [
        ("Mr. Smith is here.  He sat down.", "en", ["Mr. Smith is here.  ", "He sat down."]),
        ("Das ist gut. Das auch!", "de", ["Das ist gut. ", "Das auch!"]),
        ("你好。再见！", "zh_CN", ["你好。", "再见！"]),
        ("One. Two.", "not-a-language", ["One. ", "Two."]),
        ("no end", "en", ["no end"]),
        ("", "en", []),
    ],
)
def test_sentences(text: str, language: str, sentences: list[str]) -> None:
    assert split_sentences(text, language) == sentences


@given(st.text(), st.sampled_from(["en", "de", "zh", "pt-BR", "th", "zzz", ""]))
def test_nothing_is_lost(text: str, language: str) -> None:
    assert "".join(split_sentences(text, language)) == text


def test_a_splitter_that_loses_text_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentencex, "segment", lambda language, text: ["One."])
    assert split_sentences("One. Two.", "en") == ["One. Two."]
