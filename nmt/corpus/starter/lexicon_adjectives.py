"""The adjectives: where they stand, and what can be so.

One a line: French masculine (irregular feminine after /), English, what it goes with (tags of nouns, or nouns).
Those of BEFORE stand before their noun in French, those of AFTER behind it; STATES are only said of someone.
"""

from dataclasses import dataclass

from nmt.corpus.starter.english import comparative
from nmt.corpus.starter.french import feminine


@dataclass(frozen=True, eq=False)
class Adjective:
    """An adjective in both languages. degrees: comparative and superlative where English has a word for them."""

    fr: str
    fr_feminine: str
    en: str
    goes_with: frozenset[str]
    before: bool
    degrees: tuple[str, str] | None


BEFORE = """
    petit, small, animal container clothes furniture home room parc lac plage village ville île champ musée hôtel
    grand, tall, public family
    grand, big, animal container furniture home room building lac parc village ville île forêt arbre champ
    gros/grosse, fat, pet farm ours
    beau/belle, beautiful, animal clothes instrument armoire tapis table vase home old_building outdoors nature
    nouveau/nouvelle, new, clothes furniture instrument ownable building job tool lights livre idée projet emploi film
    vieux/vieille, old, homme femme dame ami voisin professeur écrivain pet farm wild clothes portable ownable building
    bon/bonne, good, edible drink job repas dessert idée question réponse plan film spectacle livre roman recette
    mauvais, bad, edible drink idée question réponse décision film rêve journal
    jeune, young, public pet farm wild
    joli, pretty, clothes nature cuisine chambre salon jardin village maison vase tableau oiseau papillon tasse poupée
    long/longue, long, livre roman lettre article rapport message rue pont voyage réunion film histoire rivière corde
    haut/haute, high, mur montagne tour étagère
    gentil/gentille, kind, family job dame garçon femme
"""

AFTER = """
    rouge, red, clothes valise sac stylo crayon parapluie bougie vase rideau porte road fleur rose ballon fauteuil
    bleu, blue, clothes valise sac stylo tasse assiette ballon rideau porte road fleur tapis canapé oiseau papillon
    vert, green, clothes valise sac stylo pomme tasse ballon rideau porte road lampe plante bouteille chaise
    jaune, yellow, clothes sac crayon tasse ballon rideau road fleur rose papillon parapluie
    noir, black, clothes valise sac stylo parapluie chat chien cheval vache mouton road chaise piano loup téléphone
    blanc/blanche, white, clothes assiette tasse bougie chat cheval lapin poule mur porte fleur rose table serviette
    gris, gray, clothes valise chat souris âne mur tapis road rideau
    brun, brown, clothes sac ours chien cheval table lapin armoire fauteuil
    violet/violette, purple, clothes fleur bougie vase rideau couverture
    rapide, fast, ownable train cheval lapin
    lent, slow, train bus tortue film ordinateur bateau
    cher/chère, expensive, clothes ownable furniture instrument restaurant hôtel repas tool appartement voyage
    moderne, modern, home musée université hôtel usine furniture gare aéroport bibliothèque hôpital pont cuisine tableau
    célèbre, famous, artist musée château tour tableau roman restaurant hôtel chanson théâtre université pont
    intelligent, smart, public family pet singe
    sympathique, friendly, family job touriste invité dame
    drôle, funny, acteur family histoire film garçon singe spectacle
    timide, shy, garçon élève enfant étudiant voisin cousin lapin
    courageux, brave, soldat pompier policier héros garçon femme homme enfant
    paresseux, lazy, chat élève étudiant garçon cousin âne
    poli, polite, garçon élève serveur vendeur client enfant serveuse vendeuse
    honnête, honest, homme femme avocat policier vendeur client directeur
    sérieux, serious, étudiant élève médecin avocat directeur ingénieur problème
    patient, patient, job family professeur
    curieux, curious, enfant élève chat singe touriste voisin journaliste
    fort, strong, homme garçon lion cheval café pompier soldat éléphant
    riche, rich, acteur homme dame client chanteur touriste avocat voisin
    délicieux, delicious, edible repas dessert hot jus limonade vin
    chaud, hot, hot soupe plain lait chocolat pizza croissant repas
    froid, cold, plain lait jus limonade bière lac rivière piscine maison chambre repas
    frais/fraîche, fresh, pain fruit vegetable œuf lait poisson jus
    sucré, sweet, limonade orange melon fraise confiture biscuit gâteau
    salé, salty, soupe jambon beurre fromage viande riz
    mûr, ripe, fruit tomate
    épicé, spicy, soupe viande poulet riz poisson pizza
    lourd, heavy, valise sac colis boîte table armoire panier piano échelle
    léger/légère, light, sac veste manteau chaussure valise chaise repas robe
    solide, sturdy, chaise table échelle corde pont boîte étagère mur valise
    utile, useful, tool carte idée règle livre réponse parapluie
    propre, clean, clothes room assiette verre tasse fourchette cuillère serviette table rue ville plage hôtel fenêtre
    sale, dirty, clothes room assiette verre tasse fourchette voiture camion fenêtre serviette rue mur rideau
    confortable, comfortable, fauteuil canapé lit chaise appartement maison hôtel chaussure train pull
    élégant, elegant, wearable dame homme
    dangereux, dangerous, wild rue montagne forêt moto hache idée chien voyage
    fragile, fragile, breakable chaise fleur
    pratique, practical, sac table téléphone valise plan vélo
    rond, round, table tapis boîte miroir horloge pierre
    électrique, electric, voiture vélo guitare bus moto four
    précieux, precious, vase tableau montre pierre document livre
    difficile, difficult, question leçon exercice examen problème décision langue mot poème règle voyage emploi
    facile, easy, question leçon exercice examen recette langue mot règle
    important, important, question réunion document décision lettre message règle rendez-vous examen problème projet
    intéressant, interesting, readable musée film voyage projet idée histoire question spectacle leçon emploi
    ennuyeux, boring, film livre roman leçon réunion spectacle article emploi
    simple, simple, plan règle recette question idée exercice réponse
    étrange, strange, bruit rêve histoire message maison mot nom idée film
    parfait, perfect, plan réponse repas cadeau décision
    compliqué, complicated, règle problème plan recette histoire exercice langue
    tranquille, quiet, village rue hôtel jardin plage parc chambre île bibliothèque
    bruyant, noisy, rue ville restaurant bus hôtel marché usine enfant voisin
    sombre, dark, couloir cave forêt chambre rue grenier maison
    immense, huge, château forêt jardin stade éléphant usine bibliothèque parc champ
    étroit, narrow, rue pont couloir lit
    profond, deep, lac rivière piscine
    secret/secrète, secret, réunion message document projet
    vide, empty, container restaurant train réfrigérateur maison
    sauvage, wild, cheval canard chat fleur île lapin
"""

STATES = """
    fatigué, tired, human
    malade, sick, human
    heureux, happy, human
    triste, sad, human
    content, pleased, human
    inquiet/inquiète, worried, human
    fier/fière, proud, human
    calme, calm, human
    nerveux, nervous, human
    jaloux/jalouse, jealous, human
    prêt, ready, human
    seul, alone, human
    déçu, disappointed, human
    occupé, busy, human
    libre, free, human
    surpris, surprised, human
    furieux, furious, human
    pressé, in a hurry, human
    perdu, lost, human
    blessé, injured, human
    célibataire, single, human
"""


def _read(lines: str, before: bool) -> tuple[Adjective, ...]:
    adjectives = []
    for line in lines.strip().split("\n"):
        french, english, goes_with = (field.strip() for field in line.split(","))
        fr, _, fr_feminine = french.partition("/")
        adjectives.append(
            Adjective(
                fr, fr_feminine or feminine(fr), english, frozenset(goes_with.split()), before, comparative(english)
            )
        )
    return tuple(adjectives)


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What stands before a masculine noun that begins with a vowel: un bel arbre.
VOWEL_FORMS = {"beau": "bel", "nouveau": "nouvel", "vieux": "vieil"}

# These tell one thing from another, and so go well with "the": the red coat. Of the others one says: this good cake.
TELLING = _names("""
    petit grand gros nouveau vieux jeune long rouge bleu vert jaune noir blanc gris brun violet moderne rond électrique
    lourd léger étroit rapide lent chaud froid vide sauvage secret
""")

# Colours and shapes have no degrees, and what is perfect, immense or secret has none either.
ABSOLUTE = _names("""
    rouge bleu vert jaune noir blanc gris brun violet rond électrique parfait immense secret vide sauvage nouveau
    délicieux mauvais
""")
# The second of two adjectives is one of these, so that the two do not quarrel (a small huge field).
COLORS = _names("rouge bleu vert jaune noir blanc gris brun violet rond électrique")

# What a thing may no longer be.
CHANGING = _names("nouveau propre sale vide jeune froid chaud")
# There can be too much of these.
EXCESSIVE = _names("""
    petit grand long vieux rapide lent cher timide bruyant curieux sérieux lourd léger chaud froid sucré salé épicé
    sombre étroit difficile facile simple compliqué haut profond dangereux fragile jeune
""")
# One does not exclaim at a colour: what a green bag!
EXCLAIMED = _names("""
    petit grand gros beau bon mauvais joli long haut gentil rapide lent intelligent drôle timide courageux
    paresseux curieux élégant dangereux délicieux étrange ennuyeux intéressant bruyant parfait immense confortable
    lourd triste tranquille précieux sombre épicé difficile
""")
# What can be set against each other: the soup is cold, but the coffee is hot.
CONTRASTS_FR = """
    petit grand gros immense
    nouveau vieux moderne
    bon mauvais délicieux
    jeune vieux
    long simple compliqué
    rouge bleu vert jaune noir blanc gris brun violet
    rapide lent
    lourd léger
    chaud froid
    propre sale
    facile difficile
    intéressant ennuyeux
    tranquille bruyant
    intelligent timide drôle paresseux courageux gentil curieux
    sérieux drôle paresseux
    poli timide bruyant curieux
    salé sucré épicé frais
    fragile solide
    joli cher
    confortable élégant cher
    utile précieux
    étroit long
    haut profond
    étrange important intéressant
"""
DESCRIPTIONS: tuple[Adjective, ...] = _read(BEFORE, True) + _read(AFTER, False)
FEELINGS: tuple[Adjective, ...] = _read(STATES, False)
CONTRASTS: tuple[tuple[Adjective, ...], ...] = tuple(
    tuple(adjective for adjective in DESCRIPTIONS if adjective.fr in line.split())
    for line in CONTRASTS_FR.strip().split("\n")
)
