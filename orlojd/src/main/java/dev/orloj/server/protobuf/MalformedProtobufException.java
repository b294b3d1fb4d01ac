package dev.orloj.server.protobuf;

/** Bytes are not a valid message of their type. Names the position, then the field. */
final class MalformedProtobufException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int position;
    private final String field;
    private final String why;

    MalformedProtobufException(int position, String why) {
        this(position, "", why);
    }

    private MalformedProtobufException(int position, String field, String why) {
        super(
                field.isEmpty()
                        ? "byte %d: %s".formatted(position, why)
                        : "byte %d, field \"%s\": %s".formatted(position, field, why));
        this.position = position;
        this.field = field;
        this.why = why;
    }

    /** Returns the exception from the perspective of the message that contains the field. */
    MalformedProtobufException in(String name) {
        String path = field.isEmpty() ? name : name + "." + field;
        return new MalformedProtobufException(position, path, why);
    }
}
