"""Templates: orders, what must be done, and what one needs for it."""

from nmt.corpus.starter.clauses import Clause, Negation, object_clitic, recipient_clitic
from nmt.corpus.starter.collocations import FUTURE_TIMES, OBJECTS, nouns_named, nouns_with
from nmt.corpus.starter.draw import Draw
from nmt.corpus.starter.lexicon_nouns import Noun
from nmt.corpus.starter.lexicon_verbs import INTRANSITIVE, NEED, TRANSITIVE, WANT
from nmt.corpus.starter.nominals import noun_phrase, pronoun, subject_pronoun
from nmt.corpus.starter.pronouns import HANDED, where_is
from nmt.corpus.starter.realization import infinitive, order, realize
from nmt.corpus.starter.statements import ASK, CALL, COMMA, STOP
from nmt.corpus.starter.verbs import Verb, named
from nmt.corpus.starter.words import Phrase, Word, new_key, phrase


def told_to(draw: Draw) -> Phrase:
    """Fermez la fenêtre, s'il vous plaît. / Close the window, please."""
    polite = draw.chance(0.6)
    listener = pronoun("vous" if polite else "tu")
    negation: Negation = "pas" if draw.chance(0.35) else ""
    clause = draw.acts(listener, "future", negation=negation)
    while clause.verb.state or clause.clitics or not (clause.verb.takes or clause.verb in ORDERED):
        clause = draw.acts(listener, "future", negation=negation)
    if draw.chance(0.5):
        return order(draw.placed(clause, 0.3)) + COMMA + (PLEASE_VOUS if polite else PLEASE_TU) + STOP
    return order(draw.placed(clause, 0.5)) + CALL


# Of what one does by oneself, what one may be told to do or not to do.
ORDERED = named("attendre rester chanter danser jouer fumer dormir courir travailler", INTRANSITIVE)
PLEASE_VOUS, PLEASE_TU = phrase("s'il vous plaît", "please"), phrase("s'il te plaît", "please")


def give_it(draw: Draw) -> Phrase:
    """Où est la clé ? Donnez-la-moi, s'il vous plaît. / Where is the key? Give it to me, please."""
    verb, noun = draw.one(ASKED_FOR)
    draw.pairs.append((verb.fr, noun.fr))
    thing = draw.thing(noun, definite=True, adjectives=0.2)
    polite = draw.chance(0.6)
    person = pronoun("je") if draw.chance(0.5) else draw.someone()
    listener = pronoun("vous" if polite else "tu")
    clause = Clause(listener, verb, clitics=(recipient_clitic(person), object_clitic(thing)))
    if not person.pronoun and draw.chance(0.3):
        clause.negation = "pas"
    start = where_is(thing) + ASK if person.pronoun else realize(Clause(person, WANT, object=thing)) + STOP
    return start + order(clause) + COMMA + (PLEASE_VOUS if polite else PLEASE_TU) + STOP


# One asks to be given, lent or shown a thing, not to be sold one.
ASKED_FOR = tuple((verb, noun) for verb, noun in HANDED if verb.fr in ("donner", "prêter", "montrer", "apporter"))


def must(draw: Draw) -> Phrase:
    """Il faut que tu répares la porte demain. / You must repair the door tomorrow."""
    clause = draw.acts(draw.subject(), "must")
    said = realize(draw.placed(clause, 0.2))
    time = draw.when(FUTURE_TIMES, clause)
    # "il faut que" is what English says with must
    at = next(i for i, word in enumerate(said.en) if word.text == "must")
    keys = said.en[at].keys
    it, must, that = (Word(text, keys) for text in ("il", "faut", "que"))
    if draw.chance(0.8):
        return Phrase((it, must, that, *said.fr), said.en) + time + STOP
    no = (new_key(),)
    english = (*said.en[: at + 1], Word("not", no), *said.en[at + 1 :])
    return Phrase((it, Word("ne", no), must, Word("pas", no), that, *said.fr), english) + time + STOP


def needs(draw: Draw) -> Phrase:
    """Marie a besoin d'un couteau pour couper le pain. / Marie needs a knife to cut the bread."""
    tool, verb, nouns = draw.one(TOOLS)
    subject = draw.subject()
    first = Clause(subject, NEED, draw.one(("present", "present", "imperfect", "future")))
    first.object = noun_phrase(tool, draw.one(("a", "a", "this")))
    second = Clause(subject_pronoun(subject), verb)
    noun = draw.one(nouns)
    draw.pairs.append((verb.fr, noun.fr))
    second.object = draw.thing(noun, definite=True, owner=subject, singular=verb.singular_objects, verb=verb.fr)
    return realize(first) + phrase("pour", "to") + infinitive(second) + STOP


# With what one does what to what.
TOOLS: tuple[tuple[Noun, Verb, tuple[Noun, ...]], ...] = tuple(
    (tool, verb, tuple(noun for noun in nouns_with(*objects.split()) if noun in OBJECTS[verb]))
    for tools, verbs, objects in (
        ("couteau", "couper", "fruit vegetable pain fromage viande gâteau corde"),
        ("clé", "ouvrir", "valise boîte armoire tiroir porte"),
        ("couteau", "ouvrir", "boîte colis lettre"),
        ("stylo crayon", "corriger", "exercice erreur examen"),
        ("stylo", "signer écrire", "lettre contrat document message poème article"),
        ("crayon", "dessiner", "animal nature home"),
        ("dictionnaire", "traduire", "lettre roman article poème message recette"),
        ("marteau", "réparer", "table chaise étagère porte fenêtre toit"),
        ("panier", "ramasser transporter", "fruit"),
        ("camion", "transporter", "furniture farm"),
        ("ordinateur", "imprimer écrire", "article rapport document billet"),
        ("échelle", "réparer peindre", "toit mur"),
        ("échelle", "ramasser", "pomme poire cerise"),
        ("voiture", "visiter", "visited"),
    )
    for tool in nouns_named(tools)
    for verb in named(verbs, TRANSITIVE)
    if any(noun in OBJECTS[verb] for noun in nouns_with(*objects.split()))
)
