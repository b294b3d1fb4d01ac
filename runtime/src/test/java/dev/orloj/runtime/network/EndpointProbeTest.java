package dev.orloj.runtime.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hc.client5.http.DnsResolver;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;

class EndpointProbeTest {

    private final EndpointProbe probe =
            new EndpointProbe(new EndpointResolver(EndpointAddresses.DEFAULT));

    @Test
    void endpointAcceptsConnectionsWhileItIsListenedTo() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        // Bound beside the server, so that the port is given to no other one after it.
        try (Socket bound = new Socket()) {
            bound.setReuseAddress(true);
            bound.bind(new InetSocketAddress(loopback, 0));
            int port = bound.getLocalPort();
            URI endpoint = URI.create("http://127.0.0.1:%d/mcp".formatted(port));

            try (ServerSocket server = new ServerSocket(port, 1, loopback)) {
                assertThat(server.isBound()).isTrue();
                assertThat(probe.accepts(endpoint)).isTrue();
            }
            assertThat(probe.accepts(endpoint)).isFalse();
        }
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
