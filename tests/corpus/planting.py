"""Faults planted into an honest corpus, one of each kind, and where: what a check must find."""

import unicodedata
from collections.abc import Sequence
from pathlib import Path

Pair = tuple[str, str]


def write(
    folder: Path, name: str, pairs: Sequence[tuple[str | bytes, str | bytes]], languages: tuple[str, str]
) -> Path:
    """Two files; returns their prefix."""
    for side, language in enumerate(languages):
        lines = [text.encode() if isinstance(text, str) else text for text in (pair[side] for pair in pairs)]
        (folder / f"{name}.{language}").write_bytes(b"".join(line + b"\n" for line in lines))
    return folder / name


def plant(
    pairs: Sequence[Pair], dev: Sequence[Pair]
) -> tuple[list[tuple[str | bytes, str | bytes]], dict[str, list[int]]]:
    """pairs: 2,500 at least, of which none is broken.  Returns them with the faults, and the lines of each finding.

    The first lines of a finding that is about a stretch.
    """
    lines: list[tuple[str | bytes, str | bytes]] = list(pairs)
    where: dict[str, list[int]] = {}

    def put(name: str, line: int, source: str | bytes, target: str | bytes) -> None:
        lines[line - 1] = source, target
        where.setdefault(name, []).append(line)

    def at(line: int) -> Pair:
        return pairs[line - 1]

    def long(line: int) -> int:
        """The next line with enough words that changing one leaves the rest."""
        return next(number for number in range(line, len(pairs)) if min(len(text.split()) for text in at(number)) > 7)

    put("blank", 110, "", at(110)[1])
    put("blank", 120, at(120)[0], " \t ")
    put("blank", 130, "", "")
    put("too_long", 210, " ".join(text for text, _ in pairs[:60]), " ".join(text for _, text in pairs[:60]))
    put("length_ratio", 220, at(220)[0], " ".join(text for _, text in pairs[220:228]))
    put("duplicate", 310, *at(30))
    near = long(40)
    put("near_duplicate", 320, at(near)[0].upper(), at(near)[1].rstrip(".!?") + " !!")
    put("many_targets", 330, at(long(60))[0], at(331)[1])
    put("copied", 340, at(long(340))[0], at(long(340))[0])
    put("numbers", 350, at(350)[0] + " (1984)", at(350)[1] + " (1948)")
    put("urls", 360, at(360)[0] + " www.eins-verlag.org", at(360)[1] + " www.zwei-haus.com")
    put("controls", 370, at(370)[0][:4] + "\u200b" + at(370)[0][4:], at(370)[1])
    put("controls", 380, at(380)[0], at(380)[1] + " \ue000\ufffd")
    put("mojibake", 390, at(390)[0], at(390)[1] + " schÃ¶nes FrÃ¼hstÃ¼ck")
    put("not_nfc", 410, unicodedata.normalize("NFD", at(410)[0] + " déjà"), at(410)[1])
    put("not_utf8", 420, at(420)[0].encode() + b" caf\xe9", at(420)[1])
    put("language", 430, at(430)[0], "Questa frase è scritta in italiano, perché nessuno ci ha pensato prima.")
    put("script", 440, at(440)[0], "Это предложение написано не теми буквами.")
    put("repeated", 450, at(450)[0], "la " * 30)
    put("letters", 460, at(460)[0], "<td>--</td> +++ *** 1 2 3 === ### <br/> 00 11 22")
    # Each stands for a stretch.
    for line in range(700, 740):
        source, target = at(line)
        put("foreign_block", line, target + " " + target, at(line)[1])
    turned = [pair[1] for pair in reversed(pairs[999:1060])]
    for line, target in zip(range(1000, 1061), turned, strict=True):
        put("unrelated", line, at(line)[0], target)
    for line in range(1500, 1590):  # its own target is lost, the others move up; then one comes in
        put("shifted", line, at(line)[0], at(line + 1)[1])
    put("shifted", 1590, at(1590)[0], at(1495)[1])
    for line, pair in ((1800, dev[3]), (1801, dev[7])):
        put("overlap", line, *pair)
    word = next(number for number, pair in enumerate(dev) if number > 10 and min(len(t.split()) for t in pair) > 7)
    source, target = dev[word]
    put("near_overlap", 1810, " ".join(source.split()[1:]), " ".join([*target.split(), "Montag"]))
    return lines, where


def plant_dev(dev: Sequence[Pair]) -> list[Pair]:
    """Dev text with a blank side, a pair that is there twice, and a letter that train has not: lines 21, 22, 23."""
    lines = list(dev)
    lines[20] = lines[20][0], ""
    lines[21] = lines[1]
    lines[22] = lines[22][0], lines[22][1] + " ţară"
    return lines
