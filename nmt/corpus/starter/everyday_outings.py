"""Everyday sentences, written by hand: at table, on the way, in shops and at work.

One pair a line: French | English.
"""

OUTINGS = """
Qu'est-ce qu'on mange ce soir ? | What are we eating tonight?
Le dîner est prêt. | Dinner is ready.
À table ! | Time to eat!
Le petit déjeuner est à sept heures. | Breakfast is at seven o'clock.
La carte, s'il vous plaît. | The menu, please.
Une table pour deux, s'il vous plaît. | A table for two, please.
L'addition, s'il vous plaît. | The check, please.
Je voudrais un café, s'il vous plaît. | I would like a coffee, please.
Un verre d'eau, s'il vous plaît. | A glass of water, please.
Avec ou sans sucre ? | With or without sugar?
Encore un peu de vin ? | A little more wine?
Je prendrai la même chose. | I will have the same.
Que me conseillez-vous ? | What do you recommend?
Avez-vous choisi ? | Have you chosen?
C'est délicieux. | It is delicious.
Ça sent bon. | It smells good.
C'est trop épicé pour moi. | It is too spicy for me.
Je suis végétarien. | I am a vegetarian.
Je suis allergique aux noix. | I am allergic to nuts.
Je n'ai plus faim. | I am not hungry anymore.
J'ai trop mangé. | I ate too much.
Je suis au régime. | I am on a diet.
Le service est compris. | Service is included.
Gardez la monnaie. | Keep the change.
Il n'y a plus de lait. | There is no more milk.
Le repas était excellent. | The meal was excellent.
Qui veut du dessert ? | Who wants dessert?
Passez-moi le sel, s'il vous plaît. | Pass me the salt, please.
Pouvez-vous m'aider à mettre la table ? | Can you help me set the table?
C'est moi qui fais la vaisselle. | I am the one who does the dishes.
L'eau bout. | The water is boiling.
Attention, c'est chaud ! | Be careful, it is hot!
Où est la gare ? | Where is the station?
Où sont les toilettes ? | Where is the bathroom?
C'est loin d'ici ? | Is it far from here?
C'est tout près. | It is very near.
Tournez à gauche. | Turn left.
Tournez à droite au feu. | Turn right at the traffic light.
Allez tout droit. | Go straight ahead.
C'est au coin de la rue. | It is around the corner.
Je suis perdue. | I am lost.
Pouvez-vous me montrer le chemin ? | Can you show me the way?
Je cherche un hôtel pas cher. | I am looking for a cheap hotel.
Avez-vous une chambre libre ? | Do you have a room available?
J'ai réservé une chambre pour deux nuits. | I booked a room for two nights.
Le petit déjeuner est-il compris ? | Is breakfast included?
À quel étage est ma chambre ? | What floor is my room on?
La clé de la chambre douze, s'il vous plaît. | The key to room twelve, please.
Un aller simple pour Lyon. | A one-way ticket to Lyon.
Un aller-retour pour Nice, s'il vous plaît. | A round-trip ticket to Nice, please.
À quelle heure part le prochain train ? | What time does the next train leave?
De quel quai part-il ? | Which platform does it leave from?
Le train est en retard. | The train is late.
J'ai raté mon train. | I missed my train.
Cette place est-elle libre ? | Is this seat free?
Cette place est prise. | This seat is taken.
Le vol a été annulé. | The flight was canceled.
Mes bagages ne sont pas arrivés. | My luggage has not arrived.
J'ai perdu mon passeport. | I lost my passport.
Je n'ai rien à déclarer. | I have nothing to declare.
Je suis ici en vacances. | I am here on vacation.
C'est mon premier voyage à l'étranger. | It is my first trip abroad.
Combien de temps restez-vous ? | How long are you staying?
Je reste jusqu'à dimanche. | I am staying until Sunday.
Appelez un taxi, s'il vous plaît. | Call a taxi, please.
Arrêtez-vous ici. | Stop here.
Combien de temps faut-il pour y aller ? | How long does it take to get there?
Il faut compter une demi-heure. | It takes about half an hour.
Nous sommes presque arrivés. | We are almost there.
Tout le monde descend ! | Everybody off!
Le bus est complet. | The bus is full.
Ma voiture est en panne. | My car has broken down.
Le plein, s'il vous plaît. | Fill it up, please.
Il y a des embouteillages. | There are traffic jams.
Vous roulez trop vite. | You are driving too fast.
Où peut-on se garer ? | Where can we park?
J'ai le mal de mer. | I am seasick.
Attachez vos ceintures. | Fasten your seat belts.
Pouvez-vous nous prendre en photo ? | Can you take our picture?
On se retrouve à l'entrée. | We will meet at the entrance.
Combien ça coûte ? | How much does it cost?
C'est trop cher. | It is too expensive.
C'est bon marché. | It is cheap.
C'est gratuit. | It is free.
Je le prends. | I will take it.
Puis-je l'essayer ? | May I try it on?
Quelle est votre taille ? | What is your size?
Ça vous va très bien. | It suits you very well.
C'est un peu trop grand. | It is a little too big.
Avez-vous quelque chose de moins cher ? | Do you have anything cheaper?
Je regarde seulement. | I am just looking.
Puis-je payer par carte ? | Can I pay by card?
Je n'ai pas de monnaie. | I have no change.
Vous désirez autre chose ? | Would you like anything else?
C'est tout, merci. | That is all, thank you.
Le magasin ferme à sept heures. | The store closes at seven o'clock.
C'est en solde. | It is on sale.
Je voudrais être remboursé. | I would like a refund.
Faites la queue, s'il vous plaît. | Stand in line, please.
Au travail ! | Let's get to work!
Je suis au bureau. | I am at the office.
Je travaille à mi-temps. | I work part-time.
Je cherche du travail. | I am looking for work.
Elle a été embauchée hier. | She was hired yesterday.
Il a perdu son emploi. | He lost his job.
J'ai beaucoup de travail. | I have a lot of work.
Je suis débordé cette semaine. | I am swamped this week.
On fait une pause ? | Shall we take a break?
La réunion est terminée. | The meeting is over.
Êtes-vous disponible demain matin ? | Are you available tomorrow morning?
Je vous rappellerai plus tard. | I will call you back later.
Puis-je laisser un message ? | May I leave a message?
Ne quittez pas. | Hold the line.
Vous vous êtes trompé de numéro. | You have the wrong number.
La ligne est occupée. | The line is busy.
Quel est votre numéro de téléphone ? | What is your phone number?
Quelle est votre adresse ? | What is your address?
Signez ici, s'il vous plaît. | Sign here, please.
L'imprimante ne marche pas. | The printer does not work.
J'ai oublié mon mot de passe. | I forgot my password.
Il n'y a pas de réseau ici. | There is no signal here.
Je prends ma pause à midi. | I take my break at noon.
Elle gagne bien sa vie. | She makes a good living.
Mon patron est exigeant. | My boss is demanding.
Je démissionne ! | I quit!
Il est en congé jusqu'à mardi. | He is on leave until Tuesday.
Bon travail, tout le monde ! | Good work, everyone!
"""
