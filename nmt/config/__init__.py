"""The whole configuration: one tree of frozen models, and the ways to load, override, explain and save it."""

from nmt.config.data import CorpusConfig, DataConfig, StageConfig, corpora_of
from nmt.config.loading import (
    Settings,
    dump,
    explain,
    find_shipped,
    json_schema,
    load_saved,
    read_overrides,
    shipped_names,
)
from nmt.config.tree import Config, DecodeConfig, ModelConfig, SourceNoiseConfig, TokenizerConfig, TrainConfig

__all__ = [
    "Config",
    "CorpusConfig",
    "DataConfig",
    "DecodeConfig",
    "ModelConfig",
    "Settings",
    "SourceNoiseConfig",
    "StageConfig",
    "TokenizerConfig",
    "TrainConfig",
    "corpora_of",
    "dump",
    "explain",
    "find_shipped",
    "json_schema",
    "load_saved",
    "read_overrides",
    "shipped_names",
]
