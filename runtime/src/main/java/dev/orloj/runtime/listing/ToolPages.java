package dev.orloj.runtime.listing;

import dev.orloj.runtime.client.McpProtocolException;
import dev.orloj.runtime.gateway.GatewayPath;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.listing.ListingLimitException.Limit;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Collects the pages of {@code tools/list}. Omits an invalid tool with a note. An invalid list is
 * an error, because missing tools would be considered removed.
 */
public final class ToolPages {

    private static final int MAX_NOTES = 20;
    private static final int LONGEST_SHOWN = 100;

    /** Requests one page. */
    public interface Source {
        JsonNode page(@Nullable ObjectNode params) throws InterruptedException;
    }

    private final PackedObjects tools = new PackedObjects();
    private final List<String> notes = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private final Set<String> gateways = new LinkedHashSet<>();
    private int skipped = 0;
    private long bytes = 0;

    private final ListingLimits limits;
    private final Function<ObjectNode, Optional<String>> objection;

    private ToolPages(ListingLimits limits, Function<ObjectNode, Optional<String>> objection) {
        this.limits = limits;
        this.objection = objection;
    }

    /**
     * Reads the list. It is empty if the server neither declares tools nor knows the method.
     *
     * @param hasTools whether the server declares tools
     * @param objection returns why a tool must be omitted
     * @throws McpProtocolException when a page is invalid
     * @throws ListingLimitException when the list exceeds the limits
     */
    public static ToolListing readAll(
            Source source,
            boolean hasTools,
            ListingLimits limits,
            Function<ObjectNode, Optional<String>> objection)
            throws InterruptedException {
        try {
            return readAll(source, limits, objection);
        } catch (JsonRpcException e) {
            if (e.error().code() == JsonRpcError.METHOD_NOT_FOUND && !hasTools) {
                return new ToolListing(List.of(), List.of(), List.of());
            }
            throw e;
        }
    }

    private static ToolListing readAll(
            Source source, ListingLimits limits, Function<ObjectNode, Optional<String>> objection)
            throws InterruptedException {
        ToolPages pages = new ToolPages(limits, objection);
        Set<String> cursors = new HashSet<>();
        @Nullable ObjectNode params = null;
        for (int page = 1; ; page++) {
            ListingLimitException.check(Limit.PAGES, page, limits);
            JsonNode answer = source.page(params);
            JsonNode next = answer.path("nextCursor");
            if (next.isString() && cursors.contains(next.asString()) && pages.hasAll(answer)) {
                return pages.listing(); // the server ignores cursors: this page is an earlier one
            }
            pages.add(answer, page);
            if (next.isMissingNode() || next.isNull()) {
                return pages.listing();
            }
            if (!next.isString()) {
                throw broken(page, "nextCursor must be a string and is " + kind(next));
            }
            if (!cursors.add(next.asString())) {
                throw broken(page, "nextCursor is one that came before");
            }
            params = JsonNodeFactory.instance.objectNode().put("cursor", next.asString());
        }
    }

    /** Returns whether a page has tools, and each of them has been listed. */
    private boolean hasAll(JsonNode answer) {
        JsonNode list = answer.path("tools");
        return list.isArray()
                && !list.isEmpty()
                && list.valueStream()
                        .map(tool -> tool.path("name"))
                        .allMatch(name -> name.isString() && names.contains(name.asString()));
    }

    private void add(JsonNode answer, int page) {
        for (JsonNode id : answer.path("_meta").path(GatewayPath.META)) {
            if (gateways.size() < GatewayPath.MAX_IDS && GatewayPath.isId(id.asString(""))) {
                gateways.add(id.asString());
            }
        }
        JsonNode list = answer.path("tools");
        if (!list.isArray()) {
            throw broken(page, "tools must be an array and is " + kind(list));
        }
        for (JsonNode tool : list) {
            add(tool);
        }
    }

    private void add(JsonNode tool) {
        if (!(tool instanceof ObjectNode definition)) {
            skip("A tool that is " + kind(tool) + " and no object was left out");
            return;
        }
        byte[] packed = PackedObjects.pack(definition);
        bytes += packed.length;
        ListingLimitException.check(Limit.BYTES, bytes, limits);
        JsonNode name = definition.path("name");
        if (!name.isString() || name.asString().isEmpty()) {
            skip("A tool without a name was left out: name is " + kind(name));
            return;
        }
        if (!names.add(name.asString())) {
            skip("Tool \"" + shown(name) + "\" is listed twice: the second was left out");
            return;
        }
        if (name.asString().length() > ListingLimits.LONGEST_NAME) {
            skip(
                    "Tool \"%s\" was left out: its name has %,d characters, and at most %,d are taken"
                            .formatted(
                                    shown(name),
                                    name.asString().length(),
                                    ListingLimits.LONGEST_NAME));
            return;
        }
        if (packed.length > ListingLimits.LARGEST_TOOL) {
            skip(
                    "Tool \"%s\" was left out: its definition has %,d bytes, and at most %,d are taken"
                            .formatted(shown(name), packed.length, ListingLimits.LARGEST_TOOL));
            return;
        }
        Optional<String> why = objection.apply(definition);
        if (why.isPresent()) {
            skip("Tool \"" + shown(name) + "\" was left out: " + why.get());
            return;
        }
        ListingLimitException.check(Limit.TOOLS, tools.size() + 1L, limits);
        tools.addPacked(packed);
    }

    private void skip(String note) {
        skipped++;
        if (notes.size() < MAX_NOTES) {
            notes.add(note);
        }
    }

    private ToolListing listing() {
        if (skipped > notes.size()) {
            notes.add((skipped - notes.size()) + " more were left out");
        }
        return new ToolListing(tools, notes, List.copyOf(gateways));
    }

    private static McpProtocolException broken(int page, String why) {
        return new McpProtocolException(
                "Answer to \"tools/list\" is not usable (page " + page + "): " + why);
    }

    private static String shown(JsonNode name) {
        String text = name.asString();
        return text.length() > LONGEST_SHOWN ? text.substring(0, LONGEST_SHOWN) + "..." : text;
    }

    private static String kind(JsonNode node) {
        return switch (node.getNodeType()) {
            case MISSING -> "absent";
            case NULL -> "null";
            case BOOLEAN -> "a boolean";
            case NUMBER -> "a number";
            case STRING -> node.asString().isEmpty() ? "an empty string" : "a string";
            case ARRAY -> "an array";
            case OBJECT -> "an object";
            case BINARY, POJO -> "no JSON";
        };
    }
}
