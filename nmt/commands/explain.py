"""`nmt explain`: how sure a model is of each word of its translation, what else it thought of, and where it looked."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch.nn.functional import pad

from nmt import __version__, console, runtime
from nmt.checkpoint import LoadedModel, load_model
from nmt.commands.models import choose_model
from nmt.commands.streams import standard_output
from nmt.decoding.alignment import AlignmentHeads, word_attention
from nmt.decoding.scoring import Scored, check_lengths, score
from nmt.decoding.translator import Translator
from nmt.errors import DataError, UsageError
from nmt.pages.explain import Explanation, Heat, Step, Word, page
from nmt.text.lines import atomic_file, clean, one_line
from nmt.text.sampling import SPACE
from nmt.text.tokenizer import EOS_ID, Tokenizer
from nmt.text.words import source_words, target_words

ALTERNATIVES = 5  # told at each step


@dataclass(frozen=True)
class Arguments:
    """The command line of `nmt explain`."""

    texts: tuple[str, ...]
    model: Path | None = None
    output: Path = Path("explain.html")
    overwrite: bool = False
    device: str = "auto"
    threads: int | None = None


def run(arguments: Arguments) -> None:
    """Translate the texts as `nmt translate` does, write the page, print its path.

    Raises UsageError when the file is there already, DataError for a blank text, for a tag that the model does not
    declare, and for a text that it cannot take whole: all before any work.
    """
    if arguments.output.exists() and not arguments.overwrite:
        raise UsageError(f"{arguments.output} exists", "--overwrite, or another --output")
    _check_blank(arguments.texts)
    model = choose_model(arguments.model)
    runtime.prepare(arguments.threads)
    loaded = load_model(model, arguments.device)
    if arguments.model is None:
        console.log(f"model: {model}")
    told, config = loaded.calibration.get("alignment"), loaded.model.config
    heads = AlignmentHeads.learnt(told, config)
    explanations = explain(loaded, arguments.texts, heads)
    about = [
        f"Model {loaded.folder.resolve().name}, beam {loaded.config.decode.beam_size}, nmt {__version__}.",
        f"Attention: {describe_heads(heads)}.",
    ]
    data = loaded.config.data
    text = page(explanations, data.source_language, data.target_language, about)
    with atomic_file(arguments.output) as file:
        file.write(text.encode("utf-8", errors="replace"))
    with standard_output():
        print(arguments.output)


def _check_blank(texts: Sequence[str]) -> None:
    for number, text in enumerate(texts, start=1):
        if not clean(text):
            raise DataError(f"text {number} is blank", "nmt explain 'a sentence'")


def explain(
    loaded: LoadedModel, texts: Sequence[str], heads: AlignmentHeads, decode: Mapping[str, object] | None = None
) -> list[Explanation]:
    """Each text with its translation, forced: probabilities, alternatives and attention, in words.

    decode: settings of `decode.*` over the model's own.
    """
    cleaned = [clean(text) for text in texts]
    sources = loaded.source_tokenizer.encode_source_batch(cleaned, place=lambda index: f"text {index + 1}")
    _check_blank([text if ids else "" for text, ids in zip(cleaned, sources, strict=True)])  # tags alone, too
    check_lengths([loaded.model], sources, [[]] * len(sources))
    translations = Translator.of(loaded, decode=decode).translate_segments(texts, details=True)
    # As the search spelled them: a text could be spelled otherwise.
    targets = [[token.id for token in found.tokens[:-1]] for found in translations]
    found = score([loaded.model], sources, targets, attention="all", alternatives=2 * ALTERNATIVES)
    return [_explain(loaded, *row, heads) for row in zip(texts, targets, found, strict=True)]


def _explain(
    loaded: LoadedModel, text: str, target: Sequence[int], scored: Scored, heads: AlignmentHeads
) -> Explanation:
    assert scored.attention is not None
    cleaned = clean(text)
    belongs = target_words(loaded.target_tokenizer, target)
    steps = _steps(loaded.target_tokenizer, scored)
    words = one_line(loaded.target_tokenizer.decode(target)).split()
    looked = word_attention(scored.attention, source_words(loaded.source_tokenizer, cleaned), belongs, heads.shift)
    looked = pad(looked, (0, len(cleaned.split()) - looked.size(-1)))  # a last word that the normalisation took away
    looked = looked[..., : len(words), :]  # bytes that form no character make no word
    chosen = torch.stack([looked[layer, head] for layer, head in heads.heads]).mean(dim=0)
    layers = []
    for number, layer in enumerate(looked, start=1):
        whole = Heat(f"Layer {number}, mean of its heads", layer.mean(dim=0).tolist())
        single = [Heat(f"Layer {number}, head {head}", rows.tolist()) for head, rows in enumerate(layer, start=1)]
        layers.append((whole, single))
    return Explanation(
        source=cleaned.split(),
        words=[
            Word(word, [step for step, place in zip(steps, belongs, strict=False) if place == index])
            for index, word in enumerate(words)
        ],
        end=steps[-1],
        log_prob=scored.log_prob,
        perplexity=scored.perplexity,
        chosen=Heat("Chosen heads", chosen.tolist()),
        layers=layers,
    )


def _steps(tokenizer: Tokenizer, scored: Scored) -> list[Step]:
    """One a piece, EOS last."""
    assert scored.alternatives is not None
    banned = set(tokenizer.control_ids)  # a search never takes them, whatever their probability
    rows = zip(scored.tokens, scored.log_probs, scored.alternatives, strict=True)
    steps = []
    for token, log_prob, top in rows:
        shown = [(_shown(tokenizer, other), value) for other, value in top if other not in banned]
        steps.append(Step(_shown(tokenizer, token), log_prob, shown[:ALTERNATIVES]))
    return steps


def _shown(tokenizer: Tokenizer, token: int) -> str:
    """A piece as a reader of words takes it: what goes on in the middle of a word begins with an ellipsis."""
    if token == EOS_ID:
        return "(end)"
    (piece,) = tokenizer.pieces([token])
    if re.fullmatch("<0x..>", piece):
        return f"(byte {piece[3:-1]})"
    if piece.startswith(SPACE):
        return piece[1:].replace(SPACE, " ") or "(blank)"
    return f"…{piece}"


def describe_heads(heads: AlignmentHeads) -> str:
    """Where attention is read, in words."""
    by_layer: dict[int, list[int]] = {}
    for layer, head in heads.heads:
        by_layer.setdefault(layer + 1, []).append(head + 1)
    where = "; ".join(f"layer {layer} heads {', '.join(map(str, own))}" for layer, own in by_layer.items())
    step = "at the step behind each piece" if heads.shift else "at the step that predicts each piece"
    return f"the mean of {where}, read {step}; chosen by {heads.method}"
