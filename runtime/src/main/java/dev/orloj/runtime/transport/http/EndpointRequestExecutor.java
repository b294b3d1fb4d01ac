package dev.orloj.runtime.transport.http;

import dev.orloj.runtime.transport.PendingRequests.Pending;

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
 * Sends a request only if its endpoint accepts the certificate of the server, and if it has not
 * failed as one that was not sent. A connection may be a new one, or one from the pool, so this is
 * checked for each request. HttpClient calls it once there is a connection, before the first byte.
 */
public final class EndpointRequestExecutor extends HttpRequestExecutor {

    /** The attribute of a request with the {@code Pending} that it carries, if any. */
    static final String CARRIED = EndpointRequestExecutor.class.getName();

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
        if (context.getAttribute(CARRIED) instanceof Pending carried && !carried.beginSending()) {
            throw new IOException("aborted");
        }
        return super.execute(request, connection, callback, context);
    }
}
