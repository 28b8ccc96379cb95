"""English word forms: verbs, plurals, comparatives. Persons are 0 to 5, as in French."""

from functools import cache

# base past participle
IRREGULAR = {
    line.split()[0]: (line.split()[1], line.split()[2])
    for line in """
be was been
begin began begun
break broke broken
bring brought brought
build built built
buy bought bought
catch caught caught
choose chose chosen
come came come
cost cost cost
cut cut cut
do did done
draw drew drawn
dream dreamed dreamed
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed fed
feel felt felt
fight fought fought
find found found
forget forgot forgotten
forgive forgave forgiven
get got gotten
give gave given
go went gone
grow grew grown
have had had
hear heard heard
hide hid hidden
hold held held
keep kept kept
know knew known
leave left left
lend lent lent
lose lost lost
make made made
meet met met
pay paid paid
put put put
read read read
ring rang rung
run ran run
say said said
see saw seen
sell sold sold
send sent sent
sing sang sung
sit sat sat
sleep slept slept
speak spoke spoken
spend spent spent
stand stood stood
steal stole stolen
swim swam swum
take took taken
teach taught taught
tell told told
think thought thought
throw threw thrown
understand understood understood
wake woke woken
wear wore worn
win won won
write wrote written
""".strip().split("\n")
}

# Short verbs that double their last letter.
DOUBLING = frozenset(("stop", "plan", "begin", "run", "sit", "cut", "put", "forget", "swim", "get", "win", "prefer"))

BE_PRESENT = ("am", "are", "is", "are", "are", "are")
BE_PAST = ("was", "were", "was", "were", "were", "were")


@cache
def third_person(base: str) -> str:
    """eats, watches, carries, has, does."""
    if base == "have":
        return "has"
    if base.endswith(("s", "sh", "ch", "x", "z", "o")):
        return base + "es"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + "s"


@cache
def present(base: str, person: int) -> str:
    """The present of a verb; be has its own."""
    if base == "be":
        return BE_PRESENT[person]
    return third_person(base) if person == 2 else base


@cache
def past(base: str, person: int = 0) -> str:
    """The simple past."""
    if base == "be":
        return BE_PAST[person]
    return IRREGULAR[base][0] if base in IRREGULAR else _regular_past(base)


@cache
def participle(base: str) -> str:
    """The past participle."""
    return IRREGULAR[base][1] if base in IRREGULAR else _regular_past(base)


def _regular_past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    return base + (base[-1] if base in DOUBLING else "") + "ed"


@cache
def ing(base: str) -> str:
    """eating, writing, running, lying."""
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base != "be":
        return base[:-1] + "ing"
    return base + (base[-1] if base in DOUBLING else "") + "ing"


@cache
def english_plural(word: str) -> str:
    """Regular plural: boxes, knives are given in the lexicon, cherries, keys."""
    if word.endswith(("s", "sh", "ch", "x", "z")):
        return word + "es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


COMPARATIVES = {"good": ("better", "best"), "bad": ("worse", "worst"), "far": ("farther", "farthest")}
# Two syllables that take -er; one syllable always does (see _short).
TAKES_ER = frozenset(("clever", "quiet", "narrow", "simple"))
DOUBLES = frozenset(("big", "fat", "hot", "sad", "red"))


@cache
def comparative(adjective: str) -> tuple[str, str] | None:
    """Comparative and superlative in one word (bigger, biggest), or None where more and most are used."""
    if adjective in COMPARATIVES:
        return COMPARATIVES[adjective]
    if adjective.endswith("y") and 3 < len(adjective) <= 6 and adjective[-2] not in "aeiou":
        return adjective[:-1] + "ier", adjective[:-1] + "iest"
    if adjective in TAKES_ER or _short(adjective):
        stem = adjective.removesuffix("e") + (adjective[-1] if adjective in DOUBLES else "")
        return stem + "er", stem + "est"
    return None


def _short(adjective: str) -> bool:
    """One syllable: one run of vowels, a final e not counted."""
    body = adjective.removesuffix("e")
    runs = "".join("v" if c in "aeiouy" else " " for c in body).split()
    return len(runs) == 1
