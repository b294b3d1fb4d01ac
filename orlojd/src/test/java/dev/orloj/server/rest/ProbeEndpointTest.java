package dev.orloj.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletResponse;

import java.io.IOException;
import java.util.List;

class ProbeEndpointTest {

    @Test
    void serverThatIsNotReadySaysWhy() throws IOException {
        ProbeEndpoint probes = new ProbeEndpoint(() -> List.of("the database is away"));
        MockHttpServletResponse response = new MockHttpServletResponse();

        probes.ready(response);

        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getContentAsString()).contains("the database is away");
    }
}
