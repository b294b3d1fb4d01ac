package dev.orloj.api.ledger;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.TreeMap;

/** What a ledger says is there: the fold of its entries. Not thread-safe. */
public final class LedgerState {

    /**
     * @param tool its name on the server
     * @param content digest of the whole definition
     */
    public record Item(String tool, String content) {}

    private final Map<String, Item> tools = new TreeMap<>();
    private final Map<String, String> features = new TreeMap<>();
    private String server = "";

    /** Reads a state that {@link #toJson} has written. */
    public static LedgerState of(JsonNode state) {
        LedgerState read = new LedgerState();
        read.server = state.path("server").asString("");
        for (Map.Entry<String, JsonNode> tool : state.path("tools").properties()) {
            read.tools.put(
                    tool.getKey(),
                    new Item(
                            tool.getValue().path("tool").asString(""),
                            tool.getValue().path("content").asString("")));
        }
        for (Map.Entry<String, JsonNode> feature : state.path("features").properties()) {
            read.features.put(feature.getKey(), feature.getValue().asString(""));
        }
        return read;
    }

    public ObjectNode toJson() {
        ObjectNode state = Json.MAPPER.createObjectNode();
        state.put("server", server);
        ObjectNode all = state.putObject("tools");
        tools.forEach(
                (resource, item) ->
                        all.putObject(resource)
                                .put("tool", item.tool())
                                .put("content", item.content()));
        // Absent if there are none, as in states of versions that did not record them.
        if (!features.isEmpty()) {
            features.forEach(state.putObject("features")::put);
        }
        return state;
    }

    /**
     * Returns the digests of prompts, resource templates and resources, by their kinds and names,
     * such as {@code prompt/review}, and that of what runs, {@code server/runs}.
     */
    public Map<String, String> features() {
        return features;
    }

    /** Returns the tools by the names of their Tools. */
    public Map<String, Item> tools() {
        return tools;
    }

    /** Returns the digest of the server record; empty when there is none. */
    public String server() {
        return server;
    }

    /** Adds an entry. Operations that this version does not know change nothing. */
    public void add(LedgerEntry entry) {
        switch (entry.subject()) {
            case LedgerEntry.SERVER -> addServer(entry);
            case LedgerEntry.TOOL -> addTool(entry);
            case LedgerEntry.PROMPT, LedgerEntry.TEMPLATE, LedgerEntry.RESOURCE, LedgerEntry.RUNS ->
                    addFeature(entry);
            default -> {}
        }
    }

    private void addFeature(LedgerEntry entry) {
        switch (entry.operation()) {
            case LedgerEntry.ENROLLED, LedgerEntry.CHANGED ->
                    features.put(entry.feature(), entry.content());
            case LedgerEntry.RETIRED -> features.remove(entry.feature());
            default -> {}
        }
    }

    private void addServer(LedgerEntry entry) {
        switch (entry.operation()) {
            case LedgerEntry.ENROLLED, LedgerEntry.CHANGED, LedgerEntry.RETIRED ->
                    server = entry.content();
            default -> {}
        }
    }

    private void addTool(LedgerEntry entry) {
        Item item = new Item(entry.tool(), entry.content());
        switch (entry.operation()) {
            case LedgerEntry.ENROLLED, LedgerEntry.CHANGED -> tools.put(entry.resource(), item);
            case LedgerEntry.RENAMED -> {
                tools.remove(entry.formerResource());
                tools.put(entry.resource(), item);
            }
            case LedgerEntry.RETIRED -> tools.remove(entry.resource());
            default -> {}
        }
    }
}
