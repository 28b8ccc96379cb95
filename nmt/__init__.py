"""nmt: from parallel text to a model that translates.

import nmt
nmt.load("runs/starter").translate(["Je vais bien."])
"""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nmt.decoding.translator import Translator

__version__ = "0.1.0"
__all__ = ["__version__", "load"]


def load(model: str | Path, device: str = "auto") -> "Translator":
    """Load a run (its best checkpoint) or a model folder, ready to translate.

    Raises ModelError when there is no usable model there. Imports torch on first use, not on `import nmt`.
    """
    from nmt.decoding.translator import Translator

    return Translator.load(Path(model), device=device)
