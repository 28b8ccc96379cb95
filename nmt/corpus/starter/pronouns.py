"""Templates around the French pronouns that stand before the verb: le la les, lui leur, y, en, and two at once."""

from nmt.corpus.starter.clauses import (
    Clause,
    Negation,
    Question,
    Tense,
    object_clitic,
    of_them_clitic,
    realize,
    recipient_clitic,
    there_clitic,
)
from nmt.corpus.starter.draw import FREQUENCIES, FUTURE_TIMES, OBJECTS, PAST_TIMES, Draw, nouns_with
from nmt.corpus.starter.lexicon_adverbs import NUMBERS
from nmt.corpus.starter.lexicon_verbs import BE, CHAINS, GIVING, GO, TRANSITIVE, WANT, Verb, read_verb, read_verbs
from nmt.corpus.starter.nominals import Nominal, noun_phrase, pronoun, subject_pronoun
from nmt.corpus.starter.statements import AND, ASK, BUT, COMMA, SO, STOP, timed
from nmt.corpus.starter.words import Phrase, Word, new_key, phrase

HERE_IS = phrase("voici", "here is")
HERE_ARE = phrase("voici", "here are")
WHERE_IS = phrase("où", "where")
# One can do it to nearly anything: the noun before the pronoun is of any kind.
CARRIED = nouns_with("portable", "clothes")
HANDLING = tuple(verb for verb in TRANSITIVE if verb.fr in ("perdre", "trouver", "chercher", "cacher", "acheter", "oublier"))
BOUGHT = tuple(noun for noun in OBJECTS[next(verb for verb in TRANSITIVE if verb.fr == "acheter")])


def looking(draw: Draw) -> Phrase:
    """Où est la clé ? Je la cherche. / Where is the key? I am looking for it."""
    noun = draw.one(CARRIED)
    thing = draw.thing(noun, definite=True)
    where = realize(Clause(thing, BE, question="inversion", asked=WHERE_IS)) if False else _where_is(thing)
    verb = draw.one(HANDLING)
    draw.pairs.append((verb.fr, noun.fr))
    tense: Tense = draw.one(("past", "past", "future")) if verb.instant else draw.one(("present", "past", "future"))
    negation: Negation = "pas" if draw.chance(0.25) else ""
    clause = Clause(draw.subject(), verb, tense, negation=negation, clitics=(object_clitic(thing),))
    if draw.chance(0.6) and tense != "present":
        return where + ASK + timed(draw, clause, draw.one(PAST_TIMES if tense == "past" else FUTURE_TIMES))
    return where + ASK + realize(draw.placed(clause)) + STOP


def _where_is(thing: Nominal) -> Phrase:
    """Où sont ..., Where are ...: the verb comes before a noun."""
    is_key, where_key = (new_key(),), (new_key(),)
    french, english = ("sont", "are") if thing.plural else ("est", "is")
    asked = Phrase((Word("où", where_key), Word(french, is_key)), (Word("where", where_key), Word(english, is_key)))
    return asked + thing.phrase
