package dev.orloj.server.rest.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.ApiException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;

class ApiPathTest {

    @ParameterizedTest
    @CsvSource({
        "/apis/orloj.dev/v1/tools,                        orloj.dev, '',  tools,      '',  ''",
        "/apis/orloj.dev/v1/namespaces/a/tools,           orloj.dev, a,   tools,      '',  ''",
        "/apis/orloj.dev/v1/namespaces/a/tools/b,         orloj.dev, a,   tools,      b,   ''",
        "/apis/orloj.dev/v1/namespaces/a/tools/b/status,  orloj.dev, a,   tools,      b,   status",
        "/apis/orloj.dev/v1/namespaces/a/tools/b/c/d,     orloj.dev, a,   tools,      b,   c/d",
        "/api/v1/namespaces,                              '',        '',  namespaces, '',  ''",
        "/api/v1/namespaces/a,                            '',        '',  namespaces, a,   ''",
        "/api/v1/namespaces/a/status,                     '',        '',  namespaces, a,   status",
        "/api/v1/namespaces/a/events/,                    '',        a,   events,     '',  ''",
        "/api/v1/namespaces/status/events/n,              '',        status, events,  n,   ''"
    })
    void partsAreFound(
            String path, String group, String namespace, String plural, String name, String rest) {
        ApiPath parsed = ApiPath.parse(path).orElseThrow();

        assertThat(parsed.group()).isEqualTo(group);
        assertThat(parsed.version()).isEqualTo("v1");
        assertThat(parsed.namespace()).isEqualTo(namespace);
        assertThat(parsed.plural()).isEqualTo(plural);
        assertThat(parsed.name()).isEqualTo(name);
        assertThat(String.join("/", parsed.rest())).isEqualTo(rest);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api", "/api/v1", "/apis/g/v1", "/apis/g//tools", "/api/v1//a", "/"})
    void otherPathsAreNone(String path) {
        assertThat(ApiPath.parse(path)).isEmpty();
    }

    @Test
    void segmentsAreDecoded() {
        assertThat(ApiPath.parse("/api/v1/namespaces/%C3%A9%20/events/a+b").orElseThrow())
                .satisfies(
                        path -> {
                            assertThat(path.namespace()).isEqualTo("é ");
                            assertThat(path.name()).isEqualTo("a+b");
                        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%2", "%zz", "%ff", "%C3", "a%00b", "%ED%A0%80"})
    void brokenEncodingIsRefused(String segment) {
        assertThatThrownBy(() -> ApiPath.parse("/api/v1/" + segment))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining(segment);
    }

    @Test
    void pathOfARequestIsParsedOnce() {
        MockHttpServletRequest request =
                new MockHttpServletRequest("GET", "/api/v1/namespaces/a/events");

        ApiPath first = ApiPath.of(request).orElseThrow();

        assertThat(first.namespace()).isEqualTo("a");
        assertThat(ApiPath.of(request)).containsSame(first);
    }

    @Test
    void pathThatAFilterChangesIsParsedAgain() {
        MockHttpServletRequest request =
                new MockHttpServletRequest("GET", "/api/v1/namespaces/a/events");
        assertThat(ApiPath.of(request)).isPresent();

        request.setRequestURI("/api/v1/namespaces/b/events");

        assertThat(ApiPath.of(request).orElseThrow().namespace()).isEqualTo("b");
    }
}
