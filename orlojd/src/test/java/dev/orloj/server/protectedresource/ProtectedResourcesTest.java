package dev.orloj.server.protectedresource;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;

import java.util.List;

class ProtectedResourcesTest {

    private static final String WELL_KNOWN = "/.well-known/oauth-protected-resource";

    @ParameterizedTest
    @DisplayName("Mistake 14: the resource is the URL of the endpoint")
    @CsvSource({
        "/mcp, /mcp",
        "/mcp/, /mcp",
        "/mcp/default, /mcp/default",
        "/mcp/web/, /mcp/web",
        "/mcp/web/sse, /mcp/web",
        "/mcp/web/messages, /mcp/web",
        "/mcp/sse, /mcp/sse",
        "/mcp/web/mcpservers/s, /mcp/web/mcpservers/s",
        "/mcp/web/mcpservers/s/, /mcp/web/mcpservers/s",
        "/mcp/web/mcpservers/s/sse, /mcp/web/mcpservers/s",
    })
    void resourceIsTheUrlOfTheEndpoint(String path, String endpoint) {
        for (String server : List.of("https://orloj.example.com", "https://orloj.example.com/")) {
            ProtectedResources resources = resources(server);
            String resource = "https://orloj.example.com" + endpoint;

            assertThat(resources.resource(new MockHttpServletRequest("POST", path)))
                    .contains(resource);
            assertThat(resources.document(WELL_KNOWN + path).orElseThrow().toString())
                    .isEqualTo(
                            "{\"resource\":\"%s\",\"authorization_servers\":[\"https://a.example.com\",\"https://b.example.com\"],\"scopes_supported\":[\"mcp:use\"],\"bearer_methods_supported\":[\"header\"],\"resource_name\":\"Orloj %s\"}"
                                    .formatted(resource, endpoint));
            assertThat(resources.forRequest(new MockHttpServletRequest("POST", path), false))
                    .contains(
                            "Bearer resource_metadata=\"https://orloj.example.com%s%s\", scope=\"mcp:use\""
                                    .formatted(WELL_KNOWN, endpoint));
        }
    }

    @Test
    void serverBelowAPathHasItAfterTheWellKnownOne() {
        assertThat(
                        resources("https://example.com/orloj")
                                .forRequest(new MockHttpServletRequest("POST", "/mcp/web"), true))
                .contains(
                        "Bearer error=\"invalid_token\","
                            + " resource_metadata=\"https://example.com/.well-known/oauth-protected-resource/orloj/mcp/web\","
                            + " scope=\"mcp:use\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/apis",
                "/mcpx",
                "/mcp/a/b",
                "/mcp/a\"b",
                "/mcp/A",
                "/mcp/%61",
                "/mcp/web/mcpservers/",
                "/mcp/web/mcpservers/a,b",
            })
    void otherPathsAreNoResources(String path) {
        ProtectedResources resources = resources("https://orloj.example.com");

        assertThat(resources.document(WELL_KNOWN + path)).isEmpty();
        assertThat(resources.resource(new MockHttpServletRequest("POST", path))).isEmpty();
    }

    @Test
    void withoutIssuersThereIsNoMetadata() {
        ProtectedResources resources =
                new ProtectedResources(() -> "https://x", List::of, List.of("mcp:use"));

        assertThat(resources.document(WELL_KNOWN + "/mcp")).isEmpty();
        assertThat(resources.forRequest(new MockHttpServletRequest("POST", "/mcp"), false))
                .contains("Bearer");
        assertThat(resources.forRequest(new MockHttpServletRequest("GET", "/apis"), false))
                .isEmpty();
    }

    private static ProtectedResources resources(String server) {
        return new ProtectedResources(
                () -> server,
                () -> List.of("https://a.example.com", "https://b.example.com"),
                List.of("mcp:use"));
    }
}
