"""Templates with two verbs: subordinate clauses, infinitives and gerunds; orders, and what must be done."""

from nmt.corpus.starter.clauses import Clause, Negation, Tense, object_clitic, recipient_clitic
from nmt.corpus.starter.draw import (
    FREQUENCIES,
    FUTURE_TIMES,
    SPOTS,
    Draw,
    nouns_with,
)
from nmt.corpus.starter.lexicon_adjectives import DESCRIPTIONS, FEELINGS, Adjective
from nmt.corpus.starter.lexicon_verbs import INTRANSITIVE, MAKE_BE, MOTION, RAIN, SNOW, TRANSITIVE, WANT
from nmt.corpus.starter.nominals import noun_phrase, pronoun, subject_pronoun
from nmt.corpus.starter.places import SKIES
from nmt.corpus.starter.pronouns import HANDED, where_is
from nmt.corpus.starter.realization import gerund, infinitive, order, realize
from nmt.corpus.starter.statements import ASK, BUT, CALL, COMMA, LATER, STOP
from nmt.corpus.starter.verbs import Verb, named, others, read_verb, read_verbs
from nmt.corpus.starter.words import Phrase, Word, phrase

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
    feeling = draw.being(subject_pronoun(subject), draw.one(HINDRANCES), "imperfect" if tense == "past" else "present")
    return realize(main) + BECAUSE + realize(feeling) + STOP


def _feelings(*french: str) -> tuple[Adjective, ...]:
    return tuple(feeling for feeling in FEELINGS if feeling.fr in french)


GLAD, SORRY = _feelings("heureux", "content", "fier"), _feelings("triste", "déçu", "furieux", "inquiet")
GAINS = named("acheter trouver recevoir visiter obtenir terminer construire réparer comprendre", TRANSITIVE)
REASONS: tuple[tuple[tuple[Adjective, ...], tuple[Verb, ...], Negation], ...] = (
    (GLAD, GAINS, ""),
    (SORRY, named("perdre casser oublier quitter", TRANSITIVE), ""),
    (SORRY, named("trouver recevoir obtenir comprendre voir", TRANSITIVE), "pas"),
)
HINDRANCES = _feelings("fatigué", "malade", "occupé", "pressé", "blessé", "nerveux")


def if_it(draw: Draw) -> Phrase:
    """S'il fait beau demain, nous irons à la plage. / If it is sunny tomorrow, we will go to the beach."""
    if draw.chance(0.65):
        sky = Clause(pronoun("il", "it"), draw.one((RAIN, SNOW, MAKE_BE, MAKE_BE)), habit=True)
        if sky.verb is MAKE_BE:
            sky.tail = draw.one(SKIES)
        condition = realize(sky) + draw.one(FUTURE_TIMES)
        subject = draw.subject()
    else:
        subject = draw.subject()
        condition = realize(draw.being(subject, draw.one(_feelings("prêt", "libre", "fatigué", "malade"))))
        subject = subject_pronoun(subject)
    main = draw.acts(subject, "future", negation="pas" if draw.chance(0.3) else "")
    if subject.pronoun or draw.chance(0.6):
        return IF + condition + COMMA + realize(draw.placed(main, 0.5)) + STOP
    return realize(main) + IF + condition + STOP


def if_one_were(draw: Draw) -> Phrase:
    """Si Paul était riche, il achèterait une maison. / If Paul were rich, he would buy a house."""
    subject = draw.subject()
    wishes, verbs = draw.one(DREAMS)
    wish = realize(draw.being(subject, draw.one(wishes), "imperfect"))
    # the old subjunctive: if I were
    were = tuple(word._replace(text="were") if word.text == "was" else word for word in wish.en)
    main = Clause(subject_pronoun(subject), draw.one(verbs), "conditional")
    main.object = draw.object_of(main.verb, main)
    return IF + Phrase(wish.fr, were) + COMMA + realize(main) + STOP


DREAMS = (
    (
        tuple(adjective for adjective in DESCRIPTIONS if adjective.fr == "riche"),
        named("acheter louer construire visiter choisir commander", TRANSITIVE),
    ),
    (
        _feelings("libre", "seul", "prêt"),
        named("visiter regarder écouter lire écrire peindre planter nettoyer préparer", TRANSITIVE),
    ),
)


def when_then(draw: Draw) -> Phrase:
    """Quand Marie arrivera, nous préparerons le repas. / When Marie arrives, we will prepare the meal."""
    first = Clause(draw.someone(), draw.one(COMING), "arrival")
    main = draw.acts(draw.subject(), "future", negation="pas" if draw.chance(0.2) else "")
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
    """Marie a lu la lettre, mais Paul n'a pas lu le roman. / Marie read the letter, but Paul did not read the novel."""
    tense, _ = draw.one(LATER)
    verb = draw.one(TRANSITIVE)
    first, second = Clause(draw.subject(), verb, tense), Clause(draw.someone(), verb, tense, negation="pas")
    first.object, second.object = draw.object_of(verb, first), draw.object_of(verb, second)
    return realize(first) + COMMA + BUT + realize(second) + STOP


def said(draw: Draw) -> Phrase:
    """Julie dit qu'elle a perdu sa clé. / Julie says that she lost her key."""
    subject = draw.subject()
    says = Clause(subject, draw.one(SAYING))
    who = subject_pronoun(subject) if draw.chance(0.4) else draw.someone()
    tense: Tense = draw.one(("past", "future", "going")) if says.verb is not HOPE else "future"
    return realize(says) + THAT + realize(draw.placed(draw.acts(who, tense), 0.2)) + STOP


HOPE = read_verb("espérer | hope | | state")
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
    link_fr, link_en, ing = draw.one(LINKS)
    tense: Tense = draw.one(("past", "past", "future"))
    main = draw.handles(draw.subject(), tense)
    other = draw.acts(subject_pronoun(main.subject), tense)
    return realize(main) + phrase(link_fr, link_en) + infinitive(other, ing) + STOP


LINKS = (("avant de", "before", True), ("avant de", "before", True), ("sans", "without", True))


def in_order_to(draw: Draw) -> Phrase:
    """Nous sommes allés au marché pour acheter des fruits. / We went to the market to buy some pears."""
    spot, verb = draw.one(ERRANDS)
    tense, times = draw.one(LATER)
    main = Clause(draw.subject(), MOTION[0], tense, tail=draw.at(spot, going=True))
    errand = Clause(subject_pronoun(main.subject), verb)
    if verb.takes:
        errand.object = draw.object_of(verb, errand)
    time = draw.one(times) + COMMA if draw.chance(0.4) else Phrase()
    return time + realize(main) + phrase("pour", "to") + infinitive(errand) + STOP


ERRANDS = tuple(
    (noun, verb)
    for noun in nouns_with("building", "room", "forêt")
    for verb in others("perdre trouver attendre casser admirer rester voir", (*TRANSITIVE, *INTRANSITIVE))
    if noun in SPOTS[verb.where]
)


def while_doing(draw: Draw) -> Phrase:
    """Paul chante en préparant le dîner. / Paul sings while preparing the meal."""
    tense: Tense = draw.one(("past", "present", "imperfect"))
    subject = draw.subject()
    main = Clause(subject, draw.one(ALONGSIDE), tense, habit=tense == "present")
    other = Clause(subject_pronoun(subject), draw.one(CHORES))
    other.object = draw.object_of(other.verb, other)
    if tense == "present":
        main.adverb = draw.one(FREQUENCIES)
    return realize(main) + phrase("en", "while") + gerund(other) + STOP


CHORES = named(
    "nettoyer laver préparer réparer lire écrire peindre couper conduire écouter regarder traverser nourrir", TRANSITIVE
)
ALONGSIDE = named("chanter rire pleurer fumer crier amuser", INTRANSITIVE)


def told_to(draw: Draw) -> Phrase:
    """Fermez la fenêtre, s'il vous plaît. / Close the window, please."""
    polite = draw.chance(0.6)
    clause = draw.acts(pronoun("vous" if polite else "tu"), "future", negation="pas" if draw.chance(0.4) else "")
    while clause.verb.state or clause.verb.instant or clause.verb.reflexive or clause.clitics:
        clause = draw.acts(clause.subject, "future", negation=clause.negation)
    please = PLEASE_VOUS if polite else PLEASE_TU
    dice = draw.rng.random()
    if dice < 0.5:
        return order(draw.placed(clause, 0.4)) + COMMA + please + STOP
    return order(draw.placed(clause)) + CALL


PLEASE_VOUS, PLEASE_TU = phrase("s'il vous plaît", "please"), phrase("s'il te plaît", "please")


def give_it(draw: Draw) -> Phrase:
    """Où est la clé ? Donnez-la-moi, s'il vous plaît. / Where is the key? Give it to me, please."""
    verb, noun = draw.one(HANDED)
    while verb.en_particle or verb.fr == "vendre":
        verb, noun = draw.one(HANDED)
    draw.pairs.append((verb.fr, noun.fr))
    thing = draw.thing(noun, definite=True, adjectives=0.2)
    polite = draw.chance(0.6)
    person = pronoun("je") if draw.chance(0.5) else draw.someone()
    listener = pronoun("vous" if polite else "tu")
    clause = Clause(listener, verb, clitics=(recipient_clitic(person), object_clitic(thing)))
    if draw.chance(0.25):
        clause.negation = "pas"
    start = where_is(thing) + ASK if person.pronoun else realize(Clause(person, WANT, object=thing)) + STOP
    return start + order(clause) + COMMA + (PLEASE_VOUS if polite else PLEASE_TU) + STOP


def must(draw: Draw) -> Phrase:
    """Il faut que tu répares la porte demain. / You must repair the door tomorrow."""
    clause = draw.acts(draw.subject(), "must", negation="pas" if draw.chance(0.2) else "")
    said = realize(draw.placed(clause, 0.2))
    # "il faut que" is what English says with must
    auxiliary = next(word for word in said.en if word.text == "must")
    needed = Phrase(tuple(Word(text, auxiliary.keys) for text in ("il", "faut", "que")))
    return needed + said + draw.one(FUTURE_TIMES) + STOP


def needs(draw: Draw) -> Phrase:
    """Marie a besoin d'un couteau pour couper le pain. / Marie needs a knife to cut the bread."""
    noun, verb_fr = draw.one(TOOLS)
    verb = next(verb for verb in TRANSITIVE if verb.fr == verb_fr)
    subject = draw.subject()
    tense: Tense = draw.one(("present", "present", "imperfect", "future"))
    tool = noun_phrase(noun, draw.one(("a", "a", "this")))
    first = Clause(subject, NEED, tense, object=tool)
    second = Clause(subject_pronoun(subject), verb)
    second.object = draw.object_of(verb, second)
    return realize(first) + phrase("pour", "to") + infinitive(second) + STOP


TOOLS = tuple(
    (noun, verb)
    for tool, verb in (("couteau", "couper"), ("clé", "ouvrir"), ("stylo", "signer"), ("crayon", "dessiner"),
                       ("dictionnaire", "traduire"), ("marteau", "réparer"), ("panier", "ramasser"),
                       ("camion", "transporter"), ("ordinateur", "imprimer"), ("stylo", "corriger"),
                       ("échelle", "construire"), ("voiture", "visiter"), ("papier", "écrire"))
    for noun in nouns_with(tool)
)  # fmt: skip
NEED = read_verb("avoir besoin de | need | | state")
