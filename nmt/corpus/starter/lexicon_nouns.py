"""The nouns, grouped by what can be done with them: here places and ideas; the rest in files of their own.

One noun a line: French (irregular plural after /), gender, English (irregular plural after /), further tags.
A group's own tags come first in GROUPS; verbs and adjectives say which tags they go with. `mass` nouns are not counted
(du pain, some bread); `many` ones are often met in the plural.
"""

from collections.abc import Callable
from dataclasses import dataclass

from nmt.corpus.starter.english import english_plural
from nmt.corpus.starter.french import french_plural
from nmt.corpus.starter.lexicon_living import LIVING
from nmt.corpus.starter.lexicon_things import THINGS


@dataclass(frozen=True, eq=False)
class Noun:
    """A noun in both languages. gender: m or f. tags: what it is and what can be done with it.

    sort: the kind of thing that it is, for putting like beside like.
    """

    fr: str
    fr_plural: str
    gender: str
    en: str
    en_plural: str
    tags: frozenset[str]
    sort: str


GROUPS: dict[str, str] = {
    **LIVING,
    **THINGS,
    "place room cleanable": """
        cuisine, f, kitchen, dans in painted_part
        chambre, f, bedroom, dans in painted_part
        salon, m, living room, dans in painted_part
        jardin, m, garden, dans in green
        cave, f, cellar, dans in
        grenier, m, attic, dans in
        garage, m, garage, dans in
        balcon, m, balcony, sur on
        couloir, m, hallway, dans in painted_part
    """,
    "place building": """
        hôpital, m, hospital, à at visited
        gare, f, station, à at
        marché, m, market, à at shop
        musée, m, museum, à at visited
        église, f, church/churches, à at visited old_building
        bibliothèque, f, library, à at
        restaurant, m, restaurant, à at
        hôtel, m, hotel, à at
        boulangerie, f, bakery, à at shop
        pharmacie, f, pharmacy, à at shop
        banque, f, bank, à at
        magasin, m, store, à at shop
        supermarché, m, supermarket, à at shop
        cinéma, m, cinema, à at
        théâtre, m, theater, à at
        stade, m, stadium, à at
        aéroport, m, airport, à at
        université, f, university, à at visited
        usine, f, factory, à at visited
        ferme, f, farm, à at visited home
        château, m, castle, à at visited old_building home
        maison, f, house, dans in home rented painted_part
        appartement, m, apartment, dans in home rented
        tour, f, tower, dans in visited old_building
    """,
    "place outdoors": """
        parc, m, park, à at crossed green
        plage, f, beach/beaches, à at
        piscine, f, pool, à at
        village, m, village, dans in crossed visited
        ville, f, city, dans in crossed visited
        rue, f, street, dans in crossed long
        pont, m, bridge, sur on crossed long
        rivière, f, river, dans in crossed wet long
        lac, m, lake, dans in wet
        montagne, f, mountain, dans in high
        forêt, f, forest, dans in crossed green
        île, f, island, sur on visited
        champ, m, field, dans in crossed green
    """,
    "nature outdoor": """
        arbre, m, tree, many planted high
        fleur, f, flower, many planted fragrant
        rose, f, rose, many planted fragrant
        plante, f, plant, many
        pierre, f, stone, many
    """,
    "idea abstract": """
        problème, m, problem, explained understood many
        question, f, question, understood many
        réponse, f, answer, understood awaited many
        idée, f, idea, explained understood many
        projet, m, project, explained many event
        plan, m, plan, explained understood
        erreur, f, mistake, explained corrected many
        règle, f, rule, explained understood many learned
        secret, m, secret, kept many
        promesse, f, promise, kept
        histoire, f, story, told many listened understood
        rêve, m, dream, many
        mot, m, word, understood learned many
        décision, f, decision, explained understood many
        emploi, m, job, offered
        offre, f, offer, offered many
        invitation, f, invitation, offered sendable many
        bruit, m, noise, heard many
        nom, m, name, learned
        langue, f, language, learned
    """,
    "occasion": """
        leçon, f, lesson, explained understood learned many
        exercice, m, exercise, explained understood corrected many
        examen, m, exam, corrected event
        voyage, m, trip, event
        fête, f, party, event
        réunion, f, meeting, event
        mariage, m, wedding, event
        rendez-vous, m, appointment, event
        match, m, game, event watched
        concert, m, concert, event watched
        film, m, movie, watched many
        spectacle, m, show, watched event
        chanson, f, song, sung listened learned many
    """,
}

# Games and subjects only occur in set frames (jouer au football, étudier l'histoire).
SPORTS = """
    football, m, soccer
    tennis, m, tennis
    basket, m, basketball
    golf, m, golf
    hockey, m, hockey
"""
SUBJECTS = """
    musique, f, music
    géographie, f, geography
    biologie, f, biology
    chimie, f, chemistry
    français, m, French
    anglais, m, English
    espagnol, m, Spanish
    italien, m, Italian
    allemand, m, German
    art, m, art
"""


def _both(text: str, plural_of: Callable[[str], str]) -> tuple[str, str]:
    singular, _, plural = text.partition("/")
    return singular, plural or plural_of(singular)


def _read() -> tuple[Noun, ...]:
    nouns = []
    for tags, lines in {**GROUPS, "sport mass": SPORTS, "subject mass": SUBJECTS}.items():
        for line in lines.strip().split("\n"):
            french, gender, english, *more = (field.strip() for field in line.split(","))
            own = " ".join(more).split()
            all_tags = frozenset((*tags.split(), *own))
            sort = _sort(tags.split(), own)
            nouns.append(Noun(*_both(french, french_plural), gender, *_both(english, english_plural), all_tags, sort))
    return tuple(nouns)


def _sort(group: list[str], own: list[str]) -> str:
    """A thing or place is of its group's second tag, food of its own first one (a fruit), all else of the first."""
    if group[0] == "food" and own:
        return own[0]
    return group[1] if group[0] in ("thing", "place") else group[0]


NOUNS: tuple[Noun, ...] = _read()
