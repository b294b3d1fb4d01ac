package dev.orloj.server.protobuf;

import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.MalformedDocumentException;
import dev.orloj.server.protobuf.WireReader.Tag;
import dev.orloj.server.protobuf.WireReader.WireType;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Optional;

/**
 * Decodes messages into JSON according to their types. No type contains itself, so the types bound
 * the nesting, whatever is received.
 */
final class MessageDecoder {

    private static final JsonNodeFactory NODES = Json.MAPPER.getNodeFactory();
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter MICROSECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    /** The zero time of Go; it means that there is none. */
    private static final Instant NONE = Instant.parse("0001-01-01T00:00:00Z");

    private static final Instant END_OF_TIME = Instant.parse("9999-12-31T23:59:59.999999999Z");

    private static final MessageType TIME =
            MessageType.EMPTY
                    .with(1, "seconds", ProtobufFieldType.Scalar.OPTIONAL_INTEGER)
                    .with(2, "nanos", ProtobufFieldType.Scalar.INTEGER);

    private MessageDecoder() {}

    /** Reads a message to its end. A repeated occurrence of a field is merged into the first. */
    static void decode(MessageType type, WireReader in, ObjectNode target) {
        while (in.hasMore()) {
            Tag tag = in.readTag();
            Optional<MessageType.Field> field = type.field(tag.field());
            if (field.isEmpty()) {
                in.skip(tag.type());
                continue;
            }
            String name = field.get().name();
            try {
                decodeField(name, field.get().type(), tag.type(), in, target);
            } catch (MalformedProtobufException e) {
                throw e.in(name);
            }
        }
    }

    private static void decodeField(
            String name,
            ProtobufFieldType type,
            WireType wireType,
            WireReader in,
            ObjectNode target) {
        switch (type) {
            case ProtobufFieldType.Message(MessageType message) -> {
                ObjectNode object =
                        target.get(name) instanceof ObjectNode known ? known : NODES.objectNode();
                decode(message, part(wireType, in), object);
                if (!object.isEmpty()) {
                    target.set(name, object);
                }
            }
            case ProtobufFieldType.ListOf(ProtobufFieldType item) -> {
                ArrayNode array =
                        target.get(name) instanceof ArrayNode known ? known : target.putArray(name);
                array.add(element(item, wireType, in));
            }
            case ProtobufFieldType.MapOf(ProtobufFieldType value) -> {
                ObjectNode map =
                        target.get(name) instanceof ObjectNode known
                                ? known
                                : target.putObject(name);
                decodeEntry(value, part(wireType, in), map);
            }
            case ProtobufFieldType.Scalar scalar ->
                    scalar(scalar, wireType, in).ifPresent(value -> target.set(name, value));
        }
    }

    /** Elements of lists are present even when they are empty. */
    private static JsonNode element(ProtobufFieldType type, WireType wireType, WireReader in) {
        ObjectNode holder = NODES.objectNode();
        decodeField("0", type, wireType, in, holder);
        return Optional.ofNullable(holder.get("0")).orElseGet(() -> empty(type));
    }

    private static void decodeEntry(ProtobufFieldType type, WireReader in, ObjectNode map) {
        String key = "";
        JsonNode value = empty(type);
        while (in.hasMore()) {
            Tag tag = in.readTag();
            switch (tag.field()) {
                case 1 -> key = part(tag.type(), in).text();
                case 2 -> value = element(type, tag.type(), in);
                default -> in.skip(tag.type());
            }
        }
        map.set(key, value);
    }

    private static JsonNode empty(ProtobufFieldType type) {
        return switch (type) {
            case ProtobufFieldType.Message _, ProtobufFieldType.MapOf _ -> NODES.objectNode();
            case ProtobufFieldType.ListOf _ -> NODES.arrayNode();
            case ProtobufFieldType.Scalar _ -> NODES.stringNode("");
        };
    }

    private static Optional<JsonNode> scalar(
            ProtobufFieldType.Scalar type, WireType wireType, WireReader in) {
        return switch (type) {
            case TEXT ->
                    Optional.of(part(wireType, in).text())
                            .filter(t -> !t.isEmpty())
                            .map(NODES::stringNode);
            case OPTIONAL_TEXT -> Optional.of(NODES.stringNode(part(wireType, in).text()));
            case BYTES -> Optional.of(NODES.stringNode(base64(part(wireType, in))));
            case INTEGER ->
                    Optional.of(number(wireType, in)).filter(n -> n != 0).map(MessageDecoder::node);
            case OPTIONAL_INTEGER -> Optional.of(node(number(wireType, in)));
            case OPTIONAL_BOOLEAN -> Optional.of(NODES.booleanNode(number(wireType, in) != 0));
            case TIME -> time(part(wireType, in)).map(SECONDS::format).map(NODES::stringNode);
            case MICRO_TIME ->
                    time(part(wireType, in)).map(MICROSECONDS::format).map(NODES::stringNode);
            case JSON -> json(part(wireType, in));
        };
    }

    private static WireReader part(WireType wireType, WireReader in) {
        if (wireType != WireType.LENGTH_DELIMITED) {
            throw in.malformed("a value with a length is expected, found " + wireType);
        }
        return in.readPart();
    }

    private static long number(WireType wireType, WireReader in) {
        if (wireType != WireType.VARINT) {
            throw in.malformed("a number is expected, found " + wireType);
        }
        return in.readVarint();
    }

    /**
     * Uses the type that the JSON reader would choose, so that trees from both compare as equal.
     */
    private static JsonNode node(long number) {
        return number == (int) number ? NODES.numberNode((int) number) : NODES.numberNode(number);
    }

    private static String base64(WireReader in) {
        byte[] bytes = new byte[in.remaining().remaining()];
        in.remaining().get(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static Optional<Instant> time(WireReader in) {
        ObjectNode time = NODES.objectNode();
        decode(TIME, in, time);
        if (!time.has("seconds")) {
            return Optional.empty();
        }
        try {
            Instant instant =
                    Instant.ofEpochSecond(
                            time.path("seconds").asLong(), time.path("nanos").asLong(0));
            if (!instant.isBefore(NONE) && !instant.isAfter(END_OF_TIME)) {
                return Optional.of(instant).filter(i -> !i.equals(NONE));
            }
        } catch (DateTimeException | ArithmeticException e) {
            // outside the range of an instant: as invalid as a year beyond 9999
        }
        throw in.malformed("the time is not within the years 1 to 9999");
    }

    private static Optional<JsonNode> json(WireReader in) {
        ObjectNode wrapper = NODES.objectNode();
        while (in.hasMore()) {
            Tag tag = in.readTag();
            if (tag.field() == 1) {
                wrapper.set("json", parse(part(tag.type(), in)));
            } else {
                in.skip(tag.type());
            }
        }
        return Optional.ofNullable(wrapper.get("json"));
    }

    private static JsonNode parse(WireReader in) {
        try {
            return Json.MAPPER.readTree(in.text());
        } catch (JacksonException e) {
            throw in.malformed("no JSON: " + MalformedDocumentException.of(e).getMessage());
        }
    }
}
