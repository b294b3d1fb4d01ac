package dev.orloj.cli.ledger;

import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.output.FileErrors;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** An export of a ledger. Its entries are read one by one, so that it may be large. */
final class LedgerFile {

    /** The field of an export that has the entries of one definition only. */
    static final String SELECTED = "selected";

    private static final String ENTRIES = "entries";

    private final String path;
    private final ObjectNode document;

    private LedgerFile(String path, ObjectNode document) {
        this.path = path;
        this.document = document;
    }

    /** Does something with a parser that is behind the start of a document. */
    private interface Reading {
        void read(JsonParser parser);
    }

    /** Opens an export, and reads all but its entries. */
    static LedgerFile open(String path) {
        ObjectNode document = Json.MAPPER.createObjectNode();
        read(
                path,
                parser -> {
                    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                        String name = parser.currentName();
                        parser.nextToken();
                        if (name.equals(ENTRIES)) {
                            parser.skipChildren();
                        } else {
                            document.set(name, parser.<JsonNode>readValueAsTree());
                        }
                    }
                });
        if (!document.path("kind").asString("").equals("ToolLedger")) {
            throw noExport(path);
        }
        if (document.has(SELECTED)) {
            throw new CommandException(
                    "%s has only the entries of \"%s\": export the whole ledger with tools history mcp/NAME -o json"
                            .formatted(path, document.path(SELECTED).asString("")));
        }
        return new LedgerFile(path, document);
    }

    /** Returns the export without its entries. */
    ObjectNode document() {
        return document;
    }

    void forEachEntry(Consumer<LedgerEntry> consumer) {
        read(
                path,
                parser -> {
                    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                        String name = parser.currentName();
                        JsonToken value = parser.nextToken();
                        if (name.equals(ENTRIES) && value == JsonToken.START_ARRAY) {
                            while (parser.nextToken() != JsonToken.END_ARRAY) {
                                consumer.accept(LedgerEntry.of(parser.<JsonNode>readValueAsTree()));
                            }
                        } else {
                            parser.skipChildren();
                        }
                    }
                });
    }

    private static void read(String path, Reading reading) {
        try (InputStream input = new BufferedInputStream(Files.newInputStream(Path.of(path)));
                JsonParser parser = Json.MAPPER.createParser(input)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw noExport(path);
            }
            reading.read(parser);
        } catch (IOException e) {
            throw new CommandException(
                    "cannot read \"%s\": %s".formatted(path, FileErrors.reason(e)));
        } catch (JacksonException e) {
            throw new CommandException(
                    "%s is no JSON: write the export with tools history mcp/NAME -o json, not yaml (%s)"
                            .formatted(path, e.getOriginalMessage()));
        }
    }

    private static CommandException noExport(String path) {
        return new CommandException(
                path + " is no export of a ledger: write it with tools history mcp/NAME -o json");
    }
}
