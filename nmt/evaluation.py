"""How good a translation is: sacreBLEU's BLEU, chrF and TER. Strings in, scores out.

A score never travels without its signature, which says how it was computed; without it no two scores can be compared.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from nmt.errors import DataError

_TOKENIZERS = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}  # everywhere else "13a", the field's default
# Other codes for the languages whose words no space parts.
_SAME_LANGUAGE = {"zho": "zh", "chi": "zh", "cmn": "zh", "yue": "zh", "jpn": "ja", "kor": "ko"}
_SAME_LANGUAGE |= {"tha": "th", "lao": "lo", "khm": "km", "mya": "my", "bur": "my"}
_UNSPACED = {"th": "Thai", "lo": "Lao", "km": "Khmer", "my": "Burmese"}  # sacreBLEU cannot cut these into words
_EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SUBWORD_MARKS = re.compile("\u2581|@@ |@@$")


@dataclass(frozen=True)
class Score:
    """One number and how it came about."""

    name: str
    score: float  # 0 to 100; TER, an error rate, can exceed it
    signature: str


@dataclass(frozen=True)
class Evaluation:
    """The scores of one set of translations, and what to know before trusting them."""

    bleu: Score
    chrf: Score
    ter: Score  # lower is better: edits per hundred reference words
    lines: int
    notes: list[str] = field(default_factory=list)
    repaired: int | None = None  # lines that the guard had translated again; None: it was not asked to

    def as_json(self) -> dict[str, Any]:
        """Plain values for `json.dump`: each metric with score and signature, and the number of lines."""
        scores = {"bleu": self.bleu, "chrf": self.chrf, "ter": self.ter}
        as_dicts: dict[str, Any] = {key: {"score": s.score, "signature": s.signature} for key, s in scores.items()}
        repaired = {} if self.repaired is None else {"repaired": self.repaired}
        return as_dicts | {"lines": self.lines} | repaired


def evaluate(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    target_language: str | None = None,
    lowercase: bool = False,
) -> Evaluation:
    """Score translations.

    references: one or more sets, each with one line for each hypothesis (not one list for each hypothesis).
    target_language: decides how BLEU finds words in Chinese, Japanese and Korean.
    lowercase: ignore case in BLEU and chrF.
    Errors: DataError if the numbers of lines differ, or what Japanese or Korean needs is not installed.
    """
    _check_shape(hypotheses, references)
    tokenizer = bleu_tokenizer(target_language)
    # force: sacreBLEU's own advice about tokenised text goes to a logger; `_notes` gives it.
    bleu = BLEU(lowercase=lowercase, tokenize=tokenizer, force=True)
    chrf = CHRF(lowercase=lowercase)
    # Without spaces TER would take a whole line for one word.
    unspaced = tokenizer in ("zh", "ja-mecab")
    ter = TER(normalized=unspaced, asian_support=unspaced)
    bleu_score = bleu.corpus_score(hypotheses, references)
    notes = _notes(hypotheses, references, target_language)
    if bleu_score.totals[-1] == 0:
        notes.append(
            "BLEU is 0 because no hypothesis has four words in a row, whatever their quality: look at chrF here."
        )
    return Evaluation(
        bleu=Score("BLEU", _percent(bleu_score.score), str(bleu.get_signature())),
        chrf=Score("chrF2", _percent(chrf.corpus_score(hypotheses, references).score), str(chrf.get_signature())),
        ter=Score("TER", float(ter.corpus_score(hypotheses, references).score), str(ter.get_signature())),
        lines=len(hypotheses),
        notes=notes,
    )


def corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    target_language: str | None = None,
    lowercase: bool = False,
) -> float:
    """BLEU alone, 0 to 100: equal to `evaluate(...).bleu.score`, for validation during training."""
    _check_shape(hypotheses, references)
    bleu = BLEU(lowercase=lowercase, tokenize=bleu_tokenizer(target_language), force=True)
    return _percent(bleu.corpus_score(hypotheses, references).score)


def corpus_chrf(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """chrF alone, 0 to 100: equal to `evaluate(...).chrf.score`, for validation during training."""
    _check_shape(hypotheses, references)
    return _percent(CHRF().corpus_score(hypotheses, references).score)


def sentence_chrf(hypotheses: Sequence[str], references: Sequence[str]) -> list[float]:
    """chrF of each line alone, 0 to 100. Orders of n-grams that a line is too short for are left out (Popović 2015)."""
    _check_shape(hypotheses, [references])
    chrf = CHRF()
    pairs = zip(hypotheses, references, strict=True)
    return [_percent(chrf.sentence_score(hypothesis, [reference]).score) for hypothesis, reference in pairs]


def exact_match(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """Share of lines that are one of their references, character for character; 0 to 100."""
    _check_shape(hypotheses, references)
    equal = [hypothesis in line for hypothesis, *line in zip(hypotheses, *references, strict=True)]
    return 100 * sum(equal) / len(equal)


def bleu_tokenizer(target_language: str | None) -> str:
    """How BLEU is to find words in this language; worth a call before training begins.

    Errors: DataError if that way needs a package that is not installed.
    """
    language = _base_language(target_language)
    tokenizer = _TOKENIZERS.get(language, "13a")
    if tokenizer.endswith("mecab"):
        try:
            BLEU(tokenize=tokenizer)
        except (RuntimeError, ImportError) as error:
            raise DataError(
                f'BLEU needs a word splitter for target language "{target_language}" that is not installed.',
                f"pip install 'sacrebleu[{language}]'",
            ) from error
    return tokenizer


def _percent(score: float) -> float:
    """A plain float (sacreBLEU's may be numpy's, which JSON refuses), without the rounding that lifts 100 a little."""
    return min(float(score), 100.0)


def _base_language(code: str | None) -> str:
    """The language of a code such as "zh_CN", "zho_Hans" or "pt-BR", as two letters where there are any."""
    base = re.split("[-_]", code or "")[0].lower()
    return _SAME_LANGUAGE.get(base, base)


def _check_shape(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> None:
    # sacreBLEU itself cuts to the shorter side, and scores transposed references, without a word.
    if isinstance(hypotheses, str) or any(isinstance(reference, str) for reference in references):
        raise TypeError("hypotheses are a list of strings, references a list of such lists: one for each reference set")
    counts = [len(reference) for reference in references]
    if not counts or any(count != len(hypotheses) for count in counts):
        found = " and ".join(map(str, counts)) or "no"
        raise DataError(
            f"there are {len(hypotheses)} hypotheses but {found} references; each needs its own.",
            "compare the files line by line: one was cut short, or they belong to different sets",
        )
    if not hypotheses:
        raise DataError("there is nothing to score: no hypotheses.", "check that the files are not empty")


def _notes(hypotheses: Sequence[str], references: Sequence[Sequence[str]], target_language: str | None) -> list[str]:
    notes = []
    language = _base_language(target_language)
    if _is_common(hypotheses, _SUBWORD_MARKS) and not _is_common(references[0], _SUBWORD_MARKS):
        notes.append(
            "the hypotheses contain subword marks (▁ or @@): detokenise them first, or the scores mean nothing."
        )
    spaced_period = re.compile(r"\s\.$")
    if _is_common(hypotheses, spaced_period) and not _is_common(references[0], spaced_period):
        notes.append('hypotheses end in " .", references do not: detokenise them first, or chrF and TER are too bad.')
    if empty := sum(not hypothesis.strip() for hypothesis in hypotheses):
        notes.append(f"{empty} of {len(hypotheses)} hypotheses are empty.")
    if language in _UNSPACED:
        notes.append(f"{_UNSPACED[language]} has no spaces between words, and BLEU and TER need words: look at chrF.")
    elif language not in _TOKENIZERS and _is_common(references[0], _EAST_ASIAN):
        notes.append(
            "the references look Chinese, Japanese or Korean: name the target language, so that BLEU can find words."
        )
    return notes


def _is_common(lines: Sequence[str], pattern: re.Pattern[str]) -> bool:
    """Whether at least a tenth of the lines match: one line may hold anything."""
    return 10 * sum(pattern.search(line) is not None for line in lines) >= len(lines)
