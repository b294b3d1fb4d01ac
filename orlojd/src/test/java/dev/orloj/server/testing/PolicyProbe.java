package dev.orloj.server.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.ledger.LedgerVerification;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What an orlojd says of the servers of a namespace that have a policy: what is held, what is
 * served, and why.
 */
public final class PolicyProbe {

    private static final String DEFAULT = "default";

    private final RestClient client;
    private final String namespace;

    /** For the namespace {@code default}. */
    public PolicyProbe(RestClient client) {
        this(client, DEFAULT);
    }

    public PolicyProbe(RestClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    /** Path of a server of the namespace {@code default}. */
    public static String path(String server) {
        return path(DEFAULT, server);
    }

    /** Path of a server. */
    public static String path(String namespace, String server) {
        return RestClient.collection(namespace, "mcpservers") + "/" + server;
    }

    /**
     * @param part of the server, such as {@code /ledger}; empty for the server itself
     */
    public JsonNode read(String server, String part) {
        return client.get(path(namespace, server) + part).expect(200).body();
    }

    /** Digests of what is held, by name. */
    public Map<String, String> held(String server) {
        Map<String, String> held = new TreeMap<>();
        read(server, "/approval")
                .path("held")
                .forEach(h -> held.put(h.path("tool").asString(), h.path("digest").asString()));
        return held;
    }

    /** Digests of what is served beside tools, by name. */
    public Map<String, String> served(String server) {
        return digests(read(server, "/ledger").path("served"));
    }

    /**
     * Decides about a definition that is held now.
     *
     * @param decision {@code Approved} or {@code Rejected}
     */
    public void decide(String server, String name, String decision) {
        client.post(
                        path(namespace, server) + "/approval",
                        """
                        {"decisions": [{"tool": "%s", "decision": "%s", "digest": "%s"}]}\
                        """
                                .formatted(name, decision, held(server).get(name)))
                .expect(200);
    }

    /** A condition of a server; empty if there is none of the type. */
    public JsonNode condition(String server, String type) {
        for (JsonNode condition : read(server, "").at("/status/conditions")) {
            if (condition.path("type").asString().equals(type)) {
                return condition;
            }
        }
        return Json.MAPPER.createObjectNode();
    }

    /** The entries of the ledger of a server, oldest first. */
    public List<LedgerEntry> entries(String server) {
        return read(server, "/ledger").path("entries").valueStream().map(LedgerEntry::of).toList();
    }

    /** The operations of the entries about what runs, oldest first. */
    public List<String> operationsOfRuns(String server) {
        return entries(server).stream()
                .filter(entry -> entry.subject().equals(LedgerEntry.RUNS))
                .map(LedgerEntry::operation)
                .toList();
    }

    /** The chain of the ledger is whole, and its fold is what is served. */
    public void assertThatLedgerIsWhole(String server) {
        JsonNode ledger = read(server, "/ledger");
        LedgerVerification verification =
                new LedgerVerification(Optional.empty(), LedgerVerification.Kept.NOTHING);
        ledger.path("entries").forEach(entry -> verification.take(LedgerEntry.of(entry)));
        verification.compareFeatures(digests(ledger.path("served")));
        assertThat(verification.problems()).isEmpty();
    }

    private static Map<String, String> digests(JsonNode served) {
        Map<String, String> digests = new TreeMap<>();
        served.properties().forEach(each -> digests.put(each.getKey(), each.getValue().asString()));
        return digests;
    }
}
