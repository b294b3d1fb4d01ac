package dev.orloj.server.mcp.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.call.HeldTools;
import dev.orloj.runtime.call.WithheldTools;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.server.authorization.GrantedNames;
import dev.orloj.server.authorization.Rights;
import dev.orloj.server.mcp.protocol.EndpointScope;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** I-04: pages of a list that a user sees in part. */
class VisibleToolsOfUsersTest {

    private static final ResourceKey SERVER = new ResourceKey("default", "s");
    private static final EndpointScope ALL = EndpointScope.parse("/mcp").orElseThrow();
    private static final EndpointScope ONE =
            EndpointScope.parse("/mcp/default/mcpservers/s").orElseThrow();
    private static final int TOOLS = 4_000;

    private final ToolCatalog catalog = new ToolCatalog();
    private final VisibleTools tools =
            new VisibleTools(catalog, new WithheldTools(catalog, HeldTools.NONE));

    private void add(String resource, String name) {
        catalog.putTool(
                new ToolEntry(
                        new ResourceKey("default", resource),
                        resource,
                        SERVER,
                        name,
                        "s__" + name,
                        Json.MAPPER.createObjectNode(),
                        Optional.empty()));
    }

    /** The rights of a user who may call these Tools. */
    private record Calling(GrantedNames names) implements Rights {

        @Override
        public GrantedNames tools(String namespace) {
            return names;
        }

        @Override
        public GrantedNames servers(String namespace) {
            return GrantedNames.NONE;
        }

        @Override
        public boolean read(Kind<?> kind, ResourceKey key) {
            return true;
        }

        @Override
        public boolean allowRequest() {
            return true;
        }

        @Override
        public boolean dependOnUser() {
            return true;
        }

        @Override
        public Watch watch(Runnable changed) {
            return Watch.NONE;
        }
    }

    private static Rights calling(String... names) {
        return new Calling(new GrantedNames(false, java.util.Set.of(names)));
    }

    private List<String> names(ObjectNode page) {
        return page.path("tools").valueStream().map(tool -> tool.path("name").asString()).toList();
    }

    private ObjectNode list(EndpointScope scope, Rights rights, Optional<String> cursor) {
        return tools.list(scope, rights, ProtocolRevision.V2026_07_28, cursor);
    }

    @Test
    void pagesAreFullAndEndWithTheLastToolOfTheUser() {
        IntStream.range(0, TOOLS).forEach(i -> add("t%04d".formatted(i), "t%04d".formatted(i)));
        Rights odd =
                new Calling(
                        new GrantedNames(
                                false,
                                IntStream.range(0, TOOLS)
                                        .filter(i -> i % 2 == 1)
                                        .mapToObj("t%04d"::formatted)
                                        .collect(Collectors.toSet())));

        List<String> seen = new ArrayList<>();
        ObjectNode first = list(ALL, odd, Optional.empty());
        String cursor = first.path("nextCursor").asString();
        ObjectNode second = list(ALL, odd, Optional.of(cursor));
        seen.addAll(names(first));
        seen.addAll(names(second));

        assertThat(names(first)).hasSize(VisibleTools.PAGE);
        assertThat(second.has("nextCursor")).isFalse();
        assertThat(seen).hasSize(TOOLS / 2).doesNotHaveDuplicates().isSorted();
        assertThat(seen).allMatch(name -> Integer.parseInt(name.substring(4)) % 2 == 1);
        assertThat(new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8))
                .as("names a tool that the user sees")
                .isEqualTo(seen.get(VisibleTools.PAGE - 1));
    }

    /** A cursor of before goes on where it was, also when its tool has been taken away since. */
    @Test
    void cursorOutlivesTheRightToItsTool() {
        IntStream.range(0, 1_500).forEach(i -> add("t%04d".formatted(i), "t%04d".formatted(i)));
        String cursor =
                list(ALL, new Calling(GrantedNames.ALL), Optional.empty())
                        .path("nextCursor")
                        .asString();

        assertThat(names(list(ALL, calling("t0001", "t1200"), Optional.of(cursor))))
                .containsExactly("s__t1200");
    }

    /** A name of the server belongs to its first Tool; the list and the call agree on that. */
    @Test
    void secondToolOfOneNameGivesNoRightToTheFirst() {
        add("a", "same");
        add("b", "same");

        assertThat(names(list(ONE, calling("b"), Optional.empty()))).isEmpty();
        assertThat(tools.find(ONE, calling("b"), "same")).isEmpty();
        assertThat(names(list(ONE, calling("a"), Optional.empty()))).containsExactly("same");
        assertThat(tools.find(ONE, calling("a"), "same")).isPresent();
    }
}
