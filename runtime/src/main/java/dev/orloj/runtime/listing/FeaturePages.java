package dev.orloj.runtime.listing;

import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.DefinitionName.Kind;
import dev.orloj.api.approval.OfferedDefinition;
import dev.orloj.api.approval.OfferedFeatures;
import dev.orloj.runtime.client.McpProtocolException;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.transport.RequestTimeoutException;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the lists of prompts, resource templates and resources of a server, within bounds. A list
 * that fails is not read, and is no error: the tools of the server can be called. Not thread-safe.
 */
public final class FeaturePages {

    /** The most definitions of a kind; those beyond it are left out. */
    private static final int MAX_PROMPTS = 1_000;

    private static final int MAX_TEMPLATES = 500;
    private static final int MAX_RESOURCES = 5_000;

    /** The most characters of all definitions, and of one. */
    private static final long MAX_CHARACTERS = 8L * 1024 * 1024;

    private static final int LONGEST = 64 * 1024;

    /** The longest name or URI in bytes of UTF-8, which is part of a key of the database. */
    private static final int LONGEST_NAME = 1_500;

    private static final int MAX_PAGES = 100;

    /** A server whose lists take longer gets no other state than that its lists were not read. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** Requests a page. */
    public interface Source {
        JsonNode page(String method, ObjectNode params, Duration timeout)
                throws InterruptedException;
    }

    /** A list, and how many of its items are read. */
    private record Feature(
            Kind kind, String capability, String method, String items, String word, int most) {}

    private static final List<Feature> FEATURES =
            List.of(
                    new Feature(
                            Kind.PROMPT,
                            "prompts",
                            "prompts/list",
                            "prompts",
                            "prompts",
                            MAX_PROMPTS),
                    new Feature(
                            Kind.TEMPLATE,
                            "resources",
                            "resources/templates/list",
                            "resourceTemplates",
                            "resource templates",
                            MAX_TEMPLATES),
                    new Feature(
                            Kind.RESOURCE,
                            "resources",
                            "resources/list",
                            "resources",
                            "resources",
                            MAX_RESOURCES));

    private final Source source;
    private final long start = System.nanoTime();
    private final List<OfferedDefinition> definitions = new ArrayList<>();
    private final Set<DefinitionName> names = new HashSet<>();
    private final Set<Kind> read = EnumSet.noneOf(Kind.class);
    private final List<String> notes = new ArrayList<>();
    private long characters;

    private FeaturePages(Source source) {
        this.source = source;
    }

    /**
     * @param capabilities of the server; a list that it does not declare is empty, and is not read
     */
    public static FeatureListing readAll(Source source, JsonNode capabilities)
            throws InterruptedException {
        FeaturePages pages = new FeaturePages(source);
        for (Feature feature : FEATURES) {
            if (capabilities.has(feature.capability())) {
                pages.tryRead(feature);
            } else {
                pages.read.add(feature.kind());
            }
        }
        return new FeatureListing(
                new OfferedFeatures(pages.definitions, pages.read), List.copyOf(pages.notes));
    }

    private void tryRead(Feature feature) throws InterruptedException {
        int before = definitions.size();
        try {
            read(feature);
            read.add(feature.kind());
        } catch (JsonRpcException e) {
            definitions.subList(before, definitions.size()).clear();
            if (e.error().code() == JsonRpcError.METHOD_NOT_FOUND) {
                read.add(feature.kind()); // many servers of resources have no templates
            } else {
                unread(feature, e);
            }
        } catch (McpProtocolException | RequestTimeoutException e) {
            definitions.subList(before, definitions.size()).clear();
            unread(feature, e);
        }
    }

    private void unread(Feature feature, RuntimeException cause) {
        notes.add("The %s were not listed: %s".formatted(feature.word(), cause.getMessage()));
    }

    private void read(Feature feature) throws InterruptedException {
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        Set<String> cursors = new HashSet<>();
        Counter counter = new Counter();
        for (int page = 1; page <= MAX_PAGES && !counter.isFull; page++) {
            JsonNode answer = source.page(feature.method(), params, remaining());
            JsonNode items = answer.path(feature.items());
            if (!items.isArray()) {
                throw new McpProtocolException(
                        "Answer to \"%s\" is not usable (page %d): %s must be an array"
                                .formatted(feature.method(), page, feature.items()));
            }
            for (JsonNode item : items) {
                add(feature, item, counter);
            }
            JsonNode next = answer.path("nextCursor");
            if (!next.isString() || !cursors.add(next.asString())) {
                counter.report(feature);
                return;
            }
            params = JsonNodeFactory.instance.objectNode().put("cursor", next.asString());
        }
        notes.add(
                "At least %,d %s are listed, and no more are recorded"
                        .formatted(counter.added, feature.word()));
    }

    private Duration remaining() {
        Duration left = TIMEOUT.minusNanos(System.nanoTime() - start);
        return left.isPositive() ? left : Duration.ofMillis(1);
    }

    /** What was read of a list. */
    private final class Counter {

        private int added;
        private int skipped;
        private boolean isFull;

        void report(Feature feature) {
            if (skipped > 0) {
                notes.add(
                        "%,d %s without a name, listed twice or too long were left out"
                                .formatted(skipped, feature.word()));
            }
        }
    }

    private void add(Feature feature, JsonNode item, Counter counter) {
        Optional<OfferedDefinition> offered = OfferedDefinition.of(feature.kind(), item);
        if (offered.isEmpty() || !isKey(offered.get().name().name())) {
            counter.skipped++;
            return;
        }
        int length = offered.get().definition().toString().length();
        if (length > LONGEST || !names.add(offered.get().name())) {
            counter.skipped++;
            return;
        }
        if (counter.added >= feature.most() || characters + length > MAX_CHARACTERS) {
            counter.isFull = true;
            return;
        }
        characters += length;
        counter.added++;
        definitions.add(offered.get());
    }

    /** Returns whether a name is a key of the database, which must not change it. */
    private static boolean isKey(String name) {
        return name.length() <= LONGEST_NAME
                && name.indexOf('\0') < 0
                && StandardCharsets.UTF_8.newEncoder().canEncode(name)
                && name.getBytes(StandardCharsets.UTF_8).length <= LONGEST_NAME;
    }
}
