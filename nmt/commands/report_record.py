"""What a run has on record, for `nmt report`: nothing is translated or measured here, and torch is not needed."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from nmt import __version__
from nmt import config as configuration
from nmt.config import corpora_of
from nmt.evaluation import KEYS, metrics_for
from nmt.history import RunHistory, parameters_by_part
from nmt.pages.amounts import memory
from nmt.pages.facts import Corpus, Curves, Measured, RunReport, Scored

_UNRECORDED = "was not recorded: an older version trained this model"


def recorded(history: RunHistory) -> RunReport:
    """All that the run's files tell; what they do not is said in `missing`."""
    facts, data = history.facts, history.config.data
    missing = list(_missing(history))
    latest: Mapping[str, Any] = history.sittings[-1] if history.sittings else {}
    return RunReport(
        name=history.name,
        model=history.model.relative_to(history.folder).as_posix() if history.is_run else "",
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        nmtkit=__version__,
        source_language=data.source_language,
        target_language=data.target_language,
        step=None if facts.get("average_of") else facts.get("step"),
        parent=_parent(history),
        seconds=facts.get("seconds"),
        metric=history.config.train.metric,
        vocabulary=_vocabulary(facts),
        parameters=parameters_by_part(history.model),
        scored=(*_scores(history), *_dev(history)),
        # Without a validation there is no best one: it is the last.
        curves=Curves(
            tuple(history.updates), tuple(history.validations), facts.get("step") if history.validations else None
        ),
        corpora=tuple(_corpora(history)),
        commands=tuple(sitting["command"] for sitting in history.sittings if sitting.get("command")),
        config=configuration.dump(history.config),
        versions={name: str(value) for name, value in latest.get("versions", {}).items()} or _old_versions(facts),
        hardware=_hardware(latest) or _old_hardware(facts),
        missing=tuple(missing),
    )


def _missing(history: RunHistory) -> Iterator[str]:
    averaged = history.facts.get("average_of")
    if averaged:
        yield f"This is the average of {', '.join(map(str, averaged))}; how those were trained, their run tells."
    if not history.sittings and not averaged:
        yield f"The command it was trained with {_UNRECORDED}."
    if not history.data and not averaged:
        yield f"How many pairs and tokens it learned from {_UNRECORDED}."
    if not history.is_run:
        yield "There are no curves: this is a model folder by itself, without its run."
    elif not history.updates and not history.validations:
        yield "There are no curves: metrics.jsonl has no rows."
    if history.training:
        yield "The training is still at work: this is its best model so far."
    yield from (f"{problem[:1].upper()}{problem[1:]}." for problem in history.problems)


def _parent(history: RunHistory) -> str:
    """Of a fine-tuned model."""
    found = (history.last.get("training") or {}).get("init_from") or {"model": history.config.train.init_from}
    if not found["model"]:
        return ""
    return found["model"] if found.get("step") is None else f"{found['model']}, its update {found['step']:,}"


def _vocabulary(facts: Mapping[str, Any]) -> tuple[int, int] | None:
    sizes = [facts.get(f"{side}_vocab_size") for side in ("source", "target")]
    return (sizes[0], sizes[1]) if isinstance(sizes[0], int) and isinstance(sizes[1], int) else None


def _old_versions(facts: Mapping[str, Any]) -> dict[str, str]:
    found = {"nmtkit": facts.get("nmtkit"), "torch": facts.get("machine", {}).get("torch")}
    return {name: str(value) for name, value in found.items() if value}


def _hardware(sitting: Mapping[str, Any]) -> dict[str, str]:
    """In words, as they stand in a table."""
    told: Mapping[str, Any] = sitting.get("hardware", {})
    shown = {
        "processor": told.get("processor"),
        "cores": told.get("cores"),
        "memory": _size(told.get("memory")),
        "GPUs": ", ".join(told.get("gpus", [])),
        "system": told.get("system"),
        "trained on": sitting.get("device"),
        "threads": sitting.get("threads"),
        "processes": sitting.get("processes"),
        "most memory used": _size(sitting.get("peak_memory")),
        "most GPU memory used": _size(sitting.get("peak_gpu_memory")),
    }
    return {name: str(value) for name, value in shown.items() if value}


def _old_hardware(facts: Mapping[str, Any]) -> dict[str, str]:
    told = facts.get("machine", {})
    shown = {"trained on": told.get("device"), "threads": told.get("threads"), "processes": told.get("processes")}
    return {name: str(value) for name, value in shown.items() if value}


def _size(size: object) -> str:
    return memory(size) if isinstance(size, int) else ""


# ---- data


def _corpora(history: RunHistory) -> Iterator[Corpus]:
    """As they were counted in training, else as the configuration names them."""
    data, told = history.config.data, history.data
    if told:
        for corpus in told.get("train", []):
            yield Corpus(
                "train",
                corpus["name"],
                corpus.get("pairs"),
                corpus.get("source_tokens"),
                corpus.get("target_tokens"),
                tuple(corpus.get("left_out", {}).items()),
            )
        if dev := told.get("dev"):
            yield Corpus("dev", dev["name"], dev.get("lines"))
    else:
        yield from (Corpus("train", str(corpus.text)) for corpus in data.corpora)
        if data.dev is not None:
            yield from (Corpus("dev", str(corpus.text)) for corpus in corpora_of(data.dev))


# ---- scores


def _scores(history: RunHistory) -> Iterator[Scored]:
    """Of scores.json."""
    for entry in history.scores:
        results = measured(entry["results"])
        how = [f"{name} {value}" for name, value in dict(entry.get("decode", {})).items()]
        how += [f">>{tag}<<" for tag in entry.get("tags", [])] + ["lower case"] * bool(entry.get("lowercase"))
        how += [f"words as in {entry['language']}"] if entry.get("language") else []
        yield Scored(
            test=entry.get("test", "unnamed"),
            lines=entry.get("lines", 0),
            scores=tuple(results),
            decode=", ".join(how).replace("beam_size", "beam"),
            date=entry.get("date", ""),
            text=entry.get("hash", ""),
        )


def measured(results: Mapping[str, Mapping[str, Any]]) -> list[Measured]:
    """Scores as JSON has them, in the order in which metrics are told."""
    known = {metric.key: metric for metric in metrics_for(keys=KEYS)}
    return [
        Measured(
            key,
            metric.name,
            results[key]["score"],
            results[key].get("low"),
            results[key].get("high"),
            results[key].get("signature", ""),
            metric.higher_is_better,
        )
        for key, metric in known.items()
        if key in results
    ]


def _dev(history: RunHistory) -> Sequence[Scored]:
    """What validation has found of this checkpoint."""
    facts = history.facts
    scores = [
        Measured(key, name, facts[f"dev_{key}"])
        for key, name in (("bleu", "BLEU"), ("chrf", "chrF2"))
        if isinstance(facts.get(f"dev_{key}"), int | float)
    ]
    if not scores:
        return []
    told = history.data.get("dev") or {}
    beam = f"beam {history.config.decode.beam_size}"
    return [Scored(told.get("name", "the dev set"), told.get("lines", 0), tuple(scores), "dev", beam)]
