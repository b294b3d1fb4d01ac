package dev.orloj.cli.ledger;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.ServerDescription;
import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.GeneratedTool;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.ledger.LedgerReplay;
import dev.orloj.api.ledger.LedgerState;
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
import java.util.stream.Stream;

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

    /**
     * Finds a Tool, or one that was retired.
     *
     * @throws UsageException if it is a server
     * @throws ApiException (NotFound) if it is nothing
     */
    static Target tool(Context context, String argument) {
        Target target = target(context, argument);
        if (!target.tool().isEmpty()) {
            return target;
        }
        String name = target.server().name();
        if (!exists(context, target.server())) {
            throw new ApiException(
                    ErrorReason.NOT_FOUND,
                    "there is no Tool and no McpServer \"%s\" in namespace \"%s\": \"orlojctl get tools\" and \"orlojctl get mcp\" list them"
                            .formatted(name, target.server().namespace()));
        }
        throw new UsageException(
                "\"%s\" is an McpServer, and no Tool: tools history mcp/%s lists its tools. Other definitions: tools diff mcp/%2$s prompt/NAME, or server/instructions"
                        .formatted(argument, name));
    }

    /** The ledger of a server that was deleted is still there. */
    private static boolean exists(Context context, ResourceKey server) {
        try {
            context.connection().readObject(Request.get(path(server)).with("limit", "1"));
            return true;
        } catch (ApiException e) {
            if (e.reason() == ErrorReason.NOT_FOUND) {
                return false;
            }
            throw e;
        }
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
        all.stream()
                .filter(entry -> entry.resource().equals(tool))
                .forEach(entry -> names.add(entry.tool()));
        if (names.isEmpty()) {
            unserved(tool).ifPresent(names::add);
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

    /**
     * Returns the entries of a definition. Of what the server states of itself, these are the
     * entries about what is held, and those of the server in which it differs from the entry
     * before.
     */
    List<LedgerEntry> entriesOf(DefinitionName name) {
        if (name.isTool()) {
            String resource = resourceOf(name.name());
            return resource.isEmpty()
                    ? entries().stream().filter(entry -> entry.tool().equals(name.name())).toList()
                    : entriesOf(resource);
        }
        if (name.isFeature() || name.equals(DefinitionName.RUNS)) {
            return entries().stream().filter(entry -> entry.feature().equals(name.text())).toList();
        }
        String part = name.equals(DefinitionName.INSTRUCTIONS) ? "instructions" : "identity";
        List<LedgerEntry> own = new ArrayList<>();
        String digest = "";
        for (LedgerEntry entry : entries()) {
            if (entry.subject().equals(name.kind().subject())) {
                own.add(entry);
            } else if (entry.subject().equals(LedgerEntry.SERVER)
                    && !entry.part(part).equals(digest)) {
                own.add(entry);
                digest = entry.part(part);
            }
        }
        return own;
    }

    /** Returns the name of the Tool that a tool had last; empty if it had none. */
    private String resourceOf(String tool) {
        return Stream.concat(
                        base().tools().entrySet().stream()
                                .filter(item -> item.getValue().tool().equals(tool))
                                .map(Map.Entry::getKey),
                        entries().stream()
                                .filter(entry -> entry.tool().equals(tool))
                                .map(LedgerEntry::resource)
                                .filter(resource -> !resource.isEmpty()))
                .reduce("", (_, last) -> last);
    }

    private Optional<String> unserved(String resource) {
        return UnservedTools.find(
                document.at("/metadata/name").asString(""), resource, UnservedTools.of(entries()));
    }

    /**
     * Returns the name on the server that the tool of a Tool had last; of a tool that was never
     * served, by the name that its Tool would have.
     */
    Optional<String> toolOf(String resource) {
        return Stream.concat(
                        Stream.ofNullable(base().tools().get(resource)).map(LedgerState.Item::tool),
                        entries().stream()
                                .flatMap(
                                        entry ->
                                                entry.formerResource().equals(resource)
                                                        ? Stream.of(entry.formerTool())
                                                        : entry.resource().equals(resource)
                                                                ? Stream.of(entry.tool())
                                                                : Stream.empty()))
                .reduce((_, last) -> last)
                .or(() -> unserved(resource));
    }

    /** Returns the entry with which a Tool got another name, if that was the last of it. */
    Optional<LedgerEntry> renamed(String resource) {
        return entries().stream()
                .filter(
                        entry ->
                                !resource.isEmpty()
                                        && (entry.resource().equals(resource)
                                                || entry.formerResource().equals(resource)))
                .filter(entry -> !entry.operation().equals(LedgerEntry.HELD))
                .reduce((_, last) -> last)
                .filter(entry -> entry.formerResource().equals(resource));
    }

    /**
     * Returns what the first entry summarizes of a definition, as an entry of this definition.
     *
     * @param resource name of the Tool; empty if it is not known
     */
    Optional<LedgerEntry> summarized(DefinitionName name, String resource) {
        LedgerState base = base();
        String tool = resource.isEmpty() && name.isTool() ? resourceOf(name.name()) : resource;
        String digest =
                switch (name.kind()) {
                    case TOOL ->
                            Optional.ofNullable(base.tools().get(tool))
                                    .map(LedgerState.Item::content)
                                    .orElse("");
                    case PROMPT, TEMPLATE, RESOURCE, RUNS ->
                            base.features().getOrDefault(name.text(), "");
                    case INSTRUCTIONS, SERVER_INFO -> base.server();
                };
        if (digest.isEmpty()) {
            return Optional.empty();
        }
        boolean isOfServer = ServerDescription.NAMES.contains(name);
        ObjectNode fields = entries().getFirst().fields().deepCopy();
        fields.put("subject", isOfServer ? LedgerEntry.SERVER : name.kind().subject());
        fields.put("content", digest);
        return Optional.of(new LedgerEntry(fields, ""));
    }

    private LedgerState base() {
        return LedgerState.of(document.path("base"));
    }

    /**
     * Returns an export that has only some entries, and no head, as their chain is not whole.
     *
     * @param selected whose entries these are
     */
    ObjectNode part(String selected, List<LedgerEntry> some) {
        ObjectNode part = document.deepCopy();
        part.remove(List.of("head", "base", "served"));
        part.put(LedgerFile.SELECTED, selected);
        ArrayNode all = part.putArray("entries");
        some.forEach(entry -> all.add(entry.toJson()));
        return part;
    }

    /** Returns a replay that has no entries yet. */
    LedgerReplay start() {
        JsonNode base = document.path("base");
        return new LedgerReplay(base.isObject() ? Optional.of(base) : Optional.empty());
    }

    /**
     * Returns the content of an entry; a missing node if there is none, or if it was removed.
     *
     * @param digest may be empty
     */
    static JsonNode content(Context context, ResourceKey server, String digest) {
        if (digest.isEmpty()) {
            return Json.MAPPER.missingNode();
        }
        try {
            return context.connection()
                    .readObject(Request.get(Paths.below(path(server) + "/contents", digest)));
        } catch (ApiException e) {
            if (e.reason() == ErrorReason.NOT_FOUND) {
                return Json.MAPPER.missingNode();
            }
            throw e;
        }
    }
}
