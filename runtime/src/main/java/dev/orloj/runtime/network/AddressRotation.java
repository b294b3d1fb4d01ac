package dev.orloj.runtime.network;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Spreads sessions and requests over the addresses of a host. Name servers answer in an order of
 * their own, and the resolver of the JVM keeps it for a while, so the first address of an answer
 * would get everything. Thread-safe.
 */
public final class AddressRotation {

    /** Maximum number of hosts; the one that was used least recently begins anew. */
    private static final int MAX_HOSTS = 10_000;

    /** How long the other addresses go before one that accepted no connection. */
    private static final Duration AVOIDED = Duration.ofSeconds(30);

    private final EndpointResolver resolver;

    @GuardedBy("this")
    private final Map<String, Turns> turns =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Turns> eldest) {
                    return size() > MAX_HOSTS;
                }
            };

    public AddressRotation(EndpointResolver resolver) {
        this.resolver = resolver;
    }

    /** The turns of one host. Guarded by its owner. */
    private static final class Turns {

        /** Random, so that the replicas of orlojd do not all begin at the same address. */
        private int turn = ThreadLocalRandom.current().nextInt();

        /** When an address accepted no connection; see {@link System#nanoTime}. */
        private final Map<InetAddress, Long> refusals = new HashMap<>();

        List<InetAddress> next(InetAddress[] found) {
            refusals.keySet().retainAll(new HashSet<>(Arrays.asList(found)));
            refusals.values().removeIf(at -> System.nanoTime() - at > AVOIDED.toNanos());
            List<InetAddress> order = new ArrayList<>();
            List<InetAddress> last = new ArrayList<>();
            for (InetAddress address : found) {
                // The resolver places the family that this host reaches first.
                boolean isPreferred = address.getClass() == found[0].getClass();
                (isPreferred && !refusals.containsKey(address) ? order : last).add(address);
            }
            order.sort(Comparator.comparing(InetAddress::getAddress, Arrays::compareUnsigned));
            Collections.rotate(order, -Math.floorMod(turn++, Math.max(1, order.size())));
            order.addAll(last);
            return order;
        }
    }

    /**
     * Looks a host up, and returns its permitted addresses in the order in which to try them. Each
     * call begins at the next address. An address that accepted no connection within the last 30 s
     * is among the last, and so is the family, IPv4 or IPv6, that the resolver places second.
     *
     * @throws UnknownHostException when the host has no permitted address
     */
    public List<InetAddress> next(String host) throws UnknownHostException {
        InetAddress[] found = resolver.resolve(host);
        if (found.length == 0) {
            throw new UnknownHostException(host);
        }
        if (found.length == 1) {
            return List.of(found);
        }
        return order(host, found);
    }

    private synchronized List<InetAddress> order(String host, InetAddress[] found) {
        return turns.computeIfAbsent(host, _ -> new Turns()).next(found);
    }

    EndpointResolver resolver() {
        return resolver;
    }

    /** Returns whether a look-up found several addresses of a host, and looks nothing up. */
    synchronized boolean hasSeveral(String host) {
        return turns.containsKey(host);
    }

    /** An address of a host accepted no connection. */
    public synchronized void refused(String host, InetAddress address) {
        Turns known = turns.get(host);
        if (known != null) {
            known.refusals.put(address, System.nanoTime());
        }
    }

    /** Looks a host up, and returns whether it has a permitted address other than this one. */
    public boolean hasOther(String host, InetAddress address) {
        try {
            return Arrays.stream(resolver.resolve(host)).anyMatch(other -> !other.equals(address));
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
