"""Templates: what happens, happened, will happen, used to happen, or does not happen."""

from nmt.corpus.starter.clauses import Clause, Negation, Tense
from nmt.corpus.starter.collocations import (
    FORMER_TIMES,
    FREQUENCIES,
    FUTURE_TIMES,
    HABIT_TIMES,
    NOW_TIMES,
    OBJECTS,
    PAST_TIMES,
    Times,
    feelings,
    nouns_named,
    nouns_with,
    phrases,
)
from nmt.corpus.starter.draw import Draw
from nmt.corpus.starter.lexicon_adjectives import Adjective
from nmt.corpus.starter.lexicon_nouns import Noun
from nmt.corpus.starter.lexicon_verbs import CHAINS, LIKING, PLAY_GAME, PLAY_MUSIC, REFLEXIVE, STUDY, TRANSITIVE
from nmt.corpus.starter.nominals import both, noun_phrase, subject_pronoun
from nmt.corpus.starter.realization import realize
from nmt.corpus.starter.verbs import Verb, named, others
from nmt.corpus.starter.words import Phrase, Word, phrase

COMMA = Phrase((Word(","),), (Word(","),))
STOP = Phrase((Word("."),), (Word("."),))
ASK = Phrase((Word("?", (0,)),), (Word("?", (0,)),))
CALL = Phrase((Word("!", (-1,)),), (Word("!", (-1,)),))
AND = phrase("et", "and")
BUT = phrase("mais", "but")
SO = phrase("alors", "so")


def timed(draw: Draw, clause: Clause, times: Times, end: Phrase = STOP) -> Phrase:
    """The clause with one of these times that suits it: in front with a comma, or at the end."""
    time = draw.when(times, clause)
    if draw.chance(0.4):
        return time + COMMA + realize(clause) + end
    return realize(clause) + time + end


def event(draw: Draw) -> Phrase:
    """Hier, Marie a acheté un manteau rouge. / Yesterday, Marie bought a red coat."""
    return timed(draw, draw.placed(draw.acts(draw.subject(), "past"), 0.4), PAST_TIMES)


def plan(draw: Draw) -> Phrase:
    """Le boulanger vendra sa voiture la semaine prochaine. / The baker will sell his car next week."""
    tense: Tense = "future" if draw.chance(0.7) else "going"
    return timed(draw, draw.placed(draw.acts(draw.subject(), tense), 0.4), FUTURE_TIMES)


def habit(draw: Draw) -> Phrase:
    """Nous buvons du café tous les jours. / We drink coffee every day."""
    clause = draw.acts(draw.subject(), "present", habit=True)
    if draw.chance(0.3):
        clause.adverb = draw.one(FREQUENCIES)
        return realize(draw.placed(clause, 0.6)) + STOP
    return timed(draw, draw.placed(clause, 0.3), HABIT_TIMES)


def going_on(draw: Draw) -> Phrase:
    """Le jardinier plante des fleurs en ce moment. / The gardener is planting some flowers at the moment."""
    return timed(draw, draw.placed(draw.acts(draw.subject(), "present"), 0.4), NOW_TIMES)


def formerly(draw: Draw) -> Phrase:
    """Quand il était jeune, Paul nourrissait les poules. / When he was young, Paul used to feed the hens."""
    clause = draw.placed(draw.acts(draw.subject(), "imperfect", habit=True), 0.4)
    if draw.chance(0.4):
        then = draw.being(subject_pronoun(clause.subject), YOUNG, "imperfect")
        return timed(draw, clause, (phrase("quand", "when") + realize(then),))
    return timed(draw, clause, FORMER_TIMES)


YOUNG = Adjective("jeune", "jeune", "young", frozenset(), False, None)


def interrupted(draw: Draw) -> Phrase:
    """Je lisais quand Paul a cassé la lampe. / I was reading when Paul broke the lamp."""
    background = draw.placed(draw.acts(draw.subject(), "imperfect"), 0.4)
    if draw.chance(0.5):
        # one does not interrupt oneself: we and you interrupt others
        others_only = background.subject.en_person in (2, 5)
        return realize(background) + draw.one(INTERRUPTIONS + ARRIVALS if others_only else INTERRUPTIONS) + STOP
    sudden = Clause(draw.someone(), draw.one(SUDDEN), "past")
    sudden.object = draw.object_of(sudden.verb, sudden)
    return realize(background) + phrase("quand", "when") + realize(sudden) + STOP


SUDDEN = named("casser ouvrir fermer trouver éteindre allumer", TRANSITIVE)

INTERRUPTIONS = phrases("""
quand/1 le/2 téléphone/3 a/4 sonné/4 | when/1 the/2 phone/3 rang/4
quand/1 la/2 pluie/3 a/4 commencé/4 | when/1 the/2 rain/3 started/4
quand/1 les/2 invités/3 sont/4 partis/4 | when/1 the/2 guests/3 left/4
quand/1 les/2 enfants/3 sont/4 rentrés/4 | when/1 the/2 children/3 came/4 home/4
""")
ARRIVALS = phrases("""
quand/1 nous/2 sommes/3 arrivés/3 | when/1 we/2 arrived/3
quand/1 vous/2 êtes/3 entrés/3 | when/1 you/2 came/3 in/3
""")


def not_so(draw: Draw) -> Phrase:
    """Hier, le serveur n'a pas fermé la porte. / Yesterday, the waiter did not close the door."""
    tense, times = draw.one(NOT_WHEN)
    return timed(draw, draw.placed(draw.acts(draw.subject(), tense, negation="pas"), 0.3), times)


# When: the tense, and the times that go with it.
LATER: tuple[tuple[Tense, Times], ...] = (("past", PAST_TIMES), ("future", FUTURE_TIMES))
NOT_WHEN: tuple[tuple[Tense, Times], ...] = (*LATER, ("present", NOW_TIMES))
BUSY_WHEN: tuple[tuple[Tense, Times], ...] = (*LATER, ("present", HABIT_TIMES))


def never(draw: Draw) -> Phrase:
    """Mon oncle ne mange jamais de viande au restaurant. / My uncle never eats meat at the restaurant."""
    tense = draw.one(NEVER_WHEN)
    clause = draw.acts(draw.subject(), tense, negation="jamais")
    return realize(draw.placed(clause, 0.7)) + STOP


NEVER_WHEN: tuple[Tense, ...] = ("present", "present", "past", "future")


def no_longer(draw: Draw) -> Phrase:
    """Ils ne boivent plus de vin. / They no longer drink wine."""
    tense: Tense = draw.one(("present", "present", "future", "imperfect"))
    clause = draw.acts(draw.subject(), tense, negation="plus")
    return realize(draw.placed(clause, 0.7)) + STOP


def nothing(draw: Draw) -> Phrase:
    """Tu n'as rien acheté hier. / You did not buy anything yesterday."""
    subject = draw.subject()
    tense, times = draw.one(NOT_WHEN)
    verb = draw.one(NOT_DONE[tense])
    clause = Clause(subject, verb, tense, negation="rien")
    if draw.chance(0.5) and not verb.unmeant:
        clause.chain = draw.one(WANT_OR_CAN[1:] if verb.fr in ("trouver", "recevoir") else WANT_OR_CAN)
        clause.tense = "imperfect" if tense == "past" else tense
    return timed(draw, draw.placed(clause, 0.6), times)


WANT_OR_CAN = named("vouloir pouvoir", CHAINS)
# What one can say of nothing: he did not eat anything.
EMPTY_HANDED = named(
    "manger boire préparer acheter vendre casser cacher oublier perdre trouver voir entendre comprendre choisir écrire "
    "lire regarder commander recevoir apprendre expliquer",
    TRANSITIVE,
)
# The same without what is not meant (none loses nothing tomorrow), and without what is over at once.
NOT_DONE: dict[Tense, tuple[Verb, ...]] = {
    "past": EMPTY_HANDED,
    "future": tuple(verb for verb in EMPTY_HANDED if not verb.unmeant),
    "present": tuple(verb for verb in EMPTY_HANDED if not verb.instant),
}


def already(draw: Draw) -> Phrase:
    """Julie a déjà lu ce roman. / Julie has already read this novel."""
    clause = draw.handles(draw.subject(), "perfect", negation="pas encore" if draw.chance(0.5) else "")
    if clause.negation:
        while clause.verb.instant:  # not yet lost, not yet broken: who would say so
            clause = draw.handles(clause.subject, "perfect", negation="pas encore")
    else:
        clause.adverb = ALREADY
    return realize(draw.placed(clause, 0.3)) + STOP


ALREADY = phrase("déjà", "already")


def just_now(draw: Draw) -> Phrase:
    """Je viens de réparer le vélo de Paul. / I have just repaired Paul's bicycle."""
    clause = draw.acts(draw.subject(), "recent")
    if draw.chance(0.5):
        follow = draw.being(subject_pronoun(clause.subject), draw.one(UPSET if clause.verb.fr in LOSSES else PLEASED))
        return realize(clause) + AND + realize(follow) + STOP
    return realize(draw.placed(clause, 0.5)) + STOP


LOSSES = ("perdre", "casser", "oublier")
PLEASED, UPSET = feelings("fatigué content heureux fier"), feelings("triste déçu furieux")


def wish(draw: Draw) -> Phrase:
    """Les enfants veulent manger des crêpes ce soir. / The children want to eat some pancakes tonight."""
    tense, times = draw.one(WISH_WHEN)
    chains = TRYING if tense == "past" else WILLING if times else WANTING if tense == "imperfect" else GOING_ON
    chain = draw.one(chains[:3] if tense == "conditional" else chains)
    # "could not" would be the past
    negation: Negation = "pas" if tense != "conditional" and draw.chance(0.25) else ""
    clause = draw.acts(draw.subject(), tense, negation=negation, chain=chain)
    return timed(draw, clause, times) if times else realize(draw.placed(clause)) + STOP


WISH_WHEN: tuple[tuple[Tense, Times], ...] = (
    ("present", ()),
    ("present", FUTURE_TIMES),
    ("past", PAST_TIMES),
    ("future", FUTURE_TIMES),
    ("conditional", FUTURE_TIMES),
    ("imperfect", ()),
)
TRYING = tuple(chain for chain in CHAINS if not chain.state)
WANTING = tuple(chain for chain in CHAINS if chain.state)
# Deciding, forgetting and the like are over as soon as they begin.
GOING_ON = others("oublier décider accepter réussir promettre", CHAINS)
WILLING = named("vouloir pouvoir devoir espérer", CHAINS)


def liking(draw: Draw) -> Phrase:
    """Mes sœurs aiment les pommes, mais elles détestent le miel. / My sisters like apples, but they hate honey."""
    subject = draw.subject()
    first, second = draw.one(LIKING[:2]), draw.one(LIKING[2:])
    sort = draw.one(("edible", "edible", "drink", "animal"))
    nouns = draw.rng.sample(OF_SORT[sort], 2)
    clauses = []
    for who, verb, noun in zip((subject, subject_pronoun(subject)), (first, second), nouns, strict=True):
        draw.pairs.append((verb.fr, noun.fr))
        kind = noun_phrase(noun, "kind", "mass" not in noun.tags)
        clauses.append(realize(Clause(who, verb, object=kind)))
    return clauses[0] + COMMA + BUT + clauses[1] + STOP


OF_SORT = {sort: nouns_with(sort) for sort in ("edible", "drink", "animal")}


def groceries(draw: Draw) -> Phrase:
    """Hier, mon père a acheté du pain et de la confiture. / Yesterday, my father bought some bread and some jam."""
    verb, nouns = draw.one(SUPPLIES)
    first, second = draw.rng.sample(nouns, 2)
    draw.pairs += ((verb.fr, first.fr), (verb.fr, second.fr))
    tense, times = draw.one(BUSY_WHEN)
    habit = times is HABIT_TIMES
    clause = Clause(draw.subject(), verb, tense, habit)
    adjectives = draw.adjectives(first, 0.15, verb=verb.fr)
    things = noun_phrase(first, "some", adjectives=adjectives, bare=habit), noun_phrase(second, "some", bare=habit)
    clause.object = both(*things)
    return timed(draw, draw.placed(clause, 0.5), times)


# What goes together on a plate, in a glass, in a bag.
TOGETHER = (
    ("manger servir commander préparer", "viande poisson poulet riz"),
    ("manger servir commander", "pain fromage jambon soupe"),
    ("manger acheter servir", "pain beurre confiture miel chocolat"),
    ("boire servir commander", "eau vin bière jus limonade"),
    ("boire servir commander", "café thé lait eau"),
    ("acheter", "pain fromage beurre viande poisson poulet riz café thé lait vin eau jus sucre sel farine huile"),
    ("acheter", "jambon fromage pain chocolat miel confiture bière limonade vin"),
)
SUPPLIES: tuple[tuple[Verb, tuple[Noun, ...]], ...] = tuple(
    (next(verb for verb in TRANSITIVE if verb.fr == french), nouns_named(nouns))
    for verbs, nouns in TOGETHER
    for french in verbs.split()
)


def pastime(draw: Draw) -> Phrase:
    """Claire joue du piano le dimanche. / Claire plays the piano on Sundays."""
    verb = draw.one((PLAY_GAME, PLAY_MUSIC, STUDY))
    noun = draw.one(OBJECTS[verb])
    draw.pairs.append((verb.fr, noun.fr))
    tense: Tense = draw.one(("present", "imperfect", "future", "past"))
    thing = noun_phrase(noun, "the" if verb is PLAY_MUSIC else "kind")
    clause = Clause(draw.subject(), verb, tense, habit=tense in ("present", "imperfect"), object=thing)
    times = {"present": HABIT_TIMES, "imperfect": FORMER_TIMES, "future": FUTURE_TIMES, "past": PAST_TIMES}[tense]
    return timed(draw, clause, times)


def concern(draw: Draw) -> Phrase:
    """Je me souviens souvent de cette fête. / I often remember this party."""
    verb = draw.one(CONCERNS)
    if not verb.state:
        tense, times = draw.one(BUSY_WHEN)
        clause = Clause(draw.subject(), verb, tense, habit=times is HABIT_TIMES)
        clause.object = draw.object_of(verb, clause)
        return timed(draw, clause, times)
    clause = Clause(draw.subject(), verb, draw.one(("present", "present", "imperfect", "future")))
    clause.object = draw.object_of(verb, clause)
    if clause.tense == "future":
        clause.adverb = ALWAYS
    elif draw.chance(0.5):
        clause.adverb = draw.one(FREQUENCIES[:4])
    else:
        clause.negation = draw.one(("pas", "plus", "jamais"))
    return realize(clause) + STOP


ALWAYS = FREQUENCIES[1]
CONCERNS = others("habituer", REFLEXIVE)  # which takes longer than one can date
