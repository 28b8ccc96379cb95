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
from nmt.corpus.starter.collocations import (
    ADJECTIVES,
    DESCRIBED,
    DIRECT,
    FREQUENCIES,
    FUTURE_NEAR,
    FUTURE_TIMES,
    HABIT_TIMES,
    OBJECTS,
    PAST_NEAR,
    SPOTS,
    Times,
    feelings,
    nouns_with,
)
from nmt.corpus.starter.draw import Draw
from nmt.corpus.starter.lexicon_adverbs import NUMBERS
from nmt.corpus.starter.lexicon_nouns import Noun
from nmt.corpus.starter.lexicon_verbs import GIVING, GO, HAVE, INTRANSITIVE, REFLEXIVE, SOCIAL, TRANSITIVE, WANT
from nmt.corpus.starter.nominals import Determiner, Nominal, noun_phrase, pronoun, subject_pronoun
from nmt.corpus.starter.realization import realize
from nmt.corpus.starter.statements import AND, ASK, BUT, COMMA, SO, STOP, timed
from nmt.corpus.starter.verbs import Verb, named, others
from nmt.corpus.starter.words import Phrase, Word, new_key, phrase

# What lies within a few days, either way.
NEARBY: tuple[tuple[Tense, Times], ...] = (("past", PAST_NEAR), ("future", FUTURE_NEAR))


def with_objects(verbs: str) -> tuple[tuple[Verb, Noun], ...]:
    """The named verbs, each with each of its direct objects."""
    return tuple((verb, noun) for verb in named(verbs, DIRECT) for noun in OBJECTS[verb])


# What one has done to the thing that one shows, and what one is going to do with it.
MADE = named(
    "acheter recevoir réparer laver lire écrire dessiner peindre traduire corriger imprimer terminer préparer choisir "
    "trouver construire planter",
    DIRECT,
)
AT_HAND = named(
    "manger goûter boire couper vendre porter mettre essayer laver nettoyer réparer ouvrir lire regarder écouter "
    "conduire utiliser visiter dessiner peindre apprendre traduire corriger remplir vider nourrir signer photographier "
    "vérifier transporter imprimer jeter terminer expliquer",
    DIRECT,
)
# What becomes of a thing that one has got hold of.
GOT_AND_USED: tuple[tuple[Verb, Noun, Verb], ...] = tuple(
    (first, noun, second)
    for got, used in (
        ("acheter", "manger goûter porter mettre lire utiliser réparer perdre casser"),
        ("trouver", "lire laver réparer ouvrir utiliser vendre photographier jeter cacher vider"),
        ("recevoir", "lire ouvrir signer jeter cacher perdre"),
        ("préparer", "manger goûter servir couper"),
        ("choisir", "acheter porter essayer lire"),
    )
    for first, noun in with_objects(got)
    for second, other in with_objects(used)
    if noun is other
)
SEARCHED = tuple((v, n) for v, n in with_objects("perdre trouver chercher cacher oublier") if "thing" in n.tags)
VISITED = nouns_with("building", "outdoors")
DONE_THERE: dict[Noun, tuple[Verb, ...]] = {
    noun: tuple(
        verb for verb in others("crier pleurer disputer fumer attendre", INTRANSITIVE) if noun in SPOTS[verb.where]
    )
    for noun in VISITED
}
LIVELY = tuple(noun for noun in VISITED if DONE_THERE[noun])
# One may know these, but hardly like them.
SOBER = frozenset(("hôpital", "gare", "pharmacie", "banque", "usine", "supermarché", "aéroport"))
EATEN = with_objects("manger boire")
COUNTED = tuple((verb, noun) for verb, noun in EATEN if "mass" not in noun.tags)
# "en" and "y" for what one thinks or talks about.
OF_IT = named("parler rêver discuter souvenir", (*TRANSITIVE, *REFLEXIVE))
TO_IT = named("penser renoncer participer habituer", (*TRANSITIVE, *REFLEXIVE))
OF_THINGS = {verb: tuple(noun for noun in OBJECTS[verb] if noun in DESCRIBED and "human" not in noun.tags)
             for verb in (*OF_IT, *TO_IT)}  # fmt: skip
HANDED = tuple(
    (verb, noun)
    for verb in named("donner prêter montrer envoyer apporter rendre vendre", GIVING)
    for noun in OBJECTS[verb]
    if noun.tags & {"thing", "ownable"}
)
# Who feels how, and what helps.
COMFORTS = (
    (
        feelings("triste seul déçu inquiet nerveux"),
        named("consoler encourager téléphoner parler écrire sourire", SOCIAL),
    ),
    (feelings("fatigué malade blessé perdu"), named("aider appeler téléphoner", SOCIAL)),
)
IN_NEED = feelings("triste seul déçu malade blessé fatigué")
CHEERING = tuple(
    (verb, noun)
    for gives, nouns in (
        ("donner", "fruit sweet hot couverture livre roman jouet"),
        ("apporter", "dish sweet fruit soupe hot couverture livre fleur cadeau"),
        ("offrir", "gâteau biscuit chocolat hot limonade"),
        ("raconter", "told"),
        ("lire", "histoire poème lettre"),
        ("envoyer", "lettre photo cadeau"),
    )
    for verb in named(gives, GIVING)
    for noun in OBJECTS[verb]
    if noun in nouns_with(*nouns.split())
)
LIKE = Verb("aimer", "like", state=True)
KNOW = Verb("connaître", "know", state=True)
HERE_IS, HERE_ARE = (phrase("voici", english) for english in ("here is", "here are"))


def looking(draw: Draw) -> Phrase:
    """Où est la clé ? Je l'ai perdue hier. / Where is the key? I lost it yesterday."""
    verb, noun = draw.one(SEARCHED)
    draw.pairs.append((verb.fr, noun.fr))
    thing = draw.thing(noun, definite=True)
    clause = Clause(draw.subject(), verb, "past", clitics=(object_clitic(thing),))
    return where_is(thing) + ASK + timed(draw, draw.placed(clause, 0.3), PAST_NEAR)


def where_is(thing: Nominal) -> Phrase:
    """Où sont ..., Where are ...: the verb comes before a noun."""
    verb, asks = (new_key(),), (new_key(),)
    french, english = ("sont", "are") if thing.plural else ("est", "is")
    return Phrase((Word("où", asks), Word(french, verb)), (Word("where", asks), Word(english, verb))) + thing.phrase


def here_it_is(draw: Draw) -> Phrase:
    """Voici un livre intéressant. Je le lirai demain. / Here is an interesting book. I will read it tomorrow."""
    tense, times = draw.one(NEARBY)
    verb = draw.one(MADE if tense == "past" else AT_HAND)
    noun = draw.one(OBJECTS[verb])
    draw.pairs.append((verb.fr, noun.fr))
    mass = "mass" in noun.tags
    plural = verb.plural_objects or (not verb.singular_objects and draw.several(noun, 0.35))
    determiner: Determiner = draw.one(("some" if mass else "a", "the", "the"))
    adjectives = draw.adjectives(noun, 0.35, telling=determiner == "the", verb=verb.fr)
    thing = noun_phrase(noun, determiner, plural, adjectives)
    negation: Negation = "pas" if draw.chance(0.2) else ""
    clause = Clause(draw.subject(), verb, tense, negation=negation, clitics=(object_clitic(thing),))
    return (HERE_ARE if thing.plural else HERE_IS) + thing.phrase + STOP + timed(draw, clause, times)


def got_and_used(draw: Draw) -> Phrase:
    """Marie a acheté une pomme et elle l'a mangée. / Marie bought an apple and she ate it."""
    first, noun, second = draw.one(GOT_AND_USED)
    draw.pairs += ((first.fr, noun.fr), (second.fr, noun.fr))
    subject = draw.subject()
    thing = draw.some(noun) if draw.chance(0.7) else draw.thing(noun, definite=True)
    got = Clause(subject, first, "past", object=thing)
    used = Clause(subject_pronoun(subject), second, "past", clitics=(object_clitic(thing),))
    if draw.chance(0.3) and not second.unmeant:
        used.tense, used.chain, used.negation = "imperfect", WANT_TO, "pas"
        return realize(got) + COMMA + BUT + realize(used) + STOP
    return realize(draw.placed(got, 0.3)) + AND + realize(used) + STOP


WANT_TO = Verb("vouloir", "want", en_particle="to", state=True)


def helped(draw: Draw) -> Phrase:
    """Mon oncle était triste, alors je lui ai téléphoné. / My uncle was sad, so I phoned him."""
    person = draw.someone()
    tense: Tense = draw.one(("past", "future"))
    troubles, helps = draw.one(COMFORTS)
    feels = draw.being(person, draw.one(troubles), "imperfect" if tense == "past" else "present")
    clause = Clause(_other(draw), draw.one(helps), tense)
    clitic = recipient_clitic(person, "") if clause.verb.fr_preposition else object_clitic(person)
    clause.clitics = (clitic,)
    return realize(feels) + COMMA + SO + realize(clause) + STOP


def gave(draw: Draw) -> Phrase:
    """Marie est malade, alors nous lui apporterons du thé. / Marie is sick, so we will bring some tea to her."""
    person = draw.someone()
    tense: Tense = draw.one(("past", "future"))
    feels = draw.being(person, draw.one(IN_NEED), "imperfect" if tense == "past" else "present")
    verb, noun = draw.one(CHEERING)
    draw.pairs.append((verb.fr, noun.fr))
    clause = Clause(_other(draw), verb, tense, clitics=(recipient_clitic(person),))
    clause.object = draw.some(noun, verb=verb.fr)
    return realize(feels) + COMMA + SO + realize(clause) + STOP


def handed_over(draw: Draw) -> Phrase:
    """Paul veut ce livre. Je le lui prêterai demain. / Paul wants this book. I will lend it to him tomorrow."""
    verb, noun = draw.one(HANDED)
    draw.pairs.append((verb.fr, noun.fr))
    thing = draw.thing(noun, definite=True, adjectives=0.2)
    tense, times = draw.one(NEARBY)
    if draw.chance(0.4):
        person = pronoun(draw.one(("tu", "vous")))
        giver = draw.one((pronoun("je"), pronoun("nous"), draw.someone()))
    else:
        person = draw.someone()
        giver = _other(draw)
    wants = Clause(person, WANT, "imperfect" if tense == "past" else "present", object=thing)
    receiver = recipient_clitic(person)
    given = Clause(giver, verb, tense, clitics=(receiver, object_clitic(thing)))
    return realize(wants) + STOP + timed(draw, given, times)


def there(draw: Draw) -> Phrase:
    """Je connais ce parc et j'y cours souvent. / I know this park and I often run there."""
    noun = draw.one(LIVELY)
    subject = draw.subject()
    place = noun_phrase(noun, "this", adjectives=draw.adjectives(noun, 0.4))
    knows = Clause(subject, KNOW if noun.fr in SOBER else draw.one((LIKE, KNOW)), object=place)
    verb = draw.one(DONE_THERE[noun]) if draw.chance(0.7) else GO
    clause = Clause(subject_pronoun(subject), verb, "present", habit=True, clitics=(there_clitic(),))
    dice = draw.rng.random()
    if dice < 0.35:
        clause.tense, clause.habit = "future", False
        return realize(knows) + AND + realize(clause) + draw.when(FUTURE_TIMES, clause) + STOP
    if dice < 0.65:
        clause.adverb = draw.one(FREQUENCIES)
        return realize(knows) + AND + realize(clause) + STOP
    if dice < 0.8:
        clause.negation = "jamais"
        return realize(knows) + COMMA + BUT + realize(clause) + STOP
    return realize(knows) + AND + realize(clause) + draw.when(HABIT_TIMES, clause) + STOP


def thought_of(draw: Draw) -> Phrase:
    """Ce voyage est important et nous y pensons souvent. / This trip is important and we often think about it."""
    verb, choices = draw.one(REMARKS)
    noun, adjective = draw.one(choices)
    draw.pairs += ((verb.fr, noun.fr), (noun.fr, adjective.fr))
    thing = noun_phrase(noun, "this")
    clitic = of_it_clitic() if verb.fr_preposition == "de" else to_it_clitic()
    clause = Clause(draw.subject(), verb, "present", habit=True, clitics=(clitic,))
    if verb.instant or verb.fr in ("habituer", "participer") or draw.chance(0.4):
        clause.tense, clause.habit = draw.one(("past", "future")), False
    elif draw.chance(0.4):
        clause.negation = draw.one(("jamais", "plus"))
        return realize(draw.being(thing, adjective)) + COMMA + BUT + realize(clause) + STOP
    else:
        clause.adverb = draw.one(FREQUENCIES[:4])
    return realize(draw.being(thing, adjective)) + AND + realize(clause) + STOP


# What a thing is like that one does this to.
REMARKS = tuple(
    (verb, tuple((n, a) for n in OF_THINGS[verb] for a in ADJECTIVES[n] if a.fr in qualities.split()))
    for verbs, qualities in (
        ("penser", "important difficile compliqué dangereux intéressant étrange nouveau sérieux"),
        (
            "parler discuter",
            "important intéressant nouveau difficile étrange drôle bon mauvais compliqué sérieux",
        ),
        ("rêver", "beau grand rapide cher moderne sauvage élégant"),
        ("souvenir", "beau long intéressant étrange drôle important difficile dangereux cher"),
        ("renoncer", "cher dangereux difficile compliqué ennuyeux long"),
        ("participer", "important intéressant nouveau long ennuyeux"),
        ("habituer", "bruyant sombre petit grand étrange difficile compliqué nouveau moderne froid ennuyeux"),
    )
    for verb in named(verbs, (*OF_IT, *TO_IT))
)


def some_of_it(draw: Draw) -> Phrase:
    """Hugo aime les poires et il en mange souvent. / Hugo likes pears and he often eats some."""
    verb, noun = draw.one(EATEN)
    draw.pairs.append((verb.fr, noun.fr))
    subject = draw.subject()
    kind = noun_phrase(noun, "kind", "mass" not in noun.tags)
    likes = Clause(subject, LIKE, object=kind)
    if draw.chance(0.45):
        eats = Clause(draw.name(), verb, "present", habit=True, negation=draw.one(("jamais", "plus")))
        eats.clitics = (of_them_clitic("any"),)
        return realize(likes) + COMMA + BUT + realize(eats) + STOP
    eats = Clause(subject_pronoun(subject), verb, "present", habit=True, clitics=(of_them_clitic("some"),))
    if draw.chance(0.5):
        eats.adverb = draw.one(FREQUENCIES)
        return realize(likes) + AND + realize(draw.placed(eats, 0.4)) + STOP
    return realize(likes) + AND + realize(eats) + draw.one(HABIT_TIMES) + STOP


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
