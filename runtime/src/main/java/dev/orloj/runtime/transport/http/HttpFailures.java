package dev.orloj.runtime.transport.http;

import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.ErrorResponse;
import dev.orloj.runtime.jsonrpc.MalformedMessageException;
import dev.orloj.runtime.network.RefusedAddressException;
import dev.orloj.runtime.oauth.OAuthException;
import dev.orloj.runtime.reading.ReadBudgetException;
import dev.orloj.runtime.transport.SessionExpiredException;
import dev.orloj.runtime.transport.TransportException;

import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.NoHttpResponseException;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

/** Describes failures of HTTP exchanges without showing credentials. */
final class HttpFailures {

    /** Maximum number of bytes read from the body of a refusal. */
    static final int REFUSAL_BYTES = 16 * 1024;

    private static final int EXCERPT = 200;
    private static final int SHORTEST_SECRET = 6;
    private static final Pattern ERROR_DESCRIPTION =
            Pattern.compile("error_description=\"([^\"]*)\"");

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int TOO_MANY_REQUESTS = 429;

    private final HttpEndpoint endpoint;

    HttpFailures(HttpEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** Describes a failed exchange. */
    TransportException of(IOException e) {
        if (e instanceof OAuthException unauthorized) {
            return new TransportException(
                    "No access token for "
                            + endpoint.display()
                            + ": "
                            + redact(String.valueOf(unauthorized.getMessage())),
                    false,
                    e);
        }
        if (e instanceof CertificateRefusedException || e instanceof AddressLostException) {
            return new SessionExpiredException(
                    "Session with %s has ended: %s".formatted(endpoint.display(), e.getMessage()));
        }
        boolean delivered = !neverSent(e);
        String what =
                switch (e) {
                    case RefusedAddressException refused -> String.valueOf(refused.getMessage());
                    case UnknownHostException unknown -> "the host is not known";
                    case NoHttpResponseException none ->
                            "the connection was closed without an answer";
                    case SSLHandshakeException tls -> "no TLS connection: " + tls.getMessage();
                    case AnswerTooLongException tooLong ->
                            "the answer cannot be read: " + tooLong.getMessage();
                    case ReadBudgetException large -> "it was ended: " + large.getMessage();
                    default -> String.valueOf(e.getMessage());
                };
        return new TransportException(
                (delivered ? "Exchange with " : "Connecting to ")
                        + endpoint.display()
                        + " failed: "
                        + redact(what),
                delivered,
                e);
    }

    private static boolean neverSent(IOException e) {
        return e instanceof ConnectException
                || e instanceof UnknownHostException
                || e instanceof NoRouteToHostException
                || e instanceof ConnectTimeoutException
                || e instanceof ConnectionRequestTimeoutException
                || e instanceof SSLHandshakeException
                || e instanceof SSLPeerUnverifiedException;
    }

    /** Describes an HTTP error status. */
    TransportException refusal(ClassicHttpResponse response, byte[] body) {
        int status = response.getCode();
        String text = "HTTP " + status + " from " + endpoint.display() + detail(response, body);
        return isForgottenSession(status, body)
                ? new SessionExpiredException("Server has forgotten the session: " + text)
                : new HttpStatusException(text, status, !isBeforeProcessing(status));
    }

    /** Describes a response that cannot be read. */
    TransportException unreadable(String why) {
        return new TransportException(
                "Answer of " + endpoint.display() + " cannot be read: " + why, true);
    }

    /** Describes a successful response without a JSON-RPC message. */
    TransportException unusable(String contentType, byte[] body) {
        return new TransportException(
                "Answer of "
                        + endpoint.display()
                        + " is no JSON-RPC message but "
                        + (contentType.isEmpty()
                                ? "without a content type"
                                : "\"" + contentType + "\"")
                        + excerpt(body),
                true);
    }

    private String detail(ClassicHttpResponse response, byte[] body) {
        int status = response.getCode();
        if (status == UNAUTHORIZED || status == FORBIDDEN) {
            String scheme =
                    header(response, HttpHeaders.WWW_AUTHENTICATE).map(this::challenge).orElse("");
            return scheme + ": the credentials in spec.auth are missing, wrong or not sufficient";
        }
        if (status >= 300 && status < 400) {
            return header(response, HttpHeaders.LOCATION)
                    .map(
                            location ->
                                    ": redirects to \""
                                            + target(location)
                                            + "\"; credentials do not follow, set spec.endpoint")
                    .orElse("");
        }
        String retryAfter =
                header(response, HttpHeaders.RETRY_AFTER)
                        .map(value -> " (retry after " + value + ")")
                        .orElse("");
        return retryAfter + excerpt(body);
    }

    /** Describes the required scheme and the server's description of the error (RFC 6750). */
    private String challenge(String header) {
        String wanted = " (it wants \"" + header.split("[ ,]", 2)[0] + "\"";
        Matcher description = ERROR_DESCRIPTION.matcher(header);
        return description.find()
                ? wanted + " and says " + quoted(description.group(1)) + ")"
                : wanted + ")";
    }

    private static String target(String location) {
        try {
            URI uri = URI.create(location);
            return uri.isAbsolute() ? HttpEndpoint.display(uri) : String.valueOf(uri.getPath());
        } catch (IllegalArgumentException e) {
            return "an invalid URL";
        }
    }

    private static Optional<String> header(ClassicHttpResponse response, String name) {
        return Optional.ofNullable(response.getFirstHeader(name)).map(Header::getValue);
    }

    /**
     * Returns whether the server no longer knows the session. The specification requires 404.
     * Servers based on the examples of the TypeScript SDK send 400 with an error that has no
     * request id and mentions the session.
     */
    private boolean isForgottenSession(int status, byte[] body) {
        if (endpoint.sessionId() == null) {
            return false;
        }
        return status == NOT_FOUND
                || (status == 400
                        && error(body)
                                .filter(error -> error.id() == null)
                                .map(error -> error.error().message().toLowerCase(Locale.ROOT))
                                .filter(message -> message.contains("session"))
                                .isPresent());
    }

    private static boolean isBeforeProcessing(int status) {
        return status < 400
                || status == UNAUTHORIZED
                || status == FORBIDDEN
                || status == NOT_FOUND
                || status == METHOD_NOT_ALLOWED
                || status == TOO_MANY_REQUESTS;
    }

    /** Returns the JSON-RPC error in the body of a refusal, if there is one. */
    static Optional<ErrorResponse> error(byte[] body) {
        try {
            for (JsonRpcMessage message : JsonRpcCodec.decode(body, 0, body.length).messages()) {
                if (message instanceof ErrorResponse error) {
                    return Optional.of(error);
                }
            }
            return Optional.empty();
        } catch (MalformedMessageException e) {
            return Optional.empty();
        }
    }

    private String excerpt(byte[] body) {
        String text =
                error(body)
                        .map(error -> error.error().message())
                        .orElseGet(() -> new String(body, StandardCharsets.UTF_8))
                        .replaceAll("[\\p{Cntrl}\\s]+", " ")
                        .strip();
        return text.isEmpty() ? "" : ": " + quoted(text);
    }

    private String quoted(String text) {
        String shown = redact(text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip());
        return "\""
                + (shown.length() > EXCERPT ? shown.substring(0, EXCERPT) + "..." : shown)
                + "\"";
    }

    /** Masks credentials: servers echo the input that they refuse, including tokens. */
    private String redact(String text) {
        String result = text;
        for (String secret : endpoint.credentials().toList()) {
            if (secret.length() >= SHORTEST_SECRET) {
                result = result.replace(secret, "***");
            }
        }
        return result;
    }
}
