"""`nmt data stats`: what a corpus is like, in numbers, and what a model's subwords make of it."""

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nmt import console
from nmt.commands.data_streams import open_location
from nmt.commands.streams import standard_output
from nmt.config import ModelConfig
from nmt.corpus.statistics import QUANTILES, SideCounts, Statistics, measure, quantiles, scripts, total, unknown
from nmt.text.tokenizer import Tokenizer

TOLD = 5  # scripts and unknown characters that the table names


@dataclass(frozen=True)
class Subwords:
    """Those of a model. longest: pieces with EOS that it takes."""

    name: str
    tokenizers: tuple[Tokenizer, Tokenizer]
    longest: int


def run(
    location: Sequence[str],
    languages: tuple[str, str],
    *,
    model: Path | None,
    as_json: bool,
    workers: int | None = None,
) -> None:
    """Measure the corpus and print the figures, as a table or as one JSON object."""
    subwords = None if model is None else _subwords(model)
    stream = open_location(location, languages)
    pairs = console.progress(stream, description="reading", unit=" pairs")
    counts = measure(pairs, None if subwords is None else subwords.tokenizers, workers)
    figures = _figures(stream.name, languages, counts, subwords)
    with standard_output():
        print(json.dumps(figures, ensure_ascii=False, indent=2) if as_json else _table(figures))


def _subwords(path: Path) -> Subwords:
    """Of a run or a model folder, or one .spm file for both languages."""
    if path.suffix == ".spm":
        tokenizer = Tokenizer.load(path)
        return Subwords(str(path), (tokenizer, tokenizer), ModelConfig().max_length)
    # Imported here: it takes torch along.
    from nmt.checkpoint import load_model

    loaded = load_model(path)
    return Subwords(str(path), (loaded.source_tokenizer, loaded.target_tokenizer), loaded.config.model.max_length)


def _figures(name: str, languages: tuple[str, str], counts: Statistics, subwords: Subwords | None) -> dict[str, Any]:
    sides = counts.source, counts.target
    ratios = {name: round(math.exp(value / 100), 3) for name, value in quantiles(counts.ratios).items()}
    characters = [total(side.characters) for side in sides]
    figures: dict[str, Any] = {
        "name": name,
        "pairs": counts.pairs,
        "blank_pairs": counts.blank,
        "blank_share": _share(counts.blank, counts.pairs),
        "repeated_share": round(counts.different.repeated_share, 6),
        "exact": counts.different.exact and all(side.different.exact for side in sides),
        "ratio": {"overall": _share(characters[1], characters[0])} | (ratios if counts.ratios else {}),
        "source": _side_figures(languages[0], counts.source),
        "target": _side_figures(languages[1], counts.target),
    }
    if subwords is not None:
        figures["model"] = {"name": subwords.name, "max_length": subwords.longest}
        for key, side, tokenizer in zip(("source", "target"), sides, subwords.tokenizers, strict=True):
            figures[key] |= _piece_figures(side, tokenizer, subwords.longest)
    return figures


def _side_figures(language: str, side: SideCounts) -> dict[str, Any]:
    return {
        "language": language,
        "blank": side.blank,
        "words": total(side.words),
        "characters": total(side.characters),
        "distinct_words": side.different.distinct,
        "words_a_line": quantiles(side.words),
        "characters_a_line": quantiles(side.characters),
        "scripts": {name: round(share, 6) for name, share in scripts(side.letters).items()},
    }


def _piece_figures(side: SideCounts, tokenizer: Tokenizer, longest: int) -> dict[str, Any]:
    lines = side.pieces.total()
    pieces = total(side.pieces) - lines  # without EOS
    missing = unknown(side.letters, tokenizer)
    return {
        "pieces": pieces,
        "pieces_a_word": _share(pieces, total(side.words)),
        "pieces_a_line": quantiles(side.pieces),
        "too_long": sum(count for length, count in side.pieces.items() if length > longest),
        "unknown_characters": missing.total(),
        "unknown_share": _share(missing.total(), total(side.characters)),
        "unknown": dict(missing.most_common()),
    }


def _share(part: float, whole: float) -> float:
    return round(part / whole, 6) if whole else 0.0


# ---- for people


def _table(figures: dict[str, Any]) -> str:
    sides = figures["source"], figures["target"]
    about = "" if figures["exact"] else " (different ones: to 0.1 %)"
    lines = [
        f"{figures['name']}: {figures['pairs']:,} pairs{about}",
        f"  with a blank side {figures['blank_pairs']:,} ({figures['blank_share']:.2%}),"
        f" repeated {figures['repeated_share']:.2%}",
        _row("", [side["language"] for side in sides]),
    ]
    for title, key in (("words", "words"), ("different words", "distinct_words"), ("characters", "characters")):
        lines.append(_row(title, [f"{side[key]:,}" for side in sides]))
    lines.append(_row("quantiles of lines", [" ".join(f"{name:>5}" for name in QUANTILES)] * 2))
    for title, key in (("words", "words_a_line"), ("characters", "characters_a_line")):
        lines.append(_row(f"{title} a line", [_quantile_cells(side[key]) for side in sides]))
    lines.append(_row("scripts of letters", [_most(side["scripts"], ".1%") for side in sides]))
    if "model" in figures:
        longest = figures["model"]["max_length"]
        lines += [
            f"  subwords of {figures['model']['name']}",
            _row("pieces a word", [f"{side['pieces_a_word']:.2f}" for side in sides]),
            _row("pieces a line, EOS too", [_quantile_cells(side["pieces_a_line"]) for side in sides]),
            _row(f"lines over {longest} pieces", [f"{side['too_long']:,}" for side in sides]),
            _row("unknown characters", [_unknown_cell(side) for side in sides]),
        ]
    ratio = figures["ratio"]
    spread = ", ".join(f"{name} {ratio[name]:.2f}" for name in QUANTILES if name in ratio)
    lines.append(f"  target / source in characters: {ratio['overall']:.2f} overall; of pairs: {spread or 'none'}")
    return "\n".join(lines)


def _row(title: str, cells: Sequence[str]) -> str:
    return f"  {title:<24}" + "".join(f"{cell:>34}" for cell in cells)


def _quantile_cells(found: dict[str, int]) -> str:
    return " ".join(f"{found[name]:>5}" for name in QUANTILES)


def _most(shares: dict[str, float], form: str) -> str:
    return ", ".join(f"{name.capitalize()} {share:{form}}" for name, share in list(shares.items())[:TOLD]) or "none"


def _unknown_cell(side: dict[str, Any]) -> str:
    found = Counter(side["unknown"])
    named = " ".join(letter for letter, _ in found.most_common(TOLD))
    return f"{side['unknown_characters']:,} ({side['unknown_share']:.3%}) {named}".rstrip()
