package dev.orloj.server.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.server.disconnect.ClientDisconnects;
import dev.orloj.server.processing.Processing;

import jakarta.servlet.FilterChain;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** What {@code WireDetailsTest} cannot see: a server that has no thread for the conversion. */
class YamlAnswersTest {

    private static final String JSON = "{\"kind\":\"Status\"}";

    private final ClientDisconnects disconnects = new ClientDisconnects();
    private final Processing processing = new Processing(disconnects);
    private final YamlAnswers answers = new YamlAnswers(processing);

    @AfterEach
    void close() {
        processing.close();
        disconnects.close();
    }

    @Test
    void answerOfAWriteStaysJsonWhenNoThreadIsLeftToConvertIt() throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/api/v1/configmaps");
        request.addHeader("Accept", "application/yaml");
        MockHttpServletResponse response = new MockHttpServletResponse();
        // From now on it takes no work, as when its queue is full.
        FilterChain write =
                (asked, answered) -> {
                    answered.setContentType("application/json");
                    answered.getOutputStream().print(JSON);
                    processing.close();
                };

        answers.doFilter(request, response, write);

        assertThat(response.getStatus()).isEqualTo(200);
        assertThat(response.getContentType()).isEqualTo("application/json");
        assertThat(response.getContentAsString()).isEqualTo(JSON);
    }
}
