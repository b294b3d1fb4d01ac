package dev.orloj.runtime.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.runtime.testkit.FakeNames;

import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.util.Timeout;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

class EndpointClientsTest {

    private static final String HOST = "mcp.test";
    private static final InetAddress SILENT = FakeNames.address("127.0.0.2");

    private final FakeNames names = new FakeNames("127.0.0.2", "127.0.0.3");
    private final AddressRotation addresses =
            new AddressRotation(new EndpointResolver(names, EndpointAddresses.DEFAULT));

    /** As with the address of a deleted Pod. */
    @Test
    void connectionToOneOfSeveralAddressesIsGivenUpSoon() throws Exception {
        List<Socket> waiting = new ArrayList<>();
        try (ServerSocket server = new ServerSocket(0, 1, SILENT);
                CloseableHttpClient client =
                        EndpointClients.custom(addresses, Optional::empty, SocketConfig.DEFAULT)
                                .build()) {
            fillQueue(server, waiting);
            addresses.next(HOST);
            HttpHost target = new HttpHost("http", SILENT, HOST, server.getLocalPort());
            long began = System.nanoTime();

            assertThatThrownBy(() -> client.executeOpen(target, new HttpGet("/mcp"), null))
                    .isInstanceOf(ConnectTimeoutException.class);

            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isLessThan(Duration.ofSeconds(8));
        } finally {
            for (Socket socket : waiting) {
                socket.close();
            }
        }
    }

    /** Linux drops connections to a queue that is full. */
    private static void fillQueue(ServerSocket server, List<Socket> waiting) throws IOException {
        while (true) {
            Socket socket = new Socket();
            waiting.add(socket);
            try {
                socket.connect(server.getLocalSocketAddress(), 100);
            } catch (SocketTimeoutException e) {
                return;
            }
        }
    }

    @Test
    void connectionToTheOnlyAddressHasMoreTime() throws Exception {
        HttpRoute route = new HttpRoute(new HttpHost("http", SILENT, HOST, 80));
        names.set("127.0.0.2");
        addresses.next(HOST);

        assertThat(EndpointClients.config(addresses, route).getConnectTimeout())
                .isEqualTo(Timeout.ofSeconds(10));
    }
}
