package dev.orloj.server.protobuf;

import dev.orloj.api.Frozen;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Maps the numbers of fields to fields; unknown numbers are skipped. Immutable. */
record MessageType(Map<Integer, Field> fields) {

    /**
     * One field.
     *
     * @param name its name in JSON
     */
    record Field(String name, ProtobufFieldType type) {}

    static final MessageType EMPTY = new MessageType(Map.of());

    MessageType {
        fields = Frozen.map(fields);
    }

    MessageType with(int number, String name, ProtobufFieldType type) {
        Map<Integer, Field> more = new HashMap<>(fields);
        if (more.put(number, new Field(name, type)) != null) {
            throw new IllegalArgumentException("field %d is there already".formatted(number));
        }
        return new MessageType(more);
    }

    MessageType with(int number, String name, MessageType type) {
        return with(number, name, new ProtobufFieldType.Message(type));
    }

    Optional<Field> field(int number) {
        return Optional.ofNullable(fields.get(number));
    }
}
