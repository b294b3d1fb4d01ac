package dev.orloj.runtime.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hc.client5.http.DnsResolver;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;

class EndpointProbeTest {

    private final EndpointProbe probe =
            new EndpointProbe(new EndpointResolver(EndpointAddresses.DEFAULT));

    @Test
    void endpointAcceptsConnectionsWhileItIsListenedTo() throws IOException {
        URI endpoint;
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            endpoint = URI.create("http://127.0.0.1:%d/mcp".formatted(server.getLocalPort()));
            assertThat(probe.accepts(endpoint)).isTrue();
        }
        assertThat(probe.accepts(endpoint)).isFalse();
    }

    @Test
    void hostWithoutAddressesAcceptsNone() {
        EndpointProbe nowhere =
                new EndpointProbe(
                        new EndpointResolver(
                                new DnsResolver() {
                                    @Override
                                    public InetAddress[] resolve(String host)
                                            throws UnknownHostException {
                                        throw new UnknownHostException(host);
                                    }

                                    @Override
                                    public String resolveCanonicalHostname(String host) {
                                        return host;
                                    }
                                },
                                EndpointAddresses.DEFAULT));

        assertThat(nowhere.accepts(URI.create("http://search.tools.svc/mcp"))).isFalse();
    }

    @Test
    void refusedAddressIsNotWaitedFor() {
        assertThat(probe.accepts(URI.create("http://169.254.169.254/mcp"))).isTrue();
    }
}
