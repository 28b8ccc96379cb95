"""From the configuration to a search: what `decode.*` means for it."""

from collections.abc import Mapping, Sequence

from pydantic import ValidationError

from nmt.config import DecodeConfig
from nmt.decoding.drafts import Ranking, by_expected_utility
from nmt.decoding.mbr import utility_of
from nmt.decoding.search import Sampling, SearchSettings
from nmt.errors import UsageError
from nmt.text.tokenizer import BOS_ID, EOS_ID


def decode_settings(configured: DecodeConfig, wanted: Mapping[str, object]) -> DecodeConfig:
    """The model's own settings with `wanted` over them; None means as configured. Raises UsageError for what is not."""
    given = {key: value for key, value in wanted.items() if value is not None}
    try:
        return DecodeConfig.model_validate(configured.model_dump() | given)
    except ValidationError as error:
        mistake = error.errors()[0]
        where = ".".join(map(str, mistake["loc"]))
        allowed = mistake["msg"].removeprefix("Input should be ")
        raise UsageError(
            f"decode.{where} is {mistake['input']!r}", f"nmt train --explain; allowed: {allowed}"
        ) from error


def search_settings(decode: DecodeConfig, banned: Sequence[int], n_best: int) -> SearchSettings:
    """banned: ids never written.  n_best: outputs to tell of. Raises UsageError for what does not go together."""
    if 0 < decode.mbr < n_best:  # more candidates would choose another one
        raise UsageError(f"n_best is {n_best} but mbr chooses among {decode.mbr}", "raise mbr to n_best")
    wanted = max(decode.mbr, n_best)
    sampling = None
    if decode.sampling:
        sampling = Sampling(wanted, decode.temperature, decode.top_k, decode.top_p, decode.seed)
    return SearchSettings(
        bos_id=BOS_ID,
        eos_id=EOS_ID,
        banned=banned,
        beam_size=1 if sampling else max(decode.beam_size, decode.mbr),
        length_penalty=decode.length_penalty,
        n_best=1 if sampling else wanted,
        patience=decode.patience,
        min_length=decode.min_length,
        no_repeat_ngram=decode.no_repeat_ngram,
        groups=1 if sampling else decode.diverse_groups,
        diversity=decode.diversity if decode.diverse_groups > 1 and not sampling else 0.0,
        sampling=sampling,
    )


def ranking(decode: DecodeConfig, target_language: str) -> Ranking | None:
    """By what a hypothesis is taken; None: by its score."""
    if not decode.mbr:
        return None
    return by_expected_utility(utility_of(decode.mbr_utility, target_language))
