package dev.orloj.runtime.transport.http;

import dev.orloj.runtime.network.AddressRotation;
import dev.orloj.runtime.network.RefusedAddressException;

import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Decides which address of a host receives the requests of one connection. Several servers can
 * share a name, as the Pods of a headless Service do, and only the server that opened a session
 * knows it. Thread-safe.
 */
final class SessionAffinity {

    /** Sends a request to one address. */
    @FunctionalInterface
    interface Sending {

        ClassicHttpResponse to(InetAddress address) throws IOException;
    }

    private enum Phase {
        /** Requests go to the latest address; if it accepts no connection, to the next one. */
        OPENING,

        /** Requests go to one address only. */
        IN_SESSION,

        /** Each request goes to the next address. */
        WITHOUT_SESSION
    }

    private final AddressRotation addresses;
    private final String host;
    private volatile Phase phase = Phase.OPENING;
    private volatile @Nullable InetAddress latest;

    SessionAffinity(AddressRotation addresses, URI endpoint) {
        this.addresses = addresses;
        String name = endpoint.getHost();
        boolean isIpv6 = name.startsWith("[") && name.endsWith("]");
        this.host = isIpv6 ? name.substring(1, name.length() - 1) : name;
    }

    /** Keeps the requests from now on at the address that responded last. */
    void beginSession() {
        phase = Phase.IN_SESSION;
    }

    /** Spreads the requests from now on, because each is independent of the others. */
    void useAnyAddress() {
        phase = Phase.WITHOUT_SESSION;
    }

    /**
     * Sends a request to an address of the host. An address that accepts no connection did not
     * receive the request, so that another one may.
     *
     * @throws AddressLostException when the address of the session accepts no connection, and the
     *     host has another address
     */
    ClassicHttpResponse send(Sending request) throws IOException {
        InetAddress current = latest;
        if (current == null || phase == Phase.WITHOUT_SESSION) {
            return sendToNext(request);
        }
        try {
            return request.to(current);
        } catch (IOException e) {
            if (!isUnreachable(e)) {
                throw e;
            }
            addresses.refused(host, current);
            if (phase == Phase.OPENING) {
                return sendToNext(request);
            }
            throw addresses.hasOther(host, current) ? new AddressLostException(current, e) : e;
        }
    }

    private ClassicHttpResponse sendToNext(Sending request) throws IOException {
        IOException failure = null;
        for (InetAddress address : next()) {
            try {
                ClassicHttpResponse response = request.to(address);
                latest = address;
                return response;
            } catch (IOException e) {
                if (!isUnreachable(e)) {
                    throw e;
                }
                addresses.refused(host, address);
                if (failure != null) {
                    e.addSuppressed(failure);
                }
                failure = e;
            }
        }
        throw failure == null ? new UnknownHostException(host) : failure;
    }

    /** A name server that does not answer ends no exchanges with a server that does. */
    private List<InetAddress> next() throws UnknownHostException {
        try {
            return addresses.next(host);
        } catch (RefusedAddressException e) {
            throw e;
        } catch (UnknownHostException e) {
            InetAddress known = latest;
            if (known == null || phase != Phase.WITHOUT_SESSION) {
                throw e;
            }
            return List.of(known);
        }
    }

    /** Returns whether no connection was made, so that the server did not get the request. */
    private static boolean isUnreachable(IOException e) {
        return e instanceof ConnectException
                || e instanceof ConnectTimeoutException
                || e instanceof NoRouteToHostException
                || e.getClass() == SocketException.class
                        && "Network is unreachable".equals(e.getMessage());
    }
}
