"""The model card: what the Hub reads out of it, and what a reader does."""

from dataclasses import replace
from typing import Any

import pytest
import yaml
from huggingface_hub import ModelCard

from nmt.pages.card import MARKER, card, short
from nmt.pages.facts import Corpus
from tests.pages.made import EMPTY, MADE


def front(text: str) -> dict[str, Any]:
    head, rest = text.removeprefix("---\n").split("\n---\n", 1)
    assert rest.startswith(MARKER)
    found = yaml.safe_load(head)
    assert isinstance(found, dict)
    return found


def test_the_hub_reads_what_there_is() -> None:
    data = ModelCard(card(MADE)).data
    assert data.language == ["fr", "en"]
    assert (data.library_name, data.pipeline_tag, data.tags) == ("nmtkit", "translation", ["translation", "fr-en"])
    assert data.model_name == "harbour"
    found = [(r.dataset_name, r.metric_type, r.metric_value, r.metric_args) for r in data.eval_results]
    assert found == [
        ("corpus/test", "bleu", 30.04, {"signature": "nrefs:1|tok:13a", "decode": "beam 5"}),
        ("corpus/test", "chrf", 55.0, {"signature": "nrefs:1|nc:6", "decode": "beam 5"}),
        ("corpus/test", "ter", 51.25, {"signature": "nrefs:1|tok:tercom", "decode": "beam 5"}),
    ]  # and not dev, which the checkpoint was chosen by
    assert [result.dataset_type for result in data.eval_results] == ["corpus-test"] * 3


def test_nothing_is_claimed_that_nobody_said() -> None:
    found = front(card(MADE))
    assert {"license", "datasets", "base_model"}.isdisjoint(found)
    assert "model-index" not in front(card(EMPTY))
    assert "None" not in card(EMPTY)
    assert "## Scores" not in card(EMPTY)
    assert "## Limits" not in card(EMPTY)


def test_what_it_was_fine_tuned_from_is_told() -> None:
    assert "- fine-tuned from runs/old, its update 7\n" in card(replace(MADE, parent="/home/me/runs/old, its update 7"))
    assert "fine-tuned" not in card(MADE)


def test_names_are_text_and_no_markup() -> None:
    name = "<img src=x>\n---\n# `a` | [b](c)"
    made = replace(MADE, name=name, corpora=(Corpus("train", name),), scored=(replace(MADE.scored[0], test=name),))
    text = card(made)
    found = front(text)
    assert found["model-index"][0]["name"] == name
    body = text.split(MARKER)[1]
    shown = r"&lt;img src=x> --- # \`a\` \| \[b](c)"
    assert f"\n# {shown}: fr → en\n" in body
    assert f"\n{shown}, " in body
    assert f"\n- train: {shown}\n" in body
    assert "<img" not in body


def test_data_sets_of_the_hub_are_named_to_it() -> None:
    corpora = (Corpus("train", "hf:org/books:en-fr#train"), Corpus("dev", "hf:org/other"))
    found = front(card(replace(MADE, corpora=corpora, scored=(replace(MADE.scored[0], test="hf:org/books#test"),))))
    assert found["datasets"] == ["org/books"]
    assert found["model-index"][0]["results"][0]["dataset"] == {"name": "hf:org/books#test", "type": "org/books"}


def test_a_reader_finds_scores_limits_and_how_it_was_trained() -> None:
    text = card(MADE)
    assert "# harbour: fr → en" in text
    assert "| BLEU | 30.04 | 28.0 to 32.0 | `nrefs:1\\|tok:13a` |" in text
    assert "| TER (lower is better) | 51.25 |" in text
    assert "corpus/dev, 200 lines, beam 5; the checkpoint was chosen by it, so it flatters:" in text
    assert "Mistakes that can be seen without understanding, in 400 translations of corpus/test:" in text
    assert "- Repetition: 20 lines (5.0\N{NO-BREAK SPACE}%)" in text
    assert "Lost negation" not in text  # not judged
    assert "- train: corpus/train: 5,000 pairs\n- dev: corpus/dev: 200 pairs\n- 500 updates in 1 h 10 min\n" in text
    assert "- processor Steam 3000, cores 2\n- nmtkit 0.1.0, torch 2.13.0\n" in text
    assert "nmt translate -m" in text


def test_a_model_without_mistakes_says_what_was_looked_for() -> None:
    assert MADE.analysis is not None
    spotless = replace(MADE, analysis=replace(MADE.analysis, findings=()))
    assert "- none of the kinds that `nmt eval --analyse` looks for" in card(spotless)


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("/home/someone/corpus/train", "corpus/train"),
        ("../corpus/train", "corpus/train"),
        ("corpus/a/train", "corpus/a/train"),
        ("hf:org/books:en-fr", "hf:org/books:en-fr"),
        ("starter (train)", "starter (train)"),
    ],
)
def test_paths_of_one_machine_are_cut(place: str, told: str) -> None:
    assert short(place) == told
    assert "/home/someone" not in card(MADE)
