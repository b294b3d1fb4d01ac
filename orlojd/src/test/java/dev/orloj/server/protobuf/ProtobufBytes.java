package dev.orloj.server.protobuf;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes protobuf the way clients do, field by field. */
public final class ProtobufBytes {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private ProtobufBytes() {}

    public static ProtobufBytes message() {
        return new ProtobufBytes();
    }

    /** The envelope of Kubernetes around a message, with its empty fields. */
    public static byte[] envelope(String apiVersion, String kind, ProtobufBytes content) {
        ProtobufBytes body =
                message()
                        .with(1, message().with(1, apiVersion).with(2, kind))
                        .with(2, content)
                        .with(3, "")
                        .with(4, "");
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(new byte[] {'k', '8', 's', 0});
        all.writeBytes(body.bytes());
        return all.toByteArray();
    }

    public ProtobufBytes with(int field, String text) {
        return with(field, text.getBytes(StandardCharsets.UTF_8));
    }

    public ProtobufBytes with(int field, ProtobufBytes message) {
        return with(field, message.bytes());
    }

    public ProtobufBytes with(int field, byte[] value) {
        varint((long) field << 3 | 2);
        varint(value.length);
        out.writeBytes(value);
        return this;
    }

    public ProtobufBytes with(int field, long number) {
        varint((long) field << 3);
        varint(number);
        return this;
    }

    /** An entry of a map. */
    public ProtobufBytes with(int field, String key, String value) {
        return with(field, message().with(1, key).with(2, value));
    }

    ProtobufBytes raw(int... bytes) {
        for (int next : bytes) {
            out.write(next);
        }
        return this;
    }

    private void varint(long value) {
        long left = value;
        while ((left & ~0x7fL) != 0) {
            out.write((int) (left & 0x7f | 0x80));
            left >>>= 7;
        }
        out.write((int) left);
    }

    public byte[] bytes() {
        return out.toByteArray();
    }
}
