"""The starter corpus: what its sets promise, how they are kept apart, written and scored."""

import ast
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from nmt.corpus.starter import StarterCorpus, dictionary_baseline, generate, write
from nmt.corpus.starter.everyday import PAIRS
from nmt.corpus.starter.grammar import TEMPLATES, Grammar
from nmt.corpus.starter.heldout import HeldOut, all_pairs, held_out_pairs, lemmas
from nmt.corpus.starter.lexicon_adjectives import DESCRIPTIONS, FEELINGS
from nmt.corpus.starter.lexicon_nouns import NOUNS
from nmt.errors import DataError


@pytest.fixture(scope="module")
def corpus() -> StarterCorpus:
    return generate(20_000, seed=1)


# --------------------------------------------------------------------------------------------------- the sets


def test_sizes_and_the_hand_written_pairs_are_in_train(corpus: StarterCorpus) -> None:
    assert (len(corpus.train), len(corpus.dev), len(corpus.test)) == (20_000, 1_000, 1_000)
    trained = {(pair.source, pair.target) for pair in corpus.train}
    assert trained.issuperset(PAIRS)


def test_no_sentence_is_in_two_sets_on_either_side(corpus: StarterCorpus) -> None:
    sets = [corpus.train, corpus.dev, corpus.test]
    for side in ("source", "target"):
        texts = [getattr(pair, side) for pairs in sets for pair in pairs if pair.links]
        assert len(texts) == len(set(texts))
        written = {getattr(pair, side) for pair in corpus.train if not pair.links}
        assert written.isdisjoint(texts)


def test_the_same_seed_gives_the_same_corpus_in_any_process() -> None:
    program = "from nmt.corpus.starter import generate; print(hash_of(repr(generate(2_000, seed={}, dev=20, test=20))))"
    prints = []
    for seed, hash_seed in ((3, "0"), (3, "1"), (4, "0")):
        code = "import hashlib\nhash_of = lambda text: hashlib.sha256(text.encode()).hexdigest()\n" + program.format(
            seed
        )
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        prints.append(done.stdout)
    assert prints[0] == prints[1] != prints[2]


def test_a_corpus_may_be_changed_by_its_owner() -> None:
    first = generate(2_000, dev=5, test=0)
    first.train.clear()
    assert len(generate(2_000, dev=5, test=0).train) == 2_000


def test_held_out_pairs_are_in_no_train_or_dev_sentence_and_in_each_novel_one(corpus: StarterCorpus) -> None:
    held_out = HeldOut(held_out_pairs(1, frozenset(french for french, _ in PAIRS)))
    assert len(held_out.pairs) == pytest.approx(len(all_pairs()) / 10, abs=1)
    plain, novel = corpus.test[:500], corpus.test[500:]
    assert not any(held_out.holds(pair.source) for pair in (*corpus.train, *corpus.dev, *plain))
    assert all(held_out.holds(pair.source) for pair in novel)
    assert not any(pair.novel for pair in (*corpus.train, *corpus.dev, *plain))
    assert all(pair.novel for pair in novel)


def test_each_word_of_the_test_set_is_five_times_in_train(corpus: StarterCorpus) -> None:
    for side in ("source", "target"):
        seen = Counter(word for pair in corpus.train for word in getattr(pair, side).split())
        rare = {w for pair in corpus.test for w in getattr(pair, side).split() if seen[w] < 5}
        assert rare == set()


def test_english_to_french_is_the_same_corpus_turned() -> None:
    forth = generate(2_000, seed=2, dev=20, test=10)
    back = generate(2_000, seed=2, source_language="en", target_language="fr", dev=20, test=10)
    assert [(p.source, p.target) for p in forth.dev] == [(p.target, p.source) for p in back.dev]
    assert sorted((j, i) for i, j in forth.test[0].links) == list(back.test[0].links)


@pytest.mark.parametrize(("source", "target"), [("de", "en"), ("fr", "fr"), ("en", "es")])
def test_other_languages_are_refused(source: str, target: str) -> None:
    with pytest.raises(DataError, match="French and English"):
        generate(2_000, source_language=source, target_language=target)


@pytest.mark.parametrize("pairs", [0, 1_999, 1_000_001])
def test_sizes_out_of_reach_are_refused(pairs: int) -> None:
    with pytest.raises(DataError, match="training pairs"):
        generate(pairs)


def test_negative_sets_are_refused() -> None:
    with pytest.raises(DataError, match="make no sense"):
        generate(2_000, dev=-1)


def test_an_exhausted_grammar_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nmt.corpus.starter.split.PATIENCE", 0)
    with pytest.raises(DataError, match="no more sentences"):
        generate(2_000, dev=0, test=0)


# ------------------------------------------------------------------------------------------------- writing, baseline


def test_files_hold_one_sentence_a_line(tmp_path: Path) -> None:
    corpus = generate(2_000, dev=10, test=4)
    write(corpus, tmp_path / "new", "fr", "en", alignments=True)
    names = {path.name for path in (tmp_path / "new").iterdir()}
    assert names == {f"{part}.{kind}" for part in ("train", "dev", "test") for kind in ("fr", "en", "align")}
    for part, pairs in (("train", corpus.train), ("dev", corpus.dev), ("test", corpus.test)):
        for kind, texts in (("fr", [p.source for p in pairs]), ("en", [p.target for p in pairs])):
            assert (tmp_path / "new" / f"{part}.{kind}").read_bytes() == "".join(f"{t}\n" for t in texts).encode()
    links = (tmp_path / "new" / "dev.align").read_text().split("\n")[0]
    assert links == " ".join(f"{i}-{j}" for i, j in corpus.dev[0].links)


def test_no_alignment_file_unless_asked(tmp_path: Path) -> None:
    write(generate(2_000, dev=0, test=0), tmp_path, "fr", "en")
    assert len(list(tmp_path.iterdir())) == 6


@pytest.mark.parametrize("languages", [("fr", "en"), ("en", "fr")])
def test_the_dictionary_is_under_40_bleu_both_ways(languages: tuple[str, str]) -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    corpus = generate(20_000, 1, *languages)
    guesses, truths = dictionary_baseline(corpus), [pair.target for pair in corpus.test]
    assert len(guesses) == len(truths)
    assert 10 < sacrebleu.corpus_bleu(guesses, [truths]).score < 40


# ------------------------------------------------------------------------------------------------------- the grammar


def test_the_grammar_is_as_rich_as_promised(corpus: StarterCorpus) -> None:
    verbs = {left for left, _ in all_pairs()} - {noun.fr for noun in NOUNS}
    words = {noun.fr for noun in NOUNS} | verbs | {a.fr for a in (*DESCRIPTIONS, *FEELINGS)}
    assert len(words) >= 500
    assert len(TEMPLATES) >= 40
    assert sum(len(pair.target.split()) for pair in corpus.dev) / len(corpus.dev) >= 8


def test_sentences_hardly_ever_repeat_so_there_are_millions() -> None:
    grammar = Grammar(seed=5)
    drawn = [grammar.sentence().fr for _ in range(20_000)]
    twice = len(drawn) - len(set(drawn))
    # n draws out of N give about n * n / 2N repetitions, and more if some sentences are likelier than others
    assert 20_000**2 / (2 * twice) > 1_000_000


def test_one_french_sentence_has_one_english_one() -> None:
    grammar = Grammar(seed=6)
    meanings: dict[str, str] = {}
    for _ in range(20_000):
        sentence = grammar.sentence()
        assert meanings.setdefault(sentence.fr, sentence.en) == sentence.en


def test_the_package_needs_neither_torch_nor_anything_else() -> None:
    for path in Path(generate.__code__.co_filename).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            modules += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {m.split(".")[0] for m in modules} & {"torch", "numpy", "sacrebleu"}, path.name


def test_lemmas_are_found_in_any_form() -> None:
    found = lemmas("Mangeait-elle les pommes rouges que nous achèterons ?")
    assert {"manger", "pomme", "rouge", "acheter"} <= found
