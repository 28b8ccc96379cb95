"""How words are found in a language, where no space parts them."""

from sacrebleu.metrics.bleu import BLEU

from nmt.errors import DataError
from nmt.text.languages import base

TOKENIZERS = {"zh": "zh", "yue": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}  # everywhere else "13a", the field's default
UNSPACED = {"th": "Thai", "lo": "Lao", "km": "Khmer", "my": "Burmese"}  # sacreBLEU cannot cut these into words


def bleu_tokenizer(target_language: str | None) -> str:
    """How BLEU is to find words in this language, by sacreBLEU's name for it; worth a call before training begins.

    Errors: DataError if that way needs a package that is not installed.
    """
    language = base(target_language or "")
    tokenizer = TOKENIZERS.get(language, "13a")
    if tokenizer.endswith("mecab"):
        try:
            BLEU(tokenize=tokenizer)
        except (RuntimeError, ImportError) as error:
            raise DataError(
                f'BLEU needs a word splitter for target language "{target_language}" that is not installed.',
                f"pip install 'nmtkit[{language}]'",
            ) from error
    return tokenizer
