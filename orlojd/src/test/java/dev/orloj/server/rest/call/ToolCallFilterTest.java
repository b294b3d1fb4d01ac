package dev.orloj.server.rest.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;

class ToolCallFilterTest {

    private static final String TOOLS = "/apis/orloj.dev/v1/namespaces/default/tools";

    private static boolean isCall(String path) {
        return ToolCallFilter.isCall(new MockHttpServletRequest("POST", path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/git--log/call", "/git--log/call/", "/%C3%A9/call", "/call/call"})
    void pathsOfCallsAreTaken(String rest) {
        assertThat(isCall(TOOLS + rest)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/call",
                "/call/",
                "//call",
                "/a/call//",
                "/a/calls",
                "/a/b/call",
                "/a/call/b"
            })
    void otherPathsOfToolsAreLeft(String rest) {
        assertThat(isCall(TOOLS + rest)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/apis/orloj.dev/v1/namespaces//tools/a/call",
                "/apis/orloj.dev/v1/namespaces/default/mcpservers/a/call",
                "/apis/orloj.dev/v1/tools/a/call",
                "/apis/orloj.dev/v2/namespaces/default/tools/a/call",
                "/apis/orloj.dev/v1/namespaces/default",
                "/call",
                ""
            })
    void pathsOfOthersAreLeft(String path) {
        assertThat(isCall(path)).isFalse();
    }
}
