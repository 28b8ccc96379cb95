"""A clause in English.

(Auxiliary -) subject - auxiliary - not, adverb - verb - objects - the rest; do where there is no other auxiliary.
"""

from nmt.corpus.starter import english
from nmt.corpus.starter.clauses import Clause, Keys
from nmt.corpus.starter.verbs import Verb
from nmt.corpus.starter.words import Word


def english_side(c: Clause, keys: Keys) -> list[Word]:
    """The clause in English."""
    auxiliaries, main = _english_verb(c, keys)
    asks = c.question in ("est-ce que", "inversion")
    negated = c.negation in ("pas", "rien", "pas encore")
    if not auxiliaries and (asks or negated):
        auxiliaries, main = _with_do(c, main, keys)
    if asks:
        auxiliaries = [Word(auxiliaries[0].text, (*auxiliaries[0].keys, keys.asks)), *auxiliaries[1:]]
        words = [*c.asked.en, auxiliaries[0], *c.subject.en]
        auxiliaries = auxiliaries[1:]
    else:
        words = [*c.asked.en, *c.subject.en, *auxiliaries[:1]]
        auxiliaries = auxiliaries[1:]
    if negated and words[-1].text == "can":
        words[-1] = Word("cannot", (*words[-1].keys, keys.no, keys.never))
    elif negated:
        words.append(Word("not", (keys.no, keys.never) if c.negation != "rien" else (keys.no,)))
    elif c.negation == "jamais":
        words.append(Word("never", (keys.no, keys.never)))
    elif c.negation == "plus":
        words += (Word("no", (keys.no,)), Word("longer", (keys.never,)))
    words += c.adverb.en
    words += auxiliaries
    words += main
    words += english_complements(c, keys)
    if c.negation == "pas encore":
        words.append(Word("yet", (keys.never,)))
    return words


def english_complements(c: Clause, keys: Keys) -> list[Word]:
    """What follows the verb: its particle and objects, pronouns before a separable particle (put it on)."""
    words: list[Word] = []
    things = [word for clitic in c.clitics if clitic.thing for word in clitic.en]
    if c.negation == "rien":
        things.append(Word("anything", (keys.never,)))
    particle = [Word(part, (keys.main,)) for part in c.verb.en_particle.split()]
    full = list(c.object.en) if c.object is not None else []
    words += (*things, *particle, *full) if c.verb.separable else (*particle, *things, *full)
    if c.recipient is not None:
        words += (Word("to", (keys.main,)), *c.recipient.en)
    words += (word for clitic in c.clitics if not clitic.thing for word in clitic.en)
    words += c.tail.en
    return words


def _english_verb(c: Clause, keys: Keys) -> tuple[list[Word], list[Word]]:
    """Auxiliaries and main words of the English verb group."""
    if c.chain is None:
        auxiliaries, forms = _english_forms(c, c.verb.en, c.verb.state)
        tail: list[Word] = []
        meaning = keys.main
    else:
        auxiliaries, forms, particle = _english_chain(c, c.chain)
        meaning = keys.chain
        tail = [Word(part, (keys.chain,)) for part in particle.split()]
        tail.append(Word(c.verb.en, (keys.main,)))
    # a tense that English has no word for is in the verb itself
    own = (meaning,) if auxiliaries and forms else (keys.aux, meaning)
    return (
        [Word(text, (keys.aux,) if forms else own) for text in auxiliaries],
        [*(Word(text, own) for text in forms), *tail],
    )


def _english_chain(c: Clause, chain: Verb) -> tuple[list[str], list[str], str]:
    """Forms of the governing verb, and the "to" after it; can, should and would like have their own."""
    if chain.en == "can":
        match c.tense:
            case "present":
                return ["can"], [], ""
            case "imperfect" | "conditional":
                return ["could"], [], ""
            case "past":
                return [english.BE_PAST[c.subject.en_person]], ["able"], "to"
            case _:
                return ["will"], ["be", "able"], "to"
    if c.tense == "conditional":
        if chain.fr == "devoir":
            return ["should"], [], ""
        if chain.fr == "vouloir":
            return ["would"], ["like"], "to"
    return *_english_forms(c, chain.en, chain.state), chain.en_particle


def _english_forms(c: Clause, base: str, state: bool) -> tuple[list[str], list[str]]:
    """Auxiliaries, and the form of the verb, by what the table at the head of this file says."""
    person = c.subject.en_person
    be = english.BE_PRESENT[person]
    have = english.present("have", person)
    match c.tense:
        case "present":
            if state or c.habit or c.negation in ("jamais", "plus"):
                return ([be], []) if base == "be" else ([], [english.present(base, person)])
            return [be], [english.ing(base)]
        case "past":
            if c.negation == "jamais":
                return [have], [english.participle(base)]
            return ([english.BE_PAST[person]], []) if base == "be" else ([], [english.past(base)])
        case "imperfect":
            if c.habit:
                return [], ["used", "to", base]
            if state or c.negation in ("jamais", "plus"):
                return ([english.BE_PAST[person]], []) if base == "be" else ([], [english.past(base)])
            return [english.BE_PAST[person]], [english.ing(base)]
        case "future":
            return ["will"], [base]
        case "conditional":
            return ["would"], [base]
        case "going":
            return [be], ["going", "to", base]
        case "recent":
            return [have, "just"], [english.participle(base)]
        case "perfect":
            return [have], [english.participle(base)]
        case "pluperfect":
            return ["had"], [english.participle(base)]
        case "must":
            return ["must"], [base]
        case "arrival":
            return ([be], []) if base == "be" else ([], [english.present(base, person)])
        case "since":
            return ([have], [english.participle(base)]) if state else ([have, "been"], [english.ing(base)])


def _with_do(c: Clause, main: list[Word], keys: Keys) -> tuple[list[Word], list[Word]]:
    """do, does, did, and the bare verb."""
    head = c.chain.en if c.chain else c.verb.en
    past = c.tense in ("past", "imperfect")
    form = "did" if past else english.present("do", c.subject.en_person)
    meaning = keys.chain if c.chain else keys.main
    return [Word(form, (keys.aux,))], [Word(head, (meaning,)), *main[1:]]
