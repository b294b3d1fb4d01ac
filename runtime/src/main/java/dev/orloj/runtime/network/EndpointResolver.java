package dev.orloj.runtime.network;

import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Looks up the hosts of endpoints and gives back the addresses that may be connected to. The client
 * connects to these and looks nothing up itself, so a name cannot change its address in between.
 * Thread-safe.
 */
public final class EndpointResolver implements DnsResolver {

    private final DnsResolver resolver;
    private final EndpointAddresses addresses;

    public EndpointResolver(EndpointAddresses addresses) {
        this(SystemDefaultDnsResolver.INSTANCE, addresses);
    }

    /**
     * @param resolver knows the addresses of hosts
     */
    EndpointResolver(DnsResolver resolver, EndpointAddresses addresses) {
        this.resolver = resolver;
        this.addresses = addresses;
    }

    /**
     * @throws RefusedAddressException when the host has addresses, and none may be connected to
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
