"""What a serialized SentencePiece model says of itself, beyond what SentencePiece has calls for."""

import io
import struct


def model_settings(proto: bytes) -> tuple[str, str, float]:
    """Kind, normalisation rule and character coverage, read out of a serialized model.

    By the field numbers of sentencepiece_model.proto.
    """
    model = fields(proto)
    trainer, normalizer = fields(bytes(model.get(2, b""))), fields(bytes(model.get(3, b"")))
    kind = {1: "unigram", 2: "bpe", 3: "word", 4: "char"}[int(trainer.get(3, 1))]
    (coverage,) = struct.unpack("<f", bytes(trainer.get(10, struct.pack("<f", 0.9995))))
    return kind, bytes(normalizer.get(1, b"?")).decode(), coverage


def fields(message: bytes) -> dict[int, int | bytes]:
    """Field number -> last value of a serialized protobuf message: an int for a varint, else the bytes."""
    stream = io.BytesIO(message)

    def varint() -> int:
        value, shift = 0, 0
        while True:
            byte = stream.read(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    fields: dict[int, int | bytes] = {}
    while stream.tell() < len(message):
        number, wire = divmod(varint(), 8)
        if wire == 0:
            fields[number] = varint()
        else:  # 1: eight bytes, 2: a length and so many bytes, 5: four bytes
            fields[number] = stream.read({1: 8, 5: 4}[wire] if wire != 2 else varint())
    return fields
