"""TMX and XLIFF: what is a pair there, and that XML can do no harm."""

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from nmt.corpus.formats import markup, open_pairs
from nmt.corpus.formats.languages import choose
from nmt.corpus.reader import read_parallel
from nmt.errors import DataError

DOCTYPE = '<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n'


def unit(*variants: tuple[str, str]) -> str:
    return "<tu>" + "".join(f'<tuv xml:lang="{code}"><seg>{text}</seg></tuv>\n' for code, text in variants) + "</tu>\n"


def tmx(*units: str, head: str = '<?xml version="1.0"?>\n' + DOCTYPE) -> str:
    return f'{head}<tmx version="1.4"><header srclang="en"/><body>\n{"".join(units)}</body></tmx>\n'


def write(folder: Path, text: str | bytes, name: str = "t.tmx") -> Path:
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder / name


def read(path: Path, source: str = "en", target: str = "de") -> list[tuple[str, str]]:
    return list(open_pairs(path, source, target))


# Segments


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("a &lt;b&gt; &amp; &#233;&#x20AC;<![CDATA[ <c> ]]>", "a <b> & é€ <c>"),
        ("  a\n\t\tb\r\n  c  ", "a b c"),
        ("a\u2028b\u00a0\u3000", "a\u2028b\u00a0\u3000"),
        ("<bpt i='1'>&lt;b&gt;</bpt>bold<ept i='1'>&lt;/b&gt;</ept>ly", "boldly"),
        ("a<ph x='1'>{1}</ph>b <it pos='begin'>x</it>c<ut>y</ut>", "ab c"),
        ("a<ph type='lb'>\\n</ph>b", "a b"),
        ("one <hi type='b'>two <hi>three</hi></hi> four", "one two three four"),
        ("<!-- no -->a<?no no?>b", "ab"),
        ("a&nbsp;b&Auml;", "a\u00a0bÄ"),  # of a document type that is not loaded
    ],
)
def test_a_segment_is_its_text_without_codes(inside: str, text: str, tmp_path: Path) -> None:
    assert read(write(tmp_path, tmx(unit(("en", inside), ("de", "x"))))) == [(text, "x")]


def test_texts_inside_of_codes_are_pairs_of_their_own(tmp_path: Path) -> None:
    inside = "a<ph>{<sub>note <bpt>x</bpt>1<ept>y</ept></sub>}</ph>b<bpt i='1'>t=<sub>tip</sub></bpt>"
    translated = "c<ph><sub>Anm</sub></ph><ph><sub>Tipp</sub></ph>"
    path = write(tmp_path, tmx(unit(("en", inside), ("de", translated)), unit(("en", inside), ("de", "x"))))
    assert read(path) == [("ab", "c"), ("note 1", "Anm"), ("tip", "Tipp"), ("ab", "x")]


# Languages


@pytest.mark.parametrize(
    ("wanted", "found", "chosen"),
    [
        (("en", "de"), ["de", "en"], (1, 0)),
        (("en", "de"), ["DE_at", "EN-US"], (1, 0)),
        (("en", "de"), ["en-GB", "en", "de-AT", "de"], (1, 3)),
        (("en", "de"), ["en-GB", "en-US", "de"], (0, 2)),
        (("en-US", "de"), ["en-GB", "en", "de"], (1, 2)),
        (("en-US", "de"), ["en-GB", "de"], (None, 1)),
        (("pt-BR", "pt-PT"), ["pt-PT", "pt"], (1, 0)),
        (("pt", "pt-PT"), ["pt-PT", "pt-BR"], (1, 0)),
        (("pt-BR", "pt-PT"), ["pt"], (0, None)),
        (("e", "de"), ["en", "d"], (None, None)),
        (("en", "de"), ["eng", "deu", ""], (None, None)),
    ],
)
def test_languages_are_told_by_their_main_part(
    wanted: tuple[str, str], found: list[str], chosen: tuple[int | None, int | None]
) -> None:
    assert choose(wanted, found) == chosen


def test_units_without_a_side_are_left_out_and_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both, lone = unit(("en", "a"), ("de", "b")), unit(("en", "x"), ("fr", "y"))
    blank = unit(("en", " \n"), ("de", "c"))
    stream = open_pairs(write(tmp_path, tmx(lone, both, lone, blank, unit())), "en", "de")
    assert list(stream) == list(stream) == [("a", "b")]
    assert stream.skipped == {"without de": 2, "without en": 1, "without en and de": 1}
    message = "t.tmx: left out 4 units (2 without de, 1 without en, 1 without en and de)"
    assert capsys.readouterr().err.count(message) == 1
    assert read(tmp_path / "t.tmx", "fr", "en") == [("y", "x")] * 2


def test_the_old_attribute_of_languages_and_the_first_of_two_variants(tmp_path: Path) -> None:
    old = '<tu><tuv lang="en"><seg>a</seg></tuv><tuv lang="de"><seg>b</seg></tuv><tuv lang="de"><seg>c</seg></tuv></tu>'
    assert read(write(tmp_path, tmx(old))) == [("a", "b")]


def test_languages_that_are_not_there_are_told_with_those_that_are(tmp_path: Path) -> None:
    path = write(tmp_path, tmx(unit(("en-GB", "a"), ("de", "b")), unit(("fr", "x"))))
    with pytest.raises(DataError, match=r"t\.tmx has no text in it and es; it has en-GB, de, fr\."):
        read(path, "it", "es")
    with pytest.raises(DataError, match=r"t\.tmx is empty: there is no pair in it"):
        read(path, "en", "fr")  # both are there, but never together
    with pytest.raises(DataError, match=r"t\.tmx is empty: there is no pair in it"):
        read(write(tmp_path, tmx()))


# The file


def test_units_have_lines_far_beyond_those_that_libxml_can_count(tmp_path: Path) -> None:
    path = write(tmp_path, tmx("\n" * 70_000, unit(("en", "a"), ("de", "b")), "\n", unit(("en", "c"), ("de", "d"))))
    stream = open_pairs(path, "en", "de")
    assert [str(stream.place(number)) for number in (2, 1)] == [f"{path} line {70_004 + line}" for line in (4, 0)]


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("utf-16", "UTF-16"),
        ("utf-16-le", "UTF-16LE"),
        ("utf-8-sig", "UTF-8"),
        ("utf-8", ""),
        ("cp1252", "windows-1252"),
        ("iso-8859-1", "ISO-8859-1"),
        ("gb18030", "GB18030"),
        ("koi8-r", "KOI8-R"),
    ],
)
def test_the_encoding_is_the_one_that_the_file_says(encoding: str, said: str, tmp_path: Path) -> None:
    text = "мир" if encoding == "koi8-r" else "für"
    head = f'<?xml version="1.0" encoding="{said}"?>\n' if said else ""
    data = tmx(unit(("en", text), ("de", "x" * 300_000)), unit(("en", text), ("de", text)), head=head).encode(encoding)
    assert read(write(tmp_path, data))[1] == (text, text)
    assert read(write(tmp_path, gzip.compress(data), "t.tmx.gz"))[1] == (text, text)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (tmx(unit(("en", "a")))[:-9], "t.tmx line 6: the file ends in the middle"),
        (tmx("<tu>")[:-20], "t.tmx line 3: the file ends in the middle"),
        (tmx("\n<tu><seg></tu>"), r"t\.tmx line 5 column \d+ is not valid XML: mismatched tag"),
        (tmx("\n", unit(("en", "a < b"))), r"t\.tmx line 5 column \d+ is not valid XML: not well-formed"),
        (tmx("\n", unit(("en", "a &#1; b"))), r"line 5 column \d+ is not valid XML: reference to invalid character"),
        (tmx(unit(("en", "a \x01 b"))), r"line 4 column \d+ is not valid XML: not well-formed"),
        (tmx(unit(("en", "&nix;"))), r"line 4: there is no entity &nix;"),
        (tmx(unit(("en", "&nbsp;")), head=""), r"line 2: undefined entity"),
        (tmx(unit(("en", "ü "))).encode() + b"<!-- \xe9 -->", r"t\.tmx line 7 byte offset 5: 0xE9 is not UTF-8"),
        (tmx(unit(("en", "ü-@"))).encode().replace(b"@", b"\xe9"), r"t\.tmx line 4 byte offset 31: 0xE9 is not UTF-8"),
        (b"<tmx><a>" + b"\xc3\xbc" * 200_000 + b"\xe9</a>", "line 1 byte offset 400008: 0xE9 is not UTF-8"),
        (b"<tmx>\n<a>" + b"\xc3\xbc" * 200_000 + b"\xe9</a>", "line 2 byte offset 400003: 0xE9 is not UTF-8"),
        (tmx("<€/>").encode("utf-16"), r"line 4 column \d+ is not valid XML: not well-formed"),
        (b"", r"t\.tmx is empty: there is no XML in it"),
        ("a\tb\n", r"t\.tmx line 1 column 1 is not valid XML"),
        ("<xliff/>", r"t\.tmx is no TMX file: its first element is xliff"),
        (tmx(head='<?xml version="1.0" encoding="nix-9"?>'), "line 1: there is no encoding nix-9"),
        (tmx(head='<?xml version="1.0" encoding="hex"?>'), "line 1: there is no encoding hex"),
        (tmx(head='<?xml version="1.0" encoding="UTF-16"?>'), "is not valid XML: encoding specified .* is incorrect"),
        (b'<?xml version="1.0" encoding="shift_jis"?>\n<tmx>\xff\xff', "line 2: it is not shift_jis here"),
        (tmx("<a>" * 300), "line 4: elements are nested more than 256 deep"),
    ],
)
def test_a_broken_file_is_told_with_its_line(data: str | bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=message) as caught:
        read(write(tmp_path, data))
    assert caught.value.remedy


def test_a_segment_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markup, "_LONGEST", 1000)
    with pytest.raises(DataError, match="line 4: a segment of more than 1,000 characters"):
        read(write(tmp_path, tmx(unit(("en", "x&lt;" * 600), ("de", "y")))))


@pytest.mark.parametrize(
    "subset",
    [
        '<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY % a SYSTEM "http://127.0.0.1:1/x.dtd"> %a;',
        '<!ENTITY a PUBLIC "x" "http://127.0.0.1:1/x">',
    ],
)
def test_entities_are_refused_before_they_can_do_harm(subset: str, tmp_path: Path) -> None:
    path = write(tmp_path, tmx(unit(("en", "&a;&b;"), ("de", "x")), head=f"<!DOCTYPE tmx [{subset}]>\n"))
    with pytest.raises(DataError, match=r"t\.tmx line 1 defines an entity \(a\), which is not allowed here"):
        read(path)


def test_a_document_type_is_never_loaded(tmp_path: Path) -> None:
    write(tmp_path, '<!ENTITY nix "harm">', "x.dtd")
    head = f'<!DOCTYPE tmx PUBLIC "-//X" "file://{tmp_path}/x.dtd">\n'
    with pytest.raises(DataError, match="there is no entity &nix;"):
        read(write(tmp_path, tmx(unit(("en", "&nix;")), head=head)))


def test_memory_stays_flat(tmp_path: Path) -> None:
    unit_ = "<tu>\n <prop>x</prop>\n" + unit(("en", "a man walks " * 6), ("de", "ein Mann geht " * 6))[4:]
    path = tmp_path / "t.tmx.gz"
    with gzip.open(path, "wt", compresslevel=1) as file:
        file.write(tmx(unit_ * 100_000))
    code = (
        "import resource, sys; from nmt.corpus.formats import open_pairs\n"
        "for number, _ in enumerate(open_pairs(sys.argv[1], 'en', 'de')):\n"
        "    if number == 5000: early = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "print(number + 1, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - early)"
    )
    result = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    count, grown = map(int, result.stdout.split())
    assert count == 100_000
    assert grown < 2000 * (1024 if sys.platform == "darwin" else 1)  # KiB


# XLIFF


def xliff(*units: str, source: str = "en-US", target: str = "de", version: str = "1.2") -> str:
    stated = f' target-language="{target}"' if target else ""
    return (
        f'<?xml version="1.0"?>\n<x:xliff xmlns:x="urn:x" version="{version}"><x:file original="f" '
        f'source-language="{source}"{stated}><body><group>\n{"".join(units)}</group></body></x:file></x:xliff>\n'
    )


def trans_unit(source: str, target: str | None, more: str = "", attributes: str = "", state: str = "") -> str:
    translated = f"<target{state}>{target}</target>" if target is not None else ""
    return f"<trans-unit id='1'{attributes}>\n<source>{source}</source>{translated}{more}</trans-unit>\n"


MEMORY = "<alt-trans><source>no</source><target>nein</target></alt-trans><note>no</note>"


@pytest.mark.parametrize("name", ["t.xlf", "t.xliff", "t.sdlxliff", "t.mqxliff"])
def test_xliff_1_is_read(name: str, tmp_path: Path) -> None:
    inside = "a <g id='1'>b</g><x id='2'/> <mrk mtype='term'>c</mrk><bpt id='3'>x</bpt>d<x ctype='lb'/>e"
    path = write(tmp_path, xliff(trans_unit(inside, "eins"), trans_unit("two\n x", "zwei", MEMORY)), name)
    stream = open_pairs(path, "en", "de")
    assert list(stream) == [("a b cd e", "eins"), ("two x", "zwei")]
    assert [stream.place(number).source for number in (1, 2)] == [f"{path} line {line}" for line in (3, 5)]
    assert read(path, "de", "en") == [("eins", "a b cd e"), ("zwei", "two x")]


def test_units_of_xliff_that_are_not_translated_are_left_out(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        xliff(
            trans_unit("a", "b", state=" state='translated'"),
            trans_unit("a", "a", state=" state='new'"),
            trans_unit("a", "a", state=" state='needs-translation'"),
            trans_unit("a", None, MEMORY),
            trans_unit("a", " "),
            trans_unit("x.c", "x.c", attributes=" translate='no'"),
        ),
        "t.xlf",
    )
    stream = open_pairs(path, "en", "de")
    assert list(stream) == [("a", "b")]
    assert stream.skipped == {"not translated yet": 2, "without de": 2, "not to be translated": 1}
    backwards = open_pairs(path, "de", "en")
    assert list(backwards) == [("b", "a")]
    assert backwards.skipped["without de"] == 2


def test_sentences_marked_on_both_sides_are_pairs(tmp_path: Path) -> None:
    def marked(*texts: str) -> str:
        return " ".join(f"<mrk mtype='seg' mid='{mid}'>{text}</mrk>" for mid, text in enumerate(texts))

    cut = f"<seg-source>{marked('A <g>x</g>.', 'B.')}</seg-source>"
    path = write(
        tmp_path,
        xliff(
            trans_unit("A x.  B.", marked("C.", "D."), cut),
            trans_unit("A x.  B.", marked("C D."), cut),
            trans_unit("A x.  B.", marked("C.", "D.")),
        ),
        "t.xlf",
    )
    assert read(path) == [("A x.", "C."), ("B.", "D."), ("A x. B.", "C D."), ("A x. B.", "C. D.")]


def test_xliff_2_is_read(tmp_path: Path) -> None:
    text = (
        '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.1" version="2.1" srcLang="en" trgLang="de-DE">'
        '<file id="f">\n'
        '<unit id="1"><mtc:matches xmlns:mtc="urn:m"><mtc:match><source>no</source><target>no</target></mtc:match>'
        "</mtc:matches>\n<segment><source>A <pc id='1'>b</pc><ph id='2'/>.</source><target>C<cp hex='0001'/>d.</target>"
        "</segment>\n<ignorable><source> </source><target> </target></ignorable>\n"
        "<segment><source>e</source></segment></unit>\n"
        "<unit id='2' translate='no'><segment><source>x</source><target>x</target></segment></unit>\n"
        "</file></xliff>"
    )
    stream = open_pairs(write(tmp_path, text, "t.xlf"), "en", "de")
    assert list(stream) == [("A b.", "C d.")]
    assert str(stream.place(1)) == f"{tmp_path}/t.xlf line 3"
    assert stream.skipped == {"without de": 1, "not to be translated": 1}


def test_files_of_other_languages_inside_an_xliff_are_left_out(tmp_path: Path) -> None:
    one = xliff(trans_unit("a", "b")).partition("<x:file")[2].partition("</x:xliff>")[0]
    other = one.replace('"de"', '"fr"').replace(">b<", ">c<")
    path = write(tmp_path, f"<xliff><x:file{one}<x:file{other}</xliff>".replace("x:", ""), "t.xlf")
    stream = open_pairs(path, "en", "de")
    assert list(stream) == [("a", "b")]
    assert stream.skipped == {"in other languages": 1}
    assert read(path, "fr", "en") == [("c", "a")]
    with pytest.raises(DataError, match=r"t\.xlf has no text from de to fr; it has en-US, de, fr\.") as caught:
        read(path, "de", "fr")
    assert caught.value.remedy


def test_the_target_language_of_xliff_may_be_left_open(tmp_path: Path) -> None:
    path = write(tmp_path, xliff(trans_unit("a", "b"), target=""), "t.xlf")
    assert read(path) == [("a", "b")]
    assert read(path, "de", "en") == [("b", "a")]
    with pytest.raises(DataError, match=r"no text from fr to it; it has en-US\."):
        read(path, "fr", "it")


def test_another_root_is_no_xliff(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"t\.xlf is no XLIFF file: its first element is tmx"):
        read(write(tmp_path, tmx(), "t.xlf"))


def test_the_numbers_of_pairs_left_out_are_not_called_lines(tmp_path: Path) -> None:
    path = write(tmp_path, tmx(unit(("en", "a"), ("de", "\u00a0")), unit(("en", "a"), ("de", "b"))))
    assert read_parallel(path, "en", "de").describe_dropped().endswith("(1 with blank target): pair 1")
