package dev.orloj.cli.ledger;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.GeneratedTool;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.ledger.LedgerReplay;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.http.Paths;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.resource.Targets;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;

/**
 * The whole ledger of a server.
 *
 * @param document as the server lists it, with the entries of all pages
 */
record Ledger(ObjectNode document) {

    /**
     * What a name on the command line means.
     *
     * @param tool name of the Tool; empty for all
     */
    record Target(ResourceKey server, String tool) {}

    private static final String PAGE = "1000";

    /** Reads all pages. */
    static Ledger read(Context context, ResourceKey server) {
        ObjectNode whole = page(context, server, "");
        ObjectNode last =
                forEachPage(
                        context,
                        server,
                        whole,
                        page -> {
                            if (page != whole) {
                                ((ArrayNode) whole.path("entries"))
                                        .addAll((ArrayNode) page.path("entries"));
                            }
                        });
        whole.set("head", last.path("head"));
        whole.withObject("/metadata").remove("continue");
        return new Ledger(whole);
    }

    /**
     * Reads a page.
     *
     * @param next from the page before; empty for the first
     */
    static ObjectNode page(Context context, ResourceKey server, String next) {
        Request request = Request.get(path(server)).with("limit", PAGE).with("continue", next);
        return context.connection().readObject(request);
    }

    /**
     * Gives all pages to the consumer, one at a time; returns the last. The next page is read
     * meanwhile, which takes as long as a page takes the consumer.
     *
     * @throws ApiException with which the server refused a page
     * @throws dev.orloj.cli.http.ConnectionException when there is no response
     */
    static ObjectNode forEachPage(
            Context context, ResourceKey server, ObjectNode first, Consumer<ObjectNode> consumer) {
        ObjectNode page = first;
        while (page.path("metadata").has("continue")) {
            String next = page.at("/metadata/continue").asString("");
            FutureTask<ObjectNode> reading = new FutureTask<>(() -> page(context, server, next));
            Thread reader = Thread.ofPlatform().daemon().name("ledger").start(reading);
            try {
                consumer.accept(page);
                page = await(reading);
            } finally {
                reader.interrupt();
            }
        }
        consumer.accept(page);
        return page;
    }

    private static ObjectNode await(FutureTask<ObjectNode> reading) {
        try {
            return reading.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure
                    ? failure
                    : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before the whole ledger was read", e);
        }
    }

    /**
     * Returns the digests of the prompts, resource templates and resources that are served, by
     * kinds and names such as {@code prompt/review}.
     *
     * @param first the first page
     */
    static Map<String, String> served(ObjectNode first) {
        Map<String, String> served = new TreeMap<>();
        first.path("served")
                .properties()
                .forEach(each -> served.put(each.getKey(), each.getValue().asString("")));
        return served;
    }

    private static String path(ResourceKey server) {
        return Paths.of(McpServer.KIND, server) + "/ledger";
    }

    /** Finds what is meant: a server with {@code mcp/}, a Tool with {@code tool/}, or either. */
    static Target target(Context context, String argument) {
        boolean isSlashed = argument.indexOf('/') >= 0;
        Targets.Named named =
                isSlashed
                        ? Targets.parse(List.of(argument)).named().getFirst()
                        : new Targets.Named(Tool.KIND, argument);
        boolean isServer = named.kind().equals(McpServer.KIND);
        if (!isServer && !named.kind().equals(Tool.KIND)) {
            throw new UsageException(
                    "only an McpServer and its Tools have a ledger, not a "
                            + named.kind().singular());
        }
        ResourceKey key = named.key(context.namespace());
        if (!isServer) {
            Optional<ObjectNode> tool = context.documents().find(Tool.KIND, key);
            if (tool.isPresent()) {
                return GeneratedTool.of(tool.get())
                        .map(
                                found ->
                                        new Target(
                                                new ResourceKey(key.namespace(), found.server()),
                                                key.name()))
                        .orElseThrow(
                                () ->
                                        new UsageException(
                                                "tool \"%s\" is declared, not listed by a server, and has no ledger"
                                                        .formatted(key.name())));
            }
        }
        // A Tool that was retired is in the ledger of the server that its name begins with.
        int separator = key.name().indexOf("--");
        return !isServer && separator > 0
                ? new Target(
                        new ResourceKey(key.namespace(), key.name().substring(0, separator)),
                        key.name())
                : new Target(key, "");
    }

    List<LedgerEntry> entries() {
        List<LedgerEntry> entries = new ArrayList<>();
        document.path("entries").forEach(entry -> entries.add(LedgerEntry.of(entry)));
        return entries;
    }

    /** Returns the entries of a tool, under all the names that it had; of all when empty. */
    List<LedgerEntry> entriesOf(String tool) {
        List<LedgerEntry> all = entries();
        if (tool.isEmpty()) {
            return all;
        }
        List<LedgerEntry> own = new ArrayList<>();
        Set<String> names = new HashSet<>();
        String name = tool;
        for (LedgerEntry entry : all) {
            if (entry.resource().equals(tool)) {
                names.add(entry.tool());
            }
        }
        for (LedgerEntry entry : all.reversed()) {
            boolean isOfTool = entry.subject().equals(LedgerEntry.TOOL);
            if (isOfTool && entry.resource().isEmpty() && names.contains(entry.tool())) {
                own.addFirst(entry); // of a definition that no Tool has
            } else if (isOfTool && entry.resource().equals(name)) {
                own.addFirst(entry);
                names.add(entry.tool());
                if (entry.operation().equals(LedgerEntry.RENAMED)) {
                    name = entry.formerResource();
                }
            }
        }
        return own;
    }

    /** Returns the entries of a prompt, a resource template or a resource. */
    List<LedgerEntry> entriesOf(DefinitionName feature) {
        return entries().stream().filter(entry -> entry.feature().equals(feature.text())).toList();
    }

    /** Replays the entries, up to one that does not fit. */
    LedgerReplay replayed() {
        LedgerReplay replay = start();
        entries().forEach(replay::add);
        return replay;
    }

    /** Returns a replay that has no entries yet. */
    LedgerReplay start() {
        JsonNode base = document.path("base");
        return new LedgerReplay(base.isObject() ? Optional.of(base) : Optional.empty());
    }

    String server() {
        return document.at("/metadata/name").asString("");
    }

    /** Returns the content of an entry; a missing node when it has none or was removed. */
    static JsonNode content(Context context, ResourceKey server, LedgerEntry entry) {
        if (entry.content().isEmpty()) {
            return Json.MAPPER.missingNode();
        }
        try {
            return context.connection()
                    .readObject(
                            Request.get(Paths.below(path(server) + "/contents", entry.content())));
        } catch (ApiException e) {
            if (e.reason() == ErrorReason.NOT_FOUND) {
                return Json.MAPPER.missingNode();
            }
            throw e;
        }
    }
}
