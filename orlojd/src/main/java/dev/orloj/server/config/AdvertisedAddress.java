package dev.orloj.server.config;

import dev.orloj.server.properties.ReplicaProperties;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Optional;

/** Determines the address at which other replicas reach this one. */
public final class AdvertisedAddress {

    private AdvertisedAddress() {}

    /**
     * The configured address; else the one this replica listens on, or, when it listens on all, the
     * host's own address. Empty when there is no such address.
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
