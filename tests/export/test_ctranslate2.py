"""What CTranslate2 computes with an exported model: the same log-probabilities, tokens and scores as we do."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from nmt.checkpoint import load_model
from nmt.config import ModelConfig
from nmt.corpus.batch import pad_source
from nmt.decoding.search import Hypothesis, SearchSettings, search
from nmt.decoding.step import SingleModel
from nmt.errors import ModelError, UsageError
from nmt.export.ctranslate2 import POSITIONS, export_ctranslate2
from nmt.model import Transformer
from nmt.text.tokenizer import BOS_ID, EOS_ID, Tokenizer
from tests.conftest import sentences, tiny_config

ctranslate2 = pytest.importorskip("ctranslate2", reason='needs the extra: pip install "nmtkit[ct2]"')

SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]
FORMS: dict[str, dict[str, object]] = {
    "default": {},
    "post-norm": {"norm_position": "post", "activation": "gelu"},
    "rms, gated, no biases": {
        "norm": "rms", "norm_eps": 1e-3, "activation": "silu", "gated": True, "attention_bias": False,
        "ffn_bias": False,
    },
    "post-norm rms": {"norm_position": "post", "norm": "rms", "gated": True, "activation": "gelu_tanh"},
    "rotary": {"positions": "rotary", "tie_embeddings": "none"},
    "rotary, gated": {"positions": "rotary", "gated": True, "norm": "rms", "ffn_bias": False},
    "learned": {"positions": "learned", "ffn_bias": False, "tie_embeddings": "target"},
    "deep and shallow": {"encoder_layers": 4, "decoder_layers": 1, "num_heads": 2, "norm_eps": 1e-2},
}  # fmt: skip


@dataclass
class Exported:
    """One model on both sides."""

    model: Transformer
    source_pieces: list[str]
    target_pieces: list[str]
    translator: Any

    def theirs(self, sources: list[list[int]], **options: object) -> Any:
        texts = [[self.source_pieces[i] for i in ids] for ids in sources]
        return self.translator.translate_batch(
            texts, max_input_length=0, min_decoding_length=0, return_scores=True, **options
        )

    def target_ids(self, pieces: list[str]) -> list[int]:
        return [self.target_pieces.index(piece) for piece in pieces]


def pieces(count: int, letter: str) -> list[str]:
    return [*SPECIAL, *(f"{letter}{i}" for i in range(4, count))]


def random_model(source: int = 24, target: int = 24, **changes: object) -> Transformer:
    """Norms and biases away from 1 and 0, where exchanged ones would not be seen; outputs that the source decides."""
    torch.manual_seed(3)
    model = Transformer(tiny_config(**changes), source, target).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 1:
                parameter.add_(0.3 * torch.randn_like(parameter))
        for block in model.decoder:
            block.cross_attention.output.weight.mul_(4)
        model.output.weight[EOS_ID].mul_(3)  # that it ends depends on what it has read and written
        _let_it_end(model)
    return model


def _let_it_end(model: Transformer) -> None:
    """EOS is the best choice at every other place, as far as the last norm has a bias to say so with."""
    norm = model.decoder[-1].feed_forward_norm if model.config.norm_position == "post" else model.decoder_norm
    if isinstance(norm, torch.nn.LayerNorm):
        source, target = torch.randint(4, 24, (40, 8)), torch.randint(4, 24, (40, 6))
        logits = model.logits(model.decode(target, model.encode(source)))
        lead = logits[..., EOS_ID] - logits[..., EOS_ID + 1 :].amax(-1)
        end = model.output.weight[EOS_ID]
        norm.bias.sub_(lead.quantile(0.5) * end / (end @ end))


@pytest.fixture
def export(tmp_path: Path) -> Callable[..., Exported]:
    def exported(
        model: Transformer, source: str = "w", target: str = "w", quantization: str = "float32", name: str = "ct2"
    ) -> Exported:
        sides = (model.source_embedding, source), (model.target_embedding, target)
        names = [pieces(side.tokens.num_embeddings, letter) for side, letter in sides]
        export_ctranslate2(model, *names, tmp_path / name, quantization=quantization)
        compute = "int8_float32" if quantization == "int8" else "float32"
        translator = ctranslate2.Translator(str(tmp_path / name), compute_type=compute, intra_threads=1)
        return Exported(model, *names, translator)

    return exported


def sources(count: int = 24, longest: int = 15) -> list[list[int]]:
    generator = torch.Generator().manual_seed(5)
    lengths = torch.randint(1, longest, (count,), generator=generator).tolist()
    return [torch.randint(4, 24, (length,), generator=generator).tolist() for length in lengths]


def forced(model: Transformer, source: list[int], target: list[int]) -> torch.Tensor:
    """log p of each target token and of EOS."""
    memory = model.encode(torch.tensor([[*source, EOS_ID]]))
    with torch.inference_mode():
        logits = model.logits(model.decode(torch.tensor([[BOS_ID, *target]]), memory))[0]
    return logits.log_softmax(-1).gather(1, torch.tensor([*target, EOS_ID])[:, None])[:, 0]


def assert_forced_alike(both: Exported, tolerance: float = 1e-5) -> None:
    given, wanted = sources(8), sources(16)[8:]
    scored = both.translator.score_batch(
        [[both.source_pieces[i] for i in ids] for ids in given],
        [[both.target_pieces[i] for i in ids] for ids in wanted],
        max_input_length=0,
    )
    for source, target, theirs in zip(given, wanted, scored, strict=True):
        assert theirs.tokens == [both.target_pieces[i] for i in [*target, EOS_ID]]
        assert theirs.log_probs == pytest.approx(forced(both.model, source, target).tolist(), abs=tolerance)


@pytest.mark.parametrize("form", FORMS)
def test_a_given_translation_has_the_same_log_probabilities(form: str, export: Callable[..., Exported]) -> None:
    assert_forced_alike(export(random_model(**FORMS[form])))


def test_each_side_has_its_own_vocabulary(export: Callable[..., Exported]) -> None:
    assert_forced_alike(export(random_model(24, 31, tie_embeddings="none"), source="s", target="t"))


def ours(model: Transformer, sources: list[list[int]], limit: int, beams: int) -> list[Hypothesis]:
    """Our best hypothesis of each; nothing banned, as there."""
    settings = SearchSettings(BOS_ID, EOS_ID, beam_size=beams)
    source, mask = pad_source([np.asarray(ids) for ids in sources])
    found = search(SingleModel(model), source, mask, torch.full((len(sources),), limit), settings)
    return [hypotheses[0] for hypotheses in found]


@pytest.mark.parametrize("form", FORMS)
def test_greedy_search_finds_the_same_tokens(form: str, export: Callable[..., Exported]) -> None:
    both, limit, ended = export(random_model(**FORMS[form] | {"tie_embeddings": "none"})), 20, 0
    given = sources()
    found_there = both.theirs(given, beam_size=1, max_decoding_length=limit)
    for found, theirs in zip(ours(both.model, given, limit, 1), found_there, strict=True):
        tokens = both.target_ids(theirs.hypotheses[0])
        # At the limit we close with EOS, they with whatever is most probable.
        assert found.tokens == tokens[: limit - 1]
        if len(tokens) < limit - 1:
            assert found.score == pytest.approx(theirs.scores[0], abs=1e-5)
            ended += 1
    assert ended > 8


@pytest.mark.parametrize("form", FORMS)
def test_beam_search_agrees_where_both_end(form: str, export: Callable[..., Exported]) -> None:
    """They drop what ends below the K best continuations, and we do not: ours is theirs or better."""
    both, limit, agreed = export(random_model(**FORMS[form] | {"tie_embeddings": "none"})), 20, 0
    given = sources()
    found_there = both.theirs(given, beam_size=4, max_decoding_length=limit, patience=8.0)
    for best, theirs in zip(ours(both.model, given, limit, 4), found_there, strict=True):
        tokens = both.target_ids(theirs.hypotheses[0])
        if len(tokens) < limit - 1:
            assert best.score > theirs.scores[0] - 1e-5
        if best.tokens == tokens and not best.capped:
            assert best.score == pytest.approx(theirs.scores[0], abs=1e-5)
            agreed += 1
    assert agreed > 8


def test_sines_reach_beyond_the_longest_segment_of_training(export: Callable[..., Exported]) -> None:
    both = export(random_model(max_length=16))
    longer = random_model(max_length=POSITIONS)  # the same weights: it has the places that the other lacks
    source = [4 + i % 20 for i in range(POSITIONS - 1)]
    [theirs] = both.translator.score_batch([[both.source_pieces[i] for i in source]], [["w5"]], max_input_length=0)
    assert theirs.log_probs == pytest.approx(forced(longer, source, [5]).tolist(), abs=1e-5)


def test_int8_is_near_and_the_model_stays_as_it_is(export: Callable[..., Exported], tmp_path: Path) -> None:
    model = random_model(d_model=64, d_ff=256)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    both = export(model, quantization="int8", name="int8")
    export(model, name="fp32")
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    assert_forced_alike(both, tolerance=0.5)
    with pytest.raises(AssertionError):
        assert_forced_alike(both, tolerance=1e-5)
    sizes = [(tmp_path / name / "model.bin").stat().st_size for name in ("int8", "fp32")]
    assert sizes[0] < 0.5 * sizes[1]


def test_a_model_folder_is_exported_by_its_tokenizers(tmp_path: Path) -> None:
    loaded = load_model(Path(__file__).parents[1] / "fixtures" / "format1")
    names = [t.pieces(range(t.vocab_size)) for t in (loaded.source_tokenizer, loaded.target_tokenizer)]
    export_ctranslate2(loaded.model, names[0], names[1], tmp_path / "ct2")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ct2"]
    translator = ctranslate2.Translator(str(tmp_path / "ct2"), intra_threads=1)
    ids = loaded.source_tokenizer.encode("Je mange du pain.")
    [theirs] = translator.translate_batch([loaded.source_tokenizer.pieces(ids)], beam_size=1, max_decoding_length=30)
    [found] = ours(loaded.model, [ids], 30, 1)
    assert loaded.target_tokenizer.pieces(found.tokens) == theirs.hypotheses[0]


# What is refused


def test_all_that_is_in_the_way_is_told_at_once(tmp_path: Path) -> None:
    model = random_model()
    model.config = ModelConfig.model_construct(**model.config.model_dump() | {"positions": "alibi", "norm": "none"})
    names = [*SPECIAL, *["w"] * 20]
    with pytest.raises(ModelError) as caught:
        export_ctranslate2(model, names, names[:20], tmp_path / "ct2")
    assert caught.value.message == (
        "CTranslate2 cannot run this model: model.norm is 'none', and it knows only layer, rms;"
        " model.positions is 'alibi', and it knows only sinusoidal, learned, rotary;"
        " the source vocabulary has 'w' twice; the target vocabulary has 20 pieces for 24 rows of the embedding"
    )
    assert not list(tmp_path.iterdir())


def test_one_name_for_the_end_serves_both_sides(tmp_path: Path) -> None:
    other = ["<s>", "<pad>", "<eos>", "<unk>", *pieces(24, "w")[4:]]
    with pytest.raises(ModelError, match="EOS has two names: '</s>' and '<eos>'"):
        export_ctranslate2(random_model(), other, pieces(24, "w"), tmp_path / "ct2")


def test_every_key_of_a_model_is_exported_or_changes_no_output() -> None:
    """A new key must be thought of here, and in the exporter."""
    exported = "d_model num_heads d_ff encoder_layers decoder_layers norm_position norm norm_eps activation gated"
    exported += " attention_bias ffn_bias positions tie_embeddings max_length"
    training = "preset dropout attention_dropout activation_dropout token_dropout"
    assert {*exported.split(), *training.split()} == set(ModelConfig.model_fields)


def test_an_unknown_quantization_is_refused(tmp_path: Path) -> None:
    names = pieces(24, "w")
    with pytest.raises(UsageError, match="'int3' is no quantization of CTranslate2"):
        export_ctranslate2(random_model(), names, names, tmp_path / "ct2", quantization="int3")


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("kept")
    names = pieces(24, "w")
    for place in (tmp_path, tmp_path / "mine"):
        with pytest.raises(UsageError, match="exists"):
            export_ctranslate2(random_model(), names, names, place)
    assert (tmp_path / "mine").read_text() == "kept"
    export_ctranslate2(random_model(), names, names, tmp_path / "new" / "folder")
    assert (tmp_path / "new" / "folder" / "model.bin").is_file()


def test_a_disk_that_does_not_take_it_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    names = pieces(24, "w")
    with pytest.raises(ModelError, match="cannot be written: not a directory"):
        export_ctranslate2(random_model(), names, names, tmp_path / "file" / "ct2")


def test_the_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ctranslate2.specs", None)
    names = pieces(24, "w")
    with pytest.raises(UsageError, match="ctranslate2 is not installed") as caught:
        export_ctranslate2(random_model(), names, names, tmp_path / "ct2")
    assert caught.value.remedy == 'pip install "nmtkit[ct2]"'


def test_a_tag_is_a_piece_of_the_vocabulary(tmp_path: Path) -> None:
    tokenizer = Tokenizer.train(sentences(300), kind="unigram", vocab_size=320, tags=("deu", "fra"))
    model = random_model(tokenizer.vocab_size, tokenizer.vocab_size)
    names = tokenizer.pieces(range(tokenizer.vocab_size))
    export_ctranslate2(model, names, names, tmp_path / "ct2")
    both = Exported(model, names, names, ctranslate2.Translator(str(tmp_path / "ct2"), intra_threads=1))
    wanted = tokenizer.encode("a bird.")
    found = []
    for line in ("the cat.", ">>deu<< the cat.", ">>fra<< the cat."):
        ids = tokenizer.encode_source(line)
        theirs = both.translator.score_batch([tokenizer.pieces(ids)], [tokenizer.pieces(wanted)], max_input_length=0)
        assert theirs[0].log_probs == pytest.approx(forced(model, ids, wanted).tolist(), abs=1e-5)
        found.append(theirs[0].log_probs)
    assert found[0] != found[1] != found[2]
