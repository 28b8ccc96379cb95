"""How good the model is on text it does not learn from: loss, accuracy, BLEU and chrF."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from nmt import console, distributed
from nmt.corpus.batch import Batch, collate
from nmt.corpus.batching import cut_micro_batches
from nmt.corpus.encoded import EncodedCorpus
from nmt.corpus.reader import ParallelText
from nmt.decoding.calibration import calibrate
from nmt.decoding.translator import Translator
from nmt.errors import ModelError
from nmt.evaluation import corpus_bleu, corpus_chrf
from nmt.training.loss import batch_scores

FEWEST_TO_JUDGE, ALARMING_SHARE = 50, 0.3  # lines; share of them, beyond the references' own
DEV_BATCH_TOKENS = 8192  # padded tokens of both sides


@dataclass(frozen=True)
class DevScores:
    """loss: nats per token, without smoothing.  accuracy: % of tokens ranked first.  bleu, chrf: 0 to 100.

    alarm: what is wrong with the translations as a whole; "" when nothing is.
    """

    loss: float
    accuracy: float
    bleu: float
    chrf: float
    alarm: str = ""

    def value(self, metric: str) -> float:
        """The metric, turned so that higher is better."""
        number: float = getattr(self, metric)
        return -number if metric == "loss" else number

    def __str__(self) -> str:
        return f"loss {self.loss:.3f}  accuracy {self.accuracy:.1f}  BLEU {self.bleu:.2f}  chrF {self.chrf:.2f}"

    def as_row(self, name: str = "dev") -> dict[str, float]:
        """For metrics.jsonl. name: of the dev set, before each score's own."""
        return {
            f"{name}_loss": round(self.loss, 5),
            f"{name}_accuracy": round(self.accuracy, 3),
            f"{name}_bleu": round(self.bleu, 4),
            f"{name}_chrf": round(self.chrf, 4),
        }


class Validator:
    """Scores the model behind `translator` on one dev set, as it is at the moment of the call."""

    def __init__(self, translator: Translator, text: ParallelText, encoded: EncodedCorpus, examples: int = 2) -> None:
        """examples: how many translations each call shows."""
        self.translator = translator
        self.text = text
        self.encoded = encoded
        self.fingerprint = encoded.fingerprint()
        self.examples = examples
        self.hypotheses: list[str] = []  # of the last call

    def __call__(self, give_up: Callable[[], bool] = lambda: False) -> DevScores | None:
        """Loss by teacher forcing, BLEU and chrF by the run's own search; None once `give_up` says so.

        Raises ModelError when the loss is not finite: such a model has nothing to say.
        """
        model = self.translator.model
        training = model.training
        model.eval()
        try:
            loss, accuracy = self._teacher_forced()
            if not math.isfinite(loss):
                raise ModelError(
                    "the loss on dev is not finite: training has blown up",
                    "lower train.learning_rate or raise train.warmup_steps; saved checkpoints are sound",
                )
            hypotheses = self.hypotheses = self._translate(give_up)
        except _GivenUpError:
            return None
        finally:
            model.train(training)
        language = self.translator.target_language
        for index in range(min(self.examples, len(hypotheses))):
            console.log(f"    {self.text.source[index]}\n      -> {hypotheses[index]}")
        return DevScores(
            loss,
            accuracy,
            corpus_bleu(hypotheses, [self.text.target], language),
            corpus_chrf(hypotheses, [self.text.target]),
            alarm(self.text.source, hypotheses, self.text.target),
        )

    def calibrate(self) -> dict[str, Any] | None:
        """What dev teaches about the model as it is, for calibration.json; None before the first call has translated.

        From that call's translations, so it costs one more forward pass. No process waits for another.
        """
        if not self.hypotheses:
            return None
        translator = self.translator
        tokenizers = translator.source_tokenizer, translator.target_tokenizer
        return calibrate(translator.model, *tokenizers, self.text.source, self.hypotheses, self.text.target).as_json()

    def _teacher_forced(self) -> tuple[float, float]:
        device = next(self.translator.model.parameters()).device
        nll, right, tokens = 0.0, 0, 0
        for batch in self._batches():
            batch_nll, batch_right = batch_scores(self.translator.model, batch.to(device))
            nll, right, tokens = nll + batch_nll, right + batch_right, tokens + batch.tokens
        nll, right, tokens = (sum(values) for values in zip(*distributed.gather((nll, right, tokens)), strict=True))
        return nll / tokens, 100 * right / tokens

    def _batches(self) -> list[Batch]:
        source, target = self.encoded.source, self.encoded.target
        every = torch.arange(len(self.encoded)).numpy()
        cut = cut_micro_batches(every, source.lengths, target.lengths, DEV_BATCH_TOKENS)
        mine = cut[distributed.rank() :: distributed.world_size()]
        return [collate([source[i] for i in ids], [target[i] for i in ids]) for ids in mine]

    def _translate(self, give_up: Callable[[], bool]) -> list[str]:
        """Every line once: each rank translates its share, and all learn the whole."""
        rank, ranks = distributed.rank(), distributed.world_size()
        mine = self.text.source[rank::ranks]
        with console.progress(total=len(mine), description="validating", unit="line") as bar:

            def done(lines: int) -> None:
                bar.update(lines)
                if give_up():
                    raise _GivenUpError

            results = self.translator.translate_segments(mine, on_done=done)
        shares = distributed.gather([result.text for result in results])
        return [shares[index % ranks][index // ranks] for index in range(len(self.text))]


def alarm(source: Sequence[str], hypotheses: Sequence[str], reference: Sequence[str]) -> str:
    """Whether one sentence answers everything, or the source is copied, far more often than in the references."""
    if len(hypotheses) < FEWEST_TO_JUDGE:
        return ""
    text, times = Counter(hypotheses).most_common(1)[0]
    usual = Counter(reference).most_common(1)[0][1]
    if times - usual > ALARMING_SHARE * len(hypotheses):
        return f"{times} of {len(hypotheses)} dev translations are the same: {text!r}"
    copied = sum(left == right for left, right in zip(source, hypotheses, strict=True))
    usual = sum(left == right for left, right in zip(source, reference, strict=True))
    if copied - usual > ALARMING_SHARE * len(hypotheses):
        return f"{copied} of {len(hypotheses)} dev translations are copies of their source"
    return ""


class _GivenUpError(Exception):
    """The way out of a translation that nobody waits for any more."""
