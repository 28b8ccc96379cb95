"""A clause: one subject, one verb and what belongs to it, put in order by the rules of each language.

French: subject - ne - clitics - finite verb (- inverted subject) - pas / adverb - participle or infinitive - objects.
English: (auxiliary -) subject - auxiliary - not / adverb - verb - objects, with do where no other auxiliary is there.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from nmt.corpus.starter import english as en_forms
from nmt.corpus.starter import french as fr_forms
from nmt.corpus.starter.lexicon_verbs import Verb
from nmt.corpus.starter.nominals import Nominal, english_object
from nmt.corpus.starter.words import Phrase, Word, Words, new_key

# French name of the form -> what English makes of it
#   present      mange            eats (a habit, a state), else is eating
#   past         a mangé          ate; after jamais: has never eaten
#   imperfect    mangeait         used to eat (a habit), had (a state), else was eating
#   future       mangera          will eat
#   conditional  mangerait        would eat
#   going        va manger        is going to eat
#   recent       vient de manger  has just eaten
#   perfect      a déjà mangé     has already eaten
#   pluperfect   avait mangé      had eaten
#   since        mange (depuis)   has been eating; a state: has known
#   must         (faut que) mange must eat
#   arrival      (quand) mangera  (when) eats
Tense = Literal[
    "present", "past", "imperfect", "future", "conditional", "going", "recent", "perfect", "pluperfect", "since", "must",
    "arrival",
]  # fmt: skip
Negation = Literal["", "pas", "jamais", "plus", "rien", "pas encore"]
Question = Literal["", "est-ce que", "inversion", "subject"]

NOTHING = Phrase()
REFLEXIVES = ("me", "te", "se", "nous", "vous", "se")
COMPOUND = ("past", "perfect", "pluperfect")


class Clitic(NamedTuple):
    """A pronoun before the French verb. slot: its place (me te nous vous 0, le la les 1, lui leur 2, y 3, en 4).

    thing: its English stands where the object does, else after it.  agrees: what a participle agrees with, if it does.
    """

    slot: int
    fr: Word
    en: Words
    thing: bool
    agrees: Nominal | None = None


@dataclass(slots=True, eq=False)
class Clause:
    """What is said; `realize` puts it into words."""

    subject: Nominal
    verb: Verb
    tense: Tense = "present"
    habit: bool = False
    chain: Verb | None = None  # want to, have to ...: the verb is its infinitive
    negation: Negation = ""
    adverb: Phrase = NOTHING  # souvent / often: inside the verb group
    object: Nominal | None = None
    recipient: Nominal | None = None
    clitics: tuple[Clitic, ...] = ()
    tail: Phrase = NOTHING  # places, times, and what else follows
    question: Question = ""
    asked: Phrase = NOTHING  # the question word in front
    preceding: Nominal | None = None  # the object that stands before the verb, with which the participle agrees


class Keys(NamedTuple):
    """The meanings of one verb group. aux: tense, mood; main: the verb; chain: the verb that governs it."""

    aux: int
    main: int
    chain: int
    no: int
    never: int
    asks: int


def object_clitic(of: Nominal) -> Clitic:
    """le, la, les; him, her, it, them. First and second persons: me, te, nous, vous."""
    key = (new_key(),)
    slot = 1 if of.person in (2, 5) else 0
    french = "les" if of.plural else "la" if of.feminine else "le"
    text = french if slot else REFLEXIVES[of.person]
    return Clitic(slot, Word(text, key), (Word(english_object(of), key),), True, of)


def recipient_clitic(of: Nominal, preposition: str = "to") -> Clitic:
    """lui, leur, me ...; to him, to her, to them. With no preposition it is the English direct object (call him)."""
    key = (new_key(),)
    slot = 2 if of.person in (2, 5) else 0
    french = {2: "lui", 5: "leur"}.get(of.person) or REFLEXIVES[of.person]
    pronoun = Word(english_object(of), key)
    english = (Word(preposition, key), pronoun) if preposition else (pronoun,)
    return Clitic(slot, Word(french, key), english, not preposition)


def there_clitic() -> Clitic:
    """y, there."""
    key = (new_key(),)
    return Clitic(3, Word("y", key), (Word("there", key),), False)


def of_them_clitic(english: str) -> Clitic:
    """en: of them, some, any."""
    key = (new_key(),)
    return Clitic(4, Word("en", key), tuple(Word(part, key) for part in english.split()), True)


def of_it_clitic() -> Clitic:
    """en: what a verb with de is about (en parler, talk about it)."""
    return of_them_clitic("it")


def to_it_clitic() -> Clitic:
    """y: what a verb with à is about (y penser, think about it)."""
    key = (new_key(),)
    return Clitic(3, Word("y", key), (Word("it", key),), True)


def realize(clause: Clause) -> Phrase:
    """The clause in words, without its final punctuation."""
    keys = _keys()
    return Phrase(tuple(_french(clause, keys)), tuple(_english(clause, keys)))


def infinitive(clause: Clause, ing: bool = False) -> Phrase:
    """The clause without its subject: (avant de) le manger, (before) eating it; without `ing`, (to) eat it."""
    keys = _keys()
    french = [*_french_clitics(clause, keys), Word(clause.verb.fr, (keys.main,)), *_french_complements(clause, keys)]
    english = en_forms.ing(clause.verb.en) if ing else clause.verb.en
    return Phrase(tuple(french), (Word(english, (keys.main,)), *_english_complements(clause, keys)))


def gerund(clause: Clause) -> Phrase:
    """(en) mangeant une pomme, (while) eating an apple."""
    keys = _keys()
    verb = Word(fr_forms.gerund(clause.verb.fr), (keys.main,))
    french = [*_french_clitics(clause, keys), verb, *_french_complements(clause, keys)]
    english = Word(en_forms.ing(clause.verb.en), (keys.main,))
    return Phrase(tuple(french), (english, *_english_complements(clause, keys)))


def order(clause: Clause) -> Phrase:
    """Mange ta soupe, donnez-le-moi, ne le donnez pas: the subject says to whom, and is not spoken."""
    keys = _keys()
    form = fr_forms.imperative(clause.verb.fr, clause.subject.person)
    english = [Word(clause.verb.en, (keys.main,)), *_english_complements(clause, keys)]
    after = _french_complements(clause, keys)
    if clause.negation == "pas":
        ne, pas = Word("ne", (keys.no,)), Word("pas", (keys.no,))
        french = [ne, *_french_clitics(clause, keys), Word(form, (keys.main,)), pas, *after]
        return Phrase(tuple(french), (Word("do", (keys.main,)), Word("not", (keys.no,)), *english))
    # behind the verb, what is given comes before whom it is given to, and me is moi
    pronouns = [clitic.fr for clitic in sorted(clause.clitics, key=lambda clitic: clitic.slot or 3)]
    texts = [form, *("moi" if word.text == "me" else word.text for word in pronouns)]
    verb = Word("-".join(texts), tuple(key for word in pronouns for key in word.keys) + (keys.main,))
    return Phrase((verb, *after), tuple(english))


def _keys() -> Keys:
    first = new_key()
    return Keys(first, first + 1, first + 2, first + 3, first + 4, first + 5)


# ---------------------------------------------------------------------------------------------------------- French


def _french(c: Clause, keys: Keys) -> list[Word]:
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
    pronouns = _french_clitics(c, keys)
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
    return [*words, *_french_complements(c, keys)]


def _french_complements(c: Clause, keys: Keys) -> list[Word]:
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


def _french_clitics(c: Clause, keys: Keys) -> list[Word]:
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
        tense: fr_forms.SimpleTense = "imperfect" if c.tense == "pluperfect" else "present"
        finite = Word(fr_forms.conjugate(auxiliary, tense, person), (keys.aux,))
        rest.append(Word(_participle(c, head), (meaning,)))
    elif c.tense in ("going", "recent"):
        finite = Word(fr_forms.conjugate("aller" if c.tense == "going" else "venir", "present", person), (keys.aux,))
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
            return fr_forms.subjunctive(infinitive, person)
        case "arrival":
            return fr_forms.conjugate(infinitive, "future", person)
        case "imperfect" | "future" | "conditional":
            return fr_forms.conjugate(infinitive, tense, person)
        case _:
            return fr_forms.conjugate(infinitive, "present", person)


def _participle(c: Clause, head: Verb) -> str:
    """The past participle: with être it agrees with the subject, with avoir only with an object before it."""
    form = fr_forms.conjugation(head.fr).participle
    agrees = c.preceding or next((clitic.agrees for clitic in c.clitics if clitic.agrees), None)
    if head.with_etre:
        agrees = c.subject
    elif head is not c.verb:
        agrees = None
    return fr_forms.agree(form, form + "e", agrees.feminine, agrees.plural) if agrees else form


def _with_subject(finite: Word, subject: Nominal) -> Word:
    """Inversion: mangez-vous, a-t-il; after a full subject its pronoun (Marie a-t-elle)."""
    if subject.pronoun:
        text, keys = subject.fr[0].text, subject.fr[0].keys
    else:
        text, keys = ("elle" if subject.feminine else "il") + ("s" if subject.plural else ""), ()
    linking = "-t-" if text[0] in "eio" and finite.text[-1] not in "td" else "-"
    return Word(finite.text + linking + text, finite.keys + keys)


# ---------------------------------------------------------------------------------------------------------- English


def _english(c: Clause, keys: Keys) -> list[Word]:
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
    if negated:
        words.append(Word("not", (keys.no, keys.never) if c.negation != "rien" else (keys.no,)))
    elif c.negation == "jamais":
        words.append(Word("never", (keys.no, keys.never)))
    elif c.negation == "plus":
        words += (Word("no", (keys.no,)), Word("longer", (keys.never,)))
    words += c.adverb.en
    words += auxiliaries
    words += main
    words += _english_complements(c, keys)
    if c.negation == "pas encore":
        words.append(Word("yet", (keys.never,)))
    return words


def _english_complements(c: Clause, keys: Keys) -> list[Word]:
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
                return [en_forms.BE_PAST[c.subject.en_person]], ["able"], "to"
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
    be = en_forms.BE_PRESENT[person]
    have = en_forms.present("have", person)
    match c.tense:
        case "present":
            if state or c.habit or c.negation in ("jamais", "plus"):
                return ([be], []) if base == "be" else ([], [en_forms.present(base, person)])
            return [be], [en_forms.ing(base)]
        case "past":
            if c.negation == "jamais":
                return [have], [en_forms.participle(base)]
            return ([en_forms.BE_PAST[person]], []) if base == "be" else ([], [en_forms.past(base)])
        case "imperfect":
            if c.habit:
                return [], ["used", "to", base]
            if state or c.negation in ("jamais", "plus"):
                return ([en_forms.BE_PAST[person]], []) if base == "be" else ([], [en_forms.past(base)])
            return [en_forms.BE_PAST[person]], [en_forms.ing(base)]
        case "future":
            return ["will"], [base]
        case "conditional":
            return ["would"], [base]
        case "going":
            return [be], ["going", "to", base]
        case "recent":
            return [have, "just"], [en_forms.participle(base)]
        case "perfect":
            return [have], [en_forms.participle(base)]
        case "pluperfect":
            return ["had"], [en_forms.participle(base)]
        case "must":
            return ["must"], [base]
        case "arrival":
            return ([be], []) if base == "be" else ([], [en_forms.present(base, person)])
        case "since":
            return ([have], [en_forms.participle(base)]) if state else ([have, "been"], [en_forms.ing(base)])


def _with_do(c: Clause, main: list[Word], keys: Keys) -> tuple[list[Word], list[Word]]:
    """do, does, did, and the bare verb."""
    head = c.chain.en if c.chain else c.verb.en
    past = c.tense in ("past", "imperfect")
    form = "did" if past else en_forms.present("do", c.subject.en_person)
    meaning = keys.chain if c.chain else keys.main
    return [Word(form, (keys.aux,))], [Word(head, (meaning,)), *main[1:]]
