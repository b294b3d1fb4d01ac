package dev.orloj.runtime.transport.http;

import java.io.IOException;

/**
 * A request was not sent, because the server has a certificate that the session does not accept.
 */
final class CertificateRefusedException extends IOException {

    private static final long serialVersionUID = 1L;

    CertificateRefusedException() {
        super("the certificate of the server is one of another issuer");
    }
}
