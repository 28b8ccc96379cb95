"""Dev and test hold nothing that train has taught: judged by brute force, on text with planted near duplicates."""

import random
import tracemalloc
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import pytest

from nmt.corpus import chunks, splitting
from nmt.corpus.splitting import draw, parted
from nmt.corpus.stream import PairList, PairStream
from nmt.errors import DataError
from nmt.text.surface import letters

Pair = tuple[str, str]
Parts = dict[str | None, list[int]]


def word(chance: random.Random) -> str:
    return "".join(chance.choices("abdefgiklmnoprstu", k=chance.randint(3, 8)))


def sentence(chance: random.Random, length: int | None = None) -> str:
    return " ".join(word(chance) for _ in range(length or chance.randint(3, 12)))


def another_look(text: str, chance: random.Random) -> str:
    """The same letters with another case, punctuation, digits or spacing."""
    change = chance.choice([str.upper, str.title, lambda t: t + "!", lambda t: f"({t}) 7", lambda t: "  " + t + " . "])
    return str(change(text))


def one_word_off(text: str, chance: random.Random) -> str:
    words = text.split()
    place = chance.randrange(len(words))
    change = chance.choice(["insert", "delete", "replace"])
    new = [] if change == "delete" else [word(chance)]
    words[place : place + (change != "insert")] = new
    return " ".join(words)


def planted(seed: int, count: int = 300) -> list[Pair]:
    """Sentences of their own; some come again with another look, some with another word; blank, short, long ones."""
    chance = random.Random(seed)
    pairs = [(sentence(chance), sentence(chance)) for _ in range(count)]
    for source, target in chance.sample(pairs, count // 3):
        match chance.randrange(5):
            case 0:
                pairs.append((another_look(source, chance), sentence(chance)))
            case 1:
                pairs.append((sentence(chance), another_look(target, chance)))
            case 2:  # belongs to both
                other = chance.choice(pairs)
                pairs.append((another_look(source, chance), another_look(other[1], chance)))
            case 3:
                pairs.append((one_word_off(source, chance), sentence(chance)))
            case 4:
                pairs.append((sentence(chance), one_word_off(target, chance)))
    common = sentence(chance, 8)
    pairs += [(sentence(chance), another_look(common, chance)) for _ in range(20)]  # a large group
    pairs += [("", sentence(chance)), (sentence(chance), " \t "), ("", ""), ("7 8 9 10", sentence(chance))]
    pairs += [("yes", sentence(chance)), (sentence(chance, 90), sentence(chance)), ("!! ??, 3", "4 5 6")]
    chance.shuffle(pairs)
    return pairs


def divide(stream: PairStream, dev: int, test: int, seed: int = 1, *, keep_near: bool = False) -> Parts:
    """Numbers of the pairs of each set; None: left out."""
    parts: Parts = {"train": [], "dev": [], "test": [], None: []}
    drawn = draw(stream, dev, test, seed)
    for number, (part, pair) in enumerate(parted(stream, drawn, keep_near=keep_near)):
        parts[part].append(number)
        assert pair == stream.pairs[number]  # type: ignore[attr-defined]
    return parts


def groups_of(pairs: list[Pair]) -> list[set[int]]:
    """By brute force: pairs that share the letters of a side, and all that belong to the same ones."""
    group = {number: {number} for number in range(len(pairs))}
    for side in (0, 1):
        alike: dict[str, list[int]] = defaultdict(list)
        for number, pair in enumerate(pairs):
            if pair[side].strip():
                alike[letters(pair[side]) or pair[side].strip()].append(number)
        for numbers in alike.values():
            whole = set.union(*(group[number] for number in numbers))
            for number in whole:
                group[number] = whole
    return [set(found) for found in {frozenset(found) for found in group.values()}]


def words_apart(one: list[str], other: list[str]) -> int:
    """Words to insert, delete or replace."""
    row = list(range(len(other) + 1))
    for i, first in enumerate(one, start=1):
        above, row[0] = row[0], i
        for j, second in enumerate(other, start=1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (first != second))
    return row[-1]


def is_near(one: str, other: str) -> bool:
    words = [[bare for part in text.split() if (bare := letters(part))] for text in (one, other)]
    if min(map(len, words)) < 5 or max(map(len, words)) < 6 or abs(len(words[0]) - len(words[1])) > 1:
        return words[0] == words[1] and bool(words[0])
    # Both of five and six words: the shorter one is the other with a word left out.
    return words_apart(*words) <= 1


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nothing_in_train_is_near_dev_or_test(seed: int) -> None:
    pairs = planted(seed)
    parts = divide(PairList("text", pairs), 40, 30, seed)
    assert sorted(number for part in parts.values() for number in part) == list(range(len(pairs)))
    assert (len(parts["dev"]), len(parts["test"])) == (40, 30)
    assert parts[None]
    place = {number: part for part, numbers in parts.items() for number in numbers}
    for group in groups_of(pairs):
        assert len({place[number] for number in group} - {None}) <= 1
    held_out = parts["dev"] + parts["test"]
    left_out = set(parts[None])
    for number, pair in enumerate(pairs):
        if place[number] in ("train", None):
            near = any(is_near(pair[side], pairs[other][side]) for other in held_out for side in (0, 1))
            assert near == (number in left_out), pair
    for one in parts["dev"]:
        assert not any(is_near(pairs[one][side], pairs[other][side]) for other in parts["test"] for side in (0, 1))


def test_dev_and_test_are_of_ordinary_sentences_of_small_groups() -> None:
    pairs = planted(4)
    parts = divide(PairList("text", pairs), 90, 90)
    sizes = {number: len(group) for group in groups_of(pairs) for number in group}
    for number in parts["dev"] + parts["test"]:
        assert all(3 <= len(text.split()) <= 80 and letters(text) for text in pairs[number])
        assert sizes[number] <= 9
    assert max(sizes[number] for number in parts["dev"] + parts["test"]) > 1  # groups are drawn whole
    assert max(sizes.values()) >= 20


@pytest.mark.parametrize(("dev", "test"), [(50, 0), (0, 50)])
def test_one_set_may_be_left_out(dev: int, test: int) -> None:
    parts = divide(PairList("text", planted(5)), dev, test)
    assert (len(parts["dev"]), len(parts["test"])) == (dev, test)


def test_what_is_near_is_kept_on_request() -> None:
    pairs = planted(1)
    without, kept = (divide(PairList("text", pairs), 40, 30, keep_near=keep) for keep in (False, True))
    assert kept["dev"] == without["dev"]
    assert kept["test"] == without["test"]
    assert kept[None] == []
    assert kept["train"] == sorted(without["train"] + without[None])  # type: ignore[operator]


def test_a_long_chain_is_one_group() -> None:
    chance = random.Random(1)
    sources, targets = ([sentence(chance, 7) for _ in range(201)] for _ in range(2))
    chain = [(sources[n // 2], targets[(n + 1) // 2]) for n in range(400)]
    chance.shuffle(chain)
    apart = [(sentence(chance, 7), sentence(chance, 7)) for _ in range(500)]
    parts = divide(PairList("text", chain + apart), 100, 100)
    assert not {*parts["dev"], *parts["test"]} & set(range(400))


def test_groups_are_those_of_brute_force() -> None:
    chance = random.Random(1)
    sources, targets = ([sentence(chance, 7) for _ in range(1000)] for _ in range(2))
    pairs = [(chance.choice(sources), chance.choice(targets)) for _ in range(1500)]
    firsts, _ = splitting._group(PairList("text", pairs), 1)
    found = defaultdict(set)
    for number, first in enumerate(firsts.tolist()):
        found[first].add(number)
    assert sorted(map(sorted, found.values())) == sorted(map(sorted, groups_of(pairs)))
    assert all(first == min(group) for first, group in found.items())


def test_texts_without_spaces_are_judged_by_their_characters() -> None:
    chance = random.Random(1)
    han = [chr(0x4E00 + chance.randrange(3000)) for _ in range(4000)]
    pairs = [("".join(chance.sample(han, 9)) + "。", sentence(chance)) for _ in range(60)]
    parts = divide(PairList("text", pairs), 10, 10)
    near = (pairs[parts["dev"][0]][0].replace("。", chr(0x5000) + "！"), sentence(chance))
    again = divide(PairList("text", [*pairs, near]), 10, 10)
    assert 60 in again[None] or pairs.index(pairs[parts["dev"][0]]) not in again["dev"] + again["test"]


def test_the_seed_alone_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = PairList("text", planted(6))
    first = divide(pairs, 30, 30, seed=7)
    assert divide(pairs, 30, 30, seed=8)["dev"] != first["dev"]
    for chunk in (1, 7, 10_000):
        monkeypatch.setattr(chunks, "CHUNK", chunk)
        monkeypatch.setattr(splitting, "_STEP", chunk * 10)
        assert divide(pairs, 30, 30, seed=7) == first


def test_several_processes_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = PairList("text", planted(6))
    first = divide(pairs, 30, 30)
    monkeypatch.setattr(chunks, "CHUNK", 50)
    monkeypatch.setattr(chunks, "SMALL", 2)
    monkeypatch.setattr(chunks, "usable_cores", lambda: 2)
    assert divide(pairs, 30, 30) == first


def test_too_few_are_refused() -> None:
    pairs = planted(1, 30)
    for dev, test in ((40, 40), (0, 60), (1000, 10)):
        with pytest.raises(DataError, match=r"text has \d+ pairs, of which \d+ can be drawn .* not [\d,]+: the others"):
            draw(PairList("text", pairs), dev, test, 1)
    with pytest.raises(DataError, match="text has 0 pairs, of which 0 can be drawn"):
        draw(PairList("text", []), 1, 1, 1)
    chance = random.Random(1)
    fit = [(sentence(chance, 7), sentence(chance, 7)) for _ in range(40)]
    with pytest.raises(DataError, match="of which 20 can be drawn"):  # half is for train
        draw(PairList("text", fit), 30, 9, 1)


def test_a_corpus_that_changes_meanwhile_is_refused() -> None:
    pairs = planted(1)
    stream = PairList("text", pairs)
    drawn = draw(stream, 5, 5, 1)
    with pytest.raises(DataError, match=r"text has changed while it was read: \d+ pairs, not \d+"):
        list(parted(PairList("text", pairs[:-1]), drawn, keep_near=False))

    class Growing(PairStream):
        name = "text"
        walks = 0

        def __iter__(self) -> Iterator[Pair]:
            self.walks += 1
            return iter(pairs * self.walks)

    with pytest.raises(DataError, match="has changed while it was read"):
        draw(Growing(), 5, 5, 1)


def test_a_pair_takes_no_more_than_24_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 200_000

    class Many(PairStream):
        name = "many"

        def __iter__(self) -> Iterator[Pair]:
            words = (f"{number:o}".translate(str.maketrans("01234567", "abcdefgh")) for number in range(count))
            return ((f"{word} a b", f"c d {word}") for word in words)

    class RandomKeys:
        def __init__(self) -> None:
            self.chance = np.random.default_rng(1)

        def __call__(self, pairs: list[Pair], _: object) -> tuple[np.ndarray, ...]:
            keys = self.chance.integers(1, count * 4, (2, len(pairs))).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
            return keys[0], keys[1], np.ones(len(pairs), np.bool_)

    monkeypatch.setattr(splitting, "_Keys", RandomKeys)
    monkeypatch.setattr(splitting, "_STEP", 5000)
    monkeypatch.setattr(chunks, "CHUNK", 1000)
    monkeypatch.setattr(chunks, "usable_cores", lambda: 1)
    tracemalloc.start()
    try:
        draw(Many(), 100, 100, 1)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak / count < 24
