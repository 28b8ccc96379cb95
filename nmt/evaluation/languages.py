"""How words are found in a language, where no space parts them."""

import re

from sacrebleu.metrics.bleu import BLEU

from nmt.errors import DataError

TOKENIZERS = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}  # everywhere else "13a", the field's default
UNSPACED = {"th": "Thai", "lo": "Lao", "km": "Khmer", "my": "Burmese"}  # sacreBLEU cannot cut these into words
# Other codes for the languages whose words no space parts.
_SAME_LANGUAGE = {"zho": "zh", "chi": "zh", "cmn": "zh", "yue": "zh", "jpn": "ja", "kor": "ko"}
_SAME_LANGUAGE |= {"tha": "th", "lao": "lo", "khm": "km", "mya": "my", "bur": "my"}


def base_language(code: str | None) -> str:
    """The language of a code such as "zh_CN", "zho_Hans" or "pt-BR", as two letters where there are any."""
    base = re.split("[-_]", code or "")[0].lower()
    return _SAME_LANGUAGE.get(base, base)


def bleu_tokenizer(target_language: str | None) -> str:
    """How BLEU is to find words in this language, by sacreBLEU's name for it; worth a call before training begins.

    Errors: DataError if that way needs a package that is not installed.
    """
    language = base_language(target_language)
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
