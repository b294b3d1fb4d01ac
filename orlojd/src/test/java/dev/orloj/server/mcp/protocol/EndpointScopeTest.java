package dev.orloj.server.mcp.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointScopeTest {

    @ParameterizedTest
    @ValueSource(strings = {"/mcp", "/mcp/"})
    void shortestPathIsTheDefaultNamespace(String path) {
        assertThat(EndpointScope.parse(path)).contains(EndpointScope.Namespace.whole("default"));
    }

    @Test
    void oneNameIsANamespace() {
        assertThat(EndpointScope.parse("/mcp/team-a"))
                .contains(EndpointScope.Namespace.whole("team-a"));
        assertThat(EndpointScope.parse("/mcp/team-a/"))
                .contains(EndpointScope.Namespace.whole("team-a"));
        assertThat(EndpointScope.parse("/mcp/mcpservers"))
                .contains(EndpointScope.Namespace.whole("mcpservers"));
    }

    @Test
    void nameBelowMcpserversIsAServer() {
        assertThat(EndpointScope.parse("/mcp/team-a/mcpservers/github"))
                .contains(new EndpointScope.Server(new ResourceKey("team-a", "github")));
        assertThat(EndpointScope.parse("/mcp/team-a/mcpservers/github/"))
                .contains(new EndpointScope.Server(new ResourceKey("team-a", "github")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/mcpx",
                "/mcp//",
                "/mcp//mcpservers/github",
                "/mcp/team-a//",
                "/mcp/team-a/tools",
                "/mcp/team-a/mcpservers",
                "/mcp/team-a/mcpservers/",
                "/mcp/team-a/servers/github",
                "/mcp/team-a/mcpservers/github/tools"
            })
    void otherPathsAreNoEndpoints(String path) {
        assertThat(EndpointScope.parse(path)).isEmpty();
    }
}
