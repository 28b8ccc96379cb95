"""Templates: what happens, happened, will happen, used to happen, or does not happen."""

from nmt.corpus.starter.clauses import Clause, Negation, Tense
from nmt.corpus.starter.draw import (
    FORMER_TIMES,
    FREQUENCIES,
    FUTURE_TIMES,
    HABIT_TIMES,
    NOW_TIMES,
    OBJECTS,
    PAST_TIMES,
    Draw,
    nouns_with,
)
from nmt.corpus.starter.lexicon_adjectives import Adjective
from nmt.corpus.starter.lexicon_verbs import CHAINS, LIKING, PLAY_GAME, PLAY_MUSIC, REFLEXIVE, STUDY, TRANSITIVE
from nmt.corpus.starter.nominals import both, noun_phrase, subject_pronoun
from nmt.corpus.starter.realization import realize
from nmt.corpus.starter.verbs import named
from nmt.corpus.starter.words import Phrase, Word, phrase

COMMA = Phrase((Word(","),), (Word(","),))
STOP = Phrase((Word("."),), (Word("."),))
ASK = Phrase((Word("?", (0,)),), (Word("?", (0,)),))
CALL = Phrase((Word("!", (-1,)),), (Word("!", (-1,)),))
AND = phrase("et", "and")
BUT = phrase("mais", "but")
SO = phrase("alors", "so")


def timed(draw: Draw, clause: Clause, time: Phrase, end: Phrase = STOP) -> Phrase:
    """The clause with its time: in front with a comma, or at the end."""
    if draw.chance(0.4):
        return time + COMMA + realize(clause) + end
    return realize(clause) + time + end


def event(draw: Draw) -> Phrase:
    """Hier, Marie a acheté un manteau rouge. / Yesterday, Marie bought a red coat."""
    return timed(draw, draw.placed(draw.acts(draw.subject(), "past"), 0.4), draw.one(PAST_TIMES))


def plan(draw: Draw) -> Phrase:
    """Le boulanger vendra sa voiture la semaine prochaine. / The baker will sell his car next week."""
    tense: Tense = "future" if draw.chance(0.7) else "going"
    return timed(draw, draw.placed(draw.acts(draw.subject(), tense), 0.4), draw.one(FUTURE_TIMES))


def habit(draw: Draw) -> Phrase:
    """Nous buvons du café tous les jours. / We drink coffee every day."""
    clause = draw.acts(draw.subject(), "present", habit=True)
    if draw.chance(0.3):
        clause.adverb = draw.one(FREQUENCIES)
        return realize(draw.placed(clause)) + STOP
    return timed(draw, draw.placed(clause, 0.3), draw.one(HABIT_TIMES))


def going_on(draw: Draw) -> Phrase:
    """Le jardinier plante des fleurs en ce moment. / The gardener is planting some flowers at the moment."""
    return timed(draw, draw.placed(draw.acts(draw.subject(), "present"), 0.4), draw.one(NOW_TIMES))


def formerly(draw: Draw) -> Phrase:
    """Quand il était petit, Paul nourrissait les poules. / When he was little, Paul used to feed the hens."""
    clause = draw.placed(draw.acts(draw.subject(), "imperfect", habit=True), 0.4)
    if draw.chance(0.4):
        small = draw.being(subject_pronoun(clause.subject), LITTLE, "imperfect")
        return timed(draw, clause, phrase("quand", "when") + realize(small))
    return timed(draw, clause, draw.one(FORMER_TIMES))


LITTLE = Adjective("petit", "petite", "little", frozenset(), False, None)


def interrupted(draw: Draw) -> Phrase:
    """Je lisais quand Paul a cassé la lampe. / I was reading when Paul broke the lamp."""
    background = draw.placed(draw.acts(draw.subject(), "imperfect"), 0.4)
    if draw.chance(0.5):
        return realize(background) + draw.one(INTERRUPTIONS) + STOP
    sudden = Clause(draw.someone(), draw.one(SUDDEN), "past")
    sudden.object = draw.object_of(sudden.verb, sudden)
    return realize(background) + phrase("quand", "when") + realize(sudden) + STOP


SUDDEN = named("casser ouvrir fermer trouver éteindre voir", TRANSITIVE)

INTERRUPTIONS = tuple(
    phrase(*(side.strip() for side in line.split("|")))
    for line in """
quand/1 le/2 téléphone/3 a/4 sonné/4 | when/1 the/2 phone/3 rang/4
quand/1 la/2 pluie/3 a/4 commencé/4 | when/1 the/2 rain/3 started/4
quand/1 nous/2 sommes/3 arrivés/3 | when/1 we/2 arrived/3
quand/1 vous/2 êtes/3 entrés/3 | when/1 you/2 came/3 in/3
quand/1 les/2 invités/3 sont/4 partis/4 | when/1 the/2 guests/3 left/4
""".strip().split("\n")
)


def not_so(draw: Draw) -> Phrase:
    """Hier, le serveur n'a pas fermé la porte. / Yesterday, the waiter did not close the door."""
    tense, times = draw.one(NOT_WHEN)
    return timed(draw, draw.placed(draw.acts(draw.subject(), tense, negation="pas"), 0.3), draw.one(times))


# When: the tense, and the times that go with it.
LATER: tuple[tuple[Tense, tuple[Phrase, ...]], ...] = (("past", PAST_TIMES), ("future", FUTURE_TIMES))
NOT_WHEN: tuple[tuple[Tense, tuple[Phrase, ...]], ...] = (*LATER, ("present", NOW_TIMES))


def never(draw: Draw) -> Phrase:
    """Mon oncle ne mange jamais de viande au restaurant. / My uncle never eats meat at the restaurant."""
    tense = draw.one(NEVER_WHEN)
    clause = draw.acts(draw.subject(), tense, negation="jamais")
    return realize(draw.placed(clause)) + STOP


NEVER_WHEN: tuple[Tense, ...] = ("present", "present", "past", "future")


def no_longer(draw: Draw) -> Phrase:
    """Ils ne boivent plus de vin. / They no longer drink wine."""
    tense: Tense = draw.one(("present", "present", "future", "imperfect"))
    clause = draw.acts(draw.subject(), tense, negation="plus")
    return realize(draw.placed(clause)) + STOP


def nothing(draw: Draw) -> Phrase:
    """Tu n'as rien acheté hier. / You did not buy anything yesterday."""
    subject = draw.subject()
    verb = draw.one(EMPTY_HANDED)
    tense, times = draw.one(NOT_WHEN)
    clause = Clause(subject, verb, tense, negation="rien")
    if draw.chance(0.5):
        clause.chain = draw.one(CHAINS[:2])
        clause.tense = "future" if tense == "future" else "imperfect" if tense == "past" else "present"
    return timed(draw, draw.placed(clause, 0.6), draw.one(times))


# What one can say of nothing: he did not eat anything.
EMPTY_HANDED = named(
    "manger boire préparer acheter vendre casser cacher oublier perdre trouver voir entendre comprendre choisir écrire "
    "lire regarder commander recevoir apprendre expliquer",
    TRANSITIVE,
)


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
        follow = draw.feeling()
        return realize(clause) + AND + realize(draw.being(subject_pronoun(clause.subject), follow)) + STOP
    return realize(draw.placed(clause)) + STOP


def wish(draw: Draw) -> Phrase:
    """Les enfants veulent manger des crêpes ce soir. / The children want to eat some pancakes tonight."""
    tense, times = draw.one(WISH_WHEN)
    chains = TRYING if tense == "past" else WILLING if times else WANTING if tense == "imperfect" else GOING_ON
    negation: Negation = "pas" if draw.chance(0.2) else ""
    clause = draw.acts(draw.subject(), tense, negation=negation)
    clause.chain = draw.one(chains[:3] if tense == "conditional" else chains)
    if times:
        return timed(draw, clause, draw.one(times))
    return realize(draw.placed(clause)) + STOP


WISH_WHEN: tuple[tuple[Tense, tuple[Phrase, ...]], ...] = (
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
GOING_ON = tuple(chain for chain in CHAINS if chain.fr not in ("oublier", "décider", "accepter", "réussir"))
WILLING = tuple(chain for chain in CHAINS if chain.fr in ("vouloir", "pouvoir", "devoir", "espérer"))


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
    tense, times = draw.one(NOT_WHEN)
    clause = Clause(draw.subject(), verb, tense)
    adjectives = draw.adjectives(first, 0.15, verb=verb.fr)
    clause.object = both(noun_phrase(first, "some", adjectives=adjectives), noun_phrase(second, "some"))
    return timed(draw, draw.placed(clause, 0.5), draw.one(times))


SUPPLIES = tuple(
    (verb, nouns)
    for verb in named("manger boire acheter servir commander goûter", TRANSITIVE)
    for nouns in [tuple(noun for noun in OBJECTS[verb] if "mass" in noun.tags)]
    if len(nouns) > 3
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
    return timed(draw, clause, draw.one(times))


def concern(draw: Draw) -> Phrase:
    """Je me souviens de cette fête. / I remember this party."""
    verb = draw.one(REFLEXIVE)
    tense, times = draw.one(CONCERN_WHEN)
    clause = Clause(draw.subject(), verb, tense)
    clause.object = draw.object_of(verb, clause)
    return timed(draw, clause, draw.one(times)) if times else realize(clause) + STOP


CONCERN_WHEN = NOT_WHEN
