"""The words for 2 to 12, which many languages write where others have digits."""

from functools import cache

from nmt.text.languages import base

# In order; "/" parts the forms of one. 1 is left out: it is an article in most of these languages.
_WORDS = {
    "en": "two three four five six seven eight nine ten eleven twelve",
    "de": "zwei/zweier/beide/beiden drei/dreier vier fünf sechs sieben acht neun zehn elf zwölf",
    "fr": "deux trois quatre cinq six sept huit neuf dix onze douze",
    "es": "dos tres cuatro cinco seis siete ocho nueve diez once doce",
    "it": "due tre quattro cinque sei sette otto nove dieci undici dodici",
    "pt": "dois/duas três quatro cinco seis sete oito nove dez onze doze",
    "nl": "twee drie vier vijf zes zeven acht negen tien elf twaalf",
    "sv": "två tre fyra fem sex sju åtta nio tio elva tolv",
    "da": "to tre fire fem seks syv otte ni ti elleve tolv",
    "no": "to tre fire fem seks sju/syv åtte ni ti elleve tolv",
    "pl": "dwa/dwie/dwóch/dwaj trzy/trzech/trzej cztery/czterech/czterej pięć/pięciu sześć/sześciu siedem/siedmiu "
    "osiem/ośmiu dziewięć/dziewięciu dziesięć/dziesięciu jedenaście dwanaście",
    "ru": "два/две/двух/двое три/трёх/трех/трое четыре/четырёх/четырех пять/пяти шесть/шести семь/семи восемь/восьми "
    "девять/девяти десять/десяти одиннадцать двенадцать",
    "uk": "два/дві/двох/двоє три/трьох/троє чотири/чотирьох п'ять/п'яти шість/шести сім/семи вісім/восьми "
    "дев'ять/дев'яти десять/десяти одинадцять дванадцять",
}
SMALL = 13  # numbers below are words in some texts


@cache
def words_of_number(number: str, language: str | None) -> frozenset[str]:
    """How the language writes this number, digits alone, in words; none where it is large or that is not known."""
    forms = _WORDS.get(base(language or ""), "").split()
    if not forms or not 2 <= int(number) < SMALL:
        return frozenset()
    return frozenset(forms[int(number) - 2].split("/"))


@cache
def can_judge(number: str, language: str | None) -> bool:
    """Whether digits that are missing mean that the number is: it is large, or its words are known."""
    return int(number) >= SMALL or bool(words_of_number(number, language))
