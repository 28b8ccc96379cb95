"""Text survives the subword model, and what a user types is never taken for a control id."""

import io
import random
from pathlib import Path

import pytest
import sentencepiece
from hypothesis import given
from hypothesis import strategies as st

from nmt.errors import ConfigError, DataError, ModelError
from nmt.text.tokenizer import BOS_ID, EOS_ID, PAD_ID, UNK_ID, Tokenizer

UNIFORM = [f"the cat number {i % 10} sat on the mat" for i in range(60)]
SYLLABLES = [start + end for start in ("d", "k", "schl", "Gr") for end in ("er", "ie", "ung", "äuft", "3,5")]
RANDOM = random.Random(1)
WORDS = ["".join(RANDOM.choices(SYLLABLES, k=RANDOM.randint(1, 4))) for _ in range(400)]
VARIED = [" ".join(RANDOM.choices(WORDS, k=8)) + "." for i in range(300)]

NASTY = [
    "",
    " ",
    "   ",
    " leading",
    "trailing ",
    "double  space",
    "cat 😀 mat",
    "👩‍👩‍👧‍👦 🇩🇪 e\u0301",
    "▁",
    "▁▁ a▁b ▁",
    "\ufdd0",
    "\ufdd1",
    "\ufdd1\ufdd0▁\ufdd0\ufdd1\ufdd1",
    "</s>",
    "<s> <pad> </s> <unk>",
    "<0x0A> <0xE2>",
    ">>deu<< die Katze >>deu<< schläft",
    "⁇ ▅ \ufffd",
    "０１２ ﬁ ½ … ，",
    "a\u00a0b\u3000c\u2009d\u200be\ufefff",
    "a\nb\rc\x0bd\x0ce\x1cf\x1dg\x1eh\x85i\u2028j\u2029k\x00l\tm",
    "ไทย 中文 عربى עברית",
    "x" * 5000,
]


@pytest.fixture(scope="module", params=["unigram", "bpe"])
def identity(request: pytest.FixtureRequest) -> Tokenizer:
    return Tokenizer.train(VARIED, kind=request.param, vocab_size=340)


@pytest.fixture(scope="module")
def nfkc() -> Tokenizer:
    return Tokenizer.train(VARIED, kind="unigram", vocab_size=340, normalization="nfkc")


@pytest.mark.parametrize("text", NASTY)
def test_identity_gives_back_nasty_text(identity: Tokenizer, text: str) -> None:
    ids = identity.encode(text)
    assert identity.decode_checked(ids) == (text, False)
    assert identity.normalize(text) == text
    assert not {BOS_ID, PAD_ID, EOS_ID, UNK_ID} & set(ids)


@given(st.text())
def test_identity_gives_back_any_text(identity: Tokenizer, text: str) -> None:
    assert identity.decode(identity.encode(text)) == text


@pytest.mark.parametrize("text", NASTY)
def test_nfkc_gives_back_the_normalized_nasty_text(nfkc: Tokenizer, text: str) -> None:
    assert nfkc.decode(nfkc.encode(text)) == nfkc.normalize(text)


@given(st.text())
def test_nfkc_gives_back_the_normalized_text(nfkc: Tokenizer, text: str) -> None:
    assert nfkc.decode(nfkc.encode(text)) == nfkc.normalize(text)


def test_nfkc_does_normalize(nfkc: Tokenizer) -> None:
    assert nfkc.normalize("ﬁ ０ ½  x") == "fi 0 1⁄2  x"


def test_nmt_nfkc_round_trip() -> None:
    tokenizer = Tokenizer.train(VARIED, kind="unigram", vocab_size=340, normalization="nmt_nfkc")
    for text in NASTY:
        assert tokenizer.decode(tokenizer.encode(text)) == tokenizer.normalize(text)


def test_a_lone_surrogate_becomes_the_replacement_character(identity: Tokenizer) -> None:
    assert identity.decode(identity.encode("a\ud800b")) == "a\ufffdb"
    assert identity.normalize("\udfff") == "\ufffd"


def test_a_batch_is_encoded_as_its_texts(identity: Tokenizer) -> None:
    one_by_one = [identity.encode(text) for text in NASTY]
    assert identity.encode_batch(NASTY) == one_by_one
    assert identity.encode_batch(NASTY, threads=2) == one_by_one
    assert identity.encode_batch([]) == []


def test_decoding_equals_sentencepiece_on_ordinary_text(identity: Tokenizer) -> None:
    processor = sentencepiece.SentencePieceProcessor(model_proto=identity.proto)
    for line in VARIED[:50]:
        ids = identity.encode(line)
        assert identity.decode(ids) == processor.decode(ids) == line


def test_an_underscore_in_the_training_text_is_learned_as_text() -> None:
    tokenizer = Tokenizer.train(["a▁b c"] * 20, kind="bpe", vocab_size=270)
    pieces = tokenizer.pieces(tokenizer.encode("a▁b c"))
    assert not [piece for piece in pieces if piece.startswith("<0x")]
    assert tokenizer.decode(tokenizer.encode("a▁b c")) == "a▁b c"


def byte_id(tokenizer: Tokenizer, value: int) -> int:
    return tokenizer.pieces(range(tokenizer.vocab_size)).index(f"<0x{value:02X}>")


@pytest.mark.parametrize(
    ("values", "kept"), [([0xE2], ""), ([0xE2, 0x96], ""), ([0xE2, 0xC3, 0xA9], "é"), ([0xFF, 0x41, 0x80], "A")]
)
def test_bytes_that_form_no_character_are_dropped_and_flagged(
    identity: Tokenizer, values: list[int], kept: str
) -> None:
    hund, katze = identity.encode("Hund"), identity.encode("Katze")
    ids = hund + [byte_id(identity, value) for value in values] + katze
    assert identity.decode_checked(ids) == (f"Hund{kept} Katze", True)
    assert identity.decode(ids) == f"Hund{kept} Katze"
    assert identity.decode_checked(ids[: len(hund) + len(values)]) == (f"Hund{kept}", True)


def test_special_ids_are_no_text_and_do_not_part_bytes(identity: Tokenizer) -> None:
    ids = [BOS_ID, *identity.encode("Hund"), byte_id(identity, 0xC3), PAD_ID, byte_id(identity, 0xA9), EOS_ID, PAD_ID]
    assert identity.decode_checked(ids) == ("Hundé", False)
    assert identity.decode_checked([]) == ("", False)


def test_an_escape_with_nothing_behind_it_stands_for_nothing(identity: Tokenizer) -> None:
    escape = identity.encode("\ufdd1")[:-3]  # the space, and the first of two U+FDD1 in three bytes each
    assert identity.decode_checked(escape) == ("", False)


def test_control_ids_are_what_may_never_be_emitted(identity: Tokenizer) -> None:
    banned = {BOS_ID, PAD_ID, UNK_ID, *(byte_id(identity, value) for value in [*range(0x20), 0x7F])}
    assert set(identity.control_ids) == banned
    assert EOS_ID not in identity.control_ids
    assert (identity.bos_id, identity.pad_id, identity.eos_id, identity.unk_id) == (0, 1, 2, 3)


def test_without_byte_fallback_unknown_may_be_emitted() -> None:
    tokenizer = Tokenizer.train(VARIED, kind="unigram", vocab_size=80, byte_fallback=False)
    assert not tokenizer.byte_fallback
    assert set(tokenizer.control_ids) == {BOS_ID, PAD_ID}
    ids = tokenizer.encode("Hund 😀")
    assert UNK_ID in ids
    assert "⁇" in tokenizer.decode(ids)


def test_a_piece_with_a_line_separator_is_never_emitted() -> None:
    tokenizer = Tokenizer.train(["a\u2028b c"] * 20, kind="bpe", vocab_size=265)
    assert any("\u2028" in piece for piece in tokenizer.pieces(tokenizer.control_ids))


def test_the_same_training_gives_the_same_bytes(tmp_path: Path) -> None:
    for kind in ("unigram", "bpe"):
        first, second = (
            Tokenizer.train(iter(VARIED), kind=kind, vocab_size=330, max_lines=200, seed=3).proto for _ in range(2)
        )
        assert first == second
    assert Tokenizer.train(VARIED, kind="bpe", vocab_size=330, max_lines=20, seed=4).proto != second


@pytest.mark.parametrize("kind", ["unigram", "bpe"])
def test_a_uniform_text_gives_fewer_pieces_and_a_warning(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    tokenizer = Tokenizer.train(UNIFORM, kind=kind, vocab_size=8000)
    assert tokenizer.vocab_size < 400
    assert tokenizer.vocab_size == len(tokenizer.pieces(range(tokenizer.vocab_size)))
    captured = capsys.readouterr()
    assert f"only {tokenizer.vocab_size} different pieces" in captured.err
    assert "tokenizer.vocab_size = 8000" in captured.err
    assert captured.out == ""


def test_the_wanted_size_comes_without_a_word(capfd: pytest.CaptureFixture[str]) -> None:
    assert Tokenizer.train(VARIED, kind="unigram", vocab_size=330).vocab_size == 330
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("kind", ["unigram", "bpe"])
def test_too_small_a_vocabulary_is_refused_with_the_smallest(kind: str) -> None:
    with pytest.raises(ConfigError, match=r"tokenizer\.vocab_size is 20, but this text needs at least (\d+)") as caught:
        Tokenizer.train(UNIFORM, kind=kind, vocab_size=20)
    smallest = int(caught.value.message.split("at least ")[1].split(":")[0])
    assert Tokenizer.train(UNIFORM, kind=kind, vocab_size=smallest).vocab_size == smallest
    with pytest.raises(ConfigError, match="at least"):
        Tokenizer.train(UNIFORM, kind=kind, vocab_size=smallest - 1)


def test_a_size_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"cannot train a model with tokenizer\.vocab_size = 2"):
        Tokenizer.train(UNIFORM, kind="bpe", vocab_size=2)


@pytest.mark.parametrize("lines", [[], ["", "  "]])
def test_no_text_is_refused(lines: list[str]) -> None:
    with pytest.raises(DataError, match="no text to learn subwords from"):
        Tokenizer.train(lines, kind="bpe", vocab_size=300)


def test_a_line_of_any_length_is_learned_from() -> None:
    long = "".join(chr(0x4E00 + random.Random(7).randrange(30)) for _ in range(100_000))  # no blank in it
    for kind in ("unigram", "bpe"):
        tokenizer = Tokenizer.train([long + "龍", "a b"], kind=kind, vocab_size=310, character_coverage=1.0)
        assert "龍" in tokenizer.pieces(range(tokenizer.vocab_size))


def test_split_digits() -> None:
    tokenizer = Tokenizer.train(["2024 1999 2024"] * 50, kind="bpe", vocab_size=267, split_digits=True)
    assert [piece for piece in tokenizer.pieces(tokenizer.encode("2024")) if piece != "▁"] == list("2024")


def test_a_saved_model_is_the_same_model(identity: Tokenizer, tmp_path: Path) -> None:
    path = tmp_path / "source.spm"
    identity.save(path)
    loaded = Tokenizer.load(path)
    assert loaded.proto == identity.proto
    assert loaded.encode("die Katze") == identity.encode("die Katze")
    assert [entry.name for entry in tmp_path.iterdir()] == ["source.spm"]


def test_the_description_is_read_from_the_model(nfkc: Tokenizer, tmp_path: Path) -> None:
    assert nfkc.description == (
        "unigram, 340 pieces, normalization nfkc, character coverage 0.9995, with byte fallback"
    )
    bpe = Tokenizer.train(VARIED, kind="bpe", vocab_size=80, byte_fallback=False, character_coverage=1.0)
    assert bpe.description == "bpe, 80 pieces, normalization identity, character coverage 1, without byte fallback"


def test_a_missing_or_damaged_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"none\.spm cannot be read: no such file"):
        Tokenizer.load(tmp_path / "none.spm")
    for data in (b"", b"garbage" * 10):
        (tmp_path / "bad.spm").write_bytes(data)
        with pytest.raises(ModelError, match=r"bad\.spm: this is no SentencePiece model"):
            Tokenizer.load(tmp_path / "bad.spm")


def test_a_model_with_other_special_ids_is_refused() -> None:
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(VARIED), model_writer=model, vocab_size=80, minloglevel=2
    )
    with pytest.raises(ModelError, match=r"<s>, <pad>, </s>, <unk> at \(1, -1, 2, 0\)"):
        Tokenizer(model.getvalue())
