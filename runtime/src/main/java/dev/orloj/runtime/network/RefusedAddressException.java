package dev.orloj.runtime.network;

import java.net.UnknownHostException;

/**
 * A host has no address that may be connected to; the message says which it has, why that is
 * refused, and what to do. Nothing was sent.
 */
public final class RefusedAddressException extends UnknownHostException {

    private static final long serialVersionUID = 1L;

    RefusedAddressException(String message) {
        super(message);
    }
}
