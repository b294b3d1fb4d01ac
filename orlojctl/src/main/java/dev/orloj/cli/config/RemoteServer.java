package dev.orloj.cli.config;

import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.tls.PresentedChain;
import dev.orloj.cli.tls.TlsSettings;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Locale;

import javax.net.ssl.SSLException;

/**
 * The HTTPS port of an orlojd on another machine.
 *
 * @param host a name or an address, without the brackets of IPv6
 */
record RemoteServer(String host, int port) {

    private static final int DEFAULT_PORT = 8443;
    private static final int MAX_PORT = 65_535;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /**
     * @throws UsageException when it is neither a host, a host with a port, nor an https URL
     */
    static RemoteServer parse(String text) {
        String given = text.strip().replaceFirst("/+$", "");
        try {
            URI uri = new URI(given.contains("://") ? given : "https://" + given);
            boolean isOther =
                    !"https".equalsIgnoreCase(uri.getScheme())
                            || uri.getUserInfo() != null
                            || !uri.getRawPath().isEmpty()
                            || uri.getRawQuery() != null
                            || uri.getRawFragment() != null;
            String host = uri.getHost();
            int port = uri.getPort() == -1 ? DEFAULT_PORT : uri.getPort();
            if (!isOther && host != null && port > 0 && port <= MAX_PORT) {
                return new RemoteServer(
                        host.replace("[", "").replace("]", "").toLowerCase(Locale.ROOT), port);
            }
        } catch (URISyntaxException e) {
            // reported below, with correct examples
        }
        throw new UsageException(
                "HOST is a name such as orloj.example.com, a name with a port, or"
                        + " https://HOST:PORT");
    }

    String url() {
        return "https://" + this;
    }

    PresentedChain presented() {
        try {
            return PresentedChain.of(host, port, TIMEOUT);
        } catch (SSLException e) {
            throw new CommandException(
                    "%s does not answer with TLS (%s); is it the HTTPS port of orlojd (--https-port)?"
                            .formatted(this, e.getMessage()));
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    boolean isTrustedBySystem(PresentedChain chain) {
        try {
            chain.verify(null);
            return true;
        } catch (CertificateException e) {
            return false;
        }
    }

    /**
     * Verifies the certificate as later commands will.
     *
     * @param authority null for those of the system
     */
    void verify(PresentedChain chain, @Nullable X509Certificate authority) {
        try {
            chain.verify(authority);
        } catch (CertificateException e) {
            throw new CommandException(
                    "the certificate of %s is not valid by this authority: %s; nothing was written"
                            .formatted(this, e.getMessage()));
        }
        String pem = authority == null ? null : PresentedChain.pem(authority);
        try {
            PresentedChain.connect(
                    host, port, TIMEOUT, new TlsSettings(pem, null, null, null, false));
        } catch (SSLException e) {
            throw new CommandException(
                    "the certificate of %s is not for \"%s\" (%s); start orlojd with --tls-san %2$s; nothing was written"
                            .formatted(this, host, e.getMessage()));
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    private CommandException unreachable(IOException e) {
        String why =
                switch (e) {
                    case UnknownHostException unknown -> "unknown host";
                    case ConnectException refused ->
                            "connection refused; does orlojd serve other machines (--https-port)?";
                    case SocketTimeoutException late ->
                            "no answer in %d seconds".formatted(TIMEOUT.toSeconds());
                    default -> String.valueOf(e.getMessage());
                };
        return new CommandException("cannot reach %s: %s".formatted(this, why));
    }

    /** Returns the host and the port, as in a URL. */
    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
