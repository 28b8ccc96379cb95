"""The codes of languages: of the many that one may have, the one that everything here goes by."""

import re
from functools import cache

# ISO 639-3 (and old codes) to the two letters that everything here goes by.
_SHORT = dict(
    pair.split(":")
    for pair in (
        "afr:af amh:am ara:ar arb:ar asm:as aze:az azj:az bel:be bul:bg ben:bn bre:br bos:bs cat:ca ces:cs cze:cs "
        "cym:cy dan:da deu:de ger:de ell:el gre:el eng:en epo:eo spa:es est:et ekk:et eus:eu fas:fa pes:fa fin:fi "
        "fra:fr fre:fr fry:fy gle:ga gla:gd glg:gl guj:gu hau:ha heb:he hin:hi hrv:hr hat:ht hun:hu hye:hy ind:id "
        "ibo:ig isl:is ita:it jpn:ja jav:jv kat:ka kaz:kk khm:km kan:kn kor:ko kur:ku kmr:ku kir:ky lat:la ltz:lb "
        "lug:lg lin:ln lao:lo lit:lt lav:lv lvs:lv mlg:mg plt:mg mkd:mk mal:ml mon:mn khk:mn mar:mr msa:ms zsm:ms "
        "mlt:mt mya:my nep:ne npi:ne nld:nl dut:nl nor:no nob:no nb:no nno:nn oci:oc orm:om ori:or ory:or pan:pa "
        "pol:pl pus:ps pbt:ps por:pt que:qu ron:ro rum:ro rus:ru kin:rw san:sa sin:si slk:sk slv:sl som:so sqi:sq "
        "als:sq srp:sr swe:sv swa:sw swh:sw tam:ta tel:te tgk:tg tha:th tuk:tk tgl:tl fil:tl tur:tr tat:tt uig:ug "
        "ukr:uk urd:ur uzb:uz uzn:uz vie:vi xho:xh yor:yo zho:zh cmn:zh chi:zh zul:zu iw:he in:id ji:yi jw:jv bur:my"
    ).split()
)


@cache
def base(language: str) -> str:
    """ "de" for "de", "de-AT", "de_DE", "deu" and "deu_Latn"."""
    code = re.split("[-_]", language)[0].lower()
    return _SHORT.get(code, code)
