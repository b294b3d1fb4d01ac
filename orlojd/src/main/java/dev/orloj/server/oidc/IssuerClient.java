package dev.orloj.server.oidc;

import com.nimbusds.jose.util.Resource;
import com.nimbusds.jose.util.ResourceRetriever;

import dev.orloj.runtime.network.EndpointAddresses;
import dev.orloj.runtime.network.EndpointResolver;
import dev.orloj.server.certificate.Authorities;

import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.util.Timeout;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;

/**
 * Fetches the documents of an issuer: over TLS only, without redirects, with bounds, and never from
 * a link-local address. Thread-safe.
 */
final class IssuerClient implements ResourceRetriever, AutoCloseable {

    private static final int MAX_BYTES = 1 << 20;
    private static final Timeout TIMEOUT = Timeout.ofSeconds(10);
    private static final int OK = 200;

    private final CloseableHttpClient client;

    /**
     * @param authority PEM; empty for the authorities of the system
     */
    IssuerClient(String authority) {
        PoolingHttpClientConnectionManagerBuilder connections =
                PoolingHttpClientConnectionManagerBuilder.create()
                        .setDnsResolver(new EndpointResolver(EndpointAddresses.DEFAULT))
                        .setDefaultConnectionConfig(
                                ConnectionConfig.custom()
                                        .setConnectTimeout(TIMEOUT)
                                        .setSocketTimeout(TIMEOUT)
                                        .build());
        if (!authority.isEmpty()) {
            try {
                connections.setTlsSocketStrategy(
                        new DefaultClientTlsStrategy(
                                Authorities.context(Authorities.read(authority))));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }
        this.client =
                HttpClients.custom()
                        .setConnectionManager(connections.build())
                        .setDefaultRequestConfig(
                                RequestConfig.custom()
                                        .setResponseTimeout(TIMEOUT)
                                        .setConnectionRequestTimeout(TIMEOUT)
                                        .build())
                        .setUserAgent("orloj")
                        .disableRedirectHandling()
                        .disableAutomaticRetries()
                        .disableCookieManagement()
                        .disableAuthCaching()
                        .build();
    }

    @Override
    public Resource retrieveResource(URL url) throws IOException {
        if (!url.getProtocol().equals("https")) {
            throw new IOException("\"%s\" is no https URL".formatted(url));
        }
        HttpGet get = new HttpGet(url.toString());
        get.setHeader("Accept", "application/json, application/jwk-set+json");
        return client.execute(get, response -> read(url, response));
    }

    private static Resource read(URL url, ClassicHttpResponse response) throws IOException {
        if (response.getCode() != OK) {
            throw new IOException("%s answers %d".formatted(url, response.getCode()));
        }
        HttpEntity entity = response.getEntity();
        if (entity == null) {
            throw new IOException("%s answers without a body".formatted(url));
        }
        try (InputStream body = entity.getContent()) {
            byte[] bytes = body.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IOException(
                        "%s answers with more than %d bytes".formatted(url, MAX_BYTES));
            }
            return new Resource(new String(bytes, StandardCharsets.UTF_8), entity.getContentType());
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
