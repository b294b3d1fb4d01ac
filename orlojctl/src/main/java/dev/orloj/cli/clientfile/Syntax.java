package dev.orloj.cli.clientfile;

import dev.orloj.api.codec.DocumentReader;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.MalformedDocumentException;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.toml.TomlFactory;
import tools.jackson.dataformat.toml.TomlMapper;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The languages of configuration files. */
public enum Syntax {
    /** JSON, also with comments and trailing commas. */
    JSON,
    YAML,
    TOML;

    private static final StreamReadConstraints BOUNDS =
            StreamReadConstraints.builder().maxNestingDepth(Json.MAX_DEPTH).build();

    /** Returns the language of a file by its name. */
    public static Syntax of(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.endsWith(".toml")) {
            return TOML;
        }
        return lower.endsWith(".yaml") || lower.endsWith(".yml") ? YAML : JSON;
    }

    /**
     * Parses a document.
     *
     * @throws MalformedDocumentException when it is none, with its line
     */
    public ObjectNode parse(String text) {
        if (text.isBlank()) {
            return Json.MAPPER.createObjectNode();
        }
        try {
            JsonNode root =
                    switch (this) {
                        case JSON -> JsonHolder.MAPPER.readTree(text);
                        case YAML ->
                                DocumentReader.readYaml(text.getBytes(StandardCharsets.UTF_8))
                                        .root();
                        case TOML -> TomlHolder.MAPPER.readTree(text);
                    };
            if (root instanceof ObjectNode object) {
                return object;
            }
            throw new MalformedDocumentException("expected an object", 1);
        } catch (JacksonException e) {
            throw MalformedDocumentException.of(e);
        }
    }

    /** Loaded when a file of a client is read, which most commands never do. */
    private static final class JsonHolder {

        static final JsonMapper MAPPER =
                JsonMapper.builder(JsonFactory.builder().streamReadConstraints(BOUNDS).build())
                        .enable(
                                JsonReadFeature.ALLOW_JAVA_COMMENTS,
                                JsonReadFeature.ALLOW_TRAILING_COMMA)
                        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                        .build();
    }

    private static final class TomlHolder {

        static final TomlMapper MAPPER =
                TomlMapper.builder(TomlFactory.builder().streamReadConstraints(BOUNDS).build())
                        .build();
    }
}
