package dev.orloj.runtime.testkit;

import org.apache.hc.client5.http.DnsResolver;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A name server with one list of addresses for all hosts. Each answer begins with another address,
 * as those of the name server of a cluster do. Thread-safe.
 */
public final class FakeNames implements DnsResolver {

    private final List<InetAddress> addresses = new ArrayList<>();

    /**
     * @param addresses literals; none for a host that is not known
     */
    public FakeNames(String... addresses) {
        set(addresses);
    }

    public static InetAddress address(String literal) {
        return InetAddress.ofLiteral(literal);
    }

    public synchronized void set(String... literals) {
        addresses.clear();
        for (String literal : literals) {
            addresses.add(address(literal));
        }
    }

    @Override
    public synchronized InetAddress[] resolve(String host) throws UnknownHostException {
        if (addresses.isEmpty()) {
            throw new UnknownHostException(host);
        }
        Collections.rotate(addresses, 1);
        return addresses.toArray(InetAddress[]::new);
    }

    @Override
    public String resolveCanonicalHostname(String host) {
        return host;
    }
}
