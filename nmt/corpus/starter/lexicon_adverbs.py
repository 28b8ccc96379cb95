"""Times, places, manners, names and numbers: phrases that do not inflect.

One a line: French | English. Words marked alike ("/1") translate each other; unmarked ones translate the unmarked ones.
"""

# From the nearest to the widest: the days, then what lies within a few days, then all.
PAST_DAYS = """
hier | yesterday
avant-hier | the day before yesterday
lundi/1 dernier/2 | last/2 Monday/1
mercredi/1 dernier/2 | last/2 Wednesday/1
samedi/1 dernier/2 | last/2 Saturday/1
"""
PAST_NEAR = """
hier/1 soir | last/1 night
hier/1 matin/2 | yesterday/1 morning/2
ce/1 matin/2 | this/1 morning/2
"""
PAST_FAR = """
la semaine/1 dernière/2 | last/2 week/1
le mois/1 dernier/2 | last/2 month/1
l'année/1 dernière/2 | last/2 year/1
l'été/1 dernier/2 | last/2 summer/1
l'hiver/1 dernier/2 | last/2 winter/1
"""

FUTURE_DAYS = """
demain | tomorrow
après-demain | the day after tomorrow
mardi/1 prochain/2 | next/2 Tuesday/1
jeudi/1 prochain/2 | next/2 Thursday/1
dimanche/1 prochain/2 | next/2 Sunday/1
"""
FUTURE_NEAR = """
demain/1 matin/2 | tomorrow/1 morning/2
demain/1 soir/2 | tomorrow/1 evening/2
ce soir | tonight
"""
FUTURE_FAR = """
bientôt | soon
la semaine/1 prochaine/2 | next/2 week/1
le mois/1 prochain/2 | next/2 month/1
l'année/1 prochaine/2 | next/2 year/1
l'été/1 prochain/2 | next/2 summer/1
"""

# With these, what happens is a habit: the English present is simple.
WEEKDAYS = """
tous/1 les/1 jours/2 | every/1 day/2
le/1 lundi/2 | on/1 Mondays/2
le/1 samedi/2 | on/1 Saturdays/2
le/1 dimanche/2 | on/1 Sundays/2
le/1 week-end/2 | on/1 weekends/2
"""
HABIT_NEAR = """
tous/1 les/1 soirs/2 | every/1 evening/2
chaque/1 matin/2 | every/1 morning/2
chaque/1 semaine/2 | every/1 week/2
une/1 fois/1 par/2 semaine/3 | once/1 a/2 week/3
deux/1 fois/1 par/2 mois/3 | twice/1 a/2 month/3
"""
HABIT_FAR = """
chaque/1 été/2 | every/1 summer/2
en/1 été/2 | in/1 summer/2
en/1 hiver/2 | in/1 winter/2
pendant/1 les/2 vacances/3 | during/1 the/2 vacation/3
"""

NOW_TIMES = """
maintenant | now
en ce moment | at the moment
aujourd'hui | today
"""

# Habits of long ago: the English is "used to".
FORMER_NEAR = """
autrefois | long ago
à/1 cette/2 époque/3 | at/1 that/2 time/3
tous/1 les/1 soirs/2 | every/1 evening/2
le/1 dimanche/2 | on/1 Sundays/2
le/1 samedi/2 | on/1 Saturdays/2
"""
FORMER_FAR = """
chaque/1 été/2 | every/1 summer/2
chaque/1 hiver/2 | every/1 winter/2
"""

# Between the verb and what follows in French, before the verb in English.
FREQUENCIES = """
souvent | often
toujours | always
parfois | sometimes
rarement | rarely
d'habitude | usually
"""

# Going there and being there: French | English at rest | English with movement.
TOWNS = """
à/1 Paris/2 | in/1 Paris/2 | to/1 Paris/2
à/1 Londres/2 | in/1 London/2 | to/1 London/2
à/1 Lyon/2 | in/1 Lyon/2 | to/1 Lyon/2
à/1 Bruxelles/2 | in/1 Brussels/2 | to/1 Brussels/2
à/1 Genève/2 | in/1 Geneva/2 | to/1 Geneva/2
à/1 Rome/2 | in/1 Rome/2 | to/1 Rome/2
en/1 France/2 | in/1 France/2 | to/1 France/2
en/1 Italie/2 | in/1 Italy/2 | to/1 Italy/2
en/1 Espagne/2 | in/1 Spain/2 | to/1 Spain/2
en/1 Allemagne/2 | in/1 Germany/2 | to/1 Germany/2
en/1 Angleterre/2 | in/1 England/2 | to/1 England/2
en/1 Suisse/2 | in/1 Switzerland/2 | to/1 Switzerland/2
au/1 Japon/2 | in/1 Japan/2 | to/1 Japan/2
au/1 Canada/2 | in/1 Canada/2 | to/1 Canada/2
au/1 Portugal/2 | in/1 Portugal/2 | to/1 Portugal/2
aux/1,3 États-Unis/2 | in/1 the/3 United/2 States/2 | to/1 the/3 United/2 States/2
"""

HERE = """
ici | here | here
là-bas | over there | over there
à la maison | at home | home
à/1 l'école/2 | at/1 school/2 | to/1 school/2
"""

MEN = ("Paul", "Pierre", "Thomas", "Nicolas", "Antoine", "Hugo", "Marc", "Lucas", "Olivier", "Henri")
WOMEN = ("Marie", "Julie", "Alice", "Sophie", "Claire", "Emma", "Nathalie", "Léa", "Hélène", "Isabelle")

MONTHS = (
    ("janvier", "January"), ("février", "February"), ("mars", "March"), ("avril", "April"), ("mai", "May"),
    ("juin", "June"), ("juillet", "July"), ("août", "August"), ("septembre", "September"), ("octobre", "October"),
    ("novembre", "November"), ("décembre", "December"),
)  # fmt: skip

NUMBERS = {
    2: ("deux", "two"), 3: ("trois", "three"), 4: ("quatre", "four"), 5: ("cinq", "five"), 6: ("six", "six"),
    7: ("sept", "seven"), 8: ("huit", "eight"), 9: ("neuf", "nine"), 10: ("dix", "ten"), 11: ("onze", "eleven"),
    12: ("douze", "twelve"), 15: ("quinze", "fifteen"), 20: ("vingt", "twenty"), 25: ("vingt-cinq", "twenty-five"),
    30: ("trente", "thirty"), 40: ("quarante", "forty"), 50: ("cinquante", "fifty"), 60: ("soixante", "sixty"),
    80: ("quatre-vingts", "eighty"), 100: ("cent", "one hundred"),
}  # fmt: skip

# French preposition | English, of a thing that is somewhere.
POSITIONS = """
sur | on
sous | under
devant | in front of
derrière | behind
à côté de | next to
près de | near
"""
