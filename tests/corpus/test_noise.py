"""Noise: what it changes, what it leaves alone, and in which script."""

import time
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nmt.config import SourceNoiseConfig
from nmt.corpus.noise import Noise
from nmt.text.lines import clean
from tests.conftest import sentences

KINDS = ("upper", "title", "lower", "punctuation", "typos")


def noise(language: str = "en", **shares: float) -> Noise:
    return Noise(SourceNoiseConfig.model_validate(shares), language)


def all_of(text: str, kind: str, language: str = "en", times: int = 200) -> set[str]:
    """What may come of a text."""
    touch = noise(language, **{kind: 1})
    return {touch(text, Random(seed)) for seed in range(times)}


@pytest.mark.parametrize(
    ("language", "text", "upper", "title", "lower"),
    [
        ("en", "don't ask Mid-May, UN.", "DON'T ASK MID-MAY, UN.", "Don't Ask Mid-May, UN.", "don't ask mid-may, un."),
        ("de", "Die Straße, übel.", "DIE STRASSE, ÜBEL.", "Die Straße, Übel.", "die straße, übel."),
        ("tr", "ilk ışık İki IŞIK", "İLK IŞIK İKİ IŞIK", "İlk Işık İki IŞIK", "ilk ışık iki ışık"),
        ("az_AZ", "ilk", "İLK", "İlk", "ilk"),
        ("nl", "ijs in de IJssel", "IJS IN DE IJSSEL", "IJs In De IJssel", "ijs in de ijssel"),
        ("el", "ο άνθρωπος, προϊόν.", "Ο ΑΝΘΡΩΠΟΣ, ΠΡΟΪΟΝ.", "Ο Άνθρωπος, Προϊόν.", "ο άνθρωπος, προϊόν."),
        ("fr", "l’été d'Œdipe", "L’ÉTÉ D'ŒDIPE", "L’été D'Œdipe", "l’été d'œdipe"),
        ("ru", "это Москва", "ЭТО МОСКВА", "Это Москва", "это москва"),
        ("hr", "ǆep", "ǄEP", "ǅep", "ǆep"),
    ],
)  # fmt: skip
def test_case_is_that_of_the_language(language: str, text: str, upper: str, title: str, lower: str) -> None:
    assert all_of(text, "upper", language, 2) == {upper}
    assert all_of(text, "title", language, 2) == {title}
    assert all_of(text, "lower", language, 2) == {lower}


@pytest.mark.parametrize(
    "text", ["你好，世界", "हिन्दी में", "ქართული ენა", "ᏣᎳᎩ", "مرحبا", "ไทย", "日本語カナ", "한국어"]
)
def test_scripts_without_case_stay(text: str) -> None:
    for kind in ("upper", "title", "lower"):
        assert all_of(text, kind, times=2) == {text}


KEPT = [
    *(
        ">>deu<<",
        "10:30",
        "3,5",
        "1.234.567",
        "A4",
        "2nd",
        "m²",
        "½",
        "a.b+c@mail.example.org",
        "https://x.org/A?b=c,d",
    ),
    *("www.x.de", "example.com", "{name}", "{0}", "%s", "%1$s", "%(name)s", "<b>", "</b>", "<a href='x'>", "&amp;"),
    *("__NAME__", "$name", "[NAME]", "@Some_one", "#Tag"),
]


@pytest.mark.parametrize("kept", KEPT)
def test_what_must_come_out_as_it_is_stays(kept: str) -> None:
    text = f"some people, {kept} went there"
    for kind in KINDS:
        changed = all_of(text, kind, times=60)
        assert all(kept in one for one in changed)
        assert kind == "lower" or changed - {text}


def test_punctuation_is_dropped_doubled_and_exchanged() -> None:
    found = all_of('He said "yes" - then, it\'s over.', "punctuation")
    assert 'He said "yes" - then, it\'s over' in found
    assert "He said yes - then it's over" in found
    assert 'He said "yes" - then, it\'s over..' in found
    assert 'He said "yes" - then,, it\'s over.' in found
    assert any("„yes“" in one for one in found)
    assert any(" – then, it’s" in one for one in found)
    assert all(one.split()[0] == "He" and "  " not in one for one in found)


def test_words_do_not_grow_together_where_words_are_parted() -> None:
    assert all("oneand" not in one and "twothree" not in one for one in all_of("one(and)two;three", "punctuation"))
    assert "你好世界" in all_of("你好，世界", "punctuation")


def test_the_end_is_found_behind_quotes_and_in_any_script() -> None:
    assert "«Oui»" in all_of("«Oui.»", "punctuation")
    assert "हाँ है" in all_of("हाँ है।", "punctuation")
    assert "对吗" in all_of("对吗？", "punctuation")


def test_typing_errors_are_of_four_kinds() -> None:
    found = all_of("house", "typos", times=400)
    assert {"huose", "hose", "hous", "hoouse", "housee", "hiuse", "housr"} <= found
    assert "house" not in found
    assert all(one[0] == "h" and abs(len(one) - 5) <= 1 for one in found)
    assert all_of("HOUSE", "typos") & {"HIUSE", "HOUSR"}
    assert "too" not in all_of("too", "typos")


def test_the_keyboard_is_that_of_the_language() -> None:
    assert "hauz" in all_of("haut", "typos", "de", 400)
    assert "hauz" not in all_of("haut", "typos", "en", 400)
    assert "амь" not in all_of("ам", "typos")
    assert "дрм" in all_of("дом", "typos", "ru", 400)


def test_letters_keep_their_marks() -> None:
    for text in ("हिन्दी", "วันนี้", "q\u0323\u0302tq\u0323\u0302tq"):
        for one in all_of(text, "typos"):
            assert one != text
            assert set(one) - set(text) <= set("rfgywa")  # beside t and q
            assert "\u0302" not in one.replace("q\u0323\u0302", "")
            assert "\u093f" not in one.replace("ह\u093f", "")
            assert "\u0e49" not in one.replace("น\u0e35\u0e49", "")


def test_short_words_and_signs_have_no_typing_errors() -> None:
    for text in ("we go to it", "...", "हि", "हिं", "a"):
        assert all_of(text, "typos", times=20) == {text}


def test_more_errors_in_a_long_text() -> None:
    words = ["something"] * 40
    counts = {sum(word != "something" for word in one.split()) for one in all_of(" ".join(words), "typos")}
    assert counts == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("kind", KINDS)
def test_a_share_is_of_the_sentences(kind: str) -> None:
    texts = [f"The {line}, Then" for line in sentences(4000, 5)]
    touch, random = noise(**{kind: 0.2}), Random(3)
    changed = sum(touch(text, random) != text for text in texts)
    assert 0.17 < changed / len(texts) < 0.23


def test_a_sentence_has_one_case_at_most() -> None:
    touch, random = noise(upper=0.3, title=0.3, lower=0.4), Random(1)
    found = [touch("The old cat", random) for _ in range(2000)]
    for text, share in (("THE OLD CAT", 0.3), ("The Old Cat", 0.3), ("the old cat", 0.4)):
        assert abs(found.count(text) / len(found) - share) < 0.04
    assert len(set(found)) == 3


def test_off_is_off() -> None:
    assert not SourceNoiseConfig().on
    assert all(SourceNoiseConfig.model_validate({kind: 0.1}).on for kind in KINDS)
    text = 'Some "Text", it\'s - here.'
    assert {noise()(text, Random(seed)) for seed in range(50)} == {text}


@given(st.text(), st.integers(0, 2**32), st.sampled_from(["en", "tr", "el", "nl", "zh"]))
def test_no_text_becomes_blank_or_unclean_and_the_seed_decides(text: str, seed: int, language: str) -> None:
    text = clean(text)
    if not text:
        return
    touch = noise(language, upper=0.4, title=0.3, lower=0.3, punctuation=1, typos=1)
    changed = touch(text, Random(seed))
    assert changed
    assert changed == clean(changed)
    assert noise(language, upper=0.4, title=0.3, lower=0.3, punctuation=1, typos=1)(text, Random(seed)) == changed


@pytest.mark.parametrize("text", ["...", "!", "„“", "(.)"])
def test_a_text_of_marks_alone_never_becomes_blank(text: str) -> None:
    assert all(one.strip() for one in all_of(text, "punctuation"))


def test_long_texts_take_no_longer_than_their_length() -> None:
    touch = noise(upper=1, punctuation=1, typos=1)
    for text in (
        "a" * 50_000 + " 1",
        "a1" * 25_000,
        "<" * 50_000,
        "a." * 25_000,
        "{a" * 25_000,
        "a@" * 25_000,
        "_" * 50_000,
    ):
        begin = time.perf_counter()
        touch(text, Random(1))
        assert time.perf_counter() - begin < 2
