package dev.orloj.runtime.network;

import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Resolves the hosts of endpoints to permitted addresses. The HTTP client connects to these
 * addresses without another lookup, so a name cannot change its address in between. Thread-safe.
 */
public final class EndpointResolver implements DnsResolver {

    private final DnsResolver resolver;
    private final EndpointAddresses addresses;

    public EndpointResolver(EndpointAddresses addresses) {
        this(SystemDefaultDnsResolver.INSTANCE, addresses);
    }

    /**
     * @param resolver resolves hosts to addresses
     */
    public EndpointResolver(DnsResolver resolver, EndpointAddresses addresses) {
        this.resolver = resolver;
        this.addresses = addresses;
    }

    /**
     * @throws RefusedAddressException when the host has addresses, but none is permitted
     */
    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        return addresses.permitted(host, resolver.resolve(host));
    }

    @Override
    public String resolveCanonicalHostname(String host) throws UnknownHostException {
        return resolver.resolveCanonicalHostname(host);
    }
}
