package dev.orloj.runtime.network;

import dev.orloj.runtime.gateway.GatewayPath;

import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * Prepares HTTP clients that connect to permitted addresses only. They follow no redirects and
 * repeat no requests, because the caller decides on both. Requests have their own response
 * timeouts.
 */
public final class EndpointClients {

    /** Large enough that no request waits for another one. */
    private static final int MAX_CONNECTIONS = 100_000;

    private static final Timeout CONNECT_TIMEOUT = Timeout.ofSeconds(10);

    /** TCP tries a connection three times in it: after 0, 1 and 3 seconds. */
    private static final Timeout CONNECT_TO_ONE_OF_SEVERAL = Timeout.ofSeconds(4);

    private static final TimeValue VALIDATE_AFTER = TimeValue.ofSeconds(1);
    private static final TimeValue EVICT_AFTER = TimeValue.ofMinutes(1);

    private static final ConnectionConfig ONLY_ONE = config(CONNECT_TIMEOUT);
    private static final ConnectionConfig ONE_OF_SEVERAL = config(CONNECT_TO_ONE_OF_SEVERAL);

    private EndpointClients() {}

    /**
     * @param endpoints the permitted addresses
     * @param gateway the id of this installation, which requests carry
     */
    public static HttpClientBuilder custom(
            EndpointAddresses endpoints, Supplier<Optional<String>> gateway, SocketConfig sockets) {
        return custom(new AddressRotation(new EndpointResolver(endpoints)), gateway, sockets);
    }

    /** As above, for a caller that chooses among the addresses of a host. */
    public static HttpClientBuilder custom(
            AddressRotation addresses, Supplier<Optional<String>> gateway, SocketConfig sockets) {
        return HttpClients.custom()
                .addRequestInterceptorFirst(
                        (request, _, _) ->
                                GatewayPath.header(gateway.get())
                                        .ifPresent(
                                                path ->
                                                        request.setHeader(
                                                                GatewayPath.HEADER, path)))
                .setConnectionManager(
                        PoolingHttpClientConnectionManagerBuilder.create()
                                .setDnsResolver(addresses.resolver())
                                .setMaxConnTotal(MAX_CONNECTIONS)
                                .setMaxConnPerRoute(MAX_CONNECTIONS)
                                .setDefaultSocketConfig(sockets)
                                .setConnectionConfigResolver(route -> config(addresses, route))
                                .setDefaultTlsConfig(
                                        TlsConfig.custom()
                                                .setHandshakeTimeout(CONNECT_TIMEOUT)
                                                .build())
                                .build())
                .setDefaultRequestConfig(
                        RequestConfig.custom()
                                .setResponseTimeout(Timeout.DISABLED)
                                .setProtocolUpgradeEnabled(false)
                                .build())
                .setUserAgent("orloj")
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableAuthCaching()
                .disableContentCompression()
                .evictExpiredConnections()
                .evictIdleConnections(EVICT_AFTER);
    }

    /** Connections to one of several addresses are given up sooner, for another address. */
    static ConnectionConfig config(AddressRotation addresses, HttpRoute route) {
        String host = route.getTargetHost().getHostName();
        return addresses.hasSeveral(host) ? ONE_OF_SEVERAL : ONLY_ONE;
    }

    private static ConnectionConfig config(Timeout connect) {
        return ConnectionConfig.custom()
                .setConnectTimeout(connect)
                .setValidateAfterInactivity(VALIDATE_AFTER)
                .build();
    }
}
