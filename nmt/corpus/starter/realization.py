"""Clauses put into words, in both languages at once: as a statement or question, an infinitive, a gerund, an order."""

from nmt.corpus.starter.clause_english import english_complements, english_side
from nmt.corpus.starter.clause_french import french_clitics, french_complements, french_side
from nmt.corpus.starter.clauses import Clause, Keys
from nmt.corpus.starter.english import ing as ing_form
from nmt.corpus.starter.french import gerund as gerund_form
from nmt.corpus.starter.french import imperative
from nmt.corpus.starter.words import Phrase, Word, new_key


def realize(clause: Clause) -> Phrase:
    """The clause in words, without its final punctuation."""
    keys = _keys()
    return Phrase(tuple(french_side(clause, keys)), tuple(english_side(clause, keys)))


def infinitive(clause: Clause, ing: bool = False) -> Phrase:
    """The clause without its subject: (avant de) le manger, (before) eating it; without `ing`, (to) eat it."""
    keys = _keys()
    french = [*french_clitics(clause, keys), Word(clause.verb.fr, (keys.main,)), *french_complements(clause, keys)]
    english = ing_form(clause.verb.en) if ing else clause.verb.en
    return Phrase(tuple(french), (Word(english, (keys.main,)), *english_complements(clause, keys)))


def gerund(clause: Clause) -> Phrase:
    """(en) mangeant une pomme, (while) eating an apple."""
    keys = _keys()
    verb = Word(gerund_form(clause.verb.fr), (keys.main,))
    french = [*french_clitics(clause, keys), verb, *french_complements(clause, keys)]
    english = Word(ing_form(clause.verb.en), (keys.main,))
    return Phrase(tuple(french), (english, *english_complements(clause, keys)))


def order(clause: Clause) -> Phrase:
    """Mange ta soupe, donnez-le-moi, ne le donnez pas: the subject says to whom, and is not spoken."""
    keys = _keys()
    form = imperative(clause.verb.fr, clause.subject.person)
    english = [Word(clause.verb.en, (keys.main,)), *english_complements(clause, keys)]
    after = french_complements(clause, keys)
    if clause.negation == "pas":
        ne, pas = Word("ne", (keys.no,)), Word("pas", (keys.no,))
        french = [ne, *french_clitics(clause, keys), Word(form, (keys.main,)), pas, *after]
        return Phrase(tuple(french), (Word("do", (keys.main,)), Word("not", (keys.no,)), *english))
    # behind the verb, what is given comes before whom it is given to, and me is moi
    pronouns = [clitic.fr for clitic in sorted(clause.clitics, key=lambda clitic: clitic.slot or 3)]
    texts = [form, *("moi" if word.text == "me" else word.text for word in pronouns)]
    verb = Word("-".join(texts), (keys.main, *(key for word in pronouns for key in word.keys)))
    return Phrase((verb, *after), tuple(english))


def _keys() -> Keys:
    first = new_key()
    return Keys(first, first + 1, first + 2, first + 3, first + 4, first + 5)
