"""The verbs: who does it to what.

One verb a line: French | English | what it takes (tags of nouns, or nouns) | flags | where (a key of WHERE).
French may begin with "se" and end with the preposition of its object; English may end with a preposition, or with
"~particle" where a pronoun goes between (put it on). Flags: `state` (no English progressive), `être` (its passé
composé), `one` (objects in the singular only), `plain` (no indefinite object: one crosses the street), `instant` (never
going on), `seldom` (never a habit), `once` (neither), `several` (objects in the plural).
"""

from nmt.corpus.starter.verbs import read_verb, read_verbs

# Where things are usually done: nouns, tags of nouns, and the words home, here, school, town, country.
WHERE = {
    "": "town here home",
    "nowhere": "",
    "eating": "town home restaurant cuisine jardin salon balcon parc plage hôtel",
    "ordering": "town restaurant hôtel",
    "cooking": "home cuisine restaurant hôtel jardin",
    "shopping": "town marché magasin supermarché village ville",
    "house": "home chambre salon cuisine",
    "repair": "home garage jardin usine ferme",
    "reading": "home bibliothèque salon jardin chambre parc plage balcon school université",
    "searching": "here home jardin parc rue plage maison garage cave grenier gare village",
    "watching": "home salon cinéma théâtre stade chambre",
    "nature": "forêt jardin parc champ île ferme village town",
    "street": "town rue gare parc ville village",
    "learning": "home school université bibliothèque town",
    "working": "town home bibliothèque banque hôpital usine ferme musée magasin restaurant théâtre",
    "sleeping": "home chambre hôtel salon ferme jardin appartement town",
    "walking": "forêt parc rue plage champ village ville jardin",
    "swimming": "lac rivière piscine",
    "playing": "jardin parc rue chambre plage stade salon school",
    "waiting": "here home gare aéroport rue hôtel parc restaurant cuisine couloir",
    "dancing": "town parc rue salon plage hôtel",
    "staying": "town home here hôtel chambre ferme île village hôpital",
    "abroad": "country",
    "stadium": "stade parc",
    "hiding": "jardin cave grenier forêt garage chambre couloir",
    "town": "town",
    "home": "home",
    "meeting": "town here gare restaurant parc marché musée université plage théâtre",
}

# A person does it to a thing, an animal or a place.
TRANSITIVE = read_verbs("""
    manger | eat | edible | | eating
    boire | drink | drink | | eating
    goûter | taste | edible drink | plain | eating
    préparer | prepare | dish cooked examen fête voyage | | cooking
    commander | order | dish cooked drink | | ordering
    servir | serve | dish cooked drink | | eating
    couper | cut | fruit vegetable pain fromage viande gâteau corde | plain | cooking
    acheter | buy | edible drink pantry journal fleur bougie | | shopping
    acheter | buy | clothes goods furniture instrument ownable home nature | seldom | shopping
    vendre | sell | fruit vegetable clothes fleur poule lapin canard | | shopping
    vendre | sell | furniture instrument ownable home cheval vache chien | seldom | shopping
    porter | wear | wearable
    mettre | put~on | wearable | | house
    essayer | try~on | wearable | | shopping
    laver | wash | washable vegetable | | house
    nettoyer | clean | cleanable four tapis piscine | plain one | nowhere
    réparer | repair | repairable | | repair
    casser | break | breakable | instant | house
    ouvrir | open | openable | | nowhere
    fermer | close | valise boîte armoire rideau réfrigérateur tiroir porte fenêtre magasin | plain | nowhere
    lire | read | readable | | reading
    écrire | write | writable | | reading
    perdre | lose | portable | instant | street
    trouver | find | portable | once | searching
    chercher | look for | portable building animal | plain | nowhere
    regarder | watch | watched télévision | one plain | watching
    voir | see | animal building nature vehicle | state | street
    entendre | hear | heard sung sings barks | state | nature
    écouter | listen to | listened | plain | house
    conduire | drive | driven | one | town
    prendre | take | taken photo | one | town
    attendre | wait for | awaited | plain | waiting
    choisir | choose | clothes readable furniture instrument | seldom | shopping
    cacher | hide | portable | | house
    oublier | forget | portable rendez-vous nom mot | plain instant | nowhere
    utiliser | use | tool | | working
    louer | rent | rented driven bateau vélo | one instant | town
    visiter | visit | visited | plain one | nowhere
    dessiner | draw | animal nature home | | nature
    peindre | paint | painted_part | plain one seldom | nowhere
    construire | build | home old_building pont bateau mur étagère | one seldom | nowhere
    planter | plant | planted | | nature
    comprendre | understand | understood | state plain | nowhere
    expliquer | explain | explained | plain | learning
    apprendre | learn | learned | plain | learning
    traduire | translate | readable | plain | reading
    corriger | correct | corrected | plain | reading
    organiser | organize | event | one | town
    annuler | cancel | event | one plain instant | nowhere
    accepter | accept | offered | instant | nowhere
    refuser | refuse | offered | instant | nowhere
    chanter | sing | sung | | dancing
    remplir | fill | container | plain | house
    vider | empty | container armoire tiroir | plain | house
    allumer | turn~on | lights | plain one | nowhere
    éteindre | turn~off | lights | plain one | nowhere
    nourrir | feed | animal | plain | nature
    admirer | admire | old_building nature tableau high | plain | nature
    recevoir | receive | sendable cadeau | instant | home
    signer | sign | contrat document lettre | plain | nowhere
    traverser | cross | crossed | plain one | nowhere
    photographier | photograph | animal old_building nature | | nature
    quitter | leave | building room village ville île | plain one once | nowhere
    vérifier | check | réponse exercice rapport document billet contrat | plain | working
    compter | count | farm fruit tasse assiette verre livre clé bouteille valise boîte | plain several | nowhere
    transporter | transport | furniture animal valise | plain | nowhere
    protéger | protect | animal nature forêt rivière île | plain | nowhere
    imprimer | print | photo article document billet rapport carte | plain | working
    jeter | throw~away | journal boîte bouteille panier lettre jouet chaussure | plain instant | nowhere
    ramasser | pick~up | fruit vegetable pierre jouet portefeuille journal | | nature
    décrire | describe | building animal tableau rêve spectacle | plain seldom | nowhere
    créer | create | jardin tableau spectacle exercice | one once | town
    découvrir | discover | secret île village erreur plage | one once | nowhere
    terminer | finish | repas livre roman rapport exercice lettre leçon | plain instant | home
    répéter | repeat | mot question réponse nom règle | plain | learning
    obtenir | get | emploi réponse billet contrat invitation | once | town
    discuter de | discuss | film projet problème roman décision | plain one | eating
    parler de | talk about | event watched problème idée secret animal livre | plain | eating
    rêver de | dream about | voyage île vehicle fête | plain one | nowhere
    penser à | think about | event problème idée question secret décision | plain | nowhere
    répondre à | answer | lettre message question invitation | plain | nowhere
    renoncer à | give up | voyage projet emploi fête | plain one once | nowhere
    participer à | take part in | réunion match projet fête spectacle concert | plain one | town
""")

# A person does it to a person.
SOCIAL = read_verbs("""
    rencontrer | meet | human | instant | meeting
    inviter | invite | human | instant | eating
    appeler | call | human
    aider | help | human
    remercier | thank | human
    saluer | greet | human | | street
    attendre | wait for | human | | waiting
    chercher | look for | human | | street
    écouter | listen to | human
    voir | see | human | state | meeting
    surprendre | surprise | human | instant
    consoler | comfort | human
    encourager | encourage | human
    déranger | disturb | human
    embrasser | kiss | family parent enfant | | street
    parler à | talk to | human
    téléphoner à | phone | human
    répondre à | answer | human
    écrire à | write to | human
    sourire à | smile at | human
    pardonner à | forgive | human | instant
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
    donner | give | portable edible drink pantry
    prêter | lend | portable driven vélo
    montrer | show | portable animal room tableau clothes
    envoyer | send | sendable photo cadeau recette
    apporter | bring | portable edible drink pantry
    rendre | give~back | portable vélo voiture | plain
    vendre | sell | furniture ownable instrument | seldom
    offrir | offer | drink emploi gâteau dessert biscuit chocolat
    lire | read | histoire lettre poème article message
    expliquer | explain | explained | plain
    raconter | tell | told
    promettre | promise | cadeau voyage réponse emploi fête
    servir | serve | dish cooked drink
""")

# A person does it, and that is all.
INTRANSITIVE = read_verbs("""
    dormir | sleep | | | sleeping
    travailler | work | | | working
    marcher | walk | | | walking
    courir | run | | | walking
    nager | swim | | | swimming
    danser | dance | | | dancing
    voyager | travel | | | abroad
    rire | laugh | | | playing
    pleurer | cry | | | house
    crier | shout | | | street
    chanter | sing | | | dancing
    étudier | study | | | learning
    cuisiner | cook | | | cooking
    jouer | play | | | playing
    déjeuner | have lunch | | | eating
    dîner | have dinner | | | eating
    dessiner | draw | | | reading
    fumer | smoke | | | street
    attendre | wait | | | waiting
    rester | stay | | être | staying
    se reposer | rest | | | sleeping
    se promener | go for a walk | | | walking
    se baigner | go for a swim | | | swimming
    se disputer | argue | | | playing
    se amuser | have fun | | | playing
    se entraîner | train | | | stadium
    se cacher | hide | | | hiding
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
    se occuper de | take care of | enfant animal jardin fleur plante invité client family | plain
    se méfier de | distrust | chien public offre promesse loup | state plain
    se servir de | make use of | tool | plain
    se moquer de | make fun of | human chapeau erreur | plain
    se intéresser à | be interested in | tableau projet animal langue histoire musée | state plain
    se habituer à | get used to | bruit ville maison appartement emploi règle | plain
""")

# A thing or an animal does it.
OF_ANIMALS = read_verbs("""
    dormir | sleep
    courir | run
    manger | eat
    jouer | play
    se cacher | hide
    attendre | wait
    se reposer | rest
    rester | stay | | être
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
    hésiter à | hesitate to
""")

BE = read_verb("être | be | | state")
HAVE = read_verb("avoir | have | | state")
# avoir faim, être in English; faire froid, too.
HAVE_BE = read_verb("avoir | be | | state")
MAKE_BE = read_verb("faire | be | | state")
GO = read_verb("aller | go | | être")
LIVE = read_verb("habiter | live | | state")
KNOW_THAT = read_verb("savoir | know | | state")
SAY = read_verb("dire | say | | state")
THINK = read_verb("penser | think | | state")
BELIEVE = read_verb("croire | believe | | state")
COST = read_verb("coûter | cost | | state")
RAIN = read_verb("pleuvoir | rain")
SNOW = read_verb("neiger | snow")
RING = read_verb("sonner | ring")
BELONG = read_verb("être | belong to | | state")
WANT = read_verb("vouloir | want | | state")
NEED = read_verb("avoir | need | | state")
START = read_verb("commencer | start")
END = read_verb("finir | end")
LEAVE = read_verb("partir | leave | | être")
ARRIVE = read_verb("arriver | arrive | | être")
PLAY_GAME = read_verb("jouer à | play | sport")
PLAY_MUSIC = read_verb("jouer de | play | instrument")
STUDY = read_verb("étudier | study | subject")
