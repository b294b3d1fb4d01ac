package dev.orloj.server.telemetry;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A protobuf message of which no schema is known: its fields by their number, numbers as {@link
 * Long}, all else as bytes.
 */
final class ProtobufFields {

    private final Map<Integer, List<Object>> fields = new LinkedHashMap<>();

    ProtobufFields(byte[] message) {
        ByteBuffer in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        while (in.hasRemaining()) {
            int tag = (int) varint(in);
            Object value =
                    switch (tag & 7) {
                        case 0 -> varint(in);
                        case 1 -> in.getLong();
                        case 2 -> bytes(in, (int) varint(in));
                        case 5 -> (long) in.getInt();
                        default -> throw new IllegalArgumentException("wire type " + (tag & 7));
                    };
            fields.computeIfAbsent(tag >>> 3, _ -> new ArrayList<>()).add(value);
        }
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    private static byte[] bytes(ByteBuffer in, int length) {
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    Stream<ProtobufFields> messages(int field) {
        return all(field).map(value -> new ProtobufFields((byte[]) value));
    }

    String text(int field) {
        return all(field)
                .map(value -> new String((byte[]) value, StandardCharsets.UTF_8))
                .findFirst()
                .orElse("");
    }

    String hex(int field) {
        return all(field)
                .map(value -> HexFormat.of().formatHex((byte[]) value))
                .findFirst()
                .orElse("");
    }

    long number(int field) {
        return all(field).map(value -> (Long) value).findFirst().orElse(0L);
    }

    List<Double> doubles(int field) {
        List<Double> doubles = new ArrayList<>();
        all(field)
                .map(value -> ByteBuffer.wrap((byte[]) value).order(ByteOrder.LITTLE_ENDIAN))
                .forEach(
                        packed -> {
                            while (packed.hasRemaining()) {
                                doubles.add(packed.getDouble());
                            }
                        });
        return doubles;
    }

    private Stream<Object> all(int field) {
        return fields.getOrDefault(field, List.of()).stream();
    }
}
