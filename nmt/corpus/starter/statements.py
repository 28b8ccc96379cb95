"""Templates: what happens, happened, will happen, used to happen, or does not happen."""

from dataclasses import replace

from nmt.corpus.starter.clauses import Clause, Negation, Tense, realize
from nmt.corpus.starter.draw import (
    FORMER_TIMES,
    FREQUENCIES,
    FUTURE_TIMES,
    HABIT_TIMES,
    NOW_TIMES,
    OBJECTS,
    PAST_TIMES,
    Draw,
)
from nmt.corpus.starter.lexicon_verbs import CHAINS, LIKING, PLAY_GAME, PLAY_MUSIC, REFLEXIVE, STUDY, TRANSITIVE
from nmt.corpus.starter.nominals import noun_phrase, subject_pronoun
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
    return timed(draw, draw.acts(draw.subject(), "past"), draw.one(PAST_TIMES))


def plan(draw: Draw) -> Phrase:
    """Le boulanger vendra sa voiture la semaine prochaine. / The baker will sell his car next week."""
    tense: Tense = "future" if draw.chance(0.7) else "going"
    return timed(draw, draw.acts(draw.subject(), tense), draw.one(FUTURE_TIMES))


def habit(draw: Draw) -> Phrase:
    """Nous buvons du café tous les jours. / We drink coffee every day."""
    clause = draw.acts(draw.subject(), "present", habit=True)
    if draw.chance(0.3):
        clause.adverb = draw.one(FREQUENCIES)
        if clause.object is not None and not clause.tail.fr:
            clause.tail = draw.place()
        return realize(clause) + STOP
    return timed(draw, clause, draw.one(HABIT_TIMES))


def going_on(draw: Draw) -> Phrase:
    """Le jardinier plante des fleurs en ce moment. / The gardener is planting some flowers at the moment."""
    return timed(draw, draw.acts(draw.subject(), "present"), draw.one(NOW_TIMES))


def formerly(draw: Draw) -> Phrase:
    """Autrefois, ma tante nourrissait les poules. / In the past, my aunt used to feed the hens."""
    return timed(draw, draw.acts(draw.subject(), "imperfect", habit=True), draw.one(FORMER_TIMES))


def interrupted(draw: Draw) -> Phrase:
    """Je lisais quand Paul a téléphoné à ma sœur. / I was reading when Paul phoned my sister."""
    background = draw.acts(draw.subject(), "imperfect")
    if draw.chance(0.4):
        return realize(background) + draw.one(INTERRUPTIONS) + STOP
    return realize(background) + phrase("quand", "when") + realize(draw.acts(draw.someone(), "past")) + STOP


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
    return timed(draw, draw.acts(draw.subject(), tense, negation="pas"), draw.one(times))


NOT_WHEN: tuple[tuple[Tense, tuple[Phrase, ...]], ...] = (
    ("past", PAST_TIMES),
    ("future", FUTURE_TIMES),
    ("present", NOW_TIMES),
)


def never(draw: Draw) -> Phrase:
    """Mon oncle ne mange jamais de viande au restaurant. / My uncle never eats meat at the restaurant."""
    tense = draw.one(NEVER_WHEN)
    clause = draw.acts(draw.subject(), tense, negation="jamais")
    return realize(_placed(draw, clause)) + STOP


NEVER_WHEN: tuple[Tense, ...] = ("present", "present", "past", "future")


def no_longer(draw: Draw) -> Phrase:
    """Ils ne boivent plus de vin. / They no longer drink wine."""
    tense: Tense = draw.one(("present", "present", "future", "imperfect"))
    clause = draw.acts(draw.subject(), tense, negation="plus")
    return realize(_placed(draw, clause)) + STOP


def nothing(draw: Draw) -> Phrase:
    """Tu n'as rien acheté hier. / You did not buy anything yesterday."""
    subject = draw.subject()
    verb = draw.one(EMPTY_HANDED)
    tense, times = draw.one(NOT_WHEN)
    clause = Clause(subject, verb, tense, negation="rien")
    if draw.chance(0.5):
        clause.chain = draw.one(CHAINS[:5])
        clause.tense = "future" if tense == "future" else "imperfect" if tense == "past" else "present"
    clause.tail = draw.place() if draw.chance(0.6) else clause.tail
    return timed(draw, clause, draw.one(times))


# What one can say of nothing: he did not eat anything.
NOTHING_VERBS = (
    "manger", "boire", "préparer", "acheter", "vendre", "casser", "cacher", "oublier", "perdre", "trouver", "voir",
    "entendre", "comprendre", "choisir", "écrire", "lire", "regarder", "commander", "recevoir", "apprendre", "expliquer",
)  # fmt: skip
EMPTY_HANDED = tuple(verb for verb in TRANSITIVE if verb.fr in NOTHING_VERBS)


def _placed(draw: Draw, clause: Clause) -> Clause:
    return clause if clause.tail.fr else replace(clause, tail=draw.place())


def already(draw: Draw) -> Phrase:
    """Julie a déjà lu ce roman. / Julie has already read this novel."""
    clause = draw.handles(draw.subject(), "perfect")
    if draw.chance(0.5):
        clause = draw.handles(draw.subject(), "perfect", negation="pas encore")
    else:
        clause.adverb = ALREADY
    return realize(clause) + STOP


ALREADY = phrase("déjà", "already")


def just_now(draw: Draw) -> Phrase:
    """Je viens de réparer le vélo de Paul. / I have just repaired Paul's bicycle."""
    clause = draw.acts(draw.subject(), "recent")
    if draw.chance(0.5):
        follow = draw.feeling()
        return realize(clause) + AND + realize(draw.being(subject_pronoun(clause.subject), follow)) + STOP
    return realize(_placed(draw, clause)) + STOP


def wish(draw: Draw) -> Phrase:
    """Les enfants veulent manger des crêpes ce soir. / The children want to eat some pancakes tonight."""
    tense, times = draw.one(WISH_WHEN)
    chains = CHAINS if tense in ("present", "imperfect") else TRYING if tense == "past" else WILLING
    negation: Negation = "pas" if draw.chance(0.2) else ""
    clause = draw.acts(draw.subject(), tense, negation=negation)
    clause.chain = draw.one(chains)
    if times:
        return timed(draw, clause, draw.one(times))
    return realize(_placed(draw, clause)) + STOP


WISH_WHEN: tuple[tuple[Tense, tuple[Phrase, ...]], ...] = (
    ("present", ()),
    ("present", FUTURE_TIMES),
    ("past", PAST_TIMES),
    ("future", FUTURE_TIMES),
    ("conditional", FUTURE_TIMES),
    ("imperfect", ()),
)
TRYING = tuple(chain for chain in CHAINS if not chain.state)
WILLING = tuple(chain for chain in CHAINS if chain.fr in ("vouloir", "pouvoir", "devoir"))


def liking(draw: Draw) -> Phrase:
    """Mes sœurs aiment les pommes, mais elles détestent le miel. / My sisters like apples, but they hate honey."""
    subject = draw.subject()
    first, second = draw.one(LIKING[:2]), draw.one(LIKING[2:])
    clauses = []
    for who, verb in ((subject, first), (subject_pronoun(subject), second)):
        noun = draw.one(OBJECTS[verb])
        draw.pairs.append((verb.fr, noun.fr))
        kind = noun_phrase(noun, "kind", "mass" not in noun.tags)
        clauses.append(realize(Clause(who, verb, object=kind)))
    return clauses[0] + COMMA + BUT + clauses[1] + STOP


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


CONCERN_WHEN: tuple[tuple[Tense, tuple[Phrase, ...]], ...] = (
    ("present", NOW_TIMES),
    ("past", PAST_TIMES),
    ("future", FUTURE_TIMES),
)
