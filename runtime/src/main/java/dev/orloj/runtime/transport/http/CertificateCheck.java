package dev.orloj.runtime.transport.http;

import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.io.HttpResponseInformationCallback;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;

import java.io.IOException;

import javax.net.ssl.SSLSession;

/**
 * Sends a request only if its endpoint accepts the certificate of the server. A connection may be a
 * new one, or one from the pool, so this is checked for each request.
 */
public final class CertificateCheck extends HttpRequestExecutor {

    @Override
    public ClassicHttpResponse execute(
            ClassicHttpRequest request,
            HttpClientConnection connection,
            @Nullable HttpResponseInformationCallback callback,
            HttpContext context)
            throws IOException, HttpException {
        SSLSession session = connection.getSSLSession();
        if (session != null
                && context.getAttribute(EndpointCertificate.ATTRIBUTE)
                        instanceof EndpointCertificate certificate) {
            certificate.check(session);
        }
        return super.execute(request, connection, callback, context);
    }
}
