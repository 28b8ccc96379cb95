"""nmt: from parallel text to a model that translates.

import nmt
nmt.load("runs/starter").translate(["Je vais bien."])
"""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nmt.decoding.translator import Translator

__version__ = "0.1.0"
__all__ = ["__version__", "load"]


def load(*models: str | Path, device: str = "auto", decode: "Mapping[str, object] | None" = None) -> "Translator":
    """Load a run (its best checkpoint) or a model folder, ready to translate; several translate as one.

    decode: settings of `decode.*` over the model's own, such as {"beam_size": 1}.
    Raises ModelError when there is no usable model there. Imports torch on first use, not on `import nmt`.
    """
    from nmt.decoding.translator import Translator

    return Translator.load(*map(Path, models), device=device, decode=decode)
