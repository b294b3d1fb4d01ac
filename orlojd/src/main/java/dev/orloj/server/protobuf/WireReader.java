package dev.orloj.server.protobuf;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads the protobuf wire format from a section of an array, without copying it. Never reads beyond
 * that section, whatever lengths it contains. For one thread.
 */
final class WireReader {

    /** The encoding of a value, so that unknown fields can be skipped. */
    enum WireType {
        VARINT,
        FIXED64,
        LENGTH_DELIMITED,
        FIXED32
    }

    /** The prefix of every value. */
    record Tag(int field, WireType type) {}

    private final byte[] bytes;
    private final int end;
    private int position;

    WireReader(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.position = start;
        this.end = end;
    }

    boolean hasMore() {
        return position < end;
    }

    Tag readTag() {
        int start = position;
        long key = readVarint();
        long field = key >>> 3;
        if (field == 0 || field >= 1 << 29) {
            throw new MalformedProtobufException(start, "there is no field number " + field);
        }
        WireType type =
                switch ((int) (key & 7)) {
                    case 0 -> WireType.VARINT;
                    case 1 -> WireType.FIXED64;
                    case 2 -> WireType.LENGTH_DELIMITED;
                    case 5 -> WireType.FIXED32;
                    default ->
                            throw new MalformedProtobufException(
                                    start, "wire type %d is not known".formatted(key & 7));
                };
        return new Tag((int) field, type);
    }

    long readVarint() {
        int start = position;
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (position == end) {
                throw new MalformedProtobufException(position, "a number breaks off");
            }
            byte next = bytes[position++];
            value |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new MalformedProtobufException(start, "a number is longer than 64 bits");
    }

    /** Returns a reader of the section that a length-delimited value takes. */
    WireReader readPart() {
        int start = position;
        long length = readVarint();
        if (length < 0 || length > end - position) {
            throw new MalformedProtobufException(
                    start,
                    "a value of %s bytes is announced, %d are left"
                            .formatted(Long.toUnsignedString(length), end - position));
        }
        WireReader part = new WireReader(bytes, position, position + (int) length);
        position += (int) length;
        return part;
    }

    void skip(WireType type) {
        switch (type) {
            case VARINT -> readVarint();
            case LENGTH_DELIMITED -> readPart();
            case FIXED32 -> advance(4);
            case FIXED64 -> advance(8);
        }
    }

    private void advance(int count) {
        if (count > end - position) {
            throw new MalformedProtobufException(position, "a number breaks off");
        }
        position += count;
    }

    /** Returns the rest as text. */
    String text() {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(remaining()).toString();
        } catch (CharacterCodingException e) {
            throw new MalformedProtobufException(position, "the text is not UTF-8");
        }
    }

    /** Returns the rest. */
    ByteBuffer remaining() {
        return ByteBuffer.wrap(bytes, position, end - position);
    }

    MalformedProtobufException malformed(String why) {
        return new MalformedProtobufException(position, why);
    }
}
