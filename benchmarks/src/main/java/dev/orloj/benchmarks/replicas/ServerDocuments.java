package dev.orloj.benchmarks.replicas;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.McpServer;
import dev.orloj.benchmarks.store.Documents;
import dev.orloj.server.store.Mutation;
import dev.orloj.server.store.PostgresStore;

import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/** McpServers of an ordinary size, with owned fields and a status, some 2,600 bytes each. */
final class ServerDocuments {

    private static final int BATCH = 500;

    private static final String SERVER =
            """
            {"apiVersion":"orloj.dev/v1","kind":"McpServer",
             "metadata":{"namespace":"%s","name":"%s","uid":"%s",
              "creationTimestamp":"2026-11-20T00:00:00Z","generation":1,
              "labels":{"team":"search"},"annotations":{},"finalizers":["orloj.dev/session"],
              "managedFields":[%s]},
             "spec":{"transport":"http","endpoint":"https://mcp.example.org/%s",
              "idle_timeout":"10m","timeout":"30s"},
             "status":{"phase":"Ready","observedGeneration":1,
              "conditions":[%s,%s,%s,%s],
              "discoveredTools":["search","read","list","create","update","delete","move","copy"],
              "generatedTools":["%s-search","%s-read","%s-list","%s-create","%s-update"],
              "toolCount":5,"lastSyncedAt":"2026-11-20T00:00:00Z",
              "protocolVersion":"2025-11-25",
              "serverInfo":{"name":"search-server","version":"1.4.2"}}}
            """;

    private static final String CONDITION =
            """
            {"type":"%s","status":"True","reason":"Synced","message":"The tools can be called",\
            "lastTransitionTime":"2026-11-20T00:00:00Z","observedGeneration":1}\
            """;

    /** What server-side apply and the controllers of a real server leave. */
    private static final String OWNED =
            """
            {"manager":"%s","operation":"Apply","apiVersion":"orloj.dev/v1",\
            "time":"2026-11-20T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{\
            "f:metadata":{"f:labels":{"f:team":{}}},\
            "f:spec":{"f:transport":{},"f:endpoint":{},"f:idle_timeout":{},"f:timeout":{}},\
            "f:status":{"f:phase":{},"f:observedGeneration":{},"f:conditions":{\
            "k:{\\"type\\":\\"Ready\\"}":{"f:status":{},"f:reason":{},"f:message":{},\
            "f:lastTransitionTime":{}}},"f:discoveredTools":{},"f:generatedTools":{},\
            "f:toolCount":{},"f:lastSyncedAt":{},"f:protocolVersion":{},"f:serverInfo":{}}}}\
            """;

    private ServerDocuments() {}

    static String name(int number) {
        return "server-%06d".formatted(number);
    }

    static void create(PostgresStore store, int total) {
        for (int next = 0; next < total; ) {
            SortedMap<ResourceKey, Mutation> batch = new TreeMap<>();
            for (int i = 0; i < BATCH && next < total; i++, next++) {
                String name = name(next);
                batch.put(Documents.key(name), _ -> new Mutation.Outcome.Put(document(name)));
            }
            store.writeAll(McpServer.DESCRIPTOR, batch);
        }
    }

    /** Writes what a listing of tools writes when nothing differs: a time in the status. */
    static void touch(PostgresStore store, String name, long stamp) {
        store.write(
                McpServer.DESCRIPTOR,
                Documents.key(name),
                current ->
                        new Mutation.Outcome.Put(
                                Documents.stamp(current.orElseGet(() -> document(name)), stamp)));
    }

    private static ObjectNode document(String name) {
        String uid = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
        String json =
                SERVER.formatted(
                        Documents.NAMESPACE,
                        name,
                        uid,
                        OWNED.formatted("orlojctl") + "," + OWNED.formatted("orlojd"),
                        name,
                        CONDITION.formatted("Accepted"),
                        CONDITION.formatted("Connected"),
                        CONDITION.formatted("ToolsSynced"),
                        CONDITION.formatted("Ready"),
                        name,
                        name,
                        name,
                        name,
                        name);
        return (ObjectNode) Json.MAPPER.readTree(json);
    }
}
