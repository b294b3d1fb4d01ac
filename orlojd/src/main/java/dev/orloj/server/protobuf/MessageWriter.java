package dev.orloj.server.protobuf;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes one protobuf message, field by field. For one thread. */
public final class MessageWriter {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    public MessageWriter text(int field, String text) {
        return bytes(field, text.getBytes(StandardCharsets.UTF_8));
    }

    public MessageWriter message(int field, MessageWriter message) {
        return bytes(field, message.toByteArray());
    }

    public MessageWriter number(int field, long number) {
        writeVarint((long) field << 3);
        writeVarint(number);
        return this;
    }

    public MessageWriter decimal(int field, double number) {
        writeVarint((long) field << 3 | 1);
        long bits = Double.doubleToLongBits(number);
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            out.write((int) (bits >>> shift));
        }
        return this;
    }

    private MessageWriter bytes(int field, byte[] bytes) {
        writeVarint((long) field << 3 | 2);
        writeVarint(bytes.length);
        out.writeBytes(bytes);
        return this;
    }

    private void writeVarint(long value) {
        long left = value;
        while ((left & ~0x7fL) != 0) {
            out.write((int) (left & 0x7f | 0x80));
            left >>>= 7;
        }
        out.write((int) left);
    }

    public byte[] toByteArray() {
        return out.toByteArray();
    }
}
