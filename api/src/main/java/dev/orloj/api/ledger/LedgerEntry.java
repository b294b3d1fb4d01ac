package dev.orloj.api.ledger;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * One entry of a ledger. Its hash covers all other fields, among them the hash of the entry before.
 * Fields that this version does not know stay and are part of the hash.
 *
 * @param fields all but the hash; is not changed
 */
public record LedgerEntry(ObjectNode fields, String hash) {

    public static final String ENROLLED = "Enrolled";
    public static final String CHANGED = "Changed";
    public static final String RENAMED = "Renamed";
    public static final String RETIRED = "Retired";

    /** The server offers a definition that is not served. */
    public static final String HELD = "Held";

    /** A user approved a definition. */
    public static final String APPROVED = "Approved";

    /** A user rejected a definition. */
    public static final String REJECTED = "Rejected";

    /** Has the state of the ledger as its content, so that older entries can be removed. */
    public static final String SUMMARIZED = "Summarized";

    public static final String TOOL = "Tool";
    public static final String SERVER = "Server";
    public static final String PROMPT = "Prompt";
    public static final String TEMPLATE = "ResourceTemplate";
    public static final String RESOURCE = "Resource";
    public static final String RUNS = "Runs";
    public static final String LEDGER = "Ledger";

    /** What an entry states, before it has a place in the chain. */
    public static final class Draft {

        private final ObjectNode fields = Json.MAPPER.createObjectNode();

        public Draft(String operation, String subject) {
            fields.put("operation", operation).put("subject", subject);
        }

        /**
         * @param tool its name on the server
         * @param resource the name of the Tool
         */
        public Draft tool(String tool, String resource) {
            fields.put("tool", tool).put("resource", resource);
            return this;
        }

        /**
         * @param name of a prompt, or the URI of a resource or a template
         */
        public Draft name(String name) {
            fields.put("name", name);
            return this;
        }

        public Draft former(String tool, String resource) {
            fields.putObject("former").put("tool", tool).put("resource", resource);
            return this;
        }

        public Draft reason(String reason) {
            fields.put("reason", reason);
            return this;
        }

        /**
         * @param user who decided
         */
        public Draft actor(String user) {
            fields.put("actor", user);
            return this;
        }

        /**
         * @param digest of the content
         * @param parts digests of its parts by name
         */
        public Draft content(String digest, Map<String, String> parts) {
            fields.put("content", digest);
            if (!parts.isEmpty()) {
                ObjectNode object = fields.putObject("parts");
                new TreeMap<>(parts).forEach(object::put);
            }
            return this;
        }

        /** Makes the entry. The draft must not be used again. */
        public LedgerEntry after(long sequence, String hash, Instant at) {
            ObjectNode chained = Json.MAPPER.createObjectNode();
            chained.put("sequence", sequence + 1).put("at", at.toString());
            chained.setAll(fields).put("previous", hash);
            return new LedgerEntry(chained, CanonicalJson.digest(chained));
        }
    }

    /**
     * Reads an entry.
     *
     * @param canonical the canonical text of its fields
     */
    public static LedgerEntry read(String canonical, String hash) {
        return new LedgerEntry((ObjectNode) Json.MAPPER.readTree(canonical), hash);
    }

    /** Reads an entry with its hash. */
    public static LedgerEntry of(JsonNode entry) {
        ObjectNode fields = Json.MAPPER.createObjectNode();
        entry.properties().forEach(field -> fields.set(field.getKey(), field.getValue()));
        fields.remove("hash");
        return new LedgerEntry(fields, entry.path("hash").asString(""));
    }

    /** Returns the entry with its hash. Its parts are those of the entry, and not changed. */
    public ObjectNode toJson() {
        ObjectNode entry = Json.MAPPER.createObjectNode();
        entry.setAll(fields);
        return entry.put("hash", hash);
    }

    /** Returns the text whose SHA-256 is the hash. */
    public String canonical() {
        return CanonicalJson.of(fields);
    }

    /** Returns whether the hash is that of the fields. */
    public boolean isIntact() {
        return CanonicalJson.digest(fields).equals(hash);
    }

    public long sequence() {
        return fields.path("sequence").asLong(0);
    }

    public String operation() {
        return text("operation");
    }

    /** Returns whether the content is the state of the ledger. */
    public boolean isSummary() {
        return operation().equals(SUMMARIZED);
    }

    public String subject() {
        return text("subject");
    }

    /** Returns the name of the tool on its server. Empty for other subjects. */
    public String tool() {
        return text("tool");
    }

    /** Returns the name of the Tool. Empty for other subjects. */
    public String resource() {
        return text("resource");
    }

    /**
     * Returns the name of a prompt, a resource template or a resource. Empty for other subjects.
     */
    public String name() {
        return text("name");
    }

    /**
     * Returns kind and name of a prompt, a resource template or a resource, such as {@code
     * prompt/review}, and {@code server/runs} of what runs. Empty for other subjects.
     */
    public String feature() {
        if (subject().equals(RUNS)) {
            return "server/runs";
        }
        String prefix = prefix(subject());
        return prefix.isEmpty() ? "" : prefix + name();
    }

    /** Returns what goes before the names of a subject; empty if it is no prompt or resource. */
    public static String prefix(String subject) {
        return switch (subject) {
            case PROMPT -> "prompt/";
            case TEMPLATE -> "template/";
            case RESOURCE -> "resource/";
            default -> "";
        };
    }

    /** Returns the name that a renamed tool had on its server. */
    public String formerTool() {
        return fields.path("former").path("tool").asString("");
    }

    /** Returns the name that a renamed Tool had. */
    public String formerResource() {
        return fields.path("former").path("resource").asString("");
    }

    /** Returns the digest of the definition, the server record or the state; empty if retired. */
    public String content() {
        return text("content");
    }

    /** Returns why a definition is held; empty for other operations. */
    public String reason() {
        return text("reason");
    }

    /** Returns who decided; empty for what orlojd observed. */
    public String actor() {
        return text("actor");
    }

    public String previous() {
        return text("previous");
    }

    public String at() {
        return text("at");
    }

    /** Returns the digest of a part; empty if there is none. */
    public String part(String name) {
        return fields.path("parts").path(name).asString("");
    }

    private String text(String field) {
        return fields.path(field).asString("");
    }
}
