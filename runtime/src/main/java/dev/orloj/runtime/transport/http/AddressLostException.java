package dev.orloj.runtime.transport.http;

import java.io.IOException;
import java.net.InetAddress;

/**
 * A request was not sent, because the address that has the session accepts no connection, and the
 * host has another address.
 */
final class AddressLostException extends IOException {

    private static final long serialVersionUID = 1L;

    AddressLostException(InetAddress address, IOException cause) {
        super(
                "its address %s accepts no connection (%s), and a session is known at one address only"
                        .formatted(address.getHostAddress(), cause.getMessage()),
                cause);
    }
}
