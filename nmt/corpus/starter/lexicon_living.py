"""The nouns of people and animals; lexicon_nouns says how a line is read."""

LIVING: dict[str, str] = {
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
}
