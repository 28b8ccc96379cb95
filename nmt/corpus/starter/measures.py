"""Templates with numbers: hours, dates, ages, prices, how long and how long ago; and comparisons."""

from nmt.corpus.starter import lexicon_adverbs as lists
from nmt.corpus.starter.clauses import Clause, Tense
from nmt.corpus.starter.collocations import (
    FUTURE_DAYS,
    FUTURE_FAR,
    PAST_DAYS,
    PAST_FAR,
    WEEKDAYS,
    nouns_with,
)
from nmt.corpus.starter.draw import Draw
from nmt.corpus.starter.french import agree
from nmt.corpus.starter.lexicon_verbs import (
    BEGIN,
    COST,
    END,
    HAVE_BE,
    INTRANSITIVE,
    LIVE,
    ROUTINE,
    TAKE_PLACE,
    TRANSITIVE,
)
from nmt.corpus.starter.nominals import Nominal, noun_phrase, subject_pronoun
from nmt.corpus.starter.realization import realize
from nmt.corpus.starter.statements import AND, COMMA, LATER, STOP, timed
from nmt.corpus.starter.verbs import named
from nmt.corpus.starter.words import Phrase, Word, new_key, phrase

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
    choices = {"minutes": (10, 15, 20, 30), "hours": (2, 3, 4)}.get(unit_en, (2, 3, 4, 5, 6, 8, 10))
    french, english = lists.NUMBERS[draw.one(choices)]
    return phrase(f"{french}/1 {unit_fr}/2", f"{english}/1 {unit_en}/2")


SHORT = (("heures", "hours"), ("minutes", "minutes"))
MOMENTS = SHORT[1:]
LONG = (("jours", "days"), ("semaines", "weeks"), ("mois", "months"), ("ans", "years"))
SOONER = (("minutes", "minutes"), ("heures", "hours"), ("jours", "days"))


def departure(draw: Draw) -> Phrase:
    """Le train pour Lyon est parti à huit heures et quart. / The train to Lyon left at a quarter past eight."""
    vehicle = noun_phrase(draw.one(DEPARTING), "the")
    town = draw.one(TOWN_NAMES)
    leaving = draw.chance(0.6)
    link = phrase("pour/1", "to/1") if leaving else phrase("de/1", "from/1")
    subject = _extended(vehicle, link + phrase(f"{town[0]}/1", f"{town[1]}/1"))
    tense: Tense = draw.one(("present", "past", "future"))
    verb = draw.one(LEAVING if leaving else ARRIVING)
    clause = Clause(subject, verb, tense, habit=tense == "present", tail=AT + hour(draw))
    if tense == "present":
        return timed(draw, clause, WEEKDAYS)
    return timed(draw, clause, (date(draw),) if draw.chance(0.4) else ON_DAYS[tense])


ON_DAYS = {"past": PAST_DAYS, "future": FUTURE_DAYS}
DEPARTING = nouns_with("train", "bus", "avion", "bateau")
LEAVING, ARRIVING = named("partir", ROUTINE), named("arriver", ROUTINE)
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
    return timed(draw, clause, WEEKDAYS if habit else ON_DAYS[tense])


def event_begins(draw: Draw) -> Phrase:
    """Le film a commencé à midi et il a fini à deux heures. / The movie started at noon and it ended at two o'clock."""
    subject = noun_phrase(draw.one(BEGINNING), "the")
    tense: Tense = draw.one(("past", "future"))
    begins, ends = draw.one(SESSIONS)
    first = Clause(subject, BEGIN, tense, tail=AT + hour(draw, begins))
    second = Clause(subject_pronoun(subject), END, tense, tail=AT + hour(draw, ends))
    day = date(draw) + COMMA if draw.chance(0.6) else Phrase()
    return day + realize(first) + AND + realize(second) + STOP


SESSIONS = (((2, 3), (4, 5)), ((7, 8), (10, 11)), ((8, 9), (11, 12)))
BEGINNING = nouns_with("réunion", "match", "concert", "film", "spectacle", "fête", "examen", "leçon")


def dated(draw: Draw) -> Phrase:
    """La fête aura lieu le 12 mai. / The party will take place on May 12."""
    tense, _ = draw.one(LATER)
    if draw.chance(0.35):
        clause = Clause(noun_phrase(draw.one(HAPPENING), "the"), TAKE_PLACE, tense)
        clause.object = LIEU
        return realize(draw.placed(clause)) + date(draw) + STOP
    clause = Clause(draw.subject(), draw.one(MEMORABLE), tense)
    clause.object = draw.object_of(clause.verb, clause)
    return timed(draw, draw.placed(clause, 0.2), (date(draw),))


# What has a date that one remembers.
MEMORABLE = named(
    "acheter vendre recevoir visiter louer organiser signer quitter terminer réparer obtenir annuler planter",
    TRANSITIVE,
)
HAPPENING = nouns_with("réunion", "match", "concert", "spectacle", "fête", "examen", "mariage")
LIEU = Nominal((Word("lieu", (-2,)),), (Word("place", (-2,)),), 2, 2, False, False)


def born(draw: Draw) -> Phrase:
    """Marie est née à Lyon le 3 avril. / Marie was born in Lyon on April 3."""
    who = draw.someone_alone()
    key, aux = (new_key(),), (new_key(),)
    french = agree("né", "née", who.feminine, False)
    verb = Phrase(
        (Word("est", aux), Word(french, key)),
        (Word("was", aux), Word("born", key)),
    )
    return who.phrase + verb + draw.place("anywhere") + date(draw) + STOP


def age(draw: Draw) -> Phrase:
    """Mon frère a trente ans et ma tante a cinquante ans. / My brother is thirty years old and my aunt is fifty ..."""
    first, second = draw.someone_alone(), draw.someone_alone()
    clauses = [Clause(who, HAVE_BE, tail=years(draw, who)) for who in (first, second)]
    return realize(clauses[0]) + AND + realize(clauses[1]) + STOP


def years(draw: Draw, who: Nominal) -> Phrase:
    """trente ans, thirty years old."""
    noun = who.noun.fr if who.noun else ""
    ages: tuple[int, ...] = (20, 25, 30, 40, 50, 60)
    if noun in ("enfant", "garçon", "élève", "fils", "fille"):
        ages = (6, 8, 10, 11, 12)
    elif noun.startswith("grand-"):
        ages = (60, 80)
    elif noun in ("père", "mère"):
        ages = (40, 50, 60)
    french, english = lists.NUMBERS[draw.one(ages)]
    return phrase(f"{french}/1 ans/2", f"{english}/1 years/2 old/2")


def price(draw: Draw) -> Phrase:
    """Cette robe coûte cinquante euros au marché. / This dress costs fifty euros at the market."""
    noun = draw.one(PRICED)
    thing = noun_phrase(noun, "this", draw.several(noun, 0.1), draw.adjectives(noun, 0.4))
    tense: Tense = draw.one(("present", "present", "imperfect", "future"))
    dear = noun.tags & {"furniture", "instrument", "lights"}
    french, english = lists.NUMBERS[draw.one((60, 80, 100) if dear else (5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50))]
    cost = Clause(thing, COST, tense, tail=phrase(f"{french}/1 euros/2", f"{english.replace(' ', '/1 ')}/1 euros/2"))
    if tense == "present":
        cost.tail += draw.place("shopping")
        return realize(cost) + STOP
    times = FUTURE_FAR if tense == "future" else PAST_FAR
    return timed(draw, cost, times)


PRICED = nouns_with("clothes", "goods", "furniture", "instrument")


def how_long(draw: Draw) -> Phrase:
    """Nous avons travaillé à Rome pendant trois mois. / We worked in Rome for three months."""
    verb = draw.one(INTRANSITIVE)
    tense: Tense = "past" if verb.unmeant else draw.one(("past", "future"))
    clause = Clause(draw.subject(), verb, tense, tail=draw.place(verb.where))
    units = LONG if verb in LASTING else MOMENTS if verb in FITS else SHORT
    return realize(clause) + phrase("pendant", "for") + span(draw, units) + STOP


def how_long_ago(draw: Draw) -> Phrase:
    """Il a vendu sa voiture il y a trois jours. / He sold his car three days ago."""
    if draw.chance(0.5):
        clause = draw.acts(draw.subject(), "past")
        ago = phrase("il y a", "ago")
        lapse = span(draw, SOONER if clause.verb.brief else LONG)
        return realize(clause) + Phrase(ago.fr + lapse.fr, lapse.en + ago.en) + STOP
    clause = draw.acts(draw.subject(), "future")
    return timed(draw, clause, (phrase("dans", "in") + span(draw, SOONER if clause.verb.brief else LONG),))


def for_years(draw: Draw) -> Phrase:
    """J'habite à Paris depuis dix ans. / I have lived in Paris for ten years."""
    french, english = lists.NUMBERS[draw.one((2, 3, 4, 5, 6, 10, 15, 20))]
    unit_fr, unit_en = draw.one((("ans", "years"), ("ans", "years"), ("mois", "months"), ("semaines", "weeks")))
    since = phrase(f"depuis/3 {french}/1 {unit_fr}/2", f"for/3 {english}/1 {unit_en}/2")
    if draw.chance(0.4):
        clause = Clause(draw.subject(), LIVE, "since", tail=draw.place("anywhere"))
    else:
        verb = draw.one(LASTING)
        clause = Clause(draw.subject(), verb, "since", tail=draw.place(verb.where))
    return realize(clause) + since + STOP


FITS = named("rire pleurer crier fumer disputer cacher chanter", INTRANSITIVE)
LASTING = named("travailler étudier voyager rester entraîner", INTRANSITIVE)
