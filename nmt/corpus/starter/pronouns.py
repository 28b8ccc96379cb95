"""Templates around the French pronouns that stand before the verb: le la les, lui leur, y, en, and two at once."""

from nmt.corpus.starter.clauses import (
    Clause,
    Negation,
    Tense,
    object_clitic,
    of_it_clitic,
    of_them_clitic,
    recipient_clitic,
    there_clitic,
    to_it_clitic,
)
from nmt.corpus.starter.draw import (
    FREQUENCIES,
    FUTURE_TIMES,
    HABIT_TIMES,
    OBJECTS,
    PAST_TIMES,
    SPOTS,
    Draw,
    nouns_with,
)
from nmt.corpus.starter.lexicon_adverbs import NUMBERS
from nmt.corpus.starter.lexicon_nouns import Noun
from nmt.corpus.starter.lexicon_verbs import GIVING, GO, HAVE, INTRANSITIVE, REFLEXIVE, SOCIAL, TRANSITIVE, WANT
from nmt.corpus.starter.nominals import Determiner, Nominal, noun_phrase, pronoun, subject_pronoun
from nmt.corpus.starter.realization import realize
from nmt.corpus.starter.statements import AND, ASK, BUT, COMMA, LATER, SO, STOP, timed
from nmt.corpus.starter.verbs import Verb, named, others
from nmt.corpus.starter.words import Phrase, Word, new_key, phrase

# Verbs with a direct object in French, so that le, la, les stand for it.
DIRECT = tuple(verb for verb in TRANSITIVE if not verb.fr_preposition)
# What one does with a thing that is there; one does not look for it.
AT_HAND = others(
    "chercher trouver perdre voir entendre attendre quitter traverser oublier découvrir obtenir créer écrire "
    "construire organiser préparer",
    DIRECT,
)
# What becomes of a thing that one has got hold of.
GETTING = named("acheter trouver choisir recevoir préparer", TRANSITIVE)
USING = named(
    "manger boire goûter couper porter mettre laver réparer casser lire perdre cacher utiliser servir photographier "
    "vendre signer remplir jeter ouvrir",
    DIRECT,
)
GOT_AND_USED: tuple[tuple[Verb, Noun, Verb], ...] = tuple(
    (first, noun, second) for first in GETTING for second in USING for noun in OBJECTS[first] if noun in OBJECTS[second]
)
CARRIED = nouns_with("portable", "clothes")
SEARCHING = named("perdre trouver chercher cacher oublier vendre", DIRECT)
VISITED = nouns_with("building", "outdoors")
DONE_THERE: dict[Noun, tuple[Verb, ...]] = {
    noun: tuple(verb for verb in INTRANSITIVE if noun in SPOTS[verb.where]) for noun in VISITED
}
LIVELY = tuple(noun for noun in VISITED if DONE_THERE[noun])
EATEN = tuple((verb, noun) for verb in TRANSITIVE if verb.fr in ("manger", "boire") for noun in OBJECTS[verb])
COUNTED = tuple((verb, noun) for verb, noun in EATEN if "mass" not in noun.tags)
OF_IT = tuple(verb for verb in (*TRANSITIVE, *REFLEXIVE) if verb.fr in ("parler", "rêver", "discuter", "souvenir"))
TO_IT = tuple(verb for verb in (*TRANSITIVE, *REFLEXIVE) if verb.fr in ("penser", "renoncer", "participer", "habituer"))
OF_THINGS = {verb: tuple(noun for noun in OBJECTS[verb] if "human" not in noun.tags) for verb in (*OF_IT, *TO_IT)}
HANDED = tuple((v, n) for v in GIVING for n in OBJECTS[v] if n.tags & {"thing", "food", "drink", "ownable"})
HELPING = named("aider appeler consoler encourager téléphoner parler écrire sourire", SOCIAL)
CHEERING = tuple(
    (verb, noun)
    for verb in GIVING
    if verb.fr in ("donner", "apporter", "offrir", "raconter", "lire", "envoyer")
    for noun in OBJECTS[verb]
    if noun.tags & {"edible", "drink", "told"}
    or noun.fr in ("couverture", "livre", "roman", "cadeau", "jouet", "poupée", "lettre", "poème", "message", "photo")
)
LIKE = Verb("aimer", "like", state=True)
KNOW = Verb("connaître", "know", state=True)
HERE_IS, HERE_ARE = (phrase("voici", english) for english in ("here is", "here are"))


def looking(draw: Draw) -> Phrase:
    """Où est la clé ? Je l'ai perdue hier. / Where is the key? I lost it yesterday."""
    verb, noun = draw.one(SEARCHING), draw.one(CARRIED)
    draw.pairs.append((verb.fr, noun.fr))
    thing = draw.thing(noun, definite=True)
    clause = Clause(draw.subject(), verb, "past", clitics=(object_clitic(thing),))
    return where_is(thing) + ASK + timed(draw, draw.placed(clause, 0.3), draw.one(PAST_TIMES))


def where_is(thing: Nominal) -> Phrase:
    """Où sont ..., Where are ...: the verb comes before a noun."""
    verb, asks = (new_key(),), (new_key(),)
    french, english = ("sont", "are") if thing.plural else ("est", "is")
    return Phrase((Word("où", asks), Word(french, verb)), (Word("where", asks), Word(english, verb))) + thing.phrase


def here_it_is(draw: Draw) -> Phrase:
    """Voici un livre intéressant. Je le lirai demain. / Here is an interesting book. I will read it tomorrow."""
    verb = draw.one(AT_HAND)
    noun = draw.one(OBJECTS[verb])
    draw.pairs.append((verb.fr, noun.fr))
    mass = "mass" in noun.tags
    plural = verb.plural_objects or ("many" in noun.tags and not verb.singular_objects and draw.chance(0.35))
    determiner: Determiner = draw.one(("some" if mass else "a", "this", "the"))
    thing = noun_phrase(noun, determiner, plural, draw.adjectives(noun, 0.35, telling=determiner == "the"))
    tense, times = draw.one(LATER)
    negation: Negation = "pas" if draw.chance(0.2) else ""
    clause = Clause(draw.subject(), verb, tense, negation=negation, clitics=(object_clitic(thing),))
    return (HERE_ARE if thing.plural else HERE_IS) + thing.phrase + STOP + timed(draw, clause, draw.one(times))


def got_and_used(draw: Draw) -> Phrase:
    """Marie a acheté une pomme et elle l'a mangée. / Marie bought an apple and she ate it."""
    first, noun, second = draw.one(GOT_AND_USED)
    draw.pairs += ((first.fr, noun.fr), (second.fr, noun.fr))
    subject = draw.subject()
    thing = draw.thing(noun)
    got = Clause(subject, first, "past", object=thing)
    used = Clause(subject_pronoun(subject), second, "past", clitics=(object_clitic(thing),))
    if draw.chance(0.3):
        used.tense, used.chain, used.negation = "imperfect", WANT_TO, "pas"
        return realize(got) + COMMA + BUT + realize(used) + STOP
    return realize(draw.placed(got, 0.3)) + AND + realize(used) + STOP


WANT_TO = Verb("vouloir", "want", en_particle="to", state=True)


def helped(draw: Draw) -> Phrase:
    """Mon oncle était triste, alors je lui ai téléphoné. / My uncle was sad, so I phoned him."""
    person = draw.someone()
    tense, _ = draw.one(LATER)
    feels = draw.being(person, draw.feeling(sad=True), "imperfect" if tense == "past" else "present")
    clause = Clause(_other(draw), draw.one(HELPING), tense)
    clitic = recipient_clitic(person, "") if clause.verb.fr_preposition else object_clitic(person)
    clause.clitics = (clitic,)
    return realize(feels) + COMMA + SO + realize(draw.placed(clause, 0.3)) + STOP


def gave(draw: Draw) -> Phrase:
    """Marie est malade, alors nous lui apporterons du thé. / Marie is sick, so we will bring some tea to her."""
    person = draw.someone()
    tense, _ = draw.one(LATER)
    feels = draw.being(person, draw.feeling(sad=True), "imperfect" if tense == "past" else "present")
    verb, noun = draw.one(CHEERING)
    draw.pairs.append((verb.fr, noun.fr))
    clause = Clause(_other(draw), verb, tense, clitics=(recipient_clitic(person),))
    clause.object = draw.thing(noun, owner=clause.subject)
    return realize(feels) + COMMA + SO + realize(clause) + STOP


def handed_over(draw: Draw) -> Phrase:
    """Paul veut ce livre. Je le lui prêterai demain. / Paul wants this book. I will lend it to him tomorrow."""
    verb, noun = draw.one(HANDED)
    draw.pairs.append((verb.fr, noun.fr))
    thing = draw.thing(noun, definite=True, adjectives=0.2)
    tense, times = draw.one(LATER)
    if draw.chance(0.4):
        person = pronoun(draw.one(("tu", "vous")))
        giver = draw.one((pronoun("je"), pronoun("nous"), draw.someone()))
    else:
        person = draw.someone()
        giver = _other(draw)
    wants = Clause(person, WANT, "imperfect" if tense == "past" else "present", object=thing)
    receiver = recipient_clitic(person)
    given = Clause(giver, verb, tense, clitics=(receiver, object_clitic(thing)))
    return realize(wants) + STOP + timed(draw, given, draw.one(times))


def there(draw: Draw) -> Phrase:
    """Je connais ce parc et j'y cours souvent. / I know this park and I often run there."""
    noun = draw.one(LIVELY)
    subject = draw.subject()
    place = noun_phrase(noun, "this", adjectives=draw.adjectives(noun, 0.4))
    knows = Clause(subject, draw.one((LIKE, KNOW)), object=place)
    verb = draw.one(DONE_THERE[noun]) if draw.chance(0.7) else GO
    clause = Clause(subject_pronoun(subject), verb, "present", habit=True, clitics=(there_clitic(),))
    dice = draw.rng.random()
    if dice < 0.35:
        clause.tense, clause.habit = "future", False
        return realize(knows) + AND + timed_last(clause, draw.one(FUTURE_TIMES))
    if dice < 0.65:
        clause.adverb = draw.one(FREQUENCIES)
        return realize(knows) + AND + realize(clause) + STOP
    if dice < 0.8:
        clause.negation = "jamais"
        return realize(knows) + COMMA + BUT + realize(clause) + STOP
    return realize(knows) + AND + timed_last(clause, draw.one(HABIT_TIMES))


def timed_last(clause: Clause, time: Phrase) -> Phrase:
    """The clause with its time at the end."""
    return realize(clause) + time + STOP


def thought_of(draw: Draw) -> Phrase:
    """Ce voyage est important et nous y pensons souvent. / This trip is important and we often think about it."""
    verb = draw.one(OF_IT if draw.chance(0.55) else TO_IT)
    noun = draw.one(OF_THINGS[verb])
    adjective = draw.described(noun)
    if adjective is None:
        return thought_of(draw)
    draw.pairs.append((verb.fr, noun.fr))
    thing = noun_phrase(noun, "this")
    clitic = of_it_clitic() if verb.fr_preposition == "de" else to_it_clitic()
    clause = Clause(draw.subject(), verb, "present", habit=True, clitics=(clitic,))
    if verb.instant or verb.fr == "habituer" or draw.chance(0.4):
        clause.tense, clause.habit = draw.one(("past", "future")), False
    else:
        clause.adverb = draw.one(FREQUENCIES)
    return realize(draw.being(thing, adjective)) + AND + realize(clause) + STOP


def some_of_it(draw: Draw) -> Phrase:
    """Hugo aime les poires et il en mange souvent. / Hugo likes pears and he often eats some."""
    verb, noun = draw.one(EATEN)
    draw.pairs.append((verb.fr, noun.fr))
    subject = draw.subject()
    kind = noun_phrase(noun, "kind", "mass" not in noun.tags)
    likes = Clause(subject, LIKE, object=kind)
    if draw.chance(0.45):
        eats = Clause(draw.someone(), verb, "present", habit=True, negation=draw.one(("jamais", "plus")))
        eats.clitics = (of_them_clitic("any"),)
        return realize(likes) + COMMA + BUT + realize(eats) + STOP
    eats = Clause(subject_pronoun(subject), verb, "present", habit=True, clitics=(of_them_clitic("some"),))
    if draw.chance(0.5):
        eats.adverb = draw.one(FREQUENCIES)
        return realize(likes) + AND + realize(draw.placed(eats, 0.4)) + STOP
    return realize(likes) + AND + timed_last(eats, draw.one(HABIT_TIMES))


def so_many_of_them(draw: Draw) -> Phrase:
    """Nous avions dix œufs et nous en avons mangé trois. / We had ten eggs and we ate three of them."""
    verb, noun = draw.one(COUNTED)
    draw.pairs.append((verb.fr, noun.fr))
    all_of_them, some = draw.one((5, 6, 7, 8, 9, 10, 12)), draw.one((2, 3, 4))
    subject = draw.subject()
    had = Clause(subject, HAVE, "imperfect", object=noun_phrase(noun, "number", number=all_of_them))
    tense: Tense = "past"
    if draw.chance(0.4):
        tense, had.tense = "future", "present"
    french, english = NUMBERS[some]
    key = (new_key(),)
    number = Phrase((Word(french, key),), (Word(english, key),))
    clitic = of_them_clitic("of them")._replace(thing=False)
    eats = Clause(subject_pronoun(subject), verb, tense, clitics=(clitic,), object=_counted(number))
    return realize(had) + AND + realize(draw.placed(eats, 0.3)) + STOP


def _counted(number: Phrase) -> Nominal:
    return Nominal(number.fr, number.en, 5, 5, False, True, human=False)


def _other(draw: Draw) -> Nominal:
    """Someone who is not the third person just spoken of: I, you, we, or a name."""
    return pronoun(draw.one(("je", "je", "nous", "vous", "tu", "on"))) if draw.chance(0.65) else draw.someone()
