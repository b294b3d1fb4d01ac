package dev.orloj.api.backup;

import dev.orloj.api.codec.Json;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What is in a backup, and what it needs. Immutable.
 *
 * @param version of the orlojd that made it
 * @param schema number of the newest migration of its database
 * @param keys ids of the keys of the Secrets, which are not part of a backup
 * @param revision the highest resourceVersion of its database
 * @param tables in an order in which they can be filled
 */
public record BackupHeader(
        String version,
        int schema,
        Instant createdAt,
        List<String> keys,
        long revision,
        List<Table> tables) {

    /** The version of the format. A reader refuses a higher one. */
    static final int FORMAT = 1;

    /** In bytes; a header of a hundred tables has 20 kB. */
    public static final int MAX_BYTES = 256 * 1024;

    /** What every client reads exactly; a restore counts on from the revision of the backup. */
    private static final long MAX_REVISION = 1L << 53;

    private static final String NAME = "[a-z_][a-z0-9_]{0,62}";

    /**
     * A table of the database.
     *
     * @param columns in the order of the fields of a row
     */
    public record Table(String name, List<String> columns) {

        public Table {
            columns = List.copyOf(columns);
        }

        private boolean isValid() {
            return name.matches(NAME)
                    && !columns.isEmpty()
                    && columns.stream().allMatch(column -> column.matches(NAME));
        }
    }

    public BackupHeader {
        keys = List.copyOf(keys);
        tables = List.copyOf(tables);
    }

    public byte[] toJson() {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("format", FORMAT).put("orloj", version).put("schema", schema);
        json.put("createdAt", createdAt.toString()).put("revision", revision);
        ArrayNode ids = json.putArray("keys");
        keys.forEach(ids::add);
        ArrayNode all = json.putArray("tables");
        for (Table table : tables) {
            ArrayNode columns = all.addObject().put("name", table.name()).putArray("columns");
            table.columns().forEach(columns::add);
        }
        return Json.MAPPER.writeValueAsBytes(json);
    }

    /**
     * @throws BackupException when it is not the header of a backup that this version reads
     */
    public static BackupHeader parse(byte[] bytes) throws BackupException {
        try {
            JsonNode json = Json.MAPPER.readTree(bytes);
            int format = json.path("format").asInt(0);
            if (format > FORMAT) {
                throw new BackupException(
                        "the backup has format %d of a newer Orloj (%s), and this one reads format %d: use that version"
                                .formatted(format, json.path("orloj").asString("?"), FORMAT));
            }
            BackupHeader header =
                    new BackupHeader(
                            json.path("orloj").asString(""),
                            json.path("schema").asInt(0),
                            Instant.parse(json.path("createdAt").asString("")),
                            texts(json.path("keys")),
                            json.path("revision").asLong(0),
                            json.path("tables")
                                    .valueStream()
                                    .map(
                                            table ->
                                                    new Table(
                                                            table.path("name").asString(""),
                                                            texts(table.path("columns"))))
                                    .toList());
            if (format < 1
                    || header.schema < 1
                    || header.revision < 1
                    || !header.hasValidTables()) {
                throw new BackupException("the file has no valid header: it is no backup of Orloj");
            }
            if (header.revision > MAX_REVISION) {
                throw new BackupException(
                        "the file has no valid header: its revision is %d, and the largest is %d; take another copy"
                                .formatted(header.revision, MAX_REVISION));
            }
            return header;
        } catch (JacksonException | DateTimeException e) {
            throw new BackupException("the file has no valid header: it is no backup of Orloj", e);
        }
    }

    private boolean hasValidTables() {
        Set<String> names = new HashSet<>();
        return tables.stream().allMatch(table -> table.isValid() && names.add(table.name()));
    }

    private static List<String> texts(JsonNode array) {
        return array.valueStream().map(each -> each.asString("")).toList();
    }
}
