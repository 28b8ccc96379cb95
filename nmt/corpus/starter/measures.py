"""Templates with numbers: hours, dates, ages, prices, how long and how long ago; and comparisons."""

from nmt.corpus.starter import lexicon_adverbs as lists
from nmt.corpus.starter.clauses import Clause, Tense
from nmt.corpus.starter.draw import ADJECTIVES, FUTURE_DAYS, HABIT_TIMES, PAST_DAYS, Draw, nouns_with
from nmt.corpus.starter.french import agree
from nmt.corpus.starter.lexicon_adjectives import ABSOLUTE, VOWEL_FORMS, Adjective
from nmt.corpus.starter.lexicon_nouns import NOUNS, Noun
from nmt.corpus.starter.lexicon_verbs import BE, COST, HAVE_BE, INTRANSITIVE, LIVE, ROUTINE
from nmt.corpus.starter.nominals import Nominal, noun_phrase, pronoun, subject_pronoun
from nmt.corpus.starter.realization import realize
from nmt.corpus.starter.statements import AND, LATER, STOP, timed
from nmt.corpus.starter.verbs import named, read_verb
from nmt.corpus.starter.words import Phrase, Word, new_key, phrase, starts_with_vowel

MORNING, MIDDAY, EVENING, NIGHT = (6, 7, 8, 9), (11, 12, 12, 2), (5, 6, 7, 8), (9, 10, 11, 24)
MINUTES: tuple[tuple[str, str] | None, ...] = (
    None,
    None,
    None,
    ("et/3 demie/4", "half/4 past/3"),
    ("et/3 quart/4", "a/4 quarter/4 past/3"),
    ("moins/3 le/4 quart/4", "a/4 quarter/4 to/3"),
    ("dix/4", "ten/4 past/2"),
    ("vingt/4", "twenty/4 past/2"),
    ("moins/3 dix/4", "ten/4 to/3"),
    ("moins/3 cinq/4", "five/4 to/3"),
)


def hour(draw: Draw, around: tuple[int, ...] = MORNING + EVENING + NIGHT) -> Phrase:
    """huit heures et quart, a quarter past eight; midi, noon; dix heures moins dix, ten to ten."""
    value = draw.one(around)
    if value in (12, 24):
        return phrase("midi", "noon") if value == 12 else phrase("minuit", "midnight")
    minutes = draw.one(MINUTES)
    french, english = lists.NUMBERS[value]
    if not minutes:
        return phrase(f"{french}/1 heures/2", f"{english}/1 o'clock/2")
    french_part, english_part = minutes
    return phrase(f"{french}/1 heures/2 {french_part}", f"{english_part} {english}/1")


# When people do what they do every day.
HOURS_OF = {
    "lever": MORNING, "coucher": NIGHT, "réveiller": MORNING, "habiller": MORNING, "laver": MORNING, "raser": MORNING,
    "endormir": NIGHT, "reposer": EVENING, "préparer": MORNING, "déjeuner": MIDDAY, "dîner": EVENING,
    "rentrer": EVENING, "partir": MORNING, "sortir": EVENING, "arriver": MORNING,
}  # fmt: skip
AT = phrase("à", "at")


def date(draw: Draw) -> Phrase:
    """le 12 mai, on May 12; le 1er mai, on May 1."""
    day = draw.rng.randrange(1, 29)
    french, english = draw.one(lists.MONTHS)
    return phrase(f"le/3 {'1er' if day == 1 else day}/1 {french}/2", f"on/3 {english}/2 {day}/1")


def span(draw: Draw, units: tuple[tuple[str, str], ...]) -> Phrase:
    """trois jours, three days."""
    unit_fr, unit_en = draw.one(units)
    french, english = lists.NUMBERS[draw.one((10, 15, 20, 30) if unit_en == "minutes" else (2, 3, 4, 5, 6, 8, 10))]
    return phrase(f"{french}/1 {unit_fr}/2", f"{english}/1 {unit_en}/2")


SHORT = (("heures", "hours"), ("minutes", "minutes"))
LONG = (("jours", "days"), ("semaines", "weeks"), ("mois", "months"), ("ans", "years"))


def departure(draw: Draw) -> Phrase:
    """Le train pour Lyon est parti à huit heures et quart. / The train to Lyon left at a quarter past eight."""
    vehicle = noun_phrase(draw.one(DEPARTING), "the")
    town = draw.one(TOWN_NAMES)
    subject = _extended(vehicle, phrase("pour/1", "to/1") + phrase(f"{town[0]}/1", f"{town[1]}/1"))
    tense: Tense = draw.one(("present", "past", "future"))
    clause = Clause(subject, draw.one(LEAVING), tense, habit=tense == "present", tail=AT + hour(draw))
    if tense == "present":
        return timed(draw, clause, draw.one(HABIT_TIMES[:6]))
    return timed(draw, clause, draw.one(ON_DAYS[tense]))


ON_DAYS = {"past": PAST_DAYS, "future": FUTURE_DAYS}
DEPARTING = nouns_with("train", "bus", "avion", "bateau")
LEAVING = named("partir arriver", ROUTINE)
TOWN_NAMES = (("Paris", "Paris"), ("Londres", "London"), ("Lyon", "Lyon"), ("Bruxelles", "Brussels"), ("Rome", "Rome"))


def _extended(nominal: Nominal, more: Phrase) -> Nominal:
    nominal.fr += more.fr
    nominal.en += more.en
    return nominal


def routine(draw: Draw) -> Phrase:
    """Ma sœur se lève à sept heures tous les jours. / My sister gets up at seven o'clock every day."""
    tense: Tense = draw.one(("present", "present", "past", "future", "imperfect"))
    habit = tense in ("present", "imperfect")
    verb = draw.one(ROUTINE)
    clause = Clause(draw.subject(), verb, tense, habit, tail=AT + hour(draw, HOURS_OF[verb.fr]))
    if draw.chance(0.25) and tense == "present":
        clause.negation = "jamais"
        return realize(clause) + STOP
    return timed(draw, clause, draw.one(DAILY if habit else ON_DAYS[tense]))


DAILY = HABIT_TIMES[:3] + HABIT_TIMES[5:9]


def event_begins(draw: Draw) -> Phrase:
    """Le film a commencé à midi et il a fini à deux heures. / The movie started at noon and it ended at two o'clock."""
    subject = noun_phrase(draw.one(BEGINNING), "the")
    tense: Tense = draw.one(("past", "future"))
    first = Clause(subject, BEGIN, tense, tail=AT + hour(draw, (2, 3, 4, 5, 6)))
    second = Clause(subject_pronoun(subject), END, tense, tail=AT + hour(draw, (8, 9, 10, 11, 24)))
    return realize(first) + AND + realize(second) + STOP


BEGINNING = nouns_with("réunion", "match", "concert", "film", "spectacle", "fête", "examen", "leçon")
BEGIN, END = read_verb("commencer | start"), read_verb("finir | end")


def dated(draw: Draw) -> Phrase:
    """La fête aura lieu le 12 mai. / The party will take place on May 12."""
    tense, _ = draw.one(LATER)
    if draw.chance(0.35):
        clause = Clause(noun_phrase(draw.one(HAPPENING), "the"), TAKE_PLACE, tense)
        clause.object = LIEU
        return realize(draw.placed(clause)) + date(draw) + STOP
    return timed(draw, draw.placed(draw.acts(draw.subject(), tense), 0.2), date(draw))


HAPPENING = nouns_with("réunion", "match", "concert", "spectacle", "fête", "examen", "mariage")
TAKE_PLACE = read_verb("avoir | take | | | town")
LIEU = Nominal((Word("lieu", (-2,)),), (Word("place", (-2,)),), 2, 2, False, False)


def born(draw: Draw) -> Phrase:
    """Marie est née à Lyon le 3 avril. / Marie was born in Lyon on April 3."""
    who = draw.someone()
    key, aux = (new_key(),), (new_key(),)
    french = agree("né", "née", who.feminine, who.plural)
    verb = Phrase(
        (Word("sont" if who.plural else "est", aux), Word(french, key)),
        (Word("were" if who.plural else "was", aux), Word("born", key)),
    )
    return who.phrase + verb + draw.place("town") + date(draw) + STOP


def age(draw: Draw) -> Phrase:
    """Mon frère a trente ans et ma tante a cinquante ans. / My brother is thirty years old and my aunt is fifty ..."""
    first, second = draw.someone(), draw.someone()
    clauses = [Clause(who, HAVE_BE, tail=years(draw, who)) for who in (first, second)]
    return realize(clauses[0]) + AND + realize(clauses[1]) + STOP


def years(draw: Draw, who: Nominal) -> Phrase:
    """trente ans, thirty years old."""
    noun = who.noun.fr if who.noun else ""
    ages: tuple[int, ...] = (40, 50, 60)
    if noun in ("enfant", "garçon", "élève", "fils", "fille"):
        ages = (6, 8, 10, 11, 12)
    elif noun.startswith("grand-"):
        ages = (60, 80)
    elif noun not in ("père", "mère"):
        ages = (20, 25, 30, 40, 50, 60)
    french, english = lists.NUMBERS[draw.one(ages)]
    return phrase(f"{french}/1 ans/2", f"{english}/1 years/2 old/2")


def price(draw: Draw) -> Phrase:
    """Cette robe coûte cinquante euros, mais je l'achèterai... / This dress costs fifty euros at the market."""
    noun = draw.one(PRICED)
    thing = noun_phrase(noun, "this", adjectives=draw.adjectives(noun, 0.4))
    tense: Tense = draw.one(("present", "present", "imperfect", "future"))
    french, english = lists.NUMBERS[draw.one((5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100))]
    cost = Clause(thing, COST, tense, tail=phrase(f"{french}/1 euros/2", f"{english.replace(' ', '/1 ')}/1 euros/2"))
    if tense == "present":
        cost.tail += draw.place("shopping")
        return realize(cost) + STOP
    times = dict(LATER)["future"] if tense == "future" else dict(LATER)["past"]
    return timed(draw, cost, draw.one(times))


PRICED = tuple(noun for noun in nouns_with("clothes", "portable", "furniture", "instrument") if noun.fr != "contrat")


def how_long(draw: Draw) -> Phrase:
    """Nous avons travaillé à Rome pendant trois mois. / We worked in Rome for three months."""
    tense, _ = draw.one(LATER)
    verb = draw.one(INTRANSITIVE)
    clause = Clause(draw.subject(), verb, tense, tail=draw.place(verb.where))
    return realize(clause) + phrase("pendant", "for") + span(draw, LONG if verb in LASTING else SHORT) + STOP


def how_long_ago(draw: Draw) -> Phrase:
    """Il a vendu sa voiture il y a trois jours. / He sold his car three days ago."""
    if draw.chance(0.5):
        unit_fr, unit_en = draw.one(LONG)
        french, english = lists.NUMBERS[draw.one((2, 3, 4, 5, 6, 10))]
        ago = phrase(f"il y a {french}/1 {unit_fr}/2", f"{english}/1 {unit_en}/2 ago")
        return realize(draw.acts(draw.subject(), "past")) + ago + STOP
    clause = draw.acts(draw.subject(), "future")
    return timed(draw, clause, phrase("dans", "in") + span(draw, LONG))


def for_years(draw: Draw) -> Phrase:
    """J'habite à Paris depuis dix ans. / I have lived in Paris for ten years."""
    french, english = lists.NUMBERS[draw.one((2, 3, 4, 5, 6, 10, 15, 20))]
    unit_fr, unit_en = draw.one((("ans", "years"), ("ans", "years"), ("mois", "months"), ("jours", "days")))
    since = phrase(f"depuis/3 {french}/1 {unit_fr}/2", f"for/3 {english}/1 {unit_en}/2")
    if draw.chance(0.4):
        clause = Clause(draw.subject(), LIVE, "since", tail=draw.place("town"))
    else:
        verb = draw.one(LASTING)
        clause = Clause(draw.subject(), verb, "since", tail=draw.place(verb.where))
    return realize(clause) + since + STOP


LASTING = named("travailler étudier voyager rester entraîner", INTRANSITIVE)


def compared(draw: Draw) -> Phrase:
    """Cette valise est plus lourde que ce sac. / This suitcase is heavier than this bag."""
    adjective, nouns = draw.one(COMPARABLE)
    first, second = draw.rng.sample(nouns, 2)
    draw.pairs += ((first.fr, adjective.fr), (second.fr, adjective.fr))
    things = [_compared_thing(draw, noun) for noun in (first, second)]
    tense: Tense = draw.one(("present", "present", "imperfect"))
    degree = draw.one(("more", "more", "more", "less", "as"))
    clause = Clause(things[0], BE, tense, tail=comparison(adjective, degree, things[0]))
    clause.negation = "pas" if draw.chance(0.12) else ""
    than = phrase("que", "as" if degree == "as" else "than")
    return realize(clause) + than + things[1].phrase + STOP


def _compared_thing(draw: Draw, noun: Noun) -> Nominal:
    if "human" in noun.tags:
        return draw.person(noun)
    if noun.tags & {"portable", "clothes", "furniture", "pet", "ownable"} and draw.chance(0.3):
        return noun_phrase(noun, "own", owner=pronoun(draw.one(("je", "tu", "nous", "vous"))))
    return noun_phrase(noun, "the" if draw.chance(0.5) else "this", "many" in noun.tags and draw.chance(0.2))


def comparison(adjective: Adjective, degree: str, of: Nominal) -> Phrase:
    """plus grand, taller; moins grand, less tall; aussi grand, as tall."""
    how, what = (new_key(),), (new_key(),)
    form = Word(agree(adjective.fr, adjective.fr_feminine, of.feminine, of.plural), what)
    if degree == "more" and adjective.fr == "bon":
        better = agree("meilleur", "meilleure", of.feminine, of.plural)
        return Phrase((Word(better, what),), (Word("better", what),))
    french = {"more": "plus", "less": "moins", "as": "aussi"}[degree]
    if degree == "more" and adjective.degrees:
        return Phrase((Word(french, how), form), (Word(adjective.degrees[0], (*how, *what)),))
    return Phrase((Word(french, how), form), (Word(degree, how), Word(adjective.en, what)))


def _comparable() -> tuple[tuple[Adjective, tuple[Noun, ...]], ...]:
    """Adjectives that have degrees, each with nouns of one sort that can be measured by it."""
    groups: dict[tuple[Adjective, str], list[Noun]] = {}
    for noun in NOUNS:
        for adjective in ADJECTIVES[noun]:
            if adjective.fr not in ABSOLUTE and noun.sort != "idea":
                groups.setdefault((adjective, noun.sort), []).append(noun)
    return tuple((adjective, tuple(nouns)) for (adjective, _), nouns in groups.items() if len(nouns) > 1)


COMPARABLE = _comparable()


def superlative(draw: Draw) -> Phrase:
    """C'est le plus grand musée de la ville. / It is the biggest museum in the city."""
    adjective, nouns = draw.one(COMPARABLE)
    noun = draw.one(nouns)
    draw.pairs.append((noun.fr, adjective.fr))
    thing = noun_phrase(noun, "the")
    start = phrase("c'est", "it is") if not thing.human else phrase("c'est", "she is" if thing.feminine else "he is")
    how, what = (new_key(),), (new_key(),)
    form = agree(adjective.fr, adjective.fr_feminine, thing.feminine, False)
    if adjective.before and starts_with_vowel(noun.fr):
        form = VOWEL_FORMS.get(form, form)
    if adjective.degrees:
        english: tuple[Word, ...] = (Word(adjective.degrees[1], (*how, *what)),)
    else:
        english = (Word("most", how), Word(adjective.en, what))
    best = adjective.fr == "bon"
    plus = (Word("plus", how), Word(form, what))
    french = (Word("meilleure" if thing.feminine else "meilleur", what),) if best else plus
    article, rest = thing.fr[0], thing.fr[1:]
    words = (article, *french, *rest) if adjective.before else (article, *rest, Word(article.text, how), *french)
    return start + Phrase(words, (thing.en[0], *english, *thing.en[1:])) + draw.one(REALMS) + STOP


REALMS = (
    phrase("de/1 la/2 ville/3", "in/1 the/2 city/3"),
    phrase("du/1,2 village/3", "in/1 the/2 village/3"),
    phrase("du/1,2 monde/3", "in/1 the/2 world/3"),
    phrase("de/1 la/2 région/3", "in/1 the/2 region/3"),
)
