package dev.orloj.cli.testing;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.ledger.ServerRecord;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The ledger of one server, as a test writes it, and what is held of the server. */
public final class FakeLedger {

    private static final Instant START = Instant.parse("2025-12-01T00:00:00Z");

    private final String server;
    private final List<LedgerEntry> entries = new ArrayList<>();
    private final Map<String, JsonNode> contents = new ConcurrentHashMap<>();
    private final Map<String, ObjectNode> held = new ConcurrentHashMap<>();

    FakeLedger(String server) {
        this.server = server;
    }

    /** A tool is served: operation is Enrolled or Changed. */
    public FakeLedger tool(String operation, String tool, String definition) {
        return add(draft(operation, tool), definition);
    }

    public FakeLedger renamed(String former, String tool, String definition) {
        LedgerEntry.Draft draft = draft(LedgerEntry.RENAMED, tool);
        return add(draft.former(former, server + "--" + former), definition);
    }

    public FakeLedger retired(String tool) {
        return append(draft(LedgerEntry.RETIRED, tool));
    }

    /** A prompt, a template, a resource or what runs is served. */
    public FakeLedger feature(String operation, String name, String definition) {
        return add(draft(operation, DefinitionName.parse(name)), definition);
    }

    /** The server states something of itself, which is served. */
    public FakeLedger stated(String operation, String info, String instructions) {
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.withObject("/status").put("instructions", instructions);
        document.withObject("/status").set("serverInfo", Json.MAPPER.readTree(info));
        ServerRecord record = ServerRecord.of(document);
        contents.put(record.digest(), record.fields());
        return append(
                new LedgerEntry.Draft(operation, LedgerEntry.SERVER)
                        .content(record.digest(), record.parts()));
    }

    /** A definition is held from now on, in place of another of its name. */
    public FakeLedger hold(String name, String definition) {
        JsonNode content = Json.MAPPER.readTree(definition);
        String digest = CanonicalJson.digest(content);
        ObjectNode item = Json.MAPPER.createObjectNode();
        item.put("tool", name).put("digest", digest).put("action", "quarantine");
        item.put("reason", "changed: text").put("servedAsBefore", true).set("definition", content);
        held.put(name, item);
        return add(
                draft(LedgerEntry.HELD, DefinitionName.parse(name)).reason("changed: text"),
                definition);
    }

    /** A held definition is approved, and no longer held. */
    public FakeLedger approve(String name) {
        String digest = held.get(name).path("digest").asString();
        held.remove(name);
        return append(
                draft(LedgerEntry.APPROVED, DefinitionName.parse(name))
                        .content(digest, Map.of())
                        .actor("alice"));
    }

    /** The server no longer offers what is held. */
    public FakeLedger release(String name) {
        held.remove(name);
        return this;
    }

    private LedgerEntry.Draft draft(String operation, String tool) {
        return new LedgerEntry.Draft(operation, LedgerEntry.TOOL).tool(tool, server + "--" + tool);
    }

    private static LedgerEntry.Draft draft(String operation, DefinitionName name) {
        LedgerEntry.Draft draft = new LedgerEntry.Draft(operation, name.kind().subject());
        if (name.isTool()) {
            return draft.tool(name.name(), "");
        }
        return name.isFeature() ? draft.name(name.name()) : draft;
    }

    private FakeLedger add(LedgerEntry.Draft draft, String definition) {
        JsonNode content = Json.MAPPER.readTree(definition);
        String digest = CanonicalJson.digest(content);
        contents.put(digest, content);
        return append(draft.content(digest, Map.of()));
    }

    private FakeLedger append(LedgerEntry.Draft draft) {
        String hash = entries.isEmpty() ? "" : entries.getLast().hash();
        entries.add(
                draft.after(entries.size(), hash, START.plusSeconds(60L * (1 + entries.size()))));
        return this;
    }

    /**
     * @param path after the path of the server
     */
    String answer(String path) {
        return switch (path) {
            case "ledger" -> ledger().toString();
            case "approval" -> approval().toString();
            default ->
                    Optional.ofNullable(contents.get(path.replace("ledger/contents/", "")))
                            .orElseThrow(
                                    () -> new ApiException(ErrorReason.NOT_FOUND, "no content"))
                            .toString();
        };
    }

    private ObjectNode ledger() {
        ObjectNode ledger = Json.MAPPER.createObjectNode().put("kind", "ToolLedger");
        ledger.putObject("metadata").put("namespace", "default").put("name", server);
        ObjectNode head = ledger.putObject("head").put("sequence", entries.size());
        head.put("hash", entries.isEmpty() ? "" : entries.getLast().hash());
        ArrayNode all = ledger.putArray("entries");
        entries.forEach(entry -> all.add(entry.toJson()));
        return ledger;
    }

    private ObjectNode approval() {
        ObjectNode approval = Json.MAPPER.createObjectNode().put("kind", "ToolApproval");
        ArrayNode items = approval.putArray("held");
        held.values().forEach(items::add);
        return approval;
    }
}
