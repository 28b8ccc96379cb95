"""Settings of a search that are asked for and do nothing, since another one that they need is not there."""

from collections.abc import Callable, Iterable, Iterator

from nmt import console
from nmt.config import DecodeConfig

_SAMPLING = ("when not sampling", lambda decode, _: not decode.sampling)
# The setting, when that is, whether it is so with these settings and so many models.
_IDLE: tuple[tuple[str, tuple[str, Callable[[DecodeConfig, int], bool]]], ...] = (
    *((name, _SAMPLING) for name in ("temperature", "top_k", "top_p", "seed")),
    *(
        (name, ("when sampling", lambda decode, _: decode.sampling))
        for name in ("beam_size", "patience", "diverse_groups")
    ),
    ("beam_size", ("under mbr, whose beam is wider", lambda decode, _: decode.beam_size < decode.mbr)),
    ("patience", ("in greedy search", lambda decode, _: max(decode.beam_size, decode.mbr) == 1)),
    ("diversity", ("without diverse_groups", lambda decode, _: decode.sampling or decode.diverse_groups == 1)),
    ("mbr", ("with one output", lambda decode, _: decode.mbr == 1)),
    ("mbr_utility", ("without mbr", lambda decode, _: decode.mbr < 2)),
    ("combination", ("with one model", lambda _, models: models == 1)),
)


def warn_of_idle(decode: DecodeConfig, given: Iterable[str], models: int) -> None:
    """decode: all settings.  given: the names of those asked for.  models: how many translate."""
    for told in idle(decode, given, models):
        console.warn(told)


def idle(decode: DecodeConfig, given: Iterable[str], models: int) -> Iterator[str]:
    """What is to be told; one line a setting."""
    waiting = set(given)
    for name, (when, is_so) in _IDLE:
        if name in waiting and is_so(decode, models):
            waiting.remove(name)
            yield f"decode.{name} does nothing {when}"
