package dev.orloj.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import java.util.Set;

/** H-04: which pages are let in. */
class WebPageGuardTest {

    private final WebPageGuard guard =
            new WebPageGuard(
                    new AllowedOrigins("everywhere", Set.of("http://localhost:3000")),
                    new AllowedOrigins("mcp", Set.of("https://agents.example.com")));

    private MockHttpServletResponse answer(MockHttpServletRequest request) throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        boolean isAdmitted = guard.admits(request, response);
        if (!request.getMethod().equals("OPTIONS")) {
            assertThat(isAdmitted).isEqualTo(response.getStatus() == 200);
        }
        return response;
    }

    private static MockHttpServletRequest request(String method, String servlet, String host) {
        MockHttpServletRequest request = new MockHttpServletRequest(method, servlet);
        request.setServletPath(servlet);
        request.addHeader("Host", host);
        return request;
    }

    @ParameterizedTest
    @CsvSource({
        "localhost:8080,  http://localhost:8080,      200",
        "localhost:8080,  HTTP://LOCALHOST:8080,      200",
        "localhost,       http://localhost,           200",
        "localhost:80,    http://localhost,           200",
        "[::1]:8080,      http://[::1]:8080,          200",
        "orloj:8080,      http://orloj:8080,          200",
        "10.0.0.5:8080,   http://10.0.0.5:8080,       200",
        "localhost:8080,  http://localhost:3000,      200",
        "localhost:8080,  http://localhost:3001,      403",
        "localhost:8080,  http://localhost,           403",
        "localhost:8080,  https://localhost:8080,     403",
        "localhost:8080,  http://127.0.0.1:8080,      403",
        "127.0.0.1:8080,  http://localhost:8080,      403",
        "orloj,           http://orloj.evil.example,  403",
        "evil.com:8080,   http://evil.com:8080,       403",
        "localhost:8080,  https://agents.example.com, 403",
        "localhost:8080,  null,                       403",
        "localhost:8080,  '',                         403",
        "localhost:8080,  %%%,                        403",
        "localhost:8080,  http://localhost:8080/,     403",
        "localhost:8080,  http://x@localhost:8080,    403",
    })
    void onlyTheOwnOriginAndListedOnesAreLetIn(String host, String origin, int expected)
            throws Exception {
        for (String method : new String[] {"GET", "POST", "DELETE", "OPTIONS"}) {
            MockHttpServletRequest request = request(method, "/apis", host);
            request.addHeader("Origin", origin);

            assertThat(answer(request).getStatus()).as(method).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/mcp,      https://agents.example.com, 200",
        "/mcp,      http://localhost:3000,      200",
        "/mcp,      https://evil.example.com,   403",
        "/mcp,      http://localhost:6274,      403",
        "/mcp,      null,                       403",
        "/mcp-more, https://agents.example.com, 403",
    })
    void pagesForTheMcpEndpointsAreLetInThere(String servlet, String origin, int expected)
            throws Exception {
        MockHttpServletRequest request = request("POST", servlet, "localhost:8080");
        request.addHeader("Origin", origin);

        assertThat(answer(request).getStatus()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "GET,    localhost:8080, same-origin, 200",
        "POST,   localhost:8080, same-origin, 200",
        "GET,    evil.com:8080,  same-origin, 403",
        "GET,    localhost:8080, none,        200",
        "HEAD,   localhost:8080, none,        200",
        "POST,   localhost:8080, none,        403",
        "DELETE, localhost:8080, none,        403",
        "GET,    localhost:8080, same-site,   403",
        "GET,    localhost:8080, cross-site,  403",
        "POST,   localhost:8080, same-site,   403",
        "GET,    localhost:8080, else,        403",
    })
    void siteThatABrowserStatesCountsWithoutAnOrigin(
            String method, String host, String site, int expected) throws Exception {
        MockHttpServletRequest request = request(method, "/apis", host);
        request.addHeader("Sec-Fetch-Site", site);

        assertThat(answer(request).getStatus()).isEqualTo(expected);
    }

    @Test
    void programsThatStateNothingAreLetIn() throws Exception {
        assertThat(answer(request("POST", "/apis", "localhost:8080")).getStatus()).isEqualTo(200);
    }

    @Test
    void listedPageMayReadWhatItGets() throws Exception {
        MockHttpServletRequest request = request("OPTIONS", "/apis", "localhost:8080");
        request.addHeader("Origin", "http://localhost:3000");
        request.addHeader("Sec-Fetch-Site", "same-site");
        request.addHeader("Access-Control-Request-Method", "PATCH");
        request.addHeader("Access-Control-Request-Headers", "content-type");

        MockHttpServletResponse response = answer(request);

        assertThat(response.getHeader("Access-Control-Allow-Origin"))
                .isEqualTo("http://localhost:3000");
        assertThat(response.getHeader("Access-Control-Allow-Methods")).contains("PATCH");
        assertThat(response.getHeader("Access-Control-Allow-Headers")).contains("content-type");
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "localhost:3000", "https://a.example/path", "null", ""})
    void listMustConsistOfOrigins(String text) {
        assertThatThrownBy(() -> new AllowedOrigins("orloj.x", Set.of(text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("orloj.x", "\"" + text + "\"", "http://localhost:3000");
    }
}
