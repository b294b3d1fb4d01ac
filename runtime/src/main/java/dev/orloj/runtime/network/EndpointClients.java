package dev.orloj.runtime.network;

import dev.orloj.runtime.gateway.GatewayPath;

import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
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
    private static final TimeValue VALIDATE_AFTER = TimeValue.ofSeconds(1);
    private static final TimeValue EVICT_AFTER = TimeValue.ofMinutes(1);

    private EndpointClients() {}

    /**
     * @param endpoints the permitted addresses
     * @param gateway the id of this installation, which requests carry
     */
    public static HttpClientBuilder custom(
            EndpointAddresses endpoints, Supplier<Optional<String>> gateway, SocketConfig sockets) {
        return custom(new EndpointResolver(endpoints), gateway, sockets);
    }

    /** As above, with a resolver that the caller uses too. */
    public static HttpClientBuilder custom(
            EndpointResolver resolver, Supplier<Optional<String>> gateway, SocketConfig sockets) {
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
                                .setDnsResolver(resolver)
                                .setMaxConnTotal(MAX_CONNECTIONS)
                                .setMaxConnPerRoute(MAX_CONNECTIONS)
                                .setDefaultSocketConfig(sockets)
                                .setDefaultConnectionConfig(
                                        ConnectionConfig.custom()
                                                .setConnectTimeout(CONNECT_TIMEOUT)
                                                .setValidateAfterInactivity(VALIDATE_AFTER)
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
}
