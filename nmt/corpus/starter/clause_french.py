"""A clause in French.

Subject - ne - clitics - finite verb (- inverted subject) - pas, adverb - participle or infinitive - objects - the rest.
"""

from nmt.corpus.starter import french
from nmt.corpus.starter.clauses import REFLEXIVES, Clause, Keys, Tense
from nmt.corpus.starter.nominals import Nominal
from nmt.corpus.starter.verbs import Verb
from nmt.corpus.starter.words import Word

COMPOUND = ("past", "perfect", "pluperfect")


def french_side(c: Clause, keys: Keys) -> list[Word]:
    """The clause in French."""
    subject = c.subject
    words = list(c.asked.fr)
    if c.question == "est-ce que":
        words += (Word("est-ce", (keys.asks,)), Word("que", (keys.asks,)))
    inverted = c.question == "inversion"
    if not (inverted and subject.pronoun):
        words += subject.fr
    if c.negation:
        words.append(Word("ne", (keys.no,)))
    finite, rest = _french_verb(c, keys)
    pronouns = french_clitics(c, keys)
    if not _ends_in_infinitive(c):
        words += pronouns
    words.append(_with_subject(finite, subject) if inverted else finite)
    words += (Word(part, (keys.no if c.negation == "pas" else keys.never,)) for part in c.negation.split())
    words += c.adverb.fr
    if _ends_in_infinitive(c):
        *rest, infinitive = rest
        words += (*rest, *pronouns, infinitive)
    else:
        words += rest
    return [*words, *french_complements(c, keys)]


def french_complements(c: Clause, keys: Keys) -> list[Word]:
    """What follows the verb group: the object, the recipient, the rest."""
    words: list[Word] = []
    if c.object is not None:
        words += (Word(part, (keys.main,)) for part in c.verb.fr_preposition.split())
        words += c.object.fr
    if c.recipient is not None:
        words.append(Word("à", (keys.main,)))
        words += c.recipient.fr
    words += c.tail.fr
    return words


def _ends_in_infinitive(c: Clause) -> bool:
    return c.chain is not None or c.tense in ("going", "recent")


def french_clitics(c: Clause, keys: Keys) -> list[Word]:
    """The pronouns before the verb, in their fixed order, a reflexive one first."""
    words = [clitic.fr for clitic in sorted(c.clitics, key=lambda clitic: clitic.slot)]
    if c.verb.reflexive:
        words.insert(0, Word(REFLEXIVES[c.subject.person], (keys.main,)))
    return words


def _french_verb(c: Clause, keys: Keys) -> tuple[Word, list[Word]]:
    """The finite verb, and the participle, prepositions and infinitives after it."""
    head, meaning = (c.chain, keys.chain) if c.chain else (c.verb, keys.main)
    person = c.subject.person
    rest: list[Word] = []
    if c.tense in COMPOUND:
        auxiliary = "être" if head.with_etre else "avoir"
        tense: french.SimpleTense = "imperfect" if c.tense == "pluperfect" else "present"
        finite = Word(french.conjugate(auxiliary, tense, person), (keys.aux,))
        rest.append(Word(_participle(c, head), (meaning,)))
    elif c.tense in ("going", "recent"):
        finite = Word(french.conjugate("aller" if c.tense == "going" else "venir", "present", person), (keys.aux,))
        if c.tense == "recent":
            rest.append(Word("de", (keys.aux,)))
        rest.append(Word(head.fr, (meaning,)))
    else:
        finite = Word(_simple_form(head.fr, c.tense, person), (keys.aux, meaning))
    if c.chain:
        if c.chain.fr_preposition:
            rest.append(Word(c.chain.fr_preposition, (keys.chain,)))
        rest.append(Word(c.verb.fr, (keys.main,)))
    return finite, rest


def _simple_form(infinitive: str, tense: Tense, person: int) -> str:
    match tense:
        case "must":
            return french.subjunctive(infinitive, person)
        case "arrival":
            return french.conjugate(infinitive, "future", person)
        case "imperfect" | "future" | "conditional":
            return french.conjugate(infinitive, tense, person)
        case _:
            return french.conjugate(infinitive, "present", person)


def _participle(c: Clause, head: Verb) -> str:
    """The past participle: with être it agrees with the subject, with avoir only with an object before it."""
    form = french.conjugation(head.fr).participle
    agrees = c.preceding or next((clitic.agrees for clitic in c.clitics if clitic.agrees), None)
    if head.with_etre:
        agrees = c.subject
    elif head is not c.verb:
        agrees = None
    return french.agree(form, form + "e", agrees.feminine, agrees.plural) if agrees else form


def _with_subject(finite: Word, subject: Nominal) -> Word:
    """Inversion: mangez-vous, a-t-il; after a full subject its pronoun (Marie a-t-elle)."""
    if subject.pronoun:
        text, keys = subject.fr[0].text, subject.fr[0].keys
    else:
        text, keys = ("elle" if subject.feminine else "il") + ("s" if subject.plural else ""), ()
    linking = "-t-" if text[0] in "eio" and finite.text[-1] not in "td" else "-"
    return Word(finite.text + linking + text, finite.keys + keys)
