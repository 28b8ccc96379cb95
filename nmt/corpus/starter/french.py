"""French word forms: verbs by tense and person, feminine and plural of adjectives and nouns.

Persons are 0 to 5: je, tu, il, nous, vous, ils.
"""

from functools import cache
from typing import Literal, NamedTuple

SimpleTense = Literal["present", "imperfect", "future", "conditional"]

IMPERFECT_ENDINGS = ("ais", "ais", "ait", "ions", "iez", "aient")
FUTURE_ENDINGS = ("ai", "as", "a", "ons", "ez", "ont")
ER_ENDINGS = ("e", "es", "e", "ons", "ez", "ent")

# Six present forms; past participle; stem of the future; stem of the imperfect where nous does not give it.
# A verb that ends in one of these is conjugated like it: apprendre like prendre, revenir like venir.
IRREGULAR = {
    "être": ("suis es est sommes êtes sont", "été", "ser", "ét"),
    "avoir": ("ai as a avons avez ont", "eu", "aur", ""),
    "aller": ("vais vas va allons allez vont", "allé", "ir", ""),
    "faire": ("fais fais fait faisons faites font", "fait", "fer", ""),
    "prendre": ("prends prends prend prenons prenez prennent", "pris", "prendr", ""),
    "mettre": ("mets mets met mettons mettez mettent", "mis", "mettr", ""),
    "venir": ("viens viens vient venons venez viennent", "venu", "viendr", ""),
    "tenir": ("tiens tiens tient tenons tenez tiennent", "tenu", "tiendr", ""),
    "dire": ("dis dis dit disons dites disent", "dit", "dir", ""),
    "lire": ("lis lis lit lisons lisez lisent", "lu", "lir", ""),
    "écrire": ("écris écris écrit écrivons écrivez écrivent", "écrit", "écrir", ""),
    "rire": ("ris ris rit rions riez rient", "ri", "rir", ""),
    "sourire": ("souris souris sourit sourions souriez sourient", "souri", "sourir", ""),
    "voir": ("vois vois voit voyons voyez voient", "vu", "verr", ""),
    "savoir": ("sais sais sait savons savez savent", "su", "saur", ""),
    "connaître": ("connais connais connaît connaissons connaissez connaissent", "connu", "connaîtr", ""),
    "vouloir": ("veux veux veut voulons voulez veulent", "voulu", "voudr", ""),
    "pouvoir": ("peux peux peut pouvons pouvez peuvent", "pu", "pourr", ""),
    "devoir": ("dois dois doit devons devez doivent", "dû", "devr", ""),
    "boire": ("bois bois boit buvons buvez boivent", "bu", "boir", ""),
    "croire": ("crois crois croit croyons croyez croient", "cru", "croir", ""),
    "recevoir": ("reçois reçois reçoit recevons recevez reçoivent", "reçu", "recevr", ""),
    "partir": ("pars pars part partons partez partent", "parti", "partir", ""),
    "sortir": ("sors sors sort sortons sortez sortent", "sorti", "sortir", ""),
    "dormir": ("dors dors dort dormons dormez dorment", "dormi", "dormir", ""),
    "servir": ("sers sers sert servons servez servent", "servi", "servir", ""),
    "ouvrir": ("ouvre ouvres ouvre ouvrons ouvrez ouvrent", "ouvert", "ouvrir", ""),
    "offrir": ("offre offres offre offrons offrez offrent", "offert", "offrir", ""),
    "courir": ("cours cours court courons courez courent", "couru", "courr", ""),
    "vivre": ("vis vis vit vivons vivez vivent", "vécu", "vivr", ""),
    "duire": ("duis duis duit duisons duisez duisent", "duit", "duir", ""),
    "truire": ("truis truis truit truisons truisez truisent", "truit", "truir", ""),
    "éteindre": ("éteins éteins éteint éteignons éteignez éteignent", "éteint", "éteindr", ""),
    "peindre": ("peins peins peint peignons peignez peignent", "peint", "peindr", ""),
    "asseoir": ("assieds assieds assied asseyons asseyez asseyent", "assis", "assiér", ""),
    "pleuvoir": ("- - pleut - - -", "plu", "pleuvr", "pleuv"),
    "envoyer": ("envoie envoies envoie envoyons envoyez envoient", "envoyé", "enverr", ""),
}


class Conjugation(NamedTuple):
    """All that is needed to make any form of one verb."""

    present: tuple[str, ...]
    participle: str
    future: str
    imperfect: str


@cache
def conjugation(infinitive: str) -> Conjugation:
    """The forms of a verb, by the irregular table or by the rule of its ending (-er, -ir, -re)."""
    for ending in sorted(IRREGULAR, key=len, reverse=True):
        if infinitive.endswith(ending):
            prefix = infinitive[: -len(ending)]
            present, participle, future, imperfect = IRREGULAR[ending]
            forms = tuple(prefix + form for form in present.split())
            return Conjugation(
                forms, prefix + participle, prefix + future, prefix + imperfect if imperfect else forms[3][:-3]
            )
    stem, ending = infinitive[:-2], infinitive[-2:]
    if ending == "er":
        return _first_group(stem)
    if ending == "ir":
        forms = tuple(stem + e for e in ("is", "is", "it", "issons", "issez", "issent"))
        return Conjugation(forms, stem + "i", infinitive, stem + "iss")
    assert ending == "re", infinitive
    forms = tuple(stem + e for e in ("s", "s", "", "ons", "ez", "ent"))
    return Conjugation(forms, stem + "u", infinitive[:-1], stem)


def _first_group(stem: str) -> Conjugation:
    """-er verbs, with the spellings that keep their sound: mangeons, commençons, achète, préfère, appelle, nettoie."""
    strong = soft = stem  # before a mute e; before a or o
    future = stem + "er"
    if stem.endswith(("appel", "jet")):
        strong = stem + stem[-1]
        future = strong + "er"
    elif stem.endswith(("oy", "uy", "ay")):
        strong = stem[:-1] + "i"
        future = strong + "er"
    elif stem[-1] not in "aeiouéè" and stem[-2] == "e" and stem[-3:] not in ("ell", "err"):
        strong = stem[:-2] + "è" + stem[-1]
        future = strong + "er"
    elif stem[-1] not in "aeiouéè" and stem[-2] == "é":
        strong = stem[:-2] + "è" + stem[-1]  # the future keeps its é: préférera
    if stem.endswith("g"):
        soft = stem + "e"
    elif stem.endswith("c"):
        soft = stem[:-1] + "ç"
    present = tuple((soft if e == "ons" else stem if e == "ez" else strong) + e for e in ER_ENDINGS)
    return Conjugation(present, stem + "é", future, soft)


@cache
def conjugate(infinitive: str, tense: SimpleTense, person: int) -> str:
    """One finite form: conjugate("manger", "imperfect", 3) is "mangions"."""
    verb = conjugation(infinitive)
    match tense:
        case "present":
            return verb.present[person]
        case "future":
            return verb.future + FUTURE_ENDINGS[person]
        case "conditional":
            return verb.future + IMPERFECT_ENDINGS[person]
        case "imperfect":
            ending, stem = IMPERFECT_ENDINGS[person], verb.imperfect
            if ending[0] == "i":  # mangions, commencions: no e and no cedilla before i
                stem = stem.removesuffix("e") if infinitive.endswith("ger") else stem.replace("ç", "c")
            return stem + ending


@cache
def imperative(infinitive: str, person: int) -> str:
    """The order form for tu (1), nous (3), vous (4): the present, less the s of -er verbs and ouvrir."""
    form = conjugation(infinitive).present[person]
    drops = person == 1 and form.endswith(("es", "as"))
    return form[:-1] if drops else form


@cache
def gerund(infinitive: str) -> str:
    """mangeant, finissant, lisant."""
    irregular = {"être": "étant", "avoir": "ayant", "savoir": "sachant"}
    return irregular.get(infinitive) or conjugation(infinitive).present[3][:-3] + "ant"


@cache
def subjunctive(infinitive: str, person: int) -> str:
    """The present subjunctive: que tu finisses, que nous venions, qu'il fasse."""
    irregular = {
        "être": "sois sois soit soyons soyez soient",
        "avoir": "aie aies ait ayons ayez aient",
        "aller": "aille ailles aille allions alliez aillent",
        "faire": "fasse fasses fasse fassions fassiez fassent",
        "savoir": "sache saches sache sachions sachiez sachent",
        "pouvoir": "puisse puisses puisse puissions puissiez puissent",
    }
    if infinitive in irregular:
        return irregular[infinitive].split()[person]
    if person in (3, 4):
        return conjugate(infinitive, "imperfect", person)
    return conjugation(infinitive).present[5].removesuffix("ent") + ("e", "es", "e", "", "", "ent")[person]


@cache
def agree(masculine: str, feminine: str, is_feminine: bool, plural: bool) -> str:
    """The form of an adjective or participle for a gender and number."""
    form = feminine if is_feminine else masculine
    return french_plural(form) if plural else form


def french_plural(word: str) -> str:
    """Regular plural: journaux, gâteaux, jeux, souris, chats."""
    if word.endswith(("s", "x", "z")):
        return word
    if word.endswith(("eau", "eu")) and word not in ("bleu", "pneu"):
        return word + "x"
    if word.endswith("al"):
        return word[:-2] + "aux"
    return word + "s"


def feminine(masculine: str) -> str:
    """Regular feminine of an adjective: grande, rouge, heureuse, active, italienne, chère."""
    for ending, change in (("eux", "euse"), ("if", "ive"), ("ien", "ienne"), ("er", "ère"), ("el", "elle")):
        if masculine.endswith(ending):
            return masculine[: -len(ending)] + change
    return masculine if masculine.endswith("e") else masculine + "e"
