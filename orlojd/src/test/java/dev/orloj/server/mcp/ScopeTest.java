package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScopeTest {

    @ParameterizedTest
    @ValueSource(strings = {"/mcp", "/mcp/"})
    void shortestPathIsTheDefaultNamespace(String path) {
        assertThat(Scope.parse(path)).contains(Scope.Namespace.whole("default"));
    }

    @Test
    void oneNameIsANamespace() {
        assertThat(Scope.parse("/mcp/team-a")).contains(Scope.Namespace.whole("team-a"));
        assertThat(Scope.parse("/mcp/team-a/")).contains(Scope.Namespace.whole("team-a"));
        assertThat(Scope.parse("/mcp/mcpservers")).contains(Scope.Namespace.whole("mcpservers"));
    }

    @Test
    void nameBelowMcpserversIsAServer() {
        assertThat(Scope.parse("/mcp/team-a/mcpservers/github"))
                .contains(new Scope.Server(new ResourceKey("team-a", "github")));
        assertThat(Scope.parse("/mcp/team-a/mcpservers/github/"))
                .contains(new Scope.Server(new ResourceKey("team-a", "github")));
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
        assertThat(Scope.parse(path)).isEmpty();
    }
}
