package dev.orloj.runtime.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;

/** Finds out whether an endpoint accepts connections, without a request. Thread-safe. */
public final class EndpointProbe {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    /** The addresses of a host that are tried at a time. */
    private static final int MAX_ADDRESSES = 4;

    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private final EndpointResolver resolver;

    public EndpointProbe(EndpointResolver resolver) {
        this.resolver = resolver;
    }

    /**
     * Returns whether an address of the endpoint accepts a connection. True, too, if its addresses
     * are refused: to wait would not change that.
     */
    public boolean accepts(URI endpoint) {
        try {
            return Arrays.stream(resolver.resolve(endpoint.getHost()))
                    .limit(MAX_ADDRESSES)
                    .anyMatch(address -> accepts(address, port(endpoint)));
        } catch (RefusedAddressException e) {
            return true;
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static int port(URI endpoint) {
        if (endpoint.getPort() >= 0) {
            return endpoint.getPort();
        }
        return endpoint.getScheme().equalsIgnoreCase("https") ? HTTPS_PORT : HTTP_PORT;
    }

    private static boolean accepts(InetAddress address, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(address, port),
                    Math.toIntExact(CONNECT_TIMEOUT.toMillis()));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
