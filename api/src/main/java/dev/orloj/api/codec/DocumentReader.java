package dev.orloj.api.codec;

import dev.orloj.api.FieldPath;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLParser;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * Reads documents field by field to record the line of each field and to detect duplicates. Refuses
 * YAML aliases and merge keys, because the parser would silently read them as text.
 */
public final class DocumentReader {

    private static final YAMLMapper YAML =
            YAMLMapper.builder(
                            YAMLFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(Json.MAX_DEPTH)
                                                    .build())
                                    .build())
                    .build();

    /** The most members of one object. */
    public static final int MAX_MEMBERS = 20_000;

    /** The most duplicates to report. More would only fill the response. */
    private static final int MAX_DUPLICATES = 100;

    private final JsonParser parser;
    private final boolean withLines;
    private final List<String> duplicates = new ArrayList<>();
    private final Map<String, Integer> lines = new HashMap<>();

    private DocumentReader(JsonParser parser, boolean withLines) {
        this.parser = parser;
        this.withLines = withLines;
    }

    /**
     * Reads one JSON document, without the lines of its fields. Stops if the thread is interrupted.
     *
     * @throws MalformedDocumentException when the bytes are not exactly one JSON object
     */
    public static Document readJson(byte[] bytes) {
        return readOne(Json.MAPPER.createParser(bytes), "JSON");
    }

    /**
     * Reads one YAML document, without the lines of its fields. Stops if the thread is interrupted.
     *
     * @throws MalformedDocumentException when the bytes are not exactly one YAML mapping
     */
    public static Document readYaml(byte[] bytes) {
        return readOne(YAML.createParser(bytes), "YAML");
    }

    private static Document readOne(JsonParser parser, String format) {
        List<Document> documents = readAll(parser, false);
        if (documents.size() != 1) {
            throw new MalformedDocumentException(
                    "expected one %s object, found %d".formatted(format, documents.size()), 1);
        }
        return documents.getFirst();
    }

    /** Reads a stream of YAML documents and skips empty ones. JSON is valid YAML. */
    static List<Document> readStream(byte[] bytes) {
        return readAll(YAML.createParser(bytes), true);
    }

    private static List<Document> readAll(JsonParser parser, boolean withLines) {
        try (parser) {
            List<Document> documents = new ArrayList<>();
            while (parser.nextToken() != null) {
                new DocumentReader(parser, withLines).readDocument().ifPresent(documents::add);
            }
            return documents;
        } catch (JacksonException e) {
            throw MalformedDocumentException.of(e);
        }
    }

    private Optional<Document> readDocument() {
        if (isEmpty()) {
            return Optional.empty();
        }
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw new MalformedDocumentException(
                    "expected an object, found " + describe(parser.currentToken()), line());
        }
        note(FieldPath.root());
        ObjectNode root = readObject(FieldPath.root());
        return Optional.of(new Document(root, duplicates, lines));
    }

    /**
     * Returns whether the document is empty. YAML reads an empty text between two document markers.
     */
    private boolean isEmpty() {
        return parser.currentToken() == JsonToken.VALUE_NULL
                || (parser.currentToken() == JsonToken.VALUE_STRING
                        && parser.getString().isEmpty());
    }

    private ObjectNode readObject(FieldPath path) {
        ObjectNode object = Json.MAPPER.createObjectNode();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            FieldPath child = path.child(name);
            refuseAlias();
            if (name.equals("<<")) {
                throw new MalformedDocumentException(
                        "merge key \"<<\" at \"%s\" is not supported; write the fields out"
                                .formatted(path),
                        line());
            }
            note(child);
            parser.nextToken();
            if (object.replace(name, readValue(child)) != null
                    && duplicates.size() < MAX_DUPLICATES) {
                duplicates.add(child.toString());
            }
            if (object.size() > MAX_MEMBERS) {
                throw tooMany(path);
            }
        }
        return object;
    }

    /** Reads to the end of the object to count its members. */
    private MalformedDocumentException tooMany(FieldPath path) {
        int line = line();
        long members = MAX_MEMBERS + 1L;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            parser.nextToken();
            parser.skipChildren();
            members++;
        }
        return new MalformedDocumentException(
                "the object at \"%s\" has %d members, the limit is %d"
                        .formatted(path, members, MAX_MEMBERS),
                line);
    }

    private void note(FieldPath path) {
        if (withLines) {
            lines.put(path.toString(), line());
        }
    }

    private ArrayNode readArray(FieldPath path) {
        ArrayNode array = Json.MAPPER.createArrayNode();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            FieldPath child = path.index(array.size());
            note(child);
            array.add(readValue(child));
        }
        return array;
    }

    private JsonNode readValue(FieldPath path) {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("interrupted while a document was read");
        }
        refuseAlias();
        var nodes = Json.MAPPER.getNodeFactory();
        return switch (parser.currentToken()) {
            case START_OBJECT -> readObject(path);
            case START_ARRAY -> readArray(path);
            case VALUE_STRING -> nodes.stringNode(parser.getString());
            case VALUE_NUMBER_INT -> readInteger();
            case VALUE_NUMBER_FLOAT -> readFloat(path);
            case VALUE_TRUE -> nodes.booleanNode(true);
            case VALUE_FALSE -> nodes.booleanNode(false);
            case VALUE_NULL -> nodes.nullNode();
            default ->
                    throw new MalformedDocumentException(
                            "unexpected " + describe(parser.currentToken()), line());
        };
    }

    /**
     * Returns the node type that the mapper would choose, so that trees from both compare as equal.
     */
    private JsonNode readInteger() {
        var nodes = Json.MAPPER.getNodeFactory();
        return switch (parser.getNumberType()) {
            case INT -> nodes.numberNode(parser.getIntValue());
            case LONG -> nodes.numberNode(parser.getLongValue());
            default -> nodes.numberNode(parser.getBigIntegerValue());
        };
    }

    private JsonNode readFloat(FieldPath path) {
        try {
            return Json.MAPPER.getNodeFactory().numberNode(parser.getDecimalValue());
        } catch (JacksonException | NumberFormatException e) { // .nan, .inf; 1e1000000000000
            throw new MalformedDocumentException(
                    "\"%s\" at \"%s\" is not a JSON number".formatted(parser.getString(), path),
                    line());
        }
    }

    private void refuseAlias() {
        if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
            throw new MalformedDocumentException(
                    // Its name may be a secret: a password that begins with a "*".
                    "an alias is not supported; write the value out, and put a text that begins"
                            + " with \"*\" in quotes",
                    line());
        }
    }

    private int line() {
        return Math.max(1, parser.currentTokenLocation().getLineNr());
    }

    private static String describe(JsonToken token) {
        return switch (token) {
            case START_ARRAY -> "a list";
            case VALUE_STRING -> "text";
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
            case VALUE_TRUE, VALUE_FALSE -> "a boolean";
            default -> token.toString();
        };
    }
}
