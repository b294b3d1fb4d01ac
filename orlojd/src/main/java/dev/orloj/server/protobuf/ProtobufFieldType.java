package dev.orloj.server.protobuf;

/**
 * The type of a field, which determines its JSON form. Encoders write empty fields. In JSON these
 * are absent, except optional ones, for which empty is a value.
 */
sealed interface ProtobufFieldType {

    /** Scalar values. */
    enum Scalar implements ProtobufFieldType {
        TEXT,
        OPTIONAL_TEXT,
        BYTES,
        INTEGER,
        OPTIONAL_INTEGER,
        OPTIONAL_BOOLEAN,
        /** A time with second precision. */
        TIME,
        /** A time with microsecond precision. */
        MICRO_TIME,
        /** A message whose first field contains JSON. */
        JSON
    }

    record Message(MessageType type) implements ProtobufFieldType {}

    record ListOf(ProtobufFieldType item) implements ProtobufFieldType {}

    /** A map with string keys. */
    record MapOf(ProtobufFieldType value) implements ProtobufFieldType {}
}
