package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.client.ServerRequestPolicy;
import dev.orloj.runtime.testkit.CountingCatalog;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.server.rest.HttpProbe;
import dev.orloj.server.rest.RestServer;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.Set;

/** A tool call looks up its tool once and the server of the tool once. */
@Timeout(60)
class CallLookupTest {

    private static final ResourceKey GITHUB = McpRig.SERVER.server();
    private static final ResourceKey ECHO = new ResourceKey("default", "github--echo");

    @Test
    @DisplayName("A tools/call of 2025-11-25 looks up one tool and one server")
    void callInASession() {
        try (McpRig rig = new McpRig()) {
            Agent agent = rig.agent("/mcp", "2025-11-25");
            agent.call("github__echo", "{}");
            rig.catalog().reset();

            assertThat(agent.call("github__echo", "{}").code()).isEqualTo(200);

            assertOneLookup(rig.catalog(), ECHO, GITHUB);
        }
    }

    @Test
    @DisplayName("A tools/call of 2026-07-28 looks up one tool and one server")
    void callWithoutASession() {
        try (McpRig rig = new McpRig()) {
            StatelessAgent agent = new StatelessAgent(rig.probe("/mcp"));
            agent.call("github__echo", "{}");
            rig.catalog().reset();

            assertThat(agent.call("github__echo", "{}").code()).isEqualTo(200);

            assertOneLookup(rig.catalog(), ECHO, GITHUB);
        }
    }

    @Test
    @DisplayName("A tools/call that may be suspended looks up one tool and one server")
    void callThatMayBeSuspended() {
        try (McpRig rig = new McpRig()) {
            rig.catalog()
                    .putServer(
                            Definitions.withBridge(
                                    McpRig.SERVER,
                                    new ServerRequestPolicy(Set.of("elicitation"), Set.of())));
            StatelessAgent agent = new StatelessAgent(rig.probe("/mcp"), "{\"elicitation\": {}}");
            agent.call("github__echo", "{}");
            rig.catalog().reset();

            assertThat(agent.call("github__echo", "{}").code()).isEqualTo(200);

            assertOneLookup(rig.catalog(), ECHO, GITHUB);
        }
    }

    @Test
    @DisplayName("A tools/call at the endpoint of a server looks up one tool and one server")
    void callAtTheEndpointOfAServer() {
        try (McpRig rig = new McpRig()) {
            Agent agent = rig.agent("/mcp/default/mcpservers/github", "2025-11-25");
            agent.call("echo", "{}");
            rig.catalog().reset();

            assertThat(agent.call("echo", "{}").code()).isEqualTo(200);

            assertOneLookup(rig.catalog(), ECHO, GITHUB);
        }
    }

    @Test
    @DisplayName("A tool call over the REST API looks up one tool and one server")
    void callOverRest() {
        RestServer server = RestServer.shared();
        HttpProbe http = server.probe();
        String namespace = server.freshNamespace();
        ResourceKey owner = new ResourceKey(namespace, "srv");
        server.catalog().putServer(RestServer.scripted(owner));
        server.offer(owner, "echo", Json.MAPPER.readTree("{\"type\": \"object\"}"));
        String call = "/apis/orloj.dev/v1/namespaces/%s/tools/srv--echo/call".formatted(namespace);
        server.mcp().answerWith(params -> params);
        http.post(call, "{}");
        server.catalog().reset();

        assertThat(http.post(call, "{}").code()).isEqualTo(200);

        assertOneLookup(server.catalog(), new ResourceKey(namespace, "srv--echo"), owner);
    }

    private static void assertOneLookup(
            CountingCatalog catalog, ResourceKey tool, ResourceKey server) {
        assertThat(catalog.tools()).as("tools").isEqualTo(List.of(tool));
        assertThat(catalog.servers()).as("servers").isEqualTo(List.of(server));
    }
}
