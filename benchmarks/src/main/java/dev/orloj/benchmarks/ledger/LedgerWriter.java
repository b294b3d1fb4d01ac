package dev.orloj.benchmarks.ledger;

import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.ledger.LedgerState;

import tools.jackson.databind.node.ObjectNode;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Writes the ledger of one server, as years of syncs would have left it: definitions that change,
 * are held, approved, renamed, retired and enrolled again, and a summary from time to time. The
 * server has been deleted, so all tools are retired at the end. Definitions are not kept, because a
 * replay reads none. Not thread-safe.
 */
final class LedgerWriter {

    static final String NAMESPACE = "default";

    private static final int TOOLS = 40;
    private static final int BETWEEN_SUMMARIES = 1_000;
    private static final int BATCH = 1_000;
    private static final int DIGEST_BYTES = 32;

    private static final String INSERT_ENTRIES =
            """
            INSERT INTO tool_ledger_entry
                (namespace, server, sequence, entry, hash, content, summary)
            SELECT ?, ?, e.*
              FROM unnest(?::bigint[], ?::text[], ?::text[], ?::text[], ?::boolean[]) AS e
            """;

    private static final String INSERT_STATE =
            """
            INSERT INTO tool_ledger_content (namespace, server, digest, sequence, document)
            VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """;

    private static final String INSERT_HEAD =
            """
            INSERT INTO tool_ledger (namespace, server, sequence, hash, summary, due, at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """;

    private final Connection connection;
    private final String server;
    private final Random random;
    private final Instant at = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    private final LedgerState state = new LedgerState();
    private final Map<String, String> names = new TreeMap<>();
    private final List<LedgerEntry> batch = new ArrayList<>();
    private long sequence;
    private long summary;
    private String hash = "";
    private int made;

    LedgerWriter(Connection connection, String server, long seed) {
        this.connection = connection;
        this.server = server;
        this.random = new Random(seed);
    }

    /**
     * @param entries at least twice as many as a server has tools
     */
    void write(int entries) throws SQLException {
        add(new LedgerEntry.Draft(LedgerEntry.ENROLLED, LedgerEntry.SERVER), true);
        while (names.size() < TOOLS) {
            enrol();
        }
        while (sequence + names.size() + 1 < entries) {
            if (sequence % BETWEEN_SUMMARIES == BETWEEN_SUMMARIES - 1) {
                summarize();
            } else {
                step();
            }
        }
        for (String resource : List.copyOf(names.keySet())) {
            retire(resource);
        }
        add(new LedgerEntry.Draft(LedgerEntry.RETIRED, LedgerEntry.SERVER), false);
        flush();
        writeHead();
    }

    private void step() throws SQLException {
        int kind = random.nextInt(100);
        String resource = List.copyOf(names.keySet()).get(random.nextInt(names.size()));
        if (kind < 10) {
            add(draft(LedgerEntry.HELD, resource).reason("on_change: quarantine"), true);
        } else if (kind < 16) {
            add(draft(LedgerEntry.APPROVED, resource).actor("alice@example.com"), true);
        } else if (kind < 18) {
            add(draft(LedgerEntry.REJECTED, resource).actor("bob@example.com"), true);
        } else if (kind < 22) {
            rename(resource);
        } else if (kind < 27 && names.size() > TOOLS / 2) {
            retire(resource);
        } else if (kind < 32 && names.size() < 2 * TOOLS) {
            enrol();
        } else {
            add(draft(LedgerEntry.CHANGED, resource), true);
        }
    }

    private LedgerEntry.Draft draft(String operation, String resource) {
        return new LedgerEntry.Draft(operation, LedgerEntry.TOOL)
                .tool(names.getOrDefault(resource, ""), resource);
    }

    private String newTool() {
        String tool = "look_up_" + made++;
        String resource = server + "--look-up-" + tool.substring("look_up_".length());
        names.put(resource, tool);
        return resource;
    }

    private void enrol() throws SQLException {
        add(draft(LedgerEntry.ENROLLED, newTool()), true);
    }

    private void rename(String resource) throws SQLException {
        String tool = names.getOrDefault(resource, "");
        names.remove(resource);
        add(draft(LedgerEntry.RENAMED, newTool()).former(tool, resource), true);
    }

    private void retire(String resource) throws SQLException {
        add(draft(LedgerEntry.RETIRED, resource), false);
        names.remove(resource);
    }

    private void summarize() throws SQLException {
        ObjectNode document = state.toJson();
        String digest = CanonicalJson.digest(document);
        summary = sequence + 1;
        try (PreparedStatement insert = connection.prepareStatement(INSERT_STATE)) {
            insert.setString(1, NAMESPACE);
            insert.setString(2, server);
            insert.setString(3, digest);
            insert.setLong(4, summary);
            insert.setString(5, document.toString());
            insert.executeUpdate();
        }
        add(
                new LedgerEntry.Draft(LedgerEntry.SUMMARIZED, LedgerEntry.LEDGER)
                        .content(digest, Map.of()),
                false);
    }

    private void add(LedgerEntry.Draft draft, boolean hasContent) throws SQLException {
        if (hasContent) {
            draft.content(
                    digest(),
                    Map.of(
                            "annotations", digest(),
                            "presentation", digest(),
                            "schema", digest(),
                            "text", digest()));
        }
        LedgerEntry entry = draft.after(sequence, hash, at);
        sequence = entry.sequence();
        hash = entry.hash();
        state.add(entry);
        batch.add(entry);
        if (batch.size() == BATCH) {
            flush();
        }
    }

    private String digest() {
        byte[] bytes = new byte[DIGEST_BYTES];
        random.nextBytes(bytes);
        return "sha256:" + HexFormat.of().formatHex(bytes);
    }

    private void flush() throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT_ENTRIES)) {
            insert.setString(1, NAMESPACE);
            insert.setString(2, server);
            array(insert, 3, "bigint", batch.stream().map(LedgerEntry::sequence).toArray());
            array(insert, 4, "text", batch.stream().map(LedgerEntry::canonical).toArray());
            array(insert, 5, "text", batch.stream().map(LedgerEntry::hash).toArray());
            array(insert, 6, "text", batch.stream().map(LedgerEntry::content).toArray());
            array(insert, 7, "boolean", batch.stream().map(LedgerEntry::isSummary).toArray());
            insert.executeUpdate();
        }
        batch.clear();
    }

    private void array(PreparedStatement insert, int index, String type, Object[] values)
            throws SQLException {
        insert.setArray(index, connection.createArrayOf(type, values));
    }

    private void writeHead() throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT_HEAD)) {
            insert.setString(1, NAMESPACE);
            insert.setString(2, server);
            insert.setLong(3, sequence);
            insert.setString(4, hash);
            insert.setLong(5, summary);
            insert.setLong(6, summary + BETWEEN_SUMMARIES);
            insert.setTimestamp(7, Timestamp.from(at));
            insert.executeUpdate();
        }
    }
}
