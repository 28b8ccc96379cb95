"""Templates that measure one thing by another: as tall as, taller than, the tallest of the village."""

from nmt.corpus.starter.clauses import Clause, Tense
from nmt.corpus.starter.collocations import ADJECTIVES, phrases
from nmt.corpus.starter.draw import Draw
from nmt.corpus.starter.french import agree
from nmt.corpus.starter.lexicon_adjectives import ABSOLUTE, VOWEL_FORMS, Adjective
from nmt.corpus.starter.lexicon_nouns import NOUNS, Noun
from nmt.corpus.starter.lexicon_verbs import BE
from nmt.corpus.starter.nominals import Determiner, Nominal, noun_phrase, pronoun
from nmt.corpus.starter.realization import realize
from nmt.corpus.starter.statements import STOP
from nmt.corpus.starter.words import Phrase, Word, new_key, phrase, starts_with_vowel


def compared(draw: Draw) -> Phrase:
    """Cette valise est plus lourde que ce sac. / This suitcase is heavier than this bag."""
    adjective, nouns = draw.one(COMPARABLE)
    first, second = draw.rng.sample(nouns, 2)
    draw.pairs += ((first.fr, adjective.fr), (second.fr, adjective.fr))
    determiner: Determiner = "the" if draw.chance(0.5) else "this"
    things = [_compared_thing(draw, noun, determiner) for noun in (first, second)]
    tense: Tense = draw.one(("present", "present", "imperfect"))
    # "less tall" is not what one says in English
    degree = draw.one(("more", "more", "as") if adjective.degrees else ("more", "less", "as"))
    clause = Clause(things[0], BE, tense, tail=comparison(adjective, degree, things[0]))
    clause.negation = "pas" if draw.chance(0.25) else ""
    than = phrase("que", "as" if degree == "as" else "than")
    return realize(clause) + than + things[1].phrase + STOP


def _compared_thing(draw: Draw, noun: Noun, determiner: Determiner) -> Nominal:
    if "human" in noun.tags:
        return draw.person(noun)
    if noun.tags & {"portable", "clothes", "furniture", "pet", "ownable"} and draw.chance(0.3):
        return noun_phrase(noun, "own", draw.several(noun, 0.1), owner=pronoun(draw.one(("je", "tu", "nous", "vous"))))
    return noun_phrase(noun, determiner, draw.several(noun, 0.2))


def comparison(adjective: Adjective, degree: str, of: Nominal) -> Phrase:
    """plus grand, taller; moins grand, less tall; aussi grand, as tall."""
    how, what = (new_key(),), (new_key(),)
    form = Word(agree(adjective.fr, adjective.fr_feminine, of.feminine, of.plural), what)
    if degree == "more" and adjective.fr == "bon":
        better = agree("meilleur", "meilleure", of.feminine, of.plural)
        return Phrase((Word(better, what),), (Word("better", what),))
    french = {"more": "plus", "less": "moins", "as": "aussi"}[degree]
    if degree == "more" and adjective.degrees:
        return Phrase((Word(french, how), form), (Word(adjective.degrees[0], (*how, *what)),))
    return Phrase((Word(french, how), form), (Word(degree, how), Word(adjective.en, what)))


def _comparable() -> tuple[tuple[Adjective, tuple[Noun, ...]], ...]:
    """Adjectives that have degrees, each with nouns of one sort that can be measured by it."""
    groups: dict[tuple[Adjective, str], list[Noun]] = {}
    for noun in NOUNS:
        for adjective in ADJECTIVES[noun]:
            if adjective.fr not in ABSOLUTE and noun.sort != "idea":
                groups.setdefault((adjective, noun.sort), []).append(noun)
    return tuple((adjective, tuple(nouns)) for (adjective, _), nouns in groups.items() if len(nouns) > 1)


COMPARABLE = _comparable()
# What is the most so is so for good: nobody knows the hottest tea of the village.
LASTING = tuple(
    (adjective, nouns) for adjective, nouns in COMPARABLE if adjective.fr not in ("chaud", "froid", "frais")
)


def superlative(draw: Draw) -> Phrase:
    """C'est le plus grand musée de la ville. / It is the biggest museum in the city."""
    adjective, nouns = draw.one(LASTING)
    noun = draw.one(nouns)
    draw.pairs.append((noun.fr, adjective.fr))
    thing = noun_phrase(noun, "the")
    start = phrase("c'est", "it is") if not thing.human else phrase("c'est", "she is" if thing.feminine else "he is")
    how, what = (new_key(),), (new_key(),)
    form = agree(adjective.fr, adjective.fr_feminine, thing.feminine, False)
    if adjective.before and starts_with_vowel(noun.fr):
        form = VOWEL_FORMS.get(form, form)
    if adjective.degrees:
        english: tuple[Word, ...] = (Word(adjective.degrees[1], (*how, *what)),)
    else:
        english = (Word("most", how), Word(adjective.en, what))
    best = adjective.fr == "bon"
    plus = (Word("plus", how), Word(form, what))
    french = (Word("meilleure" if thing.feminine else "meilleur", what),) if best else plus
    article, rest = thing.fr[0], thing.fr[1:]
    words = (article, *french, *rest) if adjective.before else (article, *rest, Word(article.text, how), *french)
    return start + Phrase(words, (thing.en[0], *english, *thing.en[1:])) + draw.one(realms(noun)) + STOP


def realms(noun: Noun) -> tuple[Phrase, ...]:
    """Among what it is the most so: of the house or the shop, of the farm, of the whole world."""
    if "human" in noun.tags:
        return REALMS["person"]
    return REALMS.get("food" if "food" in noun.tags else noun.sort, REALMS["place"])


_HOUSE, _SHOP, _MARKET, _TOWN, _VILLAGE, _WORLD, _REGION, _YEAR, _SEASON = phrases("""
de/1 la/2 maison/3 | in/1 the/2 house/3
du/1,2 magasin/3 | in/1 the/2 store/3
du/1,2 marché/3 | at/1 the/2 market/3
de/1 la/2 ville/3 | in/1 the/2 city/3
du/1,2 village/3 | in/1 the/2 village/3
du/1,2 monde/3 | in/1 the/2 world/3
de/1 la/2 région/3 | in/1 the/2 region/3
de/1 l'année/2,3 | of/1 the/2 year/3
de/1 la/2 saison/3 | of/1 the/2 season/3
""")
REALMS: dict[str, tuple[Phrase, ...]] = {
    "person": (_TOWN, _VILLAGE, _REGION),
    "occasion": (_YEAR, _SEASON),
    "animal": (_VILLAGE, _WORLD, _REGION),
    "food": (_TOWN, _VILLAGE, _MARKET, _WORLD),
    "drink": (_TOWN, _VILLAGE, _WORLD),
    "place": (_TOWN, _VILLAGE, _REGION, _WORLD),
    "outdoors": (_REGION, _WORLD),
    **dict.fromkeys(("room", "house_part"), (_HOUSE,)),
    **dict.fromkeys(("clothes", "portable", "furniture", "instrument", "readable"), (_SHOP, _HOUSE)),
}
