"""Tags in front of a source line: one id each there, and text everywhere else."""

import pytest
import sentencepiece

from nmt.errors import DataError, UsageError
from nmt.text.lines import clean
from nmt.text.tokenizer import EOS_ID, Tokenizer
from nmt.text.words import source_words
from tests.conftest import sentences

LINES = sentences(300)
TEXTS = ["the cat sees.", ">>", ">> deu <<", ">>deu", "<<deu>>", "a>>deu<<b", ">>>deu<<", "»deu« the dog", ">><<"]


@pytest.fixture(scope="module", params=["unigram", "bpe"])
def tagged(request: pytest.FixtureRequest) -> Tokenizer:
    return Tokenizer.train(LINES, kind=request.param, vocab_size=320, tags=("deu", "fra", "x-1_b"))


def test_a_model_tells_its_tags(tagged: Tokenizer, tokenizer: Tokenizer) -> None:
    assert list(tagged.tags) == ["deu", "fra", "x-1_b"]
    assert tagged.pieces(tagged.tags.values()) == [">>deu<<", ">>fra<<", ">>x-1_b<<"]
    assert tokenizer.tags == {}
    assert Tokenizer(tagged.proto).tags == tagged.tags


def test_a_tag_in_front_is_one_id_and_changes_nothing_else(tagged: Tokenizer) -> None:
    text = "the cat sees a dog."
    for name, i in tagged.tags.items():
        assert tagged.encode_source(f">>{name}<< {text}") == [i, *tagged.encode(text)]
        assert tagged.encode_source(f">>{name}<<{text}") == [i, *tagged.encode(text)]
    both = tagged.encode_source(f">>fra<< >>deu<<\u00a0{text}")
    assert both == [tagged.tags["fra"], tagged.tags["deu"], *tagged.encode(text)]


def test_a_tag_inside_a_sentence_is_text(tagged: Tokenizer) -> None:
    """S10."""
    for text in ("the >>deu<< cat", "the cat >>deu<<", ">>deu<< the >>fra<< cat >>xxx<<"):
        ids = tagged.encode_source(text)
        inside = text.removeprefix(">>deu<< ")
        assert tagged.decode(ids) == inside
        assert set(ids) & set(tagged.tags.values()) == ({tagged.tags["deu"]} if inside != text else set())


def test_an_unknown_tag_is_an_error_that_names_the_known(tagged: Tokenizer) -> None:
    """C10."""
    with pytest.raises(DataError, match=r"^line 7: the model has no tag >>xxx<<; it has >>deu<<, >>fra<<, >>x-1_b<<\n"):
        tagged.encode_source(">>xxx<< the cat", "line 7")
    with pytest.raises(DataError, match=r"^the model has no tag >>xxx<<"):
        tagged.encode_source(">>deu<< >>xxx<< the cat")
    with pytest.raises(DataError, match="no tag >>Deu<<") as caught:
        tagged.encode_source_batch(["the cat", ">>Deu<< the"], place=lambda index: f"here {index}")
    assert caught.value.message.startswith("here 1: ")
    assert ">> Deu <<" in caught.value.remedy
    tagged.encode_source(">> Deu << the")  # as the remedy says


def test_names_are_led_to_ids_or_told(tagged: Tokenizer, tokenizer: Tokenizer) -> None:
    assert tagged.tag_ids(["fra", "deu"]) == [tagged.tags["fra"], tagged.tags["deu"]]
    with pytest.raises(UsageError, match=r"has no tag >>xxx<<; it has >>deu<<"):
        tagged.tag_ids(["deu", "xxx"])
    with pytest.raises(UsageError, match=r"no tag >>deu<<: this model declares none"):
        tokenizer.tag_ids(["deu"])


def test_of_many_tags_some_are_shown() -> None:
    many = Tokenizer.train(LINES, kind="bpe", vocab_size=340, tags=[f"t{i}" for i in range(25)])
    with pytest.raises(UsageError, match=r">>t19<<, \.\.\.\n"):
        many.tag_ids(["x"])


def test_without_tags_everything_is_text(tokenizer: Tokenizer) -> None:
    for text in [*TEXTS, ">>deu<< the cat", ">>xxx<<"]:
        assert tokenizer.encode_source(text) == tokenizer.encode(text)
        assert tokenizer.decode(tokenizer.encode_source(text)) == text
    assert tokenizer.encode_source_batch(TEXTS) == tokenizer.encode_batch(TEXTS)


def test_what_only_looks_like_a_tag_is_text(tagged: Tokenizer) -> None:
    for text in TEXTS:
        assert tagged.decode(tagged.encode_source(text)) == text


def test_a_batch_is_encoded_as_its_texts(tagged: Tokenizer) -> None:
    texts = [*TEXTS, ">>fra<< a dog", "", ">>deu<<", ">>deu<< >>fra<<", *LINES[:20]]
    assert tagged.encode_source_batch(texts) == [tagged.encode_source(text) for text in texts]
    assert tagged.encode_source_batch(texts, threads=2) == tagged.encode_source_batch(texts)


def test_tags_in_front_of_nothing_are_nothing(tagged: Tokenizer) -> None:
    assert tagged.encode_source(">>deu<<") == tagged.encode_source(">>deu<< >>fra<<") == []


def test_the_target_side_takes_tags_for_text_and_never_writes_one(tagged: Tokenizer) -> None:
    text = ">>deu<< the cat"
    ids = tagged.encode(text)
    assert tagged.decode(ids) == text
    assert not set(ids) & set(tagged.tags.values())
    sampled = tagged.sampler(0.2)(text, 3)
    assert tagged.decode(sampled) == text
    assert not set(sampled) & set(tagged.tags.values())
    assert set(tagged.tags.values()) < set(tagged.control_ids)
    assert EOS_ID not in tagged.control_ids
    assert tagged.decode([tagged.tags["deu"], *tagged.encode("the cat")]) == "the cat"


@pytest.mark.parametrize("kind", ["unigram", "bpe"])
def test_tags_are_not_learned_from(kind: str) -> None:
    def train(lines: list[str]) -> bytes:
        return Tokenizer.train(lines, kind=kind, vocab_size=320, tags=("deu", "fra")).proto  # type: ignore[arg-type]

    assert train([f">>deu<< >>fra<< {line}" for line in LINES]) == train(LINES)
    assert train([f"the>>deu<< {line}" for line in LINES]) != train(LINES)


def test_sentencepiece_itself_knows_tags_as_control_pieces(tagged: Tokenizer) -> None:
    processor = sentencepiece.SentencePieceProcessor(model_proto=tagged.proto)
    assert all(processor.IsControl(i) for i in tagged.tags.values())
    assert not set(processor.EncodeAsIds(">>deu<< the cat")) & set(tagged.tags.values())


@pytest.mark.parametrize(
    "text", [">>deu<< the  cat\tsees it.", " >>fra<<\u3000>>deu<< the ▁ \ufdd0cat.", ">>deu<<the cat", "the cat"]
)
def test_a_tag_is_no_word_of_the_source(tagged: Tokenizer, text: str) -> None:
    words = source_words(tagged, text)
    ids = tagged.encode_source(clean(text))
    assert len(words) == len(ids)
    tags = [i for i in ids if i in tagged.tags.values()]
    assert words[: len(tags)] == [-1] * len(tags)
    for index, word in enumerate(text.split()):
        of_word = [i for i, place in zip(ids, words, strict=True) if place == index]
        plain = word.removeprefix(">>deu<<").removeprefix(">>fra<<")
        assert tagged.decode(of_word) == plain


def test_where_no_tags_are_looked_for_they_are_words(tagged: Tokenizer) -> None:
    text = ">>xxx<< the cat"
    words = source_words(tagged, text, tagged=False)
    assert len(words) == len(tagged.encode(text))
    assert sorted(set(words)) == [0, 1, 2]
    assert source_words(tagged, ">>deu<<") == []
