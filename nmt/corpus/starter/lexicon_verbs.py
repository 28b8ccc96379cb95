"""The verbs: who does it to what.

One verb a line: French | English | what it takes (tags of nouns, or nouns) | flags | where (a key of WHERE).
French may begin with "se" and end with the preposition of its object; English may end with a preposition, or with
"~particle" where a pronoun goes between (put it on). Flags: `state` (no English progressive), `être` (its passé
composé), `one` (objects in the singular only), `plain` (no indefinite object: one crosses the street), `instant` (never
going on), `seldom` (never a habit), `once` (neither), `several` (objects in the plural), `brief` (over within the day:
nobody closes a door next summer), `slow` (not done in a day), `unmeant` (nobody means to: one does not lose a key
tomorrow, or on command).
"""

from nmt.corpus.starter.verbs import read_verb, read_verbs

# Where things are usually done: nouns, tags of nouns, and the words home, here, school, town, country.
WHERE = {
    "": "",
    "eating": "home restaurant cuisine jardin salon balcon parc plage hôtel town",
    "serving": "home restaurant hôtel salon jardin balcon",
    "ordering": "restaurant hôtel",
    "cooking": "home cuisine restaurant hôtel jardin",
    "groceries": "marché magasin supermarché village",
    "shopping": "magasin village town",
    "selling": "marché village ferme",
    "dressing": "magasin home chambre",
    "house": "home chambre salon cuisine",
    "washing": "home jardin cuisine",
    "repair": "home garage jardin ferme",
    "reading": "home bibliothèque salon jardin chambre parc plage balcon school",
    "searching": "here home jardin parc rue plage maison garage cave grenier gare village",
    "greeting": "rue gare parc village",
    "losing": "rue gare parc village plage forêt musée town",
    "hiding things": "cave grenier garage chambre jardin",
    "watching": "home salon",
    "nature": "forêt jardin parc champ île ferme village",
    "planting": "jardin parc champ ferme",
    "learning": "home school université bibliothèque",
    "printing": "home bibliothèque school université",
    "talking": "restaurant home salon jardin parc balcon",
    "working": "town home bibliothèque banque hôpital usine ferme musée magasin restaurant théâtre",
    "sleeping": "home chambre hôtel salon jardin appartement",
    "walking": "forêt parc rue plage village ville",
    "swimming": "lac rivière piscine",
    "playing": "jardin parc rue chambre plage salon school",
    "waiting": "here home gare aéroport hôtel parc restaurant couloir",
    "transport": "here rue gare",
    "dancing": "town parc rue salon plage hôtel",
    "staying": "town country home here hôtel ferme île village",
    "abroad": "country",
    "stadium": "stade parc",
    "hiding": "jardin cave grenier forêt garage chambre",
    "crying": "chambre rue couloir home",
    "smoking": "rue jardin balcon here",
    "home": "home",
    "town": "town",
    "anywhere": "town country",
    "meeting": "town here gare restaurant parc marché musée université plage théâtre",
}

# A person does it to a thing, an animal or a place.
TRANSITIVE = read_verbs("""
    manger | eat | edible | brief | eating
    boire | drink | drink | brief | eating
    goûter | taste | edible drink | plain seldom brief | eating
    préparer | prepare | dish cooked | brief | cooking
    préparer | prepare | fête voyage mariage spectacle concert | plain one seldom | home
    commander | order | dish cooked drink | brief | ordering
    servir | serve | dish cooked drink | brief | serving
    couper | cut | fruit vegetable pain fromage viande gâteau corde | plain seldom brief | cooking
    acheter | buy | edible drink pantry journal fleur bougie | brief | groceries
    acheter | buy | clothes goods furniture instrument ownable home | seldom | shopping
    vendre | sell | fruit vegetable clothes fleur poule lapin canard | | selling
    vendre | sell | furniture instrument ownable home cheval vache | seldom | selling
    porter | wear | wearable | brief
    mettre | put~on | wearable | brief
    essayer | try~on | wearable | seldom brief | dressing
    laver | wash | washable vegetable | brief | washing
    nettoyer | clean | cleanable four tapis piscine | plain one brief
    réparer | repair | repairable | | repair
    casser | break | breakable | unmeant instant | house
    ouvrir | open | porte fenêtre rideau armoire réfrigérateur tiroir | plain instant brief
    ouvrir | open | valise bouteille boîte colis lettre cadeau | instant seldom brief
    fermer | close | valise boîte armoire rideau réfrigérateur tiroir porte fenêtre magasin | plain instant brief
    lire | read | readable | | reading
    écrire | write | lettre article poème message rapport recette | | reading
    écrire | write | livre roman | slow | home
    perdre | lose | carried | unmeant instant | losing
    trouver | find | portable | once brief | searching
    chercher | look for | portable building pet | plain seldom brief
    regarder | watch | match concert film spectacle | one brief | watching
    regarder | watch | télévision | one plain brief | watching
    voir | see | animal building nature vehicle | state seldom
    entendre | hear | heard sung sings barks | state unmeant seldom brief
    écouter | listen to | listened | plain brief | house
    conduire | drive | driven | one brief | town
    prendre | take | taken | plain one instant brief | transport
    prendre | take | photo | brief | walking
    attendre | wait for | awaited | plain one brief | transport
    attendre | wait for | réponse lettre colis | plain brief
    choisir | choose | clothes livre roman journal carte cadeau furniture instrument | seldom | shopping
    cacher | hide | portable | brief | hiding things
    oublier | forget | carried rendez-vous nom mot | plain unmeant once brief
    utiliser | use | tool | plain brief
    louer | rent | rented driven bateau vélo | one instant | town
    visiter | visit | visited | plain one
    dessiner | draw | animal nature home | seldom
    peindre | paint | painted_part | plain one seldom
    construire | build | home old_building pont bateau mur étagère | one seldom slow
    planter | plant | planted | | planting
    comprendre | understand | understood | state plain unmeant seldom brief
    expliquer | explain | explained | plain brief | learning
    apprendre | learn | learned | plain | learning
    traduire | translate | lettre article poème message recette document contrat | plain brief | learning
    traduire | translate | livre roman | plain slow | home
    corriger | correct | corrected | plain brief | learning
    organiser | organize | voyage fête réunion mariage match concert spectacle | one seldom slow | town
    annuler | cancel | examen rendez-vous voyage fête réunion mariage match concert spectacle | one plain once
    tenir | keep | promesse | plain one once
    garder | keep | secret lettre cadeau photo clé | plain once
    accepter | accept | offered | instant brief
    refuser | refuse | offered | instant brief
    chanter | sing | sung | brief | dancing
    remplir | fill | container | plain brief
    vider | empty | container armoire tiroir | plain brief
    allumer | turn~on | lights | plain one instant brief
    éteindre | turn~off | lights | plain one instant brief
    nourrir | feed | pet farm oiseau canard | plain brief | nature
    admirer | admire | old_building nature tableau high | plain seldom brief
    recevoir | receive | sendable cadeau | instant
    signer | sign | contrat document lettre | plain seldom brief
    traverser | cross | crossed | plain one brief
    photographier | photograph | animal old_building nature |
    quitter | leave | building | plain one once brief
    quitter | leave | village ville île | plain one once
    vérifier | check | réponse exercice rapport document billet contrat | plain brief
    compter | count | farm fruit tasse assiette verre livre clé bouteille valise boîte | plain several brief
    transporter | transport | furniture farm valise | plain seldom brief
    imprimer | print | photo article document billet rapport carte | plain brief | printing
    jeter | throw~away | journal boîte bouteille panier lettre jouet chaussure | plain instant brief
    ramasser | pick~up | fruit pierre jouet portefeuille | brief | planting
    décrire | describe | building animal tableau rêve spectacle | plain seldom brief
    créer | create | jardin spectacle | one once slow | town
    découvrir | discover | secret île village erreur plage | once unmeant
    terminer | finish | repas livre roman rapport exercice lettre leçon | plain instant brief
    répéter | repeat | mot question réponse nom règle | plain seldom brief | learning
    obtenir | get | emploi réponse billet contrat | once unmeant
    discuter de | discuss | film projet problème roman décision | plain one seldom brief | talking
    parler de | talk about | event watched problème idée secret livre roman | plain brief | talking
    rêver de | dream about | voyage île maison ownable fête | one seldom
    penser à | think about | event problème idée question secret décision | plain
    répondre à | answer | lettre message question invitation | plain brief
    renoncer à | give~up | voyage projet emploi fête | plain one once
    participer à | take part in | réunion match projet fête spectacle concert | plain one
""")

# A person does it to a person.
SOCIAL = read_verbs("""
    rencontrer | meet | human | instant | meeting
    inviter | invite | human | instant
    appeler | call | human | brief
    aider | help | human
    remercier | thank | human | brief
    saluer | greet | human | brief | greeting
    attendre | wait for | human | brief | waiting
    chercher | look for | human | seldom brief
    écouter | listen to | human | brief
    voir | see | human | state | meeting
    surprendre | surprise | human | instant
    consoler | comfort | human | brief
    encourager | encourage | human
    déranger | disturb | human | unmeant brief
    embrasser | kiss | family parent enfant | brief
    parler à | talk to | human | brief
    téléphoner à | phone | human | brief
    répondre à | answer | human | brief
    écrire à | write to | human
    sourire à | smile at | human | brief
    pardonner à | forgive | human | instant seldom brief
""")

# One knows someone: no time, no place.
KNOWING = read_verbs("""
    connaître | know | human | state
    respecter | respect | human | state
    admirer | admire | human | state
    comprendre | understand | human | state
""")

# A person does it with a thing, for or to another person (donner une clé à Paul).
GIVING = read_verbs("""
    donner | give | portable edible drink pantry | brief
    prêter | lend | tool clothes sac valise parapluie échelle livre roman jouet driven vélo | instant
    montrer | show | portable animal room tableau clothes | seldom brief
    envoyer | send | sendable photo cadeau recette
    apporter | bring | portable edible drink pantry | brief
    rendre | give~back | portable vélo voiture | plain instant seldom brief
    vendre | sell | furniture ownable instrument | seldom
    offrir | offer | emploi gâteau dessert biscuit chocolat drink | brief
    lire | read | histoire lettre poème article message | brief
    expliquer | explain | explained | plain brief
    raconter | tell | told | brief
    promettre | promise | cadeau voyage réponse emploi fête | instant seldom
    servir | serve | dish cooked drink | brief
""")

# A person does it, and that is all.
INTRANSITIVE = read_verbs("""
    dormir | sleep | | brief | sleeping
    travailler | work | | | working
    marcher | walk | | | walking
    courir | run | | | walking
    nager | swim | | | swimming
    danser | dance | | | dancing
    voyager | travel | | | abroad
    rire | laugh | | brief | playing
    pleurer | cry | | unmeant brief | crying
    crier | shout | | unmeant brief | crying
    chanter | sing | | brief | dancing
    étudier | study | | | learning
    cuisiner | cook | | brief | cooking
    jouer | play | | | playing
    déjeuner | have lunch | | brief | eating
    dîner | have dinner | | brief | eating
    dessiner | draw | | brief | reading
    fumer | smoke | | brief | smoking
    attendre | wait | | brief | waiting
    rester | stay | | être | staying
    se reposer | rest | | brief | sleeping
    se promener | go for a walk | | | walking
    se baigner | go for a swim | | | swimming
    se disputer | argue | | unmeant brief | playing
    se amuser | have fun | | | playing
    se entraîner | train | | | stadium
    se cacher | hide | | brief | hiding
""")

# Daily life, at an hour.
ROUTINE = read_verbs("""
    se lever | get up
    se coucher | go to bed
    se réveiller | wake up
    se habiller | get dressed
    se laver | wash
    se raser | shave
    se endormir | fall asleep
    se reposer | rest
    se préparer | get ready
    déjeuner | have lunch
    dîner | have dinner
    rentrer | come home | | être
    partir | leave | | être
    sortir | go out | | être
    arriver | arrive | | être
""")

# With être: coming and going.
MOTION = read_verbs("""
    aller | go | | être
    arriver | arrive | | être
    partir | leave | | être
    retourner | return | | être
    rentrer | come home | | être
    revenir | come back | | être
    sortir | go out | | être
    venir | come | | être
    tomber | fall | | être
""")

# The other reflexives, with an object after de: se souvenir de.
REFLEXIVE = read_verbs("""
    se souvenir de | remember | human event histoire voyage nom | state
    se occuper de | take care of | enfant pet farm jardin fleur plante invité client family | plain
    se méfier de | distrust | chien public offre promesse loup | state plain
    se servir de | make use of | tool | plain brief
    se moquer de | make fun of | human chapeau erreur | plain brief
    se intéresser à | be interested in | tableau projet animal langue histoire musée | state plain
    se habituer à | get used to | bruit ville maison appartement emploi règle | plain
""")

# It is liked or not: the object is a whole kind (aimer le chocolat, like chocolate).
LIKING = read_verbs("""
    aimer | like | edible drink animal | state
    adorer | love | edible drink animal | state
    préférer | prefer | edible drink animal | state
    détester | hate | edible drink animal | state
""")

# Verbs that take an infinitive: French preposition, English what comes before the bare verb.
CHAINS = read_verbs("""
    vouloir | want to | | state
    pouvoir | can | | state
    devoir | have to | | state
    espérer | hope to | | state
    préférer | prefer to | | state
    aimer | like to | | state
    essayer de | try to
    oublier de | forget to
    décider de | decide to
    refuser de | refuse to
    promettre de | promise to
    accepter de | agree to
    commencer à | start to
    apprendre à | learn to
    continuer à | continue to
    réussir à | manage to
    hésiter à | hesitate to | | state
""")

BE = read_verb("être | be | | state")
HAVE = read_verb("avoir | have | | state")
# avoir faim, être in English; faire froid, too.
HAVE_BE = read_verb("avoir | be | | state")
MAKE_BE = read_verb("faire | be | | state")
GO = read_verb("aller | go | | être")
LIVE = read_verb("habiter | live | | state")
COST = read_verb("coûter | cost | | state")
RAIN = read_verb("pleuvoir | rain")
SNOW = read_verb("neiger | snow")
WANT = read_verb("vouloir | want | | state")
NEED = read_verb("avoir besoin de | need | | state")
BELONG = read_verb("appartenir à | belong to | | state")
BEGIN, END = read_verb("commencer | start"), read_verb("finir | end")
TAKE_PLACE = read_verb("avoir | take | | | anywhere")
PLAY_GAME = read_verb("jouer à | play | sport")
PLAY_MUSIC = read_verb("jouer de | play | instrument")
STUDY = read_verb("étudier | study | subject")
