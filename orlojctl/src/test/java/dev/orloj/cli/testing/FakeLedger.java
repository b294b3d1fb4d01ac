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
    private volatile boolean isDenied;

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

    /** A tool is held under another name than it was served. */
    public FakeLedger holdRenamed(String former, String tool, String definition) {
        LedgerEntry.Draft draft = draft(LedgerEntry.HELD, DefinitionName.tool(tool));
        holdOnly(tool, definition, "renamed from " + former, false);
        return add(
                draft.reason("renamed from " + former).former(former, server + "--" + former),
                definition);
    }

    public FakeLedger retiredAsRenamed(String tool, String name) {
        return append(draft(LedgerEntry.RETIRED, tool).reason("renamed to " + name));
    }

    /** Who asks for what is held is refused from now on. */
    public FakeLedger deny() {
        isDenied = true;
        return this;
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
        holdOnly(name, definition, "changed: text", true);
        return add(
                draft(LedgerEntry.HELD, DefinitionName.parse(name)).reason("changed: text"),
                definition);
    }

    private void holdOnly(String name, String definition, String reason, boolean servedAsBefore) {
        JsonNode content = Json.MAPPER.readTree(definition);
        ObjectNode item = Json.MAPPER.createObjectNode();
        item.put("tool", name).put("digest", CanonicalJson.digest(content));
        item.put("action", "quarantine").put("reason", reason);
        item.put("servedAsBefore", servedAsBefore).set("definition", content);
        held.put(name, item);
    }

    /** What is held is rejected, and stays held. */
    public FakeLedger reject(String name) {
        held.get(name).put("action", "reject");
        return this;
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
        if (isDenied) {
            throw new ApiException(
                    ErrorReason.FORBIDDEN, "cannot get resource \"mcpservers/approval\"");
        }
        ObjectNode approval = Json.MAPPER.createObjectNode().put("kind", "ToolApproval");
        ArrayNode items = approval.putArray("held");
        held.values().forEach(items::add);
        return approval;
    }
}
