package dev.orloj.server.rest.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.server.oidc.Issuers;
import dev.orloj.server.rest.HttpProbe;
import dev.orloj.server.rest.RestServer;
import dev.orloj.server.security.SecuredPorts;
import dev.orloj.server.store.key.StoredKeys;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import java.io.IOException;
import java.util.List;

class ProbeEndpointTest {

    @Test
    void serverThatIsNotReadySaysWhy() throws IOException {
        ProbeEndpoint probes = notReady();
        MockHttpServletResponse response = new MockHttpServletResponse();

        probes.ready(new MockHttpServletRequest("GET", "/readyz"), response);

        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getContentAsString()).contains("the database is away");
    }

    /** H-25 */
    @Test
    void verboseProbeListsItsChecks() throws IOException {
        HttpProbe http = RestServer.shared().probe();
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/readyz");
        request.setQueryString("verbose");
        MockHttpServletResponse response = new MockHttpServletResponse();

        notReady().ready(request, response);

        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getContentAsString())
                .isEqualTo(
                        "[+]ping ok\n[-]ready failed: the database is away\nreadyz check failed\n");
        assertThat(http.get("/readyz?verbose").text())
                .isEqualTo(
                        "[+]ping ok\n[+]ready ok\n[!]anonymous-access through the HTTP port is on\n"
                                + "readyz check passed\n");
        assertThat(http.get("/livez?verbose=true").text())
                .isEqualTo("[+]ping ok\nlivez check passed\n");
        for (String probe : List.of("/livez/ping", "/readyz/ping", "/healthz/ping")) {
            assertThat(http.get(probe).text()).as(probe).isEqualTo("ok");
        }
        assertThat(http.get("/livez/other").code()).isEqualTo(404);
    }

    private static ProbeEndpoint notReady() {
        return new ProbeEndpoint(
                () -> List.of("the database is away"),
                new StaticListableBeanFactory().getBeanProvider(Issuers.class),
                new StaticListableBeanFactory().getBeanProvider(StoredKeys.class),
                new SecuredPorts(true));
    }
}
