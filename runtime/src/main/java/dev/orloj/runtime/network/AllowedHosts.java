package dev.orloj.runtime.network;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A list of allowed hosts, each {@code host}, {@code *.domain} for all hosts below a domain, or
 * either with {@code :port}; without a port, 443 and 80 are allowed. Immutable.
 */
public final class AllowedHosts {

    private static final Set<Integer> USUAL_PORTS = Set.of(443, 80);

    private final List<Entry> entries;

    private record Entry(String host, Set<Integer> ports) {

        static Entry parse(String text) {
            int colon = text.lastIndexOf(':');
            return colon < 0
                    ? new Entry(text, USUAL_PORTS)
                    : new Entry(
                            text.substring(0, colon),
                            Set.of(Integer.valueOf(text.substring(colon + 1))));
        }

        boolean allows(String name, int port) {
            boolean named =
                    host.startsWith("*.") ? name.endsWith(host.substring(1)) : name.equals(host);
            return named && ports.contains(port);
        }
    }

    /**
     * @throws IllegalArgumentException when a port is not a number
     */
    public AllowedHosts(List<String> hosts) {
        this.entries =
                hosts.stream().map(h -> h.toLowerCase(Locale.ROOT)).map(Entry::parse).toList();
    }

    /**
     * @param host the host that a client requests; a trailing dot is ignored
     */
    public boolean allows(String host, int port) {
        String lower = host.toLowerCase(Locale.ROOT);
        String name = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
        return entries.stream().anyMatch(entry -> entry.allows(name, port));
    }
}
