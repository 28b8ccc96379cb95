"""The nouns of things: food and drink, clothes, what is in a house, what one rides in.

lexicon_nouns says how a line is read.
"""

THINGS: dict[str, str] = {
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
        chapeau, m, hat, many carried
        jupe, f, skirt
        veste, f, jacket
        pull, m, sweater, many
        écharpe, f, scarf/scarves, carried
        cravate, f, tie, many
        ceinture, f, belt
        chaussure, f, shoe, paired
        gant, m, glove, paired carried
        chaussette, f, sock, paired
        botte, f, boot, paired
        uniforme, m, uniform
        imperméable, m, raincoat
        casquette, f, cap, carried
    """,
    "thing portable goods": """
        clé, f, key, many carried
        sac, m, bag, many container carried
        valise, f, suitcase, many container openable carried
        parapluie, m, umbrella, carried
        montre, f, watch, repairable carried
        stylo, m, pen, many tool carried
        crayon, m, pencil, many tool carried
        cahier, m, notebook, many carried
        dictionnaire, m, dictionary, tool readable carried
        carte, f, map, readable carried
        téléphone, m, phone, repairable tool carried
        ordinateur, m, computer, repairable tool lights carried
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
        ballon, m, ball, carried
        poupée, f, doll, carried
        jouet, m, toy, many repairable carried
        cadeau, m, gift, many openable carried
        portefeuille, m, wallet, carried
        billet, m, ticket, many carried
        photo, f, picture, many carried
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
    "thing readable paper portable carried": """
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
    """,
    "thing house_part": """
        porte, f, door, many openable painted_part repairable
        fenêtre, f, window, many openable washable repairable
        mur, m, wall, many painted_part
        toit, m, roof, repairable
        tiroir, m, drawer, openable inside
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
}
