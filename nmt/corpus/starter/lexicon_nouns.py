"""The nouns, grouped by what can be done with them.

One noun a line: French (irregular plural after /), gender, English (irregular plural after /), further tags.
A group's own tags come first in GROUPS; verbs and adjectives say which tags they go with. `mass` nouns are not counted
(du pain, some bread); `many` ones are often met in the plural.
"""

from collections.abc import Callable
from dataclasses import dataclass

from nmt.corpus.starter.english import english_plural
from nmt.corpus.starter.french import french_plural


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
    "person family human many": """
        frère, m, brother
        sœur, f, sister
        oncle, m, uncle
        tante, f, aunt
        cousin, m, cousin
        grand-père/grands-pères, m, grandfather
        grand-mère/grands-mères, f, grandmother
        voisin, m, neighbor
        ami, m, friend
        collègue, m, colleague
        chef, m, boss
    """,
    "person parent human": """
        père, m, father
        mère, f, mother
        mari, m, husband
        fils, m, son
        fille, f, daughter
    """,
    "person public human many": """
        homme, m, man/men
        femme, f, woman/women
        enfant, m, child/children
        garçon, m, boy
        dame, f, lady
        professeur, m, teacher, job
        médecin, m, doctor, job
        infirmière, f, nurse, job
        boulanger, m, baker, job
        boucher, m, butcher, job
        avocat, m, lawyer, job
        étudiant, m, student, job
        élève, m, pupil
        facteur, m, mailman/mailmen, job
        serveur, m, waiter, job
        serveuse, f, waitress, job
        directeur, m, director, job
        chanteur, m, singer, job artist
        acteur, m, actor, job artist
        actrice, f, actress, job artist
        écrivain, m, writer, job artist
        journaliste, m, journalist, job
        policier, m, policeman/policemen, job
        pompier, m, firefighter, job
        fermier, m, farmer, job
        jardinier, m, gardener, job
        pilote, m, pilot, job
        chauffeur, m, driver, job
        vendeur, m, salesman/salesmen, job
        vendeuse, f, saleswoman/saleswomen, job
        peintre, m, painter, job artist
        touriste, m, tourist
        dentiste, m, dentist, job
        ingénieur, m, engineer, job
        secrétaire, f, secretary, job
        soldat, m, soldier, job
        invité, m, guest
        client, m, customer
        héros, m, hero/heroes
        musicien, m, musician, job artist
        danseuse, f, dancer, job artist
    """,
    "animal creature": """
        chat, m, cat, pet many
        chien, m, dog, pet many barks
        oiseau, m, bird, many sings
        cheval, m, horse, farm many
        vache, f, cow, farm many
        mouton, m, sheep/sheep, farm many
        souris, f, mouse/mice
        lapin, m, rabbit, pet many
        poule, f, hen, farm many
        canard, m, duck, farm many
        cochon, m, pig, farm
        hibou/hiboux, m, owl
        hamster, m, hamster, pet
        tortue, f, turtle, pet
        lion, m, lion, wild
        éléphant, m, elephant, wild
        singe, m, monkey, wild
        ours, m, bear, wild
        loup, m, wolf/wolves, wild
        papillon, m, butterfly, many
        âne, m, donkey, farm
        chèvre, f, goat, farm many
    """,
    "food edible many": """
        pomme, f, apple, fruit
        poire, f, pear, fruit
        orange, f, orange, fruit
        banane, f, banana, fruit
        fraise, f, strawberry, fruit
        cerise, f, cherry, fruit
        melon, m, melon, fruit
        tomate, f, tomato/tomatoes, vegetable
        carotte, f, carrot, vegetable
        oignon, m, onion, vegetable
        haricot, m, bean, vegetable
        champignon, m, mushroom, vegetable
        œuf, m, egg, ingredient
        gâteau, m, cake, dish sweet
        tarte, f, pie, dish sweet
        sandwich, m, sandwich/sandwiches, dish
        croissant, m, croissant, sweet
        biscuit, m, cookie, sweet
        crêpe, f, pancake, dish sweet
        omelette, f, omelet, dish
        pizza, f, pizza, dish
        homard, m, lobster, dish
    """,
    "food many": """
        repas, m, meal, cooked
        dessert, m, dessert, dish
    """,
    "food edible mass": """
        pain, m, bread, ingredient
        fromage, m, cheese, ingredient
        beurre, m, butter, ingredient
        viande, f, meat, cooked
        poisson, m, fish, cooked
        poulet, m, chicken, cooked
        riz, m, rice, cooked
        soupe, f, soup, cooked
        chocolat, m, chocolate, sweet
        confiture, f, jam, sweet
        miel, m, honey, sweet
        jambon, m, ham
    """,
    "food pantry mass": """
        sucre, m, sugar
        sel, m, salt
        farine, f, flour
        huile, f, oil
    """,
    "drink liquid mass": """
        eau, f, water, plain
        café, m, coffee, hot
        thé, m, tea, hot
        lait, m, milk
        vin, m, wine
        bière, f, beer
        jus, m, juice
        limonade, f, lemonade
    """,
    "clothes wearable washable thing": """
        chemise, f, shirt, many
        robe, f, dress
        manteau, m, coat, many
        chapeau, m, hat, many
        jupe, f, skirt
        veste, f, jacket
        pull, m, sweater, many
        écharpe, f, scarf/scarves
        cravate, f, tie, many
        ceinture, f, belt
        chaussure, f, shoe, paired
        gant, m, glove, paired
        chaussette, f, sock, paired
        botte, f, boot, paired
        uniforme, m, uniform
        imperméable, m, raincoat
        casquette, f, cap
    """,
    "thing portable goods": """
        clé, f, key, many
        sac, m, bag, many container
        valise, f, suitcase, many container openable
        parapluie, m, umbrella
        montre, f, watch, repairable
        stylo, m, pen, many tool
        crayon, m, pencil, many tool
        cahier, m, notebook, many
        dictionnaire, m, dictionary, tool readable
        carte, f, map, readable
        téléphone, m, phone, repairable tool
        ordinateur, m, computer, repairable tool lights
        lampe, f, lamp, lights breakable repairable
        bouteille, f, bottle, many container openable breakable
        verre, m, glass, many container breakable
        tasse, f, cup, many container breakable
        assiette, f, plate, many breakable washable
        couteau, m, knife/knives, many tool washable
        fourchette, f, fork, many washable
        cuillère, f, spoon, many washable
        boîte, f, box, many container openable
        panier, m, basket, container
        ballon, m, ball
        poupée, f, doll
        jouet, m, toy, many repairable
        cadeau, m, gift, many openable
        portefeuille, m, wallet
        billet, m, ticket, many
        photo, f, picture, many
        bougie, f, candle
        marteau, m, hammer, tool
        couverture, f, blanket, washable
        serviette, f, towel, many washable
        miroir, m, mirror, breakable
        hache, f, axe, tool
        échelle, f, ladder, tool
        corde, f, rope, tool
        colis, m, package, openable sendable
    """,
    "thing readable paper portable": """
        livre, m, book, many writable goods
        lettre, f, letter, many writable sendable openable
        journal, m, newspaper, many goods
        roman, m, novel, many writable goods
        article, m, article, many writable
        poème, m, poem, many writable
        message, m, message, many writable sendable
        rapport, m, report, writable sendable
        recette, f, recipe, many writable
        document, m, document, many sendable
        contrat, m, contract, sendable
    """,
    "thing furniture": """
        table, f, table, surface repairable
        chaise, f, chair, many surface repairable
        lit, m, bed, surface
        canapé, m, sofa, surface
        armoire, f, wardrobe, openable inside
        étagère, f, shelf/shelves, surface
        bureau, m, desk, surface
        fauteuil, m, armchair, surface
        tapis, m, rug, surface washable
        rideau, m, curtain, washable openable
        horloge, f, clock, repairable
        four, m, oven, lights repairable
        réfrigérateur, m, refrigerator, repairable openable inside
        télévision, f, television, lights repairable
        radio, f, radio, lights repairable listened
        tableau, m, painting, painted
        vase, m, vase, breakable container
        tiroir, m, drawer, openable inside
    """,
    "thing house_part": """
        porte, f, door, many openable painted_part repairable
        fenêtre, f, window, many openable washable repairable
        mur, m, wall, many painted_part
        toit, m, roof, repairable
    """,
    "thing instrument": """
        piano, m, piano
        guitare, f, guitar
        violon, m, violin
        flûte, f, flute
    """,
    "vehicle transport": """
        voiture, f, car, driven washable repairable road ownable inside
        vélo, m, bicycle, repairable ownable road
        bus, m, bus, driven taken awaited road
        train, m, train, taken awaited
        avion, m, plane, taken awaited
        bateau, m, boat, repairable ownable
        camion, m, truck, driven repairable road ownable
        moto, f, motorcycle, driven repairable ownable road
        taxi, m, taxi, taken awaited road
        métro, m, subway, taken awaited
    """,
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
        maison, f, house, dans in home rented painted_part many
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
        plante, f, plant, many planted
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
        leçon, f, lesson, explained understood learned many
        exercice, m, exercise, explained understood corrected many
        examen, m, exam, corrected event
        secret, m, secret, kept many
        promesse, f, promise, kept
        histoire, f, story, told many listened understood
        rêve, m, dream, many
        mot, m, word, understood learned many
        décision, f, decision, explained understood many
        emploi, m, job, offered
        offre, f, offer, offered many
        invitation, f, invitation, offered sendable many
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
        bruit, m, noise, heard many
        nom, m, name, learned
        langue, f, language, learned
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
            all_tags = frozenset(tags.split()).union(*(field.split() for field in more))
            first, second, *_ = tags.split()
            sort = second if first in ("thing", "place") else first
            nouns.append(Noun(*_both(french, french_plural), gender, *_both(english, english_plural), all_tags, sort))
    return tuple(nouns)


NOUNS: tuple[Noun, ...] = _read()
