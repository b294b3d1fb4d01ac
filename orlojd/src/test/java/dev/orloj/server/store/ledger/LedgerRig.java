package dev.orloj.server.store.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.GeneratedTool;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.ledger.LedgerReplay;
import dev.orloj.api.ledger.LedgerState;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.store.Mutation;
import dev.orloj.server.store.PostgresStore;
import dev.orloj.server.store.table.SecretCipher;
import dev.orloj.server.store.table.StoreSettings;

import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

import javax.sql.DataSource;

/** Stores on one database, as replicas have them, and the ledgers in it. */
final class LedgerRig implements AutoCloseable {

    static final String NAMESPACE = "default";

    final TestPostgres.Database database = TestPostgres.freshDatabase();
    final PostgresStore store = open(database.pool());
    private final LedgerReading reading = new LedgerReading(database.pool());

    LedgerRig() {
        store.start();
    }

    /** Another replica, which has just started. */
    PostgresStore open(DataSource pool) {
        return new PostgresStore(
                pool,
                database.direct(),
                SecretCipher.fromBase64(Base64.getEncoder().encodeToString(new byte[32])),
                StoreSettings.DEFAULTS,
                InstantSource.system());
    }

    static ResourceKey key(String name) {
        return new ResourceKey(NAMESPACE, name);
    }

    private static ObjectNode document(String kind, String name) {
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.put("apiVersion", "orloj.dev/v1").put("kind", kind);
        document.putObject("metadata")
                .put("name", name)
                .put("namespace", NAMESPACE)
                .put("uid", UUID.nameUUIDFromBytes((kind + name).getBytes()).toString());
        return document;
    }

    /** A Tool named {@code SERVER--TOOL}. */
    static ObjectNode tool(String server, String tool, String description) {
        ObjectNode document = document("Tool", server + "--" + tool);
        document.withObject("/metadata")
                .putObject("labels")
                .put(GeneratedTool.SERVER_LABEL, server)
                .put(GeneratedTool.GENERATED_LABEL, "true");
        ObjectNode spec = document.putObject("spec");
        spec.put("type", "mcp").put("mcp_server_ref", server).put("mcp_tool_name", tool);
        spec.put("description", description);
        spec.putObject("input_schema").put("type", "object");
        return document;
    }

    static ObjectNode server(String name, String syncedAt, String... args) {
        ObjectNode document = document("McpServer", name);
        ObjectNode spec = document.putObject("spec");
        spec.put("transport", "stdio").put("command", "npx");
        for (String arg : args) {
            spec.withArray("args").add(arg);
        }
        ObjectNode status = document.putObject("status");
        status.put("lastSyncedAt", syncedAt).put("instructions", "Be kind.");
        status.putObject("serverInfo").put("name", name).put("version", "1.0");
        return document;
    }

    static Mutation put(ObjectNode document) {
        return _ -> new Mutation.Outcome.Put(document.deepCopy());
    }

    private static Mutation remove() {
        return current ->
                current.<Mutation.Outcome>map(Mutation.Outcome.Remove::new)
                        .orElseGet(() -> new Mutation.Outcome.Keep(Json.MAPPER.createObjectNode()));
    }

    /** The writes of a sync: what is put, and the names of Tools that are removed. */
    static void sync(PostgresStore store, List<ObjectNode> put, List<String> removed) {
        SortedMap<ResourceKey, Mutation> mutations = new TreeMap<>();
        removed.forEach(name -> mutations.put(key(name), remove()));
        put.forEach(tool -> mutations.put(key(tool.at("/metadata/name").asString()), put(tool)));
        store.writeAll(Tool.DESCRIPTOR, mutations);
    }

    void sync(List<ObjectNode> put, String... removed) {
        sync(store, put, List.of(removed));
    }

    /** Writes a server; a new one first without its status, as clients create it. */
    static void putServer(PostgresStore store, ObjectNode server) {
        ResourceKey key = key(server.at("/metadata/name").asString());
        if (store.find(McpServer.DESCRIPTOR, key).isEmpty()) {
            store.write(McpServer.DESCRIPTOR, key, put(server.deepCopy().without("status")));
        }
        store.write(McpServer.DESCRIPTOR, key, put(server));
    }

    static void removeServer(PostgresStore store, String name) {
        store.write(McpServer.DESCRIPTOR, key(name), remove());
    }

    List<LedgerEntry> entries(String server) {
        List<LedgerEntry> entries = new ArrayList<>();
        long after = 0;
        while (true) {
            List<LedgerEntry> page =
                    reading.page(key(server), after, 7)
                            .map(LedgerReading.Page::entries)
                            .orElse(List.of());
            if (page.isEmpty()) {
                return entries;
            }
            entries.addAll(page);
            after = page.getLast().sequence();
        }
    }

    /** The operations of all entries, with what they are about. */
    List<String> words(String server) {
        return entries(server).stream()
                .map(
                        entry ->
                                "%s %s%s%s"
                                        .formatted(
                                                entry.operation(),
                                                entry.subject(),
                                                entry.tool().isEmpty() && entry.name().isEmpty()
                                                        ? ""
                                                        : " " + entry.tool() + entry.name(),
                                                entry.formerTool().isEmpty()
                                                        ? ""
                                                        : " from " + entry.formerTool()))
                .toList();
    }

    /** Replays the ledger, which must fit and end in the present state. */
    LedgerState replayed(String server) {
        LedgerReplay replay =
                new LedgerReplay(reading.page(key(server), 0, 1).flatMap(LedgerReading.Page::base));
        entries(server).forEach(replay::add);
        assertThat(replay.problem()).isEmpty();
        return replay.state();
    }

    /** Requires that the fold of the ledger is what is stored, and that its contents are there. */
    void requireFold(String server) {
        Map<String, LedgerState.Item> stored = new TreeMap<>();
        store.list(Tool.DESCRIPTOR, ListOptions.inNamespace(NAMESPACE)).items().stream()
                .flatMap(document -> GeneratedTool.of(document).stream())
                .filter(tool -> tool.server().equals(server))
                .forEach(
                        tool ->
                                stored.put(
                                        tool.resource(),
                                        new LedgerState.Item(
                                                tool.tool(),
                                                CanonicalJson.digest(tool.definition()))));
        LedgerState state = replayed(server);
        assertThat(state.tools()).isEqualTo(stored);
        assertThat(state.features()).isEqualTo(reading.features(key(server)));
        state.tools()
                .values()
                .forEach(
                        item ->
                                assertThat(reading.content(key(server), item.content()))
                                        .map(CanonicalJson::digest)
                                        .contains(item.content()));
    }

    @Override
    public void close() {
        store.close();
        database.close();
    }
}
