"""The network: tensors in, tensors out. No files, no tokenizer, no search."""

from nmt.model.cache import Cache
from nmt.model.packed import pack
from nmt.model.transformer import Memory, Transformer

__all__ = ["Cache", "Memory", "Transformer", "pack"]
