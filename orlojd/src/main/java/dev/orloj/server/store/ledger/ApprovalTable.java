package dev.orloj.server.store.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.HeldDefinition;
import dev.orloj.api.approval.PolicyAction;
import dev.orloj.api.approval.ToolApproval;
import dev.orloj.api.codec.Json;
import dev.orloj.server.store.table.StorableText;

import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.node.ObjectNode;

import java.sql.Timestamp;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The rows of what is known of definitions apart from what is served: of tools, or of all else. */
final class ApprovalTable {

    static final String HELD = "Held";
    static final String SERVED = "Served";
    static final String APPROVED = "Approved";
    static final String REJECTED = "Rejected";

    /**
     * What is kept; the oldest rows go first.
     *
     * @param decisions for a tool, of each kind
     * @param served definitions of tools of a server that are gone
     * @param characters of these definitions together
     */
    record Limits(int decisions, int served, long characters) {

        static final Limits DEFAULT = new Limits(50, 5_000, 64L * 1024 * 1024);
    }

    private static final String FIND =
            """
            SELECT {name}, state, digest, document, action, reason, serves, former FROM {table}
             WHERE namespace = ? AND server = ?\
            """;

    private static final String HELD_SINCE =
            """
            SELECT {name}, at FROM {table}
             WHERE namespace = ? AND server = ? AND state = 'Held'
            """;

    private static final String WITHHELD =
            """
            SELECT {name}, reason FROM {table}
             WHERE namespace = ? AND server = ? AND state = 'Held' AND NOT serves
            """;

    private static final String EXISTS =
            "SELECT EXISTS (SELECT 1 FROM {table} WHERE namespace = ? AND server = ?)";

    private static final String PUT =
            """
            INSERT INTO {table} (namespace, server, {name}, state, digest, document, action,
                                       reason, serves, former, actor, at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (namespace, server, {name}, state, digest) DO UPDATE
               SET document = excluded.document, action = excluded.action, reason = excluded.reason,
                   serves = excluded.serves, former = excluded.former, actor = excluded.actor,
                   at = CASE WHEN excluded.state = 'Held' THEN {table}.at ELSE excluded.at END
            """;

    private static final String REMOVE =
            """
            DELETE FROM {table}
             WHERE namespace = ? AND server = ? AND {name} = ? AND state = ? AND digest <> ?
            """;

    private static final String WITHDRAW =
            """
            DELETE FROM {table}
             WHERE namespace = ? AND server = ? AND {name} = ? AND state = ? AND digest = ?
            """;

    private static final String REMOVE_HELD =
            """
            DELETE FROM {table}
             WHERE namespace = ? AND server = ? AND state = 'Held' AND {name} <> ALL (?)\
            """;

    /** In the table of other definitions: what a server says of itself, and all else. */
    private static final String OF_SERVER = " AND name ^@ 'server/' AND name <> 'server/runs'";

    private static final String OF_FEATURES = " AND NOT name ^@ 'server/'";

    private static final String TRIM_DECISIONS =
            """
            DELETE FROM {table} a
             USING (SELECT digest, row_number() OVER (ORDER BY at DESC, digest) AS newer
                      FROM {table}
                     WHERE namespace = ? AND server = ? AND {name} = ? AND state = ?) AS old
             WHERE a.namespace = ? AND a.server = ? AND a.{name} = ? AND a.state = ?
               AND a.digest = old.digest AND old.newer > ?
            """;

    private static final String TRIM_SERVED =
            """
            DELETE FROM {table} a
             USING (SELECT {name}, row_number() OVER newest AS newer,
                           sum(length(document)) OVER newest AS characters
                      FROM {table}
                     WHERE namespace = ? AND server = ? AND state = 'Served'
                       AND {name} <> 'server/runs'
                    WINDOW newest AS (ORDER BY at DESC, {name})) AS old
             WHERE a.namespace = ? AND a.server = ? AND a.{name} = old.{name} AND a.state = 'Served'
               AND (old.newer > ? OR old.characters > ?)
            """;

    private final JdbcClient jdbc;
    private final Limits limits;
    private final String table;
    private final String name;

    private ApprovalTable(JdbcClient jdbc, Limits limits, String table, String name) {
        this.jdbc = jdbc;
        this.limits = limits;
        this.table = table;
        this.name = name;
    }

    /** Returns the rows of tools, by their names on the server. */
    static ApprovalTable ofTools(JdbcClient jdbc) {
        return ofTools(jdbc, Limits.DEFAULT);
    }

    static ApprovalTable ofTools(JdbcClient jdbc, Limits limits) {
        return new ApprovalTable(jdbc, limits, "tool_approval", "tool");
    }

    /** Returns the rows of other definitions, by the texts of their names. */
    static ApprovalTable ofOthers(JdbcClient jdbc) {
        return new ApprovalTable(jdbc, Limits.DEFAULT, "definition_approval", "name");
    }

    /** Begins a statement with the names of this table, about a server. */
    private JdbcClient.StatementSpec sql(String template, ResourceKey server) {
        return jdbc.sql(template.replace("{table}", table).replace("{name}", name))
                .param(server.namespace())
                .param(server.name());
    }

    /** One row. */
    private record Row(
            String tool,
            String state,
            String digest,
            Optional<ObjectNode> document,
            String action,
            String reason,
            boolean serves,
            String former) {

        /** A row that is not about a held definition. */
        Row(String tool, String state, String digest, Optional<ObjectNode> document) {
            this(tool, state, digest, document, "", "", false, "");
        }

        HeldDefinition held(DefinitionName name) {
            return new HeldDefinition(
                    name,
                    digest,
                    document.orElseGet(Json.MAPPER::createObjectNode),
                    PolicyAction.valueOf(action.toUpperCase(Locale.ROOT)),
                    reason,
                    serves,
                    former);
        }
    }

    boolean isEmpty(ResourceKey server) {
        return !sql(EXISTS, server).query(Boolean.class).single();
    }

    /** Returns what is known of all tools of a server, by their names. */
    Map<String, ToolApproval> find(ResourceKey server) {
        return find(FIND, server, Optional.empty());
    }

    /** Returns what is known of these tools, by their names. */
    Map<String, ToolApproval> find(ResourceKey server, Collection<String> tools) {
        return find(FIND + " AND tool = ANY (?)", server, Optional.of(keys(tools)));
    }

    /** Returns what is known of some definitions that are not of tools, by their names. */
    Map<String, ToolApproval> find(ResourceKey server, DefinitionNames names) {
        return find(
                sql(FIND + DefinitionNames.CONDITION, server)
                        .param(names.keys())
                        .param(names.prefixes()));
    }

    private Map<String, ToolApproval> find(
            String sql, ResourceKey server, Optional<String[]> tools) {
        JdbcClient.StatementSpec statement = sql(sql, server);
        return find(tools.isPresent() ? statement.param(tools.get()) : statement);
    }

    private Map<String, ToolApproval> find(JdbcClient.StatementSpec statement) {
        List<Row> rows =
                statement
                        .query(
                                (row, _) ->
                                        new Row(
                                                row.getString(1),
                                                row.getString(2),
                                                row.getString(3),
                                                Optional.ofNullable(row.getString(4))
                                                        .map(Json.MAPPER::readTree)
                                                        .map(ObjectNode.class::cast),
                                                row.getString(5),
                                                row.getString(6),
                                                row.getBoolean(7),
                                                row.getString(8)))
                        .list();
        Map<String, ToolApproval> known = new TreeMap<>();
        rows.forEach(row -> known.merge(row.tool(), one(row), ApprovalTable::both));
        return known;
    }

    /** Returns when each held definition was first seen, by the names of the tools. */
    Map<String, Instant> heldSince(ResourceKey server) {
        Map<String, Instant> since = new TreeMap<>();
        sql(HELD_SINCE, server)
                .query(
                        row -> {
                            since.put(row.getString(1), row.getTimestamp(2).toInstant());
                        });
        return since;
    }

    /** Returns why each definition is held in whose place nothing is served, by their names. */
    Map<String, String> withheld(ResourceKey server) {
        Map<String, String> reasons = new TreeMap<>();
        sql(WITHHELD, server)
                .query(
                        row -> {
                            reasons.put(row.getString(1), row.getString(2));
                        });
        return reasons;
    }

    private static String[] keys(Collection<String> tools) {
        return tools.stream().map(StorableText::ofKey).toArray(String[]::new);
    }

    private ToolApproval one(Row row) {
        boolean served = row.state().equals(SERVED);
        boolean held = row.state().equals(HELD);
        return new ToolApproval(
                served ? row.document() : Optional.empty(),
                held ? Optional.of(row.held(name(row.tool()))) : Optional.empty(),
                row.state().equals(APPROVED) ? Set.of(row.digest()) : Set.of(),
                row.state().equals(REJECTED) ? Set.of(row.digest()) : Set.of());
    }

    private DefinitionName name(String key) {
        return isOfTools() ? DefinitionName.tool(key) : DefinitionName.parse(key);
    }

    private static ToolApproval both(ToolApproval a, ToolApproval b) {
        Set<String> approved = new HashSet<>(a.approved());
        approved.addAll(b.approved());
        Set<String> rejected = new HashSet<>(a.rejected());
        rejected.addAll(b.rejected());
        return new ToolApproval(a.served().or(b::served), a.held().or(b::held), approved, rejected);
    }

    /** Replaces the held definition of a tool. */
    void hold(ResourceKey server, HeldDefinition held, Instant now) {
        remove(server, key(held.name()), HELD, held.digest());
        Row row =
                new Row(
                        key(held.name()),
                        HELD,
                        held.digest(),
                        Optional.of(held.definition()),
                        held.action().wireName(),
                        held.reason(),
                        held.serves(),
                        held.former());
        put(server, row, "", now);
    }

    /** Returns what a row of a definition is named. */
    static String key(DefinitionName name) {
        return name.isTool() ? name.name() : name.text();
    }

    /**
     * Removes the held definitions of all other tools, or of all else that a server says of itself.
     */
    void holdOnly(ResourceKey server, Collection<String> names) {
        holdOnly(REMOVE_HELD + (isOfTools() ? "" : OF_SERVER), server, names);
    }

    /** Removes the held definitions of all other prompts, resource templates and resources. */
    void holdOnlyFeatures(ResourceKey server, Collection<String> names) {
        holdOnly(REMOVE_HELD + OF_FEATURES, server, names);
    }

    private void holdOnly(String statement, ResourceKey server, Collection<String> names) {
        sql(statement, server).param(keys(names)).update();
    }

    private boolean isOfTools() {
        return name.equals("tool");
    }

    /** Removes the held definition of one name. */
    void release(ResourceKey server, DefinitionName name) {
        remove(server, key(name), HELD, "");
    }

    /** Keeps the definition of a Tool that is gone, in place of an earlier one. */
    void served(
            ResourceKey server, String tool, String digest, ObjectNode definition, Instant now) {
        remove(server, tool, SERVED, digest);
        put(server, new Row(tool, SERVED, digest, Optional.of(definition)), "", now);
    }

    /** Removes the oldest definitions of Tools that are gone, if there are too many. */
    void trimServed(ResourceKey server) {
        sql(TRIM_SERVED, server)
                .param(server.namespace())
                .param(server.name())
                .param(limits.served())
                .param(limits.characters())
                .update();
    }

    /** Records a decision, in place of an earlier one about the same definition. */
    void decide(
            ResourceKey server,
            String tool,
            String digest,
            boolean approved,
            String actor,
            Instant now) {
        String state = approved ? APPROVED : REJECTED;
        sql(WITHDRAW, server)
                .param(StorableText.ofKey(tool))
                .param(approved ? REJECTED : APPROVED)
                .param(digest)
                .update();
        put(server, new Row(tool, state, digest, Optional.empty()), actor, now);
        sql(TRIM_DECISIONS, server)
                .param(StorableText.ofKey(tool))
                .param(state)
                .param(server.namespace())
                .param(server.name())
                .param(StorableText.ofKey(tool))
                .param(state)
                .param(limits.decisions())
                .update();
    }

    private void remove(ResourceKey server, String tool, String state, String butDigest) {
        sql(REMOVE, server).param(StorableText.ofKey(tool)).param(state).param(butDigest).update();
    }

    private void put(ResourceKey server, Row row, String actor, Instant now) {
        sql(PUT, server)
                .param(StorableText.ofKey(row.tool()))
                .param(row.state())
                .param(row.digest())
                .param(row.document().map(StorableText::ofJson).orElse(null))
                .param(row.action())
                .param(StorableText.ofKey(row.reason()))
                .param(row.serves())
                .param(StorableText.ofKey(row.former()))
                .param(actor)
                .param(Timestamp.from(now))
                .update();
    }
}
