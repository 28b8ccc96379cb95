"""Everyday sentences, written by hand: greetings, feelings, weather, health, home and what people say all day.

One pair a line: French | English. They always belong to the training set.
"""

from nmt.corpus.starter.everyday_outings import OUTINGS

LINES = """
Bonjour ! | Hello!
Bonsoir ! | Good evening!
Bonne nuit ! | Good night!
Salut ! | Hi!
Au revoir ! | Goodbye!
À bientôt ! | See you soon!
À demain ! | See you tomorrow!
À tout à l'heure ! | See you later!
À lundi ! | See you on Monday!
Bienvenue ! | Welcome!
Bienvenue chez nous ! | Welcome to our home!
Bonne journée ! | Have a good day!
Bonne soirée ! | Have a good evening!
Bon week-end ! | Have a good weekend!
Bon voyage ! | Have a good trip!
Bon appétit ! | Enjoy your meal!
Bon anniversaire ! | Happy birthday!
Bonne année ! | Happy New Year!
Joyeux Noël ! | Merry Christmas!
Bonne chance ! | Good luck!
Bon courage ! | Hang in there!
Félicitations ! | Congratulations!
Bravo ! | Well done!
À votre santé ! | Cheers!
Merci. | Thank you.
Merci beaucoup. | Thank you very much.
Merci pour tout. | Thank you for everything.
Merci de votre aide. | Thank you for your help.
Merci de m'avoir écouté. | Thank you for listening to me.
Non merci. | No, thank you.
De rien. | You are welcome.
Il n'y a pas de quoi. | Don't mention it.
S'il vous plaît. | Please.
Excusez-moi. | Excuse me.
Pardon, madame. | Excuse me, madam.
Pardon, monsieur. | Excuse me, sir.
Je suis désolé. | I am sorry.
Je suis vraiment désolé. | I am really sorry.
Je suis désolée d'être en retard. | I am sorry for being late.
Ce n'est pas grave. | It does not matter.
Ce n'est rien. | It is nothing.
Ne vous inquiétez pas. | Do not worry.
Pas de problème. | No problem.
Oui, bien sûr. | Yes, of course.
Oui, avec plaisir. | Yes, with pleasure.
Non, pas du tout. | No, not at all.
Peut-être. | Maybe.
D'accord. | All right.
C'est d'accord. | That is fine with me.
Comment allez-vous ? | How are you?
Je vais bien. | I am fine.
Je vais très bien. | I am very well.
Je vais bien, merci. | I am fine, thank you.
Tout va bien. | Everything is fine.
Ça ne va pas. | I am not feeling well.
Et vous ? | And you?
Et toi, ça va ? | And you, are you all right?
Comment vous appelez-vous ? | What is your name?
Je m'appelle Martin. | My name is Martin.
Enchanté de faire votre connaissance. | Pleased to meet you.
D'où venez-vous ? | Where do you come from?
Je viens de Belgique. | I come from Belgium.
Nous sommes suisses. | We are Swiss.
Où habitez-vous ? | Where do you live?
Quel âge avez-vous ? | How old are you?
Que faites-vous dans la vie ? | What do you do for a living?
Je suis à la retraite. | I am retired.
Êtes-vous marié ? | Are you married?
Avez-vous des enfants ? | Do you have any children?
Parlez-vous français ? | Do you speak French?
Parlez-vous anglais ? | Do you speak English?
Je parle un peu français. | I speak a little French.
Je ne parle pas bien français. | I do not speak French well.
Pouvez-vous parler plus lentement ? | Can you speak more slowly?
Pouvez-vous répéter, s'il vous plaît ? | Can you repeat that, please?
Je ne comprends pas. | I do not understand.
Je ne sais pas. | I do not know.
Je n'en sais rien. | I have no idea.
Je ne me rappelle plus. | I no longer remember.
Que veut dire ce mot ? | What does this word mean?
Comment dit-on cela en anglais ? | How do you say that in English?
Comment ça s'écrit ? | How is it spelled?
C'est juste. | That is right.
Vous avez raison. | You are right.
Vous avez tort. | You are wrong.
Je suis de votre avis. | I agree with you.
Je ne suis pas d'accord avec toi. | I do not agree with you.
C'est vrai. | It is true.
C'est faux. | It is false.
Ça dépend. | It depends.
Je crois que oui. | I think so.
J'espère que non. | I hope not.
Je vous le promets. | I promise you.
Faites-moi confiance. | Trust me.
C'est une bonne nouvelle. | That is good news.
Quelle surprise ! | What a surprise!
Quel dommage ! | What a pity!
Tant mieux ! | So much the better!
Tant pis ! | Too bad!
Ce n'est pas ma faute. | It is not my fault.
Ça m'est égal. | I do not care.
Je m'en occupe. | I will take care of it.
Laissez-moi tranquille. | Leave me alone.
Attendez-moi ! | Wait for me!
Un instant, s'il vous plaît. | One moment, please.
J'arrive tout de suite. | I am coming right away.
Allons-y ! | Let's go!
Dépêchez-vous ! | Hurry up!
Arrêtez ! | Stop!
Au secours ! | Help!
Attention ! | Watch out!
Silence ! | Silence!
Entrez, je vous en prie. | Come in, please.
Asseyez-vous. | Sit down.
Suivez-moi. | Follow me.
Après vous. | After you.
Fais comme chez toi. | Make yourself at home.
Qui est là ? | Who is there?
Qui est à l'appareil ? | Who is speaking?
Qu'est-ce que c'est ? | What is it?
Qu'est-ce qui se passe ? | What is happening?
Qu'y a-t-il ? | What is the matter?
Que voulez-vous dire ? | What do you mean?
Pourquoi pas ? | Why not?
Depuis quand ? | Since when?
À qui est-ce ? | Whose is it?
C'est à moi. | It is mine.
C'est à vous de jouer. | It is your turn to play.
Quelle heure est-il ? | What time is it?
À quelle heure ? | At what time?
Il est tard. | It is late.
Il est encore tôt. | It is still early.
Il est temps de partir. | It is time to leave.
Je suis en avance. | I am early.
Vous êtes en retard. | You are late.
Le temps passe vite. | Time flies.
Quel jour sommes-nous ? | What day is it?
Nous sommes jeudi. | It is Thursday.
C'est aujourd'hui mon anniversaire. | Today is my birthday.
Mieux vaut tard que jamais. | Better late than never.
J'ai faim. | I am hungry.
J'ai très soif. | I am very thirsty.
J'ai sommeil. | I am sleepy.
J'ai froid aux pieds. | My feet are cold.
Tu as chaud ? | Are you hot?
J'ai peur du noir. | I am afraid of the dark.
Je n'ai pas peur. | I am not afraid.
Je suis fatiguée. | I am tired.
Je suis épuisé après cette longue journée. | I am exhausted after this long day.
Je suis très heureux pour vous. | I am very happy for you.
Je suis fier de toi. | I am proud of you.
Elle est de bonne humeur. | She is in a good mood.
Il est de mauvaise humeur ce matin. | He is in a bad mood this morning.
Elle est en colère contre lui. | She is angry with him.
Je m'ennuie. | I am bored.
Tu me manques. | I miss you.
Vous nous avez beaucoup manqué. | We missed you very much.
Je t'aime. | I love you.
Je vous aime bien. | I like you.
Ils sont tombés amoureux. | They fell in love.
Elle a le cœur brisé. | Her heart is broken.
Ne pleure pas. | Do not cry.
Ne sois pas triste. | Do not be sad.
Calmez-vous. | Calm down.
Courage, tout ira mieux demain. | Cheer up, everything will be better tomorrow.
Je n'en peux plus. | I cannot take it anymore.
J'en ai assez. | I have had enough.
Ça me fait plaisir. | It makes me happy.
Ça me fait peur. | It scares me.
Vous me faites rire. | You make me laugh.
Je suis content de vous voir. | I am glad to see you.
Je n'arrive pas à y croire. | I cannot believe it.
C'est incroyable ! | It is incredible!
C'est magnifique ! | It is wonderful!
C'est affreux. | It is awful.
J'ai honte. | I am ashamed.
Quelle horreur ! | How awful!
Je plaisante. | I am joking.
Êtes-vous sûr ? | Are you sure?
J'en suis certain. | I am certain of it.
Je n'ai pas le choix. | I have no choice.
J'ai changé d'avis. | I have changed my mind.
J'ai hâte de vous revoir. | I cannot wait to see you again.
Quel temps fait-il ? | What is the weather like?
Il fait beau. | The weather is nice.
Il fait très froid. | It is very cold.
Il fait chaud aujourd'hui. | It is hot today.
Il pleut des cordes. | It is raining cats and dogs.
Il neige. | It is snowing.
Il y a du vent. | It is windy.
Il y a du brouillard. | It is foggy.
Le ciel est bleu. | The sky is blue.
Le soleil brille. | The sun is shining.
Le soleil se lève. | The sun is rising.
Il va pleuvoir. | It is going to rain.
L'orage approche. | The storm is coming.
Prenez un parapluie. | Take an umbrella.
Il fait nuit. | It is dark.
Quelle chaleur ! | It is so hot!
Les routes sont glissantes. | The roads are slippery.
Le printemps est enfin là. | Spring is finally here.
J'ai mal à la tête. | I have a headache.
J'ai mal au ventre. | I have a stomachache.
J'ai mal aux dents. | I have a toothache.
J'ai de la fièvre. | I have a fever.
Je suis enrhumé. | I have a cold.
Où avez-vous mal ? | Where does it hurt?
Ça fait mal. | It hurts.
Appelez un médecin ! | Call a doctor!
Appelez la police ! | Call the police!
Elle s'est cassé la jambe. | She broke her leg.
Il est tombé dans l'escalier. | He fell down the stairs.
Je me sens mieux. | I feel better.
Reposez-vous bien. | Rest well.
Soigne-toi bien. | Take good care of yourself.
À vos souhaits ! | Bless you!
Prenez ce médicament trois fois par jour. | Take this medicine three times a day.
Je suis enceinte. | I am pregnant.
Il a arrêté de fumer. | He has quit smoking.
Elle est en bonne santé. | She is in good health.
Il est mort l'an dernier. | He died last year.
Il fait ses devoirs. | He is doing his homework.
Elle apprend à lire. | She is learning to read.
Les enfants dorment déjà. | The children are already asleep.
Le bébé pleure. | The baby is crying.
Range ta chambre ! | Tidy your room!
Lave-toi les mains. | Wash your hands.
Brosse-toi les dents. | Brush your teeth.
Éteins la lumière. | Turn off the light.
Ferme la porte à clé. | Lock the door.
Ne faites pas de bruit. | Do not make any noise.
Ne touche à rien. | Do not touch anything.
Parle plus fort. | Speak louder.
Tais-toi ! | Be quiet!
Écoutez bien. | Listen carefully.
Regarde-moi ! | Look at me!
Viens ici. | Come here.
Va-t'en ! | Go away!
Reviens vite. | Come back soon.
Dis-moi la vérité. | Tell me the truth.
Montrez-moi vos mains. | Show me your hands.
Ouvrez vos livres à la page dix. | Open your books to page ten.
Levez la main. | Raise your hand.
Encore une fois ! | Once more!
Le chien aboie. | The dog is barking.
Le téléphone sonne. | The phone is ringing.
On frappe à la porte. | Somebody is knocking at the door.
Il n'y a personne. | There is nobody here.
Il n'y a pas de fumée sans feu. | There is no smoke without fire.
La porte est fermée. | The door is closed.
Il ne reste plus rien. | There is nothing left.
Ça ne marche pas. | It does not work.
Ça marche très bien. | It works very well.
C'est facile à faire. | It is easy to do.
C'est impossible. | It is impossible.
Ce n'est pas si simple. | It is not that simple.
C'est la vie. | That is life.
C'est trop tard. | It is too late.
C'est à côté. | It is next door.
C'est ma sœur. | She is my sister.
Voici mon frère. | This is my brother.
Nous sommes jumeaux. | We are twins.
Ils se sont mariés en juin. | They got married in June.
Elle attend un bébé. | She is expecting a baby.
Il ressemble à son père. | He looks like his father.
Mes parents vivent à la campagne. | My parents live in the countryside.
J'ai deux frères et une sœur. | I have two brothers and one sister.
Elle est fille unique. | She is an only child.
Nous sommes amis depuis l'enfance. | We have been friends since childhood.
Saluez vos parents de ma part. | Say hello to your parents for me.
Viens dîner à la maison. | Come over for dinner.
Je vous invite. | It is my treat.
Quels sont vos loisirs ? | What are your hobbies?
J'aime la musique classique. | I like classical music.
Elle joue aux échecs. | She plays chess.
Il chante faux. | He sings out of tune.
Nous avons gagné ! | We won!
Ils ont perdu la partie. | They lost the game.
C'est mon tour. | It is my turn.
Qui commence ? | Who goes first?
Je n'ai pas le temps. | I do not have time.
Je n'ai pas d'argent sur moi. | I do not have any money on me.
J'ai besoin d'aide. | I need help.
J'ai besoin de me reposer. | I need to rest.
Puis-je vous aider ? | May I help you?
Puis-je entrer ? | May I come in?
Puis-je fumer ici ? | May I smoke here?
Il est interdit de fumer. | Smoking is not allowed.
Pouvez-vous me rendre un service ? | Can you do me a favor?
Pouvez-vous m'attendre ici ? | Can you wait for me here?
Je peux venir avec vous ? | Can I come with you?
Ne m'attendez pas. | Do not wait for me.
Ne le dis à personne. | Do not tell anyone.
Laisse tomber. | Forget it.
Faites attention à la marche. | Mind the step.
Prenez votre temps. | Take your time.
Prends soin de toi. | Take care of yourself.
Amusez-vous bien ! | Have fun!
Dormez bien. | Sleep well.
Fais de beaux rêves. | Sweet dreams.
À qui le tour ? | Whose turn is it?
On verra bien. | We will see.
On ne sait jamais. | You never know.
Tout est possible. | Anything is possible.
Rien n'est parfait. | Nothing is perfect.
Le monde est petit. | It is a small world.
"""

PAIRS: tuple[tuple[str, str], ...] = tuple(
    (french, english)
    for line in (*LINES.strip().split("\n"), *OUTINGS.strip().split("\n"))
    for french, english in [line.split(" | ")]
)
