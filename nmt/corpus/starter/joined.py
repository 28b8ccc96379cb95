"""Templates with two verbs: subordinate clauses, infinitives and gerunds."""

from nmt.corpus.starter.clauses import Clause, Negation, Tense, object_clitic
from nmt.corpus.starter.collocations import (
    DIRECT,
    FREQUENCIES,
    FUTURE_DAYS,
    FUTURE_TIMES,
    OBJECTS,
    SPOTS,
    feelings,
    nouns_with,
)
from nmt.corpus.starter.draw import Draw
from nmt.corpus.starter.lexicon_adjectives import DESCRIPTIONS, Adjective
from nmt.corpus.starter.lexicon_verbs import (
    INTRANSITIVE,
    MAKE_BE,
    MOTION,
    RAIN,
    SNOW,
    SOCIAL,
    TRANSITIVE,
)
from nmt.corpus.starter.nominals import pronoun, subject_pronoun
from nmt.corpus.starter.places import COLD, WARM
from nmt.corpus.starter.realization import gerund, infinitive, realize
from nmt.corpus.starter.statements import BUT, COMMA, LATER, STOP
from nmt.corpus.starter.verbs import Verb, named, others, read_verb, read_verbs
from nmt.corpus.starter.words import Phrase, phrase

THAT = phrase("que", "that")
BECAUSE, IF, WHEN, WHILE = (
    phrase("parce que", "because"), phrase("si", "if"), phrase("quand", "when"), phrase("pendant que", "while"),
)  # fmt: skip


def because(draw: Draw) -> Phrase:
    """Marie était triste parce qu'elle avait perdu sa clé. / Marie was sad because she had lost her key."""
    subject = draw.subject()
    past = draw.chance(0.5)
    feelings, verbs, negation = draw.one(REASONS)
    main = draw.being(subject, draw.one(feelings), "imperfect" if past else "present")
    reason = Clause(subject_pronoun(subject), draw.one(verbs), "pluperfect" if past else "past", negation=negation)
    reason.object = draw.object_of(reason.verb, reason)
    return realize(main) + BECAUSE + realize(reason) + STOP


def too_tired(draw: Draw) -> Phrase:
    """Il ne viendra pas parce qu'il est malade. / He will not come because he is sick."""
    subject = draw.subject()
    tense: Tense = draw.one(("present", "past", "future"))
    main = draw.acts(subject, tense, negation="pas")
    hindrances = BUSY if main.verb in SOCIAL else HINDRANCES
    feeling = draw.being(subject_pronoun(subject), draw.one(hindrances), "imperfect" if tense == "past" else "present")
    return realize(main) + BECAUSE + realize(feeling) + STOP


GLAD, SORRY = feelings("heureux content fier"), feelings("triste déçu furieux inquiet")
GAINS = named("acheter trouver recevoir visiter obtenir terminer construire réparer comprendre", TRANSITIVE)
REASONS: tuple[tuple[tuple[Adjective, ...], tuple[Verb, ...], Negation], ...] = (
    (GLAD, GAINS, ""),
    (SORRY, named("perdre casser oublier quitter", TRANSITIVE), ""),
    (SORRY, named("trouver recevoir obtenir comprendre", TRANSITIVE), "pas"),
)
HINDRANCES, BUSY = feelings("fatigué malade occupé pressé blessé"), feelings("occupé pressé fatigué")


def if_it(draw: Draw) -> Phrase:
    """S'il fait beau demain, nous irons à la plage. / If it is sunny tomorrow, we will go to the beach."""
    if draw.chance(0.65):
        fine = draw.chance(0.5)
        sky = Clause(pronoun("il", "it"), MAKE_BE if fine else draw.one((RAIN, SNOW, MAKE_BE)), habit=True)
        if sky.verb is MAKE_BE:
            sky.tail = draw.one(WARM if fine else COLD)
        condition = realize(sky) + draw.one(FUTURE_DAYS)
        main = Clause(draw.subject(), draw.one(OUTDOORS if fine else INDOORS), "future")
        if main.verb.takes:
            main.object = draw.object_of(main.verb, main)
        main = draw.placed(main, 0.4 if fine else 0.0)
    else:
        subject = draw.subject()
        able = draw.chance(0.5)
        condition = realize(draw.being(subject, draw.one(feelings("prêt libre" if able else "fatigué malade"))))
        main = draw.placed(draw.acts(subject_pronoun(subject), "future", negation="" if able else "pas"), 0.3)
    if main.subject.pronoun or draw.chance(0.6):
        return IF + condition + COMMA + realize(main) + STOP
    return realize(main) + IF + condition + STOP


OUTDOORS = (
    *named("marcher courir nager jouer promener baigner", INTRANSITIVE),
    *named("laver visiter planter photographier dessiner ramasser traverser", TRANSITIVE),
)
INDOORS = (
    *named("dormir travailler cuisiner étudier", INTRANSITIVE),
    *named("lire écrire regarder écouter nettoyer corriger préparer peindre réparer", TRANSITIVE),
)


def if_one_were(draw: Draw) -> Phrase:
    """Si Paul était riche, il achèterait une maison. / If Paul were rich, he would buy a house."""
    subject = draw.subject()
    wishes, verbs, taken = draw.one(DREAMS)
    wish = realize(draw.being(subject, draw.one(wishes), "imperfect"))
    # the old subjunctive: if I were
    were = tuple(word._replace(text="were") if word.text == "was" else word for word in wish.en)
    main = Clause(subject_pronoun(subject), draw.one(verbs), "conditional")
    noun = draw.one(tuple(noun for noun in OBJECTS[main.verb] if noun.tags & taken))
    draw.pairs.append((main.verb.fr, noun.fr))
    main.object = draw.thing(noun, definite=main.verb.plain_objects, singular=True, verb=main.verb.fr)
    return IF + Phrase(wish.fr, were) + COMMA + realize(main) + STOP


RICH = tuple(adjective for adjective in DESCRIPTIONS if adjective.fr == "riche")
# What one would do: if one were so, these things to what has one of these tags.
DREAMS = tuple(
    (wishes, tuple(v for v in named(verbs, TRANSITIVE) if any(n.tags & taken for n in OBJECTS[v])), taken)
    for wishes, verbs, taken in (
        (RICH, "acheter louer construire", frozenset(("ownable", "home", "instrument"))),
        (RICH, "visiter", frozenset(("visited",))),
        (feelings("libre"), "lire écrire écouter traduire", frozenset(("paper", "listened"))),
        (
            feelings("libre"),
            "regarder apprendre planter dessiner visiter",
            frozenset(("watched", "learned", "nature", "visited")),
        ),
    )
)


def when_then(draw: Draw) -> Phrase:
    """Quand Marie arrivera, nous préparerons le repas. / When Marie arrives, we will prepare the meal."""
    first = Clause(draw.someone(), draw.one(COMING), "arrival")
    main = draw.acts(draw.subject(), "future")
    if draw.chance(0.6):
        return WHEN + realize(first) + COMMA + realize(main) + STOP
    return realize(main) + WHEN + realize(first) + STOP


COMING = named("arriver rentrer revenir partir sortir", MOTION)


def meanwhile(draw: Draw) -> Phrase:
    """Paul cuisinait pendant que je lisais le journal. / Paul was cooking while I was reading the newspaper."""
    tense: Tense = "imperfect" if draw.chance(0.7) else "present"
    first, second = draw.acts(draw.subject(), tense), draw.acts(draw.someone(), tense)
    return realize(draw.placed(first, 0.2)) + WHILE + realize(second) + STOP


def although_not(draw: Draw) -> Phrase:
    """Marie a lu la lettre, mais Paul ne l'a pas lue. / Marie read the letter, but Paul did not read it."""
    tense, _ = draw.one(LATER)
    verb = draw.one(SHARED)
    first = Clause(draw.subject(), verb, tense)
    noun = draw.one(OBJECTS[verb])
    draw.pairs.append((verb.fr, noun.fr))
    first.object = draw.thing(noun, definite=True, singular=verb.singular_objects, verb=verb.fr)
    second = Clause(draw.someone(), verb, tense, negation="pas", clitics=(object_clitic(first.object),))
    return realize(draw.placed(first, 0.2)) + COMMA + BUT + realize(second) + STOP


# What one person may do and another not, to the same thing.
SHARED = tuple(verb for verb in others("décrire compter transporter admirer", DIRECT) if not verb.unmeant)


def said(draw: Draw) -> Phrase:
    """Julie dit qu'elle a perdu sa clé. / Julie says that she lost her key."""
    subject = draw.subject()
    says = Clause(subject, draw.one(SAYING))
    # nobody needs to be told what they did themselves
    himself = subject.en_person in (2, 5) and draw.chance(0.5)
    who = subject_pronoun(subject) if himself or says.verb is HOPE else draw.someone()
    if says.verb is HOPE:
        hoped = Clause(who, draw.one(HOPED), "future")
        hoped.object = draw.object_of(hoped.verb, hoped)
        return realize(says) + THAT + realize(hoped) + draw.when(FUTURE_TIMES, hoped) + STOP
    tense: Tense = draw.one(("past", "future", "going"))
    return realize(says) + THAT + realize(draw.placed(draw.acts(who, tense), 0.2)) + STOP


HOPE = read_verb("espérer | hope | | state")
HOPED = named("trouver acheter vendre visiter apprendre recevoir voir terminer réparer comprendre", TRANSITIVE)
SAYING = (
    HOPE,
    *read_verbs("""
        dire | say | | state
        penser | think | | state
        croire | believe | | state
        savoir | know | | state
    """),
)  # fmt: skip


def before_that(draw: Draw) -> Phrase:
    """Il a fermé la fenêtre avant de quitter la maison. / He closed the window before leaving the house."""
    tense: Tense = draw.one(("past", "past", "future"))
    main = draw.handles(draw.subject(), tense)
    subject = subject_pronoun(main.subject)
    if draw.chance(0.7):
        return realize(main) + phrase("avant de", "before") + infinitive(draw.acts(subject, "future"), ing=True) + STOP
    other = Clause(subject, draw.one(NEGLECTED))
    draw.with_person(other)
    return realize(main) + phrase("sans", "without") + infinitive(other, ing=True) + STOP


# What one might have done on the way.
NEGLECTED = named("saluer remercier attendre écouter déranger appeler", SOCIAL)


def in_order_to(draw: Draw) -> Phrase:
    """Nous sommes allés au marché pour acheter des fruits. / We went to the market to buy some pears."""
    spot, verb = draw.one(ERRANDS)
    tense, times = draw.one(LATER)
    main = Clause(draw.subject(), MOTION[0], tense, tail=draw.at(spot, going=True))
    errand = Clause(subject_pronoun(main.subject), verb, "future")
    if verb.takes:
        errand.object = draw.object_of(verb, errand)
    time = draw.when(times, errand) + COMMA if draw.chance(0.4) else Phrase()
    return time + realize(main) + phrase("pour", "to") + infinitive(errand) + STOP


PURPOSEFUL = (
    *others("perdre trouver attendre casser admirer voir cacher vendre répéter expliquer", TRANSITIVE),
    *others("attendre rester cacher crier pleurer rire disputer", INTRANSITIVE),
)
ERRANDS = tuple(
    (noun, verb)
    for noun in nouns_with("building", "jardin", "garage", "parc", "plage", "piscine", "forêt", "champ")
    for verb in (
        *others("perdre trouver attendre casser admirer voir cacher vendre répéter expliquer", TRANSITIVE),
        *PURPOSEFUL,
    )
    if noun in SPOTS[verb.where]
)


def while_doing(draw: Draw) -> Phrase:
    """Paul chante en préparant le dîner. / Paul sings while preparing the meal."""
    tense: Tense = draw.one(("past", "present", "imperfect"))
    subject = draw.subject()
    alongside, chores = draw.one(AT_ONCE)
    main = Clause(subject, alongside, tense, habit=tense == "present")
    other = Clause(subject_pronoun(subject), draw.one(chores))
    other.object = draw.object_of(other.verb, other)
    if tense == "present":
        main.adverb = draw.one(FREQUENCIES)
    return realize(main) + phrase("en", "while") + gerund(other) + STOP


# What goes with which chore.
AT_ONCE = tuple(
    (verb, named(chores, TRANSITIVE))
    for alongside, chores in (
        ("chanter", "nettoyer laver préparer réparer peindre couper conduire nourrir planter ramasser"),
        ("rire", "lire écouter regarder écrire dessiner"),
        ("pleurer", "lire écouter regarder écrire couper"),
        ("fumer", "lire écouter regarder conduire attendre réparer traverser"),
        ("amuser", "dessiner peindre apprendre traduire planter"),
    )
    for verb in named(alongside, INTRANSITIVE)
)
