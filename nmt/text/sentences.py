"""Where sentences end, for cutting a text that is too long for the model."""

import re


def split_sentences(text: str, language: str) -> list[str]:
    """The sentences of `text` in order, blanks kept, so that joining them with "" gives `text` again.

    language: a code such as "de", "zh_CN" or "pt-BR"; an unknown one is cut by the general rules.
    """
    # Imported here: only texts over the limit need it.
    import sentencex

    sentences = list(sentencex.segment(re.split("[-_]", language)[0].lower(), text))
    # A splitter that loses a character would lose it from the translation too; one long sentence is the lesser harm.
    return sentences if "".join(sentences) == text else [text]
