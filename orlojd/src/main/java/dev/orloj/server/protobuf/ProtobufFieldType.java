package dev.orloj.server.protobuf;

/**
 * What a field holds, and so what it becomes in JSON. The encoders write fields that are empty; in
 * JSON these are absent, but for the optional ones, where empty is a value.
 */
sealed interface ProtobufFieldType {

    /** Values without parts. */
    enum Scalar implements ProtobufFieldType {
        TEXT,
        OPTIONAL_TEXT,
        BYTES,
        INTEGER,
        OPTIONAL_INTEGER,
        OPTIONAL_BOOLEAN,
        /** To the second. */
        TIME,
        /** To the microsecond. */
        MICRO_TIME,
        /** A message whose first field is JSON already. */
        JSON
    }

    record Message(MessageType type) implements ProtobufFieldType {}

    record ListOf(ProtobufFieldType item) implements ProtobufFieldType {}

    /** A map with texts as keys. */
    record MapOf(ProtobufFieldType value) implements ProtobufFieldType {}
}
