package dev.orloj.server.config;

import dev.orloj.server.properties.ReplicaProperties;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Optional;

/** Where other replicas reach this one. */
public final class AdvertisedAddress {

    private AdvertisedAddress() {}

    /**
     * What is configured; else where this replica listens, or, when that is everywhere, the address
     * that the host has for itself. Empty when there is no such address.
     *
     * @param listening address that the web server is bound to
     */
    public static Optional<URI> of(ReplicaProperties properties, String listening, int port) {
        String configured = properties.advertiseUrl();
        if (configured.equals(ReplicaProperties.NOWHERE)) {
            return Optional.empty();
        }
        return configured.isEmpty()
                ? reachable(listening).map(address -> url(address, port))
                : Optional.of(URI.create(configured));
    }

    private static Optional<InetAddress> reachable(String listening) {
        try {
            InetAddress address = InetAddress.getByName(listening);
            // Debian has 127.0.1.1 for the name of a host: good for replicas on the same host.
            return Optional.of(address.isAnyLocalAddress() ? InetAddress.getLocalHost() : address);
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    private static URI url(InetAddress address, int port) {
        String host = address.getHostAddress().replaceFirst("%.*", "");
        return URI.create(
                "http://%s:%d".formatted(host.contains(":") ? "[" + host + "]" : host, port));
    }
}
